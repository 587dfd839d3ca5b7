-- title: Rewards of a stacking pool
-- about: Bitcoin that Fast Pool earned in each cycle for members who take their reward in STX, and satoshis per stacked STX.
-- topic: Stacking

WITH payouts AS (
  SELECT
    day,
    maxIf(amount, metric = 'pox.cycle') AS cycle,
    maxIf(amount, metric = 'pox.stacked_for_stx') AS stacked_ustx,
    maxIf(amount, metric = 'pox.reward') AS reward_sat
  FROM latest_observations
  WHERE entity = 'fast-pool' AND metric IN ('pox.cycle', 'pox.stacked_for_stx', 'pox.reward')
  GROUP BY day
)
SELECT
  cycle,
  day,
  stacked_ustx / 1e6 AS stacked_stx,
  reward_sat / 1e8 AS reward_btc,
  reward_sat / (stacked_ustx / 1e6) AS sat_per_stx
FROM payouts
WHERE reward_sat > 0
ORDER BY cycle
