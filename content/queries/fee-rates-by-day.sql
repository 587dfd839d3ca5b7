-- title: Fee rates by day
-- about: What it cost to get into a block: the median block of each day, at low, middle and high priority.
-- topic: Bitcoin blocks and fees
-- parameter days: 60

SELECT
  toDate(block_time) AS day,
  count() AS blocks,
  quantileExact(0.5)(feerate_p10) AS low_sat_per_vb,
  quantileExact(0.5)(feerate_p50) AS median_sat_per_vb,
  quantileExact(0.5)(feerate_p90) AS high_sat_per_vb
FROM btc_block_stats
-- Counting back from the newest indexed day works on every installation.
WHERE day > (SELECT toDate(max(block_time)) FROM btc_block_stats) - {days:UInt16}
GROUP BY day
ORDER BY day
