-- title: Bitcoin fees by day
-- about: Fees of all transactions in a range of days, in BTC and as a share of what miners earned.
-- topic: Bitcoin blocks and fees
-- parameter from: 2025-09-10
-- parameter to: 2026-01-31

WITH complete_days AS (
  -- Days on which every block is indexed.
  SELECT day FROM btc_whole_days WHERE basis = 'facts'
)
SELECT
  day,
  count() AS blocks,
  sum(fee_sat) / 1e8 AS fees_btc,  -- amounts are satoshis; divide at the very end
  100 * sum(fee_sat) / sum(fee_sat + subsidy_sat) AS fees_percent_of_reward,
  day IN (SELECT day FROM complete_days) AS is_complete_day
FROM btc_block_facts
WHERE day BETWEEN {from:Date} AND {to:Date}
GROUP BY day
ORDER BY day
