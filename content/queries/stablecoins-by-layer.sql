-- title: Stablecoins on Bitcoin layers
-- about: Supply of each stablecoin on each layer on the newest reported day, at market price.
-- topic: Bitcoin layers

SELECT
  entity AS layer,
  key AS stablecoin,
  argMax(value, day) AS supply_usd,
  round(100 * supply_usd / sum(supply_usd) OVER (PARTITION BY layer), 2) AS percent_of_layer,
  max(day) AS as_of
FROM latest_observations
WHERE metric = 'stables.by_token'
GROUP BY layer, stablecoin
ORDER BY layer, supply_usd DESC
