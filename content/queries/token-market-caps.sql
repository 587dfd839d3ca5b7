-- title: Market cap and volume of layer tokens
-- about: Newest reported market cap of each token with price and daily volume. The day of each figure is shown.
-- topic: Bitcoin layers

SELECT
  upper(entity) AS token,
  argMaxIf(value, day, metric = 'token.mcap') AS market_cap_usd,
  maxIf(day, metric = 'token.mcap') AS market_cap_as_of,
  argMaxIf(value, day, metric = 'token.price') AS price_usd,
  argMaxIf(value, day, metric = 'token.volume') AS volume_usd_per_day
FROM latest_observations
WHERE metric IN ('token.mcap', 'token.price', 'token.volume')
GROUP BY entity
ORDER BY market_cap_usd DESC
