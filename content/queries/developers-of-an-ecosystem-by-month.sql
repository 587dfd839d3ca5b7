-- title: Developers of an ecosystem by month
-- about: Monthly active, full-time and new developers at the end of each month.
-- topic: Developers
-- parameter ecosystem: bitcoin

SELECT
  toStartOfMonth(day) AS month,
  argMax(monthly, day) AS monthly_developers,
  argMax(full_time, day) AS full_time_developers,
  sum(newcomers) AS new_developers,
  sum(commits) AS commits_of_the_month
FROM dev_days
WHERE ecosystem = {ecosystem:String} AND NOT is_raw
GROUP BY month
ORDER BY month
