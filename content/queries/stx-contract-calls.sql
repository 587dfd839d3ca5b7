-- title: Most called Stacks contracts
-- about: Contracts and functions by calls in the indexed blocks, with distinct callers and failures.
-- topic: Stacks

SELECT
  contract,
  function_name,
  count() AS calls,
  uniqExact(sender) AS callers,
  countIf(NOT is_success) AS failed_calls,
  min(block_time) AS first_call_utc,
  max(block_time) AS last_call_utc
FROM stx_calls
GROUP BY contract, function_name
ORDER BY calls DESC, contract, function_name
LIMIT 50
