-- title: Bitcoin blocks that merge-mine Rootstock
-- about: Tags of Rootstock in Bitcoin's coinbase transactions, and the Rootstock height each one names.
-- topic: EVM layers

SELECT
  height AS bitcoin_height,
  block_time AS block_time_utc,
  lower(hex(txid)) AS coinbase_transaction,
  tagged_height AS rootstock_height,  -- NULL in tags of the first years, which name no height
  hash_for_merged_mining
FROM rootstock_merge_mining
ORDER BY bitcoin_height
LIMIT 1000
