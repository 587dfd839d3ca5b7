-- title: Transactions above an amount
-- about: The largest indexed transactions that move at least so many BTC. Change goes back to its owner, so this is an upper bound of what was paid.
-- topic: Bitcoin transactions and coins
-- parameter min_btc: 1000

SELECT
  height,
  block_time AS block_time_utc,
  lower(hex(txid)) AS transaction,
  output_sat / 1e8 AS outputs_btc,
  input_count,
  output_count,
  fee_sat / 1e8 AS fee_btc
FROM btc_txs
WHERE NOT is_coinbase
  -- Compare in satoshis, so that no amount is rounded.
  AND output_sat >= {min_btc:UInt32} * 100000000
ORDER BY output_sat DESC
LIMIT 100
