-- title: Mining difficulty by epoch
-- about: Every difficulty adjustment since 2009 with its change. An epoch is 2,016 blocks, about two weeks.
-- topic: Bitcoin mining

WITH epochs AS (
  SELECT
    epoch,
    start_height,
    start_time,
    -- A block stores its target as a mantissa of three bytes and an exponent in one.
    65535 / bitAnd(bits, 0xffffff) * pow(256, 29 - bitShiftRight(bits, 24)) AS difficulty
  FROM btc_difficulty_epochs
)
SELECT
  epoch,
  start_height,
  start_time AS start_time_utc,  -- NULL where no source gives it
  difficulty,
  100 * (difficulty / nullIf(lagInFrame(difficulty) OVER by_epoch, 0) - 1) AS change_percent
FROM epochs
WINDOW by_epoch AS (ORDER BY epoch ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
ORDER BY epoch DESC
