-- title: sBTC supply and bridge traffic
-- about: Reported sBTC supply, and deposits and withdrawals in the indexed Stacks blocks.
-- topic: Stacks

SELECT figure, day, btc, source
FROM (
  SELECT 'reported supply' AS figure, day, amount / 1e8 AS btc, source
  FROM latest_observations
  WHERE metric = 'btc.bridged' AND entity = 'stacks'
  UNION ALL
  SELECT 'deposits minted', toDate(block_time) AS day, sum(amount_sat) / 1e8, 'stacks.chain'
  FROM stx_sbtc_deposits
  GROUP BY day
  UNION ALL
  SELECT 'withdrawals requested', toDate(request_time) AS day, sum(amount_sat) / 1e8, 'stacks.chain'
  FROM stx_sbtc_withdrawals
  WHERE request_time IS NOT NULL
  GROUP BY day
)
ORDER BY figure, day
