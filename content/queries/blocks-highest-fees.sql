-- title: Blocks with the highest fees
-- about: The 25 indexed blocks in which users paid most, with the median fee rate next to it. One mistaken fee can fill a whole block.
-- topic: Bitcoin blocks and fees

SELECT
  height,
  block_time AS block_time_utc,
  fee_sat / 1e8 AS fees_btc,
  subsidy_sat / 1e8 AS subsidy_btc,
  fee_sat / subsidy_sat AS fees_per_subsidy,
  tx_count,
  feerate_p50 AS median_sat_per_vb
FROM btc_block_stats
ORDER BY fee_sat DESC
LIMIT 25
