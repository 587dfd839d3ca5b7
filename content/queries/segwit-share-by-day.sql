-- title: Share of SegWit transactions by day
-- about: Transactions with a witness as a percentage of all transactions, coinbases left out.
-- topic: Bitcoin blocks and fees

SELECT
  toDate(block_time) AS day,
  count() AS blocks_indexed,
  sum(tx_count - 1) AS transactions,  -- the coinbase is one transaction of each block
  -- nullIf() avoids a division by zero on the early days that have only coinbases.
  100 * sum(segwit_tx_count) / nullIf(sum(tx_count - 1), 0) AS segwit_percent
FROM btc_block_stats
WHERE height >= 481824  -- SegWit activated at this height
GROUP BY day
ORDER BY day
