-- title: Listed bitcoin pools by chain
-- about: Pools, TVL and TVL-weighted APY per chain on the newest day of the recorded lists.
-- topic: Yields

SELECT
  chain,
  count() AS pools,
  sum(tvl_usd) AS tvl_usd_total,
  -- A large pool counts for more than a small one.
  100 * sum((ifNull(apy_base, 0) + ifNull(apy_reward, 0)) * tvl_usd) / sum(tvl_usd) AS apy_percent_weighted,
  any(day) AS as_of
FROM yield_listings
WHERE day = (SELECT max(day) FROM yield_listings) AND tvl_usd > 0
GROUP BY chain
ORDER BY tvl_usd_total DESC
