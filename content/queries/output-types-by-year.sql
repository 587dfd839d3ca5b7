-- title: Output types by year
-- about: How coins are locked: the share of each script type among new outputs of the indexed blocks.
-- topic: Bitcoin transactions and coins

SELECT
  toYear(block_time) AS year,
  script_type,
  count() AS outputs,
  100 * count() / sum(count()) OVER (PARTITION BY year) AS percent_of_year,
  uniqExact(height) AS blocks_with_this_type
FROM btc_outputs
GROUP BY year, script_type
ORDER BY year, outputs DESC
