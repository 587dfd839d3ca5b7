-- title: Foundry USA's share of the hashrate
-- about: What the largest pool reports, divided by the reported hashrate of the network, by month.
-- topic: Bitcoin mining

SELECT
  toStartOfMonth(day) AS month,
  count() AS days,
  avg(pool.value) AS pool_eh_per_s,
  avg(network.value) AS network_eh_per_s,
  100 * sum(pool.value) / sum(network.value) AS percent_of_network
FROM latest_observations AS pool
-- USING keeps one day column for both sides.
INNER JOIN (
  SELECT day, value
  FROM latest_observations
  WHERE metric = 'miners.hashrate' AND key = '1d'
) AS network USING (day)
WHERE pool.metric = 'miners.pool_hashrate' AND pool.key = 'Foundry USA'
GROUP BY month
ORDER BY month
