-- title: Votes on Stacks improvement proposals
-- about: STX in favor and against each proposal, as stated in its text.
-- topic: Stacks

SELECT
  sip,
  lane,  -- whose STX: pool, solo, dao … or all of them
  closed_day,
  yes_stx,
  no_stx,
  100 * yes_stx / nullIf(yes_stx + no_stx, 0) AS yes_percent,
  yes_accounts,
  no_accounts
FROM sip_results
WHERE yes_stx IS NOT NULL
ORDER BY sip, lane
