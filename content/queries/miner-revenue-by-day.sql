-- title: Miner revenue by day in US dollars
-- about: Subsidy and fees of each day at the day's closing price.
-- topic: Bitcoin mining
-- parameter from: 2025-09-10
-- parameter to: 2026-01-31

SELECT
  facts.day AS day,
  count() AS blocks,
  sum(facts.subsidy_sat + facts.fee_sat) / 1e8 AS revenue_btc,
  any(prices.close) AS btc_price_usd,
  round(revenue_btc * btc_price_usd) AS revenue_usd,
  facts.day IN (SELECT day FROM btc_whole_days WHERE basis = 'facts') AS is_complete_day
FROM btc_block_facts AS facts
INNER JOIN btc_usd_daily AS prices ON prices.day = facts.day
WHERE facts.day BETWEEN {from:Date} AND {to:Date}
GROUP BY facts.day
ORDER BY day
