-- title: Largest bitcoin treasuries
-- about: Companies, funds, miners and governments by bitcoin held, from the newest statement of each.
-- topic: Treasuries and ETFs

WITH newest AS (
  SELECT
    entity,
    argMax(held_sat, day) AS held_sat,
    argMax(grade, day) AS grade,
    max(day) AS as_of
  FROM treasury_held
  GROUP BY entity
)
SELECT
  holders.name AS name,
  holders.kind AS kind,
  holders.country AS country,
  newest.held_sat / 1e8 AS held_btc,
  100 * newest.held_sat / 2.1e15 AS percent_of_21_million,
  newest.grade AS evidence,  -- A is proved on-chain, B a filing, C an announcement, D press, E inferred
  newest.as_of AS as_of
FROM newest
INNER JOIN treasury_holders AS holders ON holders.entity = newest.entity
ORDER BY held_btc DESC
