-- title: BTC bridged by layer
-- about: Bitcoin on each layer on its newest reported day, with its share of the total.
-- topic: Bitcoin layers

WITH newest AS (
  SELECT entity, argMax(amount, day) AS bridged_sat, max(day) AS as_of
  FROM latest_observations
  WHERE metric = 'btc.bridged'
  GROUP BY entity
)
SELECT
  entity AS layer,
  bridged_sat / 1e8 AS bridged_btc,
  100 * bridged_sat / sum(bridged_sat) OVER () AS percent,
  as_of
FROM newest
ORDER BY bridged_sat DESC
