-- title: Transactions of a block
-- about: Every transaction of one indexed block in its order. Block 170 has the first payment between two people.
-- topic: Bitcoin transactions and coins
-- parameter height: 170

SELECT
  tx_index,
  lower(hex(txid)) AS transaction,
  is_coinbase,
  input_count,
  output_count,
  output_sat / 1e8 AS outputs_btc,
  fee_sat / 1e8 AS fee_btc,  -- NULL for the coinbase, which pays no fee
  vsize_vb
FROM btc_txs
WHERE height = {height:UInt32}
ORDER BY tx_index
LIMIT 10000
