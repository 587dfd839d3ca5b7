-- title: Stacks transactions by kind
-- about: Transfers, contract calls and deployments per day, with the share that failed.
-- topic: Stacks

SELECT
  bucket AS day,
  kind,
  tx_count AS transactions,
  100 * failed_tx_count / tx_count AS failed_percent,
  fee_ustx / 1e6 AS fees_stx
FROM stx_tx_days
ORDER BY day, transactions DESC
