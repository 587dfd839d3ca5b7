-- title: Execution cost of Stacks contracts
-- about: Which contracts use most of a block's execution budget, by the budget that each call comes closest to.
-- topic: Stacks

SELECT
  contract,
  sum(call_count) AS calls,
  -- Parts per million of the budget of one block, weighted by calls.
  sum(share_ppm * call_count) / sum(call_count) / 1e4 AS average_percent_of_budget,
  max(share_ppm) / 1e4 AS highest_percent_of_budget
FROM stx_cost_days
WHERE budget = 'tightest'
GROUP BY contract
ORDER BY highest_percent_of_budget DESC
LIMIT 50
