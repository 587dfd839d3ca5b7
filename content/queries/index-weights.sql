-- title: Weights at the last rebalancing
-- about: Constituents of each index with weight and price at its newest rebalancing.
-- topic: Indices

SELECT
  index_id,
  day AS rebalanced_on,
  upper(token) AS token_symbol,
  100 * weight AS weight_percent,
  price_usd,
  is_capped
FROM index_weights
-- A tuple compares several columns at once.
WHERE (index_id, day) IN (SELECT index_id, max(day) FROM index_weights GROUP BY index_id)
ORDER BY index_id, weight_percent DESC
