-- title: Transactions on BOB by month
-- about: Reported user transactions per month, with the number of covered days and the busiest day.
-- topic: EVM layers

SELECT
  toStartOfMonth(day) AS month,
  count() AS days_covered,
  sum(amount) AS transactions,
  round(avg(amount)) AS transactions_per_day,
  argMax(day, amount) AS busiest_day,
  max(amount) AS transactions_on_that_day
FROM latest_observations
WHERE metric = 'tx.count' AND entity = 'bob'
GROUP BY month
ORDER BY month
