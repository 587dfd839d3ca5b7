-- title: Company bitcoin purchases by quarter
-- about: BTC that companies bought and sold per quarter, what the purchases cost, and the average price where the cost is stated.
-- topic: Treasuries and ETFs

SELECT
  toStartOfQuarter(day) AS quarter,
  sumIf(delta_sat, delta_sat > 0) / 1e8 AS bought_btc,
  -sumIf(delta_sat, delta_sat < 0) / 1e8 AS sold_btc,
  uniqExact(entity) AS holders,
  sumIf(cost_usd, delta_sat > 0) AS stated_cost_usd,
  -- Only purchases with a stated cost count for the price.
  stated_cost_usd / nullIf(sumIf(delta_sat, delta_sat > 0 AND cost_usd > 0) / 1e8, 0) AS average_price_usd
FROM treasury_events
WHERE NOT is_corrected  -- rows that the source has replaced since
GROUP BY quarter
ORDER BY quarter
