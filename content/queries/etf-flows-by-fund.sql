-- title: US spot ETF flows by fund
-- about: Net flow per fund in a range of days with its best and worst day. Funds that have not reported yet show 0.
-- topic: Treasuries and ETFs
-- parameter from: 2026-01-01
-- parameter to: 2026-12-31

SELECT
  key AS fund,
  count() AS days_covered,
  sum(value) AS net_flow_usd,
  max(value) AS best_day_usd,
  argMax(day, value) AS best_day,
  min(value) AS worst_day_usd,
  argMin(day, value) AS worst_day
FROM latest_observations
WHERE metric = 'etf.flow' AND day BETWEEN {from:Date} AND {to:Date}
GROUP BY fund
ORDER BY net_flow_usd DESC
