-- title: STX flows of the SIP-031 endowment by month
-- about: STX in and out of the endowment's accounts. Transfers between these accounts count on both sides.
-- topic: Stacks

SELECT
  toStartOfMonth(at) AS month,
  account,
  toFloat64(sumIf(in_amount, in_asset = 'STX')) / 1e6 AS received_stx,
  toFloat64(sumIf(out_amount, out_asset = 'STX')) / 1e6 AS sent_stx,
  count() AS movements
FROM sip031_flows
GROUP BY month, account
HAVING received_stx + sent_stx > 0
ORDER BY month, received_stx DESC
