-- title: Fees as a share of miner revenue by month
-- about: How much of what miners earn comes from fees. Months without all days show how many are indexed.
-- topic: Bitcoin blocks and fees

SELECT
  toStartOfMonth(day) AS month,
  uniqExact(day) AS days_indexed,
  count() AS blocks_indexed,
  sum(subsidy_sat) / 1e8 AS subsidy_btc,
  sum(fee_sat) / 1e8 AS fees_btc,
  100 * sum(fee_sat) / sum(subsidy_sat + fee_sat) AS fees_percent_of_revenue
FROM btc_block_facts
WHERE origin = 'statistics'
GROUP BY month
ORDER BY month
