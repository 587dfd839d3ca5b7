-- title: Largest stackers of reward cycle 20
-- about: STX locked per address in November 2021, as listed for the vote on SIP-012, with cumulative share.
-- topic: Stacking

SELECT
  row_number() OVER by_size AS place,
  stacker,
  locked_ustx / 1e6 AS locked_stx,
  100 * sum(locked_ustx) OVER by_size / sum(locked_ustx) OVER () AS cumulative_percent,
  until_burn_height AS unlocks_at_bitcoin_height
FROM recorded_stackers
WHERE cycle = 20
WINDOW by_size AS (ORDER BY locked_ustx DESC, stacker ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
ORDER BY place
LIMIT 100
