-- title: Indexed blocks by chain
-- about: How many blocks of each chain are indexed, and how many are missing between the lowest and the highest.
-- topic: Data coverage

SELECT
  chain,
  count() AS blocks_indexed,
  min(height) AS lowest_height,
  max(height) AS highest_height,
  highest_height - lowest_height + 1 - blocks_indexed AS blocks_missing_between,
  uniqExact(toDate(block_time)) AS days_touched,
  max(block_time) AS newest_block_utc
FROM chain_blocks
GROUP BY chain
ORDER BY blocks_indexed DESC
