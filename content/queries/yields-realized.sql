-- title: Realized bitcoin returns
-- about: What one bitcoin earned in 90 days, annualized, and how much of it came from reward tokens.
-- topic: Yields

WITH newest AS (
  SELECT entity, day, growth, growth_base, growth_reward, told_days
  FROM yield_realised
  WHERE span = 90 AND growth IS NOT NULL
  ORDER BY day DESC
  LIMIT 1 BY entity
)
SELECT
  opportunities.name AS opportunity,
  newest.day AS as_of,
  newest.told_days AS days_with_data,  -- of 90
  100 * newest.growth AS return_90d_percent,
  100 * (pow(1 + newest.growth, 365 / 90) - 1) AS annualized_percent,
  100 * newest.growth_reward / nullIf(newest.growth, 0) AS percent_from_rewards
FROM newest
INNER JOIN yield_opportunities AS opportunities ON opportunities.entity = newest.entity
ORDER BY return_90d_percent DESC
