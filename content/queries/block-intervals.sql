-- title: Time between Bitcoin blocks
-- about: How often two consecutive blocks are less than one, two, three … minutes apart. Miners set the clock, so some gaps are negative.
-- topic: Bitcoin blocks and fees
-- parameter from_height: 909458

WITH gaps AS (
  SELECT
    height,
    height - lagInFrame(height) OVER by_height AS height_gap,
    -- DateTime minus DateTime is a number of seconds.
    block_time - lagInFrame(block_time) OVER by_height AS seconds
  FROM btc_block_facts
  WHERE height >= {from_height:UInt32}
  WINDOW by_height AS (ORDER BY height ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
SELECT
  least(floor(seconds / 60), 60) AS minutes,  -- 60 stands for an hour or more
  count() AS blocks,
  100 * count() / sum(count()) OVER () AS percent
FROM gaps
WHERE height_gap = 1  -- skips ranges of blocks that are not indexed
GROUP BY minutes
ORDER BY minutes
