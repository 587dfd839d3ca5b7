-- title: Unspent outputs by value
-- about: Coins that exist at the end of the unbroken range of blocks since genesis, grouped by size.
-- topic: Bitcoin transactions and coins

WITH
  -- An output is known to be unspent only while no block after it is missing.
  (SELECT max(to_height) FROM btc_days_since_genesis) AS last_height,
  spent AS (
    SELECT prev_txid, prev_vout FROM btc_inputs WHERE height <= last_height AND NOT is_coinbase
  )
SELECT
  -- 8 is 1 to 9.99 BTC, 9 is 10 to 99.9 BTC, and so on: digits of the satoshis, less one.
  floor(log10(value_sat)) AS power_of_ten_sat,
  count() AS outputs,
  sum(value_sat) / 1e8 AS value_btc,
  last_height AS as_of_height
FROM btc_outputs
WHERE height BETWEEN 1 AND last_height  -- the coin of block 0 can never be spent
  AND value_sat > 0
  AND (txid, vout) NOT IN spent
GROUP BY power_of_ten_sat
ORDER BY power_of_ten_sat
