-- title: BRC-20 tokens by operations
-- about: Deploys, mints and transfers of BRC-20 tokens, read from the JSON text of inscriptions.
-- topic: Bitcoin transactions and coins

SELECT
  -- Tickers ignore case.
  lowerUTF8(JSONExtractString(body_start, 'tick')) AS ticker,
  countIf(JSONExtractString(body_start, 'op') = 'deploy') AS deploys,
  countIf(JSONExtractString(body_start, 'op') = 'mint') AS mints,
  countIf(JSONExtractString(body_start, 'op') = 'transfer') AS transfers,
  count() AS operations
FROM btc_inscriptions
WHERE is_brc20
GROUP BY ticker
ORDER BY operations DESC, ticker
LIMIT 50
