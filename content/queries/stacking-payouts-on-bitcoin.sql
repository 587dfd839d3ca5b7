-- title: Stacking payouts on Bitcoin
-- about: Bitcoin that Stacks miners paid to stackers in the indexed Bitcoin blocks, by recipient.
-- topic: Stacking

SELECT
  JSONExtractString(details_json, 'recipient') AS recipient,
  count() AS payouts,
  sum(value_sat) / 1e8 AS paid_btc,
  min(height) AS first_bitcoin_height,
  max(height) AS last_bitcoin_height
FROM btc_layer_ops
WHERE op = 'stacks.pox_payout'
GROUP BY recipient
ORDER BY paid_btc DESC
LIMIT 50
