-- title: Purchases of one treasury
-- about: Every purchase and sale of a holder with price, running holdings and average cost so far.
-- topic: Treasuries and ETFs
-- parameter entity: strategy

SELECT
  day,
  kind,
  delta_sat / 1e8 AS change_btc,
  cost_usd,
  price_usd,
  sum(delta_sat) OVER so_far / 1e8 AS held_btc,
  sumIf(cost_usd, delta_sat > 0) OVER so_far
    / nullIf(sumIf(delta_sat, delta_sat > 0 AND cost_usd > 0) OVER so_far / 1e8, 0) AS average_cost_usd
FROM treasury_events
WHERE entity = {entity:String} AND NOT is_corrected
WINDOW so_far AS (ORDER BY day, position ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
ORDER BY day, position
