-- title: Gas used on Rootstock
-- about: Gas used per block, the share of the limit, and fees in RBTC, by 15 minutes of the recorded headers.
-- topic: EVM layers

SELECT
  toStartOfInterval(block_time, INTERVAL 15 MINUTE) AS from_time_utc,
  count() AS blocks,
  round(avg(gas_used)) AS gas_per_block,
  100 * sum(gas_used) / sum(gas_limit) AS percent_of_limit,
  -- wei of RBTC: 18 decimals. Wide integers are converted at the end.
  toFloat64(sum(paid_fee_wei)) / 1e18 AS fees_rbtc,
  toFloat64(min(minimum_gas_price_wei)) / 1e9 AS lowest_gas_price_gwei
FROM evm_headers
WHERE chain = 'rootstock'
GROUP BY from_time_utc
ORDER BY from_time_utc
