-- title: Age of Bitcoin's coins
-- about: Supply by the time since each coin last moved, on a day up to which every block since genesis is indexed.
-- topic: Bitcoin transactions and coins
-- parameter day: 2009-02-13

SELECT
  age,
  sum(value_sat) / 1e8 AS supply_btc,
  100 * sum(value_sat) / sum(sum(value_sat)) OVER () AS percent
FROM btc_age_days
WHERE bucket = {day:Date}
GROUP BY age
ORDER BY age
