-- title: TVL by Bitcoin layer
-- about: Newest reported TVL of each layer in US dollars, with its age. Old figures are old: compare the days.
-- topic: Bitcoin layers

SELECT
  entity AS layer,
  argMax(value, day) AS tvl_usd,  -- the value of the newest day
  max(day) AS as_of,
  count() AS days_covered,
  dateDiff('day', as_of, max(as_of) OVER ()) AS days_behind_newest
FROM latest_observations
WHERE metric = 'tvl.total'
  -- The metric covers applications too; layers have a figure of bridged BTC or stablecoins.
  AND entity IN (SELECT entity FROM latest_observations WHERE metric IN ('btc.bridged', 'stables.cap'))
GROUP BY entity
ORDER BY tvl_usd DESC
