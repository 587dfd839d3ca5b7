-- title: mNAV of a treasury company
-- about: Market cap divided by the value of its bitcoin, at the last trading day of each month.
-- topic: Treasuries and ETFs
-- parameter entity: strategy

SELECT
  toStartOfMonth(day) AS month,
  max(traded_day) AS as_of,
  argMax(close_usd, day) AS share_price_usd,
  argMax(held_sat, day) / 1e8 AS held_btc,
  argMax(close_usd * shares, day) AS market_cap_usd,
  -- Shares outstanding, without those of options and convertible notes.
  argMax(close_usd * shares / (held_sat / 1e8 * btc_usd), day) AS mnav
FROM treasury_market_days
WHERE entity = {entity:String}
  AND close_usd IS NOT NULL AND shares IS NOT NULL AND held_sat > 0
GROUP BY month
ORDER BY month
