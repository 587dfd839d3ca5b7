-- title: Arkadiko vaults and debt by month
-- about: Vaults, owners, STX collateral and USDA debt at the last reported day of each month.
-- topic: Stacks

SELECT
  toStartOfMonth(day) AS month,
  max(day) AS as_of,
  argMaxIf(amount, day, metric = 'cdp.vaults') AS vaults,
  argMaxIf(amount, day, metric = 'cdp.owners') AS owners,
  -- Both amounts have six decimals.
  argMaxIf(amount, day, metric = 'cdp.collateral' AND key = 'STX') / 1e6 AS collateral_stx,
  argMaxIf(amount, day, metric = 'cdp.debt') / 1e6 AS debt_usda
FROM latest_observations
WHERE entity = 'arkadiko' AND metric LIKE 'cdp.%'
GROUP BY month
ORDER BY month
