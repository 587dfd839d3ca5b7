-- title: What layers write to Bitcoin
-- about: Operations of Stacks, Rootstock, Babylon and Core found in Bitcoin blocks, with the amount they move.
-- topic: Bitcoin layers

SELECT
  op AS operation,
  count() AS operations,
  uniqExact(height) AS blocks_with_it,
  sum(value_sat) / 1e8 AS moved_btc,
  min(block_time) AS first_time_utc,
  max(block_time) AS last_time_utc,
  (SELECT count() FROM btc_blocks) AS blocks_indexed
FROM btc_layer_ops
GROUP BY op
ORDER BY operations DESC
