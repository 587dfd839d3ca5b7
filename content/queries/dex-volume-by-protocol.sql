-- title: DEX volume by protocol
-- about: Average reported trading volume in 24 hours per protocol, with the number of days behind it.
-- topic: Bitcoin layers
-- parameter from: 2025-01-01

SELECT
  entity AS layer,
  key AS protocol,
  count() AS days_covered,
  round(avg(value)) AS average_volume_usd,
  round(max(value)) AS highest_volume_usd,
  max(day) AS last_day
FROM latest_observations
WHERE metric = 'dex.by_protocol' AND day >= {from:Date}
GROUP BY layer, protocol
ORDER BY average_volume_usd DESC
