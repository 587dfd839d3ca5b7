-- title: Complete Bitcoin days by year
-- about: Days of each year on which every block is indexed, with all transactions or with block figures only.
-- topic: Data coverage

SELECT
  toYear(day) AS year,
  countIf(basis = 'rows') AS days_with_all_transactions,
  countIf(basis = 'facts') AS days_with_block_figures,
  -- Balances and unspent outputs need every block since genesis.
  countIf(basis = 'genesis') AS days_unbroken_since_genesis
FROM btc_whole_days
GROUP BY year
ORDER BY year
