-- title: Public companies with bitcoin by country
-- about: Companies and BTC per country on 8 July 2025, from one published list.
-- topic: Treasuries and ETFs

SELECT
  country,
  count() AS companies,
  sum(held_sat) / 1e8 AS held_btc,
  100 * sum(held_sat) / sum(sum(held_sat)) OVER () AS percent,
  argMax(name, held_sat) AS largest_company
FROM treasury_list
GROUP BY country
ORDER BY held_btc DESC
