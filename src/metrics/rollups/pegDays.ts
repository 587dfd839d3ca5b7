import { btcPegDays, PEG_FLOWS } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, type Rollup } from './rollup.ts'

/**
 * What sweeps of the sBTC signers take into the peg and pay out of it. A sweep's first input is the signers' own output;
 * the others are deposits. From height 962,150 a miner's block commit is a deposit too: told by the transaction it is in.
 */
export const pegDays: Rollup = {
  table: btcPegDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)},
  sweeps AS MATERIALIZED (
    SELECT b.bucket AS bucket, o.height AS height, o.tx_index AS tx_index, o.value_sat AS value_sat, o.details_json AS details_json
    FROM btc_layer_ops AS o
    INNER JOIN blocks AS b ON b.height = o.height
    WHERE o.${heightRange} AND o.op = 'stacks.peg'
  ),
  deposits AS MATERIALIZED (
    SELECT s.bucket AS bucket, i.prev_txid AS prev_txid, i.prev_value_sat AS value_sat
    FROM btc_inputs AS i
    INNER JOIN sweeps AS s ON s.height = i.height AND s.tx_index = i.tx_index
    WHERE i.height IN (SELECT height FROM sweeps) AND i.vin > 0
  )
SELECT {run:UInt64}, bucket, 'stacks', flow, sum(moves), sum(sat), sum(unknown)
FROM (
  SELECT
    bucket,
    if(prev_txid IN (SELECT txid FROM btc_layer_ops WHERE op = 'stacks.block_commit' AND txid IN (SELECT prev_txid FROM deposits)),
      'deposit of a miner', 'deposit of a user') AS flow,
    toUInt64(1) AS moves, ifNull(value_sat, 0) AS sat, toUInt64(isNull(value_sat)) AS unknown
  FROM deposits
  UNION ALL
  SELECT bucket, 'withdrawal', JSONExtractUInt(details_json, 'withdrawalCount'), value_sat, 0 FROM sweeps
  UNION ALL
  SELECT DISTINCT bucket, arrayJoin([${PEG_FLOWS.map(flow => `'${flow}'`).join(', ')}]), 0, 0, 0 FROM blocks
)
GROUP BY bucket, flow`,
}
