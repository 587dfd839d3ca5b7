-- title: Hashrate and difficulty by month
-- about: Reported hashrate and difficulty, averaged over the days of each month.
-- topic: Bitcoin mining

SELECT
  toStartOfMonth(day) AS month,
  countIf(metric = 'miners.hashrate') AS days_with_hashrate,
  avgIf(value, metric = 'miners.hashrate') AS hashrate_eh_per_s,  -- exahashes per second
  avgIf(value, metric = 'miners.difficulty') AS difficulty
FROM latest_observations
WHERE entity = 'bitcoin' AND metric IN ('miners.hashrate', 'miners.difficulty')
GROUP BY month
HAVING days_with_hashrate > 0
ORDER BY month
