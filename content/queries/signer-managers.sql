-- title: Signer managers of PoX-5
-- about: Contracts that manage signers by their state, and how many took part in cycles 141 and 142.
-- topic: Stacking

SELECT
  lifecycle,
  count() AS contracts,
  countIf(is_in_cycle141) AS in_cycle_141,
  countIf(is_in_cycle142) AS in_cycle_142,
  min(deployed_height) AS first_deployed_at_height,
  max(last_height) AS last_event_at_height
FROM pox5_signer_managers
GROUP BY lifecycle
ORDER BY contracts DESC
