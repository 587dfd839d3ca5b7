-- title: Concentration of a stacking pool
-- about: The largest members in one reward cycle and the share of the pool that they hold together.
-- topic: Stacking
-- parameter cycle: 126

WITH members AS (
  SELECT member, sum(amount_ustx) AS stacked_ustx
  FROM pool_members
  WHERE pool = 'fast-pool' AND {cycle:UInt16} BETWEEN from_cycle AND to_cycle
  GROUP BY member
)
SELECT
  row_number() OVER by_size AS place,
  member,
  stacked_ustx / 1e6 AS stacked_stx,
  100 * sum(stacked_ustx) OVER by_size / (SELECT sum(stacked_ustx) FROM members) AS cumulative_percent
FROM members
WINDOW by_size AS (ORDER BY stacked_ustx DESC, member ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
ORDER BY place
LIMIT 100
