-- title: Bitcoin transactions by protocol
-- about: Transactions of runes, inscriptions, BRC-20 and layers on each indexed day, as a share of all transactions that carry data.
-- topic: Bitcoin transactions and coins
-- parameter from: 2015-01-01

SELECT
  bucket AS day,
  protocol,
  tx_count AS transactions,
  100 * tx_count / sum(tx_count) OVER (PARTITION BY bucket) AS percent_of_day,
  vsize_vb,
  fee_sat / 1e8 AS fees_btc,
  unknown_fee_tx_count AS transactions_without_fee_data,
  bucket IN (SELECT day FROM btc_whole_days WHERE basis = 'rows') AS is_complete_day
FROM btc_protocol_days
WHERE bucket >= {from:Date} AND tx_count > 0
ORDER BY day, transactions DESC
