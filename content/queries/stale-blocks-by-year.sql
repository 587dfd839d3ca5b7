-- title: Stale blocks by year
-- about: Blocks that lost the race against another block of the same height, as reported by nodes that saw them.
-- topic: Bitcoin mining

SELECT
  toYear(block_time) AS year,
  count() AS stale_blocks,
  uniqExact(height) AS heights,
  max(height) AS last_height
FROM btc_stale_blocks
WHERE block_time IS NOT NULL
GROUP BY year
ORDER BY year
