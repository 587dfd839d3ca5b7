-- title: APY of one opportunity by month
-- about: Average base and reward APY and TVL of an opportunity per month, with the days that have a rate.
-- topic: Yields
-- parameter entity: fluid-dex-ethereum-wbtc-cbbtc

SELECT
  toStartOfMonth(day) AS month,
  countIf(apy_base IS NOT NULL) AS days_with_rate,
  100 * avg(apy_base) AS base_percent,  -- avg() leaves NULL out
  100 * avg(apy_reward) AS reward_percent,
  round(avg(tvl_usd)) AS average_tvl_usd
FROM yield_days
WHERE entity = {entity:String}
GROUP BY month
ORDER BY month
