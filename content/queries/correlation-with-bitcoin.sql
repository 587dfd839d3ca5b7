-- title: Correlation of tokens with bitcoin by year
-- about: How closely the daily price changes of a token follow those of bitcoin: 1 is in step, 0 is unrelated.
-- topic: Markets and prices

WITH returns AS (
  SELECT
    asset,
    day,
    day - lagInFrame(day) OVER by_day AS day_gap,
    log(close / lagInFrame(close) OVER by_day) AS daily_return
  FROM usd_closes
  WINDOW by_day AS (PARTITION BY asset ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
SELECT
  token.asset AS asset,
  toYear(token.day) AS year,
  count() AS days,
  round(corr(token.daily_return, bitcoin.daily_return), 3) AS correlation
FROM returns AS token
INNER JOIN returns AS bitcoin ON bitcoin.day = token.day
WHERE bitcoin.asset = 'BTC' AND token.asset != 'BTC'
  AND token.day_gap = 1 AND bitcoin.day_gap = 1  -- changes over a missing day are left out
GROUP BY asset, year
HAVING days >= 60
ORDER BY asset, year
