-- title: Latest Bitcoin blocks
-- about: The newest indexed blocks with time, transactions, size and fees.
-- topic: Bitcoin blocks and fees

SELECT
  height,
  block_time AS block_time_utc,
  lower(hex(hash)) AS block_hash,  -- hashes are bytes; hex() makes them readable
  tx_count,
  size_bytes,
  weight_wu / 4e6 AS share_of_weight_limit,
  fee_sat / 1e8 AS fees_btc  -- NULL if the value of a spent coin is not indexed
FROM btc_blocks
ORDER BY height DESC
LIMIT 20
