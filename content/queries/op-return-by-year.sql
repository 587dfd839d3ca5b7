-- title: OP_RETURN data by year
-- about: Data outputs and their bytes per indexed block.
-- topic: Bitcoin transactions and coins

SELECT
  toYear(block_time) AS year,
  count() AS blocks_indexed,
  sum(op_return_count) AS data_outputs,
  sum(op_return_bytes) AS data_bytes,
  round(data_bytes / blocks_indexed, 1) AS bytes_per_block
FROM btc_blocks
GROUP BY year
ORDER BY year
