-- title: Index levels by month
-- about: Level of each index at the last day of the month. All start at 1,000.
-- topic: Indices

SELECT
  rules.name AS index_name,
  toStartOfMonth(levels.day) AS month,
  argMax(levels.level, levels.day) AS level_points,
  argMax(levels.level_net, levels.day) AS level_after_costs,
  argMax(levels.constituents, levels.day) AS tokens,
  max(levels.day) AS as_of
FROM index_levels AS levels
INNER JOIN index_rules AS rules ON rules.index_id = levels.index_id
GROUP BY index_name, month
ORDER BY index_name, month
