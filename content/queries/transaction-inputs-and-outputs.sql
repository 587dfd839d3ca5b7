-- title: Inputs and outputs of a transaction
-- about: Where the coins of a transaction came from and where they went, one row per input and output.
-- topic: Bitcoin transactions and coins
-- parameter txid: f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16

SELECT side, position, amount_btc, script_type, created_in_block
FROM (
  -- unhex() turns the written txid into the bytes that the tables store.
  SELECT
    'input' AS side,
    vin AS position,
    prev_value_sat / 1e8 AS amount_btc,  -- NULL if the spent coin is not indexed
    toString(prev_script_type) AS script_type,
    prev_height AS created_in_block
  FROM btc_inputs
  WHERE txid = unhex({txid:String})
  UNION ALL
  SELECT
    'output',
    vout,
    value_sat / 1e8,
    toString(script_type),
    height
  FROM btc_outputs
  WHERE txid = unhex({txid:String})
)
ORDER BY side, position
