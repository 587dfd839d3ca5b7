-- title: NFT collections on Stacks
-- about: Mints, transfers, distinct tokens and sales of each collection in the indexed blocks.
-- topic: Stacks

SELECT
  transfers.asset AS collection,
  countIf(transfers.action = 'mint') AS mints,
  countIf(transfers.action = 'transfer') AS transfers_count,
  uniqExact(transfers.token_id) AS tokens,
  any(sales.sale_count) AS sales_count,
  any(sales.volume_stx) AS sales_stx
FROM stx_transfers AS transfers
LEFT JOIN (
  SELECT asset, count() AS sale_count, toFloat64(sum(price_ustx)) / 1e6 AS volume_stx
  FROM stx_nft_sales
  GROUP BY asset
) AS sales ON sales.asset = transfers.asset
WHERE transfers.standard = 'nft'
GROUP BY collection
ORDER BY mints + transfers_count DESC, collection
