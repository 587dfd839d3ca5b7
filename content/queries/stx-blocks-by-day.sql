-- title: Stacks blocks by day
-- about: Blocks, tenures, user transactions and fees in STX per day, and whether the day is complete.
-- topic: Stacks

SELECT
  bucket AS day,
  block_count AS blocks_indexed,
  tenure_count AS tenures,
  user_tx_count AS user_transactions,
  failed_tx_count AS failed_transactions,
  fee_ustx / 1e6 AS fees_stx,  -- 1 STX is 1,000,000 micro-STX
  bucket IN (SELECT day FROM stx_whole_days) AS is_complete_day
FROM stx_block_days
ORDER BY day
