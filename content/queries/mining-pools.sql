-- title: Blocks by mining pool
-- about: Share of the indexed blocks by pool, by the mark that a pool writes into its coinbase. Blocks without a known mark are listed as unknown.
-- topic: Bitcoin mining

SELECT
  if(pool = '', 'unknown', pool) AS mining_pool,
  count() AS blocks,
  100 * count() / sum(count()) OVER () AS percent,
  min(height) AS first_height,
  max(height) AS last_height
FROM btc_blocks
GROUP BY mining_pool
ORDER BY blocks DESC
