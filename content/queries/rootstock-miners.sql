-- title: Rootstock blocks by miner
-- about: Who made the recorded Rootstock blocks, how many uncles they reference, and how many carry Bitcoin's tag.
-- topic: EVM layers

SELECT
  concat('0x', lower(hex(miner))) AS miner_address,
  count() AS blocks,
  100 * count() / sum(count()) OVER () AS percent,
  sum(uncle_count) AS uncles,
  countIf(is_bitcoin_tagged) AS blocks_tagged_in_bitcoin
FROM evm_headers
WHERE chain = 'rootstock'
GROUP BY miner
ORDER BY blocks DESC
