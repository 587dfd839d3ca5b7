import { btcTxBuckets } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, type Rollup } from './rollup.ts'

/** Percentiles by virtual size are the first rate at which the running weight reaches the share, as in Bitcoin Core. */
export const txBuckets: Rollup = {
  table: btcTxBuckets,
  grains: ['day', 'week', 'month'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)},
  txs AS (
    SELECT
      b.bucket AS bucket, NOT t.is_coinbase AS counts, t.vsize_vb AS vsize, t.payment_output_count AS payments,
      t.signals_rbf AS signals_rbf, t.fee_sat AS fee, t.fee_sat / t.vsize_vb AS rate,
      t.output_sat AS output_sat, t.output_sat - t.returned_sat AS adjusted_sat
    FROM btc_txs AS t
    INNER JOIN blocks AS b ON b.height = t.height
    WHERE t.${heightRange}
  ),
  buckets AS (
    SELECT
      bucket,
      countIf(counts) AS tx_count,
      sumIf(vsize, counts) AS vsize_vb,
      quantileExactLowIf(0.5)(vsize, counts) AS median_vsize,
      sumIf(payments, counts) AS payment_outputs,
      countIf(counts AND signals_rbf) AS rbf_txs,
      countIf(counts AND fee IS NULL) AS unknown_fees,
      tx_count > 0 AND unknown_fees = 0 AS has_fees,
      intDiv(quantileExactLowIf(0.5)(assumeNotNull(fee), counts) + quantileExactHighIf(0.5)(assumeNotNull(fee), counts), 2)
        AS median_fee,
      quantilesExactWeightedIf(0.1, 0.25, 0.5, 0.75, 0.9)(assumeNotNull(rate), vsize, counts) AS rates,
      sumIf(output_sat, counts) AS transferred,
      sumIf(assumeNotNull(adjusted_sat), counts) AS adjusted,
      countIf(counts AND adjusted_sat IS NULL) AS unknown_adjusted
    FROM txs
    GROUP BY bucket
  )
SELECT
  {run:UInt64}, '${grain}', bucket, tx_count, vsize_vb, median_vsize, payment_outputs, rbf_txs, unknown_fees,
  if(has_fees, median_fee, NULL),
  if(has_fees, rates[1], NULL), if(has_fees, rates[2], NULL), if(has_fees, rates[3], NULL),
  if(has_fees, rates[4], NULL), if(has_fees, rates[5], NULL),
  transferred,
  if(unknown_adjusted = 0, adjusted, NULL)
FROM buckets`,
}
