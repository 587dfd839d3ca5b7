-- title: Addresses that gained most STX
-- about: STX received less STX sent per address within the indexed blocks. It is a balance only if every block since genesis is indexed.
-- topic: Stacks

SELECT
  holder AS address,
  toFloat64(sum(change)) / 1e6 AS net_change_stx,
  toFloat64(sumIf(change, change > 0)) / 1e6 AS received_stx,
  toFloat64(-sumIf(change, reason = 'fee')) / 1e6 AS fees_stx,
  count() AS changes
FROM stx_balance_changes
WHERE asset = ''  -- the empty asset is STX
GROUP BY address
ORDER BY net_change_stx DESC
LIMIT 50
