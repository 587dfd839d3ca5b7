-- title: Bitcoin yields by return
-- about: Newest reported APY of each opportunity above a TVL, with its 30-day average and risk points (0 is best, 10 is worst).
-- topic: Yields
-- parameter min_tvl_usd: 1000000

WITH newest AS (
  -- LIMIT 1 BY keeps one row per opportunity: the newest day.
  SELECT entity, day, apy_base, apy_reward, mean, tvl_usd, points
  FROM yield_standings
  WHERE apy_base IS NOT NULL
  ORDER BY day DESC
  LIMIT 1 BY entity
)
SELECT
  opportunities.name AS opportunity,
  opportunities.layer AS layer,
  newest.day AS as_of,
  100 * (newest.apy_base + ifNull(newest.apy_reward, 0)) AS apy_percent,
  100 * newest.mean AS apy_30d_average_percent,  -- NULL with fewer than 20 days of data
  newest.tvl_usd AS tvl_usd,
  newest.points AS risk_points
FROM newest
INNER JOIN yield_opportunities AS opportunities ON opportunities.entity = newest.entity
WHERE newest.tvl_usd >= {min_tvl_usd:Float64}
ORDER BY apy_percent DESC
