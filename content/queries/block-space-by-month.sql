-- title: How full blocks are by month
-- about: Average weight, size and number of transactions of a block. The weight limit is 4 million weight units.
-- topic: Bitcoin blocks and fees

SELECT
  toStartOfMonth(block_time) AS month,
  count() AS blocks_indexed,
  round(avg(tx_count)) AS transactions_per_block,
  round(avg(size_bytes) / 1e6, 3) AS megabytes_per_block,
  round(100 * avg(weight_wu) / 4e6, 2) AS percent_of_weight_limit
FROM btc_block_stats
GROUP BY month
ORDER BY month
