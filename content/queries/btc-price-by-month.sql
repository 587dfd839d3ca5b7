-- title: Bitcoin price by month
-- about: Open, high, low and close of each month from daily closes in US dollars.
-- topic: Markets and prices

SELECT
  toStartOfMonth(day) AS month,
  count() AS days,
  argMin(close, day) AS first_close_usd,
  max(close) AS highest_close_usd,
  min(close) AS lowest_close_usd,
  argMax(close, day) AS last_close_usd,
  100 * (last_close_usd / first_close_usd - 1) AS change_percent
FROM btc_usd_daily
GROUP BY month
ORDER BY month
