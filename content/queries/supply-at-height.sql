-- title: Bitcoin supply at a height
-- about: Coins issued up to a block height under the subsidy schedule, by halving era.
-- topic: Bitcoin blocks and fees
-- parameter height: 840000

WITH
  210000 AS blocks_per_era,
  {height:UInt32} + 1 AS blocks  -- block 0 counts
SELECT
  era,
  era * blocks_per_era AS from_height,
  least((era + 1) * blocks_per_era, blocks) - 1 AS to_height,
  bitShiftRight(5000000000, era) AS subsidy_sat,  -- halved with each era, rounded down
  (to_height - from_height + 1) * subsidy_sat / 1e8 AS issued_btc,
  sum((to_height - from_height + 1) * subsidy_sat) OVER (ORDER BY era) / 1e8 AS supply_btc
FROM (SELECT arrayJoin(range(33)) AS era)
WHERE era * blocks_per_era < blocks
ORDER BY era
