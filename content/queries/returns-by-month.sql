-- title: Monthly returns of an asset
-- about: Change of the closing price in each month of each year, one row per year.
-- topic: Markets and prices
-- parameter asset: BTC

WITH months AS (
  SELECT toStartOfMonth(day) AS month, argMax(close, day) AS last_close
  FROM usd_closes
  WHERE asset = {asset:String}
  GROUP BY month
),
returns AS (
  SELECT
    month,
    100 * (last_close / lagInFrame(last_close) OVER by_month - 1) AS return_percent,
    row_number() OVER by_month AS place
  FROM months
  WINDOW by_month AS (ORDER BY month)
)
SELECT
  toYear(month) AS year,
  -- One column per month: an aggregate with If picks its row. No data in a month gives NULL.
  round(anyOrNullIf(return_percent, toMonth(month) = 1), 1) AS jan_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 2), 1) AS feb_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 3), 1) AS mar_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 4), 1) AS apr_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 5), 1) AS may_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 6), 1) AS jun_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 7), 1) AS jul_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 8), 1) AS aug_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 9), 1) AS sep_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 10), 1) AS oct_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 11), 1) AS nov_percent,
  round(anyOrNullIf(return_percent, toMonth(month) = 12), 1) AS dec_percent
FROM returns
WHERE place > 1  -- the first month has nothing to compare with
GROUP BY year
ORDER BY year
