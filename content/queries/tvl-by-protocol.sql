-- title: Largest protocols of a layer
-- about: TVL of each protocol on a layer on the newest day on which it was reported.
-- topic: Bitcoin layers
-- parameter layer: rootstock

SELECT
  key AS protocol,
  argMax(value, day) AS tvl_usd,
  max(day) AS as_of
FROM latest_observations
WHERE metric = 'tvl.by_protocol' AND entity = {layer:String}
GROUP BY protocol
ORDER BY tvl_usd DESC
