-- title: Messages in coinbase transactions
-- about: Readable text that miners wrote into blocks, from the headline in block 0 to the names of today's pools.
-- topic: Bitcoin mining

SELECT
  height,
  block_time AS block_time_utc,
  -- Every run of at least six printable characters. Script bytes can look like one more letter.
  arrayStringConcat(extractAll(coinbase_script, '[ -~]{6,}'), ' · ') AS message
FROM btc_blocks
WHERE message != ''
ORDER BY height
LIMIT 200
