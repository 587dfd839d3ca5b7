-- title: Reported metrics and their ranges
-- about: Every metric that publishers report with entities, days and newest day. Use its name in latest_observations.
-- topic: Data coverage

SELECT
  metric,
  uniqExact(entity) AS entities,
  uniqExact(day) AS days,
  min(day) AS first_day,
  max(day) AS last_day,
  -- Amounts are whole numbers of the smallest unit. Prices and ratios are in value.
  if(countIf(amount IS NOT NULL) > 0, 'amount', 'value') AS column_name,
  arrayStringConcat(arraySort(groupUniqArray(source)), ', ') AS sources_used
FROM latest_observations
GROUP BY metric
ORDER BY metric
