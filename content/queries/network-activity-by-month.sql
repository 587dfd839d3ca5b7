-- title: Bitcoin network activity by month
-- about: Reported daily figures side by side: addresses used, transactions, unspent outputs and value moved. Averages of the days that are covered.
-- topic: Bitcoin transactions and coins

-- Reported figures are one row per metric and day. Aggregates that end in If turn them into columns.
SELECT
  toStartOfMonth(day) AS month,
  round(avgIf(amount, metric = 'addresses.used')) AS addresses_used_per_day,
  round(avgIf(amount, metric = 'tx.count_with_coinbase')) AS transactions_per_day,
  round(avgIf(amount, metric = 'utxo.count')) AS unspent_outputs,
  round(avgIf(value, metric = 'value.estimated')) AS value_moved_usd_per_day,
  countIf(metric = 'addresses.used') AS days_with_addresses
FROM latest_observations
WHERE entity = 'bitcoin'
  AND metric IN ('addresses.used', 'tx.count_with_coinbase', 'utxo.count', 'value.estimated')
GROUP BY month
ORDER BY month
