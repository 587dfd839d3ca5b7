-- title: Largest STX transfers
-- about: Transfers of at least so many STX in the indexed blocks, with sender, recipient and memo.
-- topic: Stacks
-- parameter min_stx: 1000

SELECT
  height,
  block_time AS block_time_utc,
  lower(hex(txid)) AS transaction,
  sender,
  recipient,
  -- UInt128 becomes a number before the division, so that the answer is a number.
  toFloat64(amount) / 1e6 AS amount_stx,
  memo
FROM stx_transfers
WHERE standard = 'stx' AND action = 'transfer'
  AND amount >= {min_stx:UInt64} * 1000000
ORDER BY amount DESC
LIMIT 100
