-- title: Transactions and fees by chain and month
-- about: One query over all chains: views that begin with chain_ have the same columns for each of them.
-- topic: Data coverage

SELECT
  chain,
  toStartOfMonth(block_time) AS month,
  count() AS blocks_indexed,
  sum(tx_count) AS transactions,
  sum(failed_tx_count) AS failed_transactions,
  -- In the smallest unit of each chain: satoshis, micro-STX or wei. Never add fees of different chains.
  toFloat64(sum(fee)) AS fees_in_smallest_unit
FROM chain_blocks
GROUP BY chain, month
ORDER BY chain, month
