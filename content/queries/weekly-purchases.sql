-- title: Buying bitcoin every week
-- about: What a fixed amount of US dollars per week since a day bought, what it is worth at the last close, and the average price.
-- topic: Markets and prices
-- parameter usd: 100
-- parameter from: 2021-01-04

WITH purchases AS (
  SELECT
    toMonday(day) AS week,
    argMin(close, day) AS price_usd,
    {usd:Float64} / price_usd AS bought_btc
  FROM btc_usd_daily
  WHERE day >= {from:Date}
  GROUP BY week
)
SELECT
  count() AS weeks,
  sum(bought_btc) AS total_btc,
  weeks * {usd:Float64} AS cost_usd,
  cost_usd / total_btc AS average_price_usd,
  (SELECT argMax(close, day) FROM btc_usd_daily) AS last_close_usd,
  total_btc * last_close_usd AS value_usd,
  100 * (value_usd / cost_usd - 1) AS return_percent
FROM purchases
