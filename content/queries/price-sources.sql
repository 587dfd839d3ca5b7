-- title: Bitcoin price by source
-- about: What each publisher reports as the close of a day, and the distance from the close that Assay uses.
-- topic: Markets and prices
-- parameter day: 2021-06-30

SELECT
  prices.source AS source,
  prices.close AS close_usd,
  used.close AS assay_close_usd,
  100 * (prices.close / used.close - 1) AS difference_percent,
  prices.source = used.source AS is_used
FROM prices
INNER JOIN btc_usd_daily AS used ON used.day = prices.day
WHERE prices.asset = 'BTC' AND prices.quote = 'USD' AND prices.day = {day:Date}
ORDER BY is_used DESC, source
