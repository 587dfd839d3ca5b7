-- title: US spot ETF flows by week
-- about: Net flow of all US spot Bitcoin ETFs per week and since January 2024, in US dollars.
-- topic: Treasuries and ETFs

SELECT
  toMonday(day) AS week,
  uniqExact(day) AS trading_days,
  sum(value) AS net_flow_usd,
  sum(sum(value)) OVER (ORDER BY toMonday(day)) AS cumulative_usd
FROM latest_observations
WHERE metric = 'etf.flow'
GROUP BY week
ORDER BY week
