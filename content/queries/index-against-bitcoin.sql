-- title: An index against bitcoin
-- about: Level of an index and the price of bitcoin by week, both as 100 on the first day.
-- topic: Indices
-- parameter index_id: layer-tokens-equal

WITH weeks AS (
  SELECT
    toMonday(levels.day) AS week,
    argMax(levels.level, levels.day) AS level_points,
    argMax(prices.close, levels.day) AS btc_usd
  FROM index_levels AS levels
  INNER JOIN btc_usd_daily AS prices ON prices.day = levels.day
  WHERE levels.index_id = {index_id:String}
  GROUP BY week
)
SELECT
  week,
  100 * level_points / first_value(level_points) OVER (ORDER BY week) AS index_rebased,
  100 * btc_usd / first_value(btc_usd) OVER (ORDER BY week) AS bitcoin_rebased
FROM weeks
ORDER BY week
