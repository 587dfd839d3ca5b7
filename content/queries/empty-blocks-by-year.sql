-- title: Empty blocks by year
-- about: Blocks that hold nothing but the coinbase transaction, as a count and a share of the indexed blocks.
-- topic: Bitcoin blocks and fees

SELECT
  toYear(block_time) AS year,
  count() AS blocks_indexed,
  countIf(tx_count = 1) AS empty_blocks,
  100 * countIf(tx_count = 1) / count() AS empty_percent
FROM btc_block_facts
GROUP BY year
ORDER BY year
