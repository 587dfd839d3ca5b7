-- title: Inscriptions by content type
-- about: What is written into witness data: number and bytes of ordinal inscriptions in the indexed blocks.
-- topic: Bitcoin transactions and coins

SELECT
  content_type,
  count() AS inscriptions,
  countIf(is_brc20) AS brc20_operations,
  sum(body_bytes) AS body_bytes,
  uniqExact(height) AS blocks
FROM btc_inscriptions
GROUP BY content_type
ORDER BY inscriptions DESC
