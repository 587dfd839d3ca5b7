-- title: Largest fall from the all-time high by year
-- about: How far below its highest close so far bitcoin fell in each year, and on which day.
-- topic: Markets and prices

WITH closes AS (
  SELECT
    day,
    close,
    max(close) OVER (ORDER BY day) AS high_so_far
  FROM btc_usd_daily
)
SELECT
  toYear(day) AS year,
  count() AS days,
  min(100 * (close / high_so_far - 1)) AS drawdown_percent,
  argMin(day, close / high_so_far) AS lowest_day,
  argMin(close, close / high_so_far) AS close_usd
FROM closes
GROUP BY year
ORDER BY year
