-- title: TVL of a layer by month
-- about: Average, lowest and highest reported TVL of each month. Rootstock has daily figures, most layers have single days.
-- topic: Bitcoin layers
-- parameter layer: rootstock

SELECT
  toStartOfMonth(day) AS month,
  count() AS days_covered,
  round(avg(value)) AS average_usd,
  min(value) AS lowest_usd,
  max(value) AS highest_usd,
  argMax(value, day) AS last_usd
FROM latest_observations
WHERE metric = 'tvl.total' AND entity = {layer:String}
GROUP BY month
ORDER BY month
