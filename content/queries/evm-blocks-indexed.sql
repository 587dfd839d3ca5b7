-- title: Blocks, gas and fees of EVM layers
-- about: What is indexed of each layer and what its users paid. Layers without a connected node show zero blocks.
-- topic: EVM layers

WITH layers AS (
  SELECT arrayJoin(['rootstock', 'bob', 'merlin', 'bitlayer', 'b2-network', 'core']) AS layer
),
-- Rows per day are rolled up, so this reads little even for millions of blocks.
totals AS (
  SELECT
    toString(chain) AS layer,
    sum(block_count) AS blocks,
    sum(user_tx_count) AS transactions,
    sum(gas_used) AS gas,
    toFloat64(sum(fee_wei)) / 1e18 AS fees,
    max(bucket) AS last_day
  FROM evm_block_days
  GROUP BY chain
)
SELECT
  layers.layer AS layer,
  totals.blocks AS blocks_indexed,
  totals.transactions AS user_transactions,
  totals.gas AS gas_used,
  totals.fees AS fees_in_gas_token,
  if(totals.blocks = 0, NULL, totals.last_day) AS last_indexed_day
FROM layers
LEFT JOIN totals ON totals.layer = layers.layer
ORDER BY blocks_indexed DESC, layer
