import { EVM_CREATION_KINDS } from '#kernel/evm.ts'
import {
  evmActorBuckets,
  evmBlockDays,
  evmBridgeDays,
  evmCallDays,
  evmContractDays,
  evmOverlapBuckets,
  evmTransferDays,
  evmTxDays,
} from '#warehouse/tables/layerRollups.ts'
import type { BucketGrain } from '#warehouse/tables/rollups.ts'
import { IS_SYSTEM_TX } from '#warehouse/views/evm.ts'
import { PEG_EVENTS } from '../layers/pegEvents.ts'
import type { Rollup } from './rollup.ts'

/** The first day of the bucket that a block falls into. */
const BUCKET: Readonly<Record<Exclude<BucketGrain, 'day_mtp'>, string>> = {
  day: 'toDate(block_time)',
  week: 'toMonday(block_time)',
  month: 'toStartOfMonth(block_time)',
}
const bucketOf = (grain: BucketGrain): string => BUCKET[grain === 'day_mtp' ? 'day' : grain]

/** Base tables are ordered by layer and height: heights are narrowed by the thousand before times are looked at. */
const within = (grain: BucketGrain): string => `${bucketOf(grain)} IN {buckets:Array(Date)}
      AND (chain, intDiv(height, 1000)) IN (
        SELECT chain, intDiv(height, 1000)
        FROM evm_blocks
        WHERE ${bucketOf(grain)} IN {buckets:Array(Date)}
      )`
const IN_DAYS = within('day')
/** Pairs of direction and event. */
const BRIDGE_EVENTS = Object.entries(PEG_EVENTS)
  .flatMap(([direction, events]) => events.map(event => `('${direction}', '${event}')`))
  .join(', ')
const daily = { grains: ['day'], scope: 'layers' } as const

export const layerBlockDays: Rollup = {
  ...daily,
  table: evmBlockDays,
  select: () => `WITH
  intervals AS (
    SELECT
      chain, toDate(block_time) AS bucket,
      if(
        lagInFrame(height) OVER heights + 1 = height,
        toFloat64(toInt64(block_time) - toInt64(lagInFrame(block_time) OVER heights)),
        NULL
      ) AS seconds
    FROM evm_blocks
    WHERE hasAny({buckets:Array(Date)}, [toDate(block_time), toDate(block_time) + 1])
    WINDOW heights AS (PARTITION BY chain ORDER BY height ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  paced AS (
    SELECT
      chain, bucket, sumOrNull(seconds) AS interval_sum, count(seconds) AS interval_count,
      quantileExactInclusiveOrNull(0.5)(seconds) AS median_interval
    FROM intervals
    GROUP BY chain, bucket
  ),
  users AS (
    SELECT
      chain, toDate(block_time) AS bucket, count() AS txs, countIf(is_success = false) AS failed,
      countIf(is_success IS NULL) AS unsaid, sum(ifNull(fee_wei, 0)) AS fees, sum(l1_fee_wei) AS l1_fees,
      countIf(fee_wei IS NULL) AS unknown_fees
    FROM evm_txs
    WHERE ${IN_DAYS} AND NOT ${IS_SYSTEM_TX}
    GROUP BY chain, bucket
  ),
  held AS (
    SELECT
      chain, toDate(block_time) AS bucket, count() AS blocks, min(height) AS from_height, max(height) AS to_height,
      max(block_time) AS last_time, sum(gas_used) AS gas, sum(uncle_count) AS uncles,
      countIf(bitcoin_hash IS NOT NULL) AS mined, countIf(ifNull(is_bitcoin_tagged, false)) AS tagged,
      countIf(NOT is_traced) AS untraced
    FROM evm_blocks
    WHERE toDate(block_time) IN {buckets:Array(Date)}
    GROUP BY chain, bucket
  )
SELECT
  {run:UInt64}, h.bucket, h.chain, h.blocks, h.from_height, h.to_height, h.last_time,
  u.txs, u.failed, u.unsaid, u.fees, u.l1_fees, u.unknown_fees, h.gas,
  p.interval_sum, p.interval_count, p.median_interval, h.uncles, h.mined, h.tagged, h.untraced
FROM held AS h
LEFT JOIN users AS u ON u.chain = h.chain AND u.bucket = h.bucket
LEFT JOIN paced AS p ON p.chain = h.chain AND p.bucket = h.bucket`,
}

export const layerActorBuckets: Rollup = {
  grains: ['day', 'week', 'month'],
  scope: 'layers',
  table: evmActorBuckets,
  select: grain => `WITH
  held AS (
    SELECT
      chain, ${bucketOf(grain)} AS bucket, min(height) AS from_height, max(height) AS to_height,
      max(block_time) AS last_time
    FROM evm_blocks
    WHERE ${bucketOf(grain)} IN {buckets:Array(Date)}
    GROUP BY chain, bucket
  ),
  senders AS (
    SELECT
      chain, ${bucketOf(grain)} AS bucket, uniqExact(sender) AS senders,
      uniqExactIf(sender, nonce = 0 AND kind != 'deposit') AS newcomers,
      -- Quantiles take no number of 256 bits.
      arraySort(groupArrayIf(assumeNotNull(fee_wei), kind != 'deposit' AND fee_wei IS NOT NULL)) AS paid,
      if(empty(paid), NULL, paid[intDiv(length(paid) + 1, 2)]) AS median_fee
    FROM evm_txs
    WHERE ${within(grain)} AND NOT ${IS_SYSTEM_TX}
    GROUP BY chain, bucket
  ),
  active AS (
    SELECT chain, bucket, uniqExact(contract) AS contracts
    FROM (
      SELECT chain, ${bucketOf(grain)} AS bucket, assumeNotNull(recipient) AS contract
      FROM evm_txs
      WHERE ${within(grain)} AND recipient IS NOT NULL AND method IS NOT NULL AND ifNull(is_success, true)
        AND NOT ${IS_SYSTEM_TX}
      UNION ALL
      SELECT chain, ${bucketOf(grain)} AS bucket, emitter AS contract
      FROM evm_logs
      WHERE ${within(grain)}
    )
    GROUP BY chain, bucket
  ),
  makers AS (
    SELECT chain, ${bucketOf(grain)} AS bucket, uniqExact(creator) AS deployers
    FROM evm_contracts
    WHERE ${within(grain)}
    GROUP BY chain, bucket
  )
SELECT
  {run:UInt64}, '${grain}', h.bucket, h.chain, h.from_height, h.to_height, h.last_time,
  s.senders, s.newcomers, a.contracts, m.deployers, s.median_fee
FROM held AS h
LEFT JOIN senders AS s ON s.chain = h.chain AND s.bucket = h.bucket
LEFT JOIN active AS a ON a.chain = h.chain AND a.bucket = h.bucket
LEFT JOIN makers AS m ON m.chain = h.chain AND m.bucket = h.bucket`,
}

/** Pairs that share nobody have their row too: 0 is known. */
export const layerOverlapBuckets: Rollup = {
  grains: ['day', 'week', 'month'],
  scope: 'layers',
  table: evmOverlapBuckets,
  select: grain => `WITH
  shared AS (
    SELECT bucket, sender, groupUniqArray(chain) AS chains
    FROM (
      SELECT ${bucketOf(grain)} AS bucket, sender, toString(chain) AS chain
      FROM evm_txs
      WHERE ${within(grain)} AND NOT ${IS_SYSTEM_TX}
    )
    GROUP BY bucket, sender
    HAVING length(chains) > 1
  ),
  held AS (
    SELECT ${bucketOf(grain)} AS bucket, groupUniqArray(toString(chain)) AS chains
    FROM evm_blocks
    WHERE ${bucketOf(grain)} IN {buckets:Array(Date)}
    GROUP BY bucket
  )
SELECT {run:UInt64}, '${grain}', bucket, pair.1, pair.2, sum(people)
FROM (
  SELECT bucket, arrayJoin(arrayFlatten(arrayMap(one -> arrayMap(two -> (one, two), chains), chains))) AS pair, toUInt64(1) AS people
  FROM shared
  UNION ALL
  SELECT bucket, arrayJoin(arrayFlatten(arrayMap(one -> arrayMap(two -> (one, two), chains), chains))), 0
  FROM held
)
WHERE pair.1 != pair.2
GROUP BY bucket, pair`,
}

export const layerTxDays: Rollup = {
  ...daily,
  table: evmTxDays,
  select: () => `SELECT
  {run:UInt64}, toDate(block_time) AS bucket, chain, if(${IS_SYSTEM_TX}, 'system', toString(kind)) AS what, count(),
  countIf(is_success = false), sum(ifNull(fee_wei, 0))
FROM evm_txs
WHERE ${IN_DAYS}
GROUP BY bucket, chain, what`,
}

export const layerCallDays: Rollup = {
  ...daily,
  table: evmCallDays,
  select: () => `SELECT
  {run:UInt64}, toDate(block_time) AS bucket, chain, contract, selector, any(function_name), count(),
  countIf(is_success = false), uniqExact(sender)
FROM evm_calls
WHERE ${IN_DAYS} AND NOT is_system
GROUP BY bucket, chain, contract, selector`,
}

/** A day on which none was made says so: 0 is known, a missing row is not. */
export const layerContractDays: Rollup = {
  ...daily,
  table: evmContractDays,
  select: () => `SELECT {run:UInt64}, bucket, chain, kind, sum(contracts)
FROM (
  SELECT toDate(block_time) AS bucket, chain, toString(kind) AS kind, toUInt64(1) AS contracts
  FROM evm_contracts
  WHERE ${IN_DAYS}
  UNION ALL
  SELECT DISTINCT toDate(block_time), chain, arrayJoin([${EVM_CREATION_KINDS.map(kind => `'${kind}'`).join(', ')}]), 0
  FROM evm_blocks
  WHERE toDate(block_time) IN {buckets:Array(Date)}
)
GROUP BY bucket, chain, kind`,
}

export const layerTransferDays: Rollup = {
  ...daily,
  table: evmTransferDays,
  select:
    () => `SELECT {run:UInt64}, toDate(block_time) AS bucket, chain, token, standard, count(), sum(amount)
FROM evm_transfers
WHERE ${IN_DAYS}
GROUP BY bucket, chain, token, standard`,
}

/** The same of bridges: each known event has its row on each day of Rootstock. */
export const layerBridgeDays: Rollup = {
  ...daily,
  table: evmBridgeDays,
  select: () => `SELECT {run:UInt64}, bucket, chain, direction, event, sum(moves), sum(amount)
FROM (
  SELECT
    toDate(block_time) AS bucket, chain, toString(direction) AS direction, event, toUInt64(1) AS moves, amount
  FROM evm_bridges
  WHERE ${IN_DAYS} AND asset IS NULL
  UNION ALL
  SELECT toDate(b.block_time), b.chain, known.1, known.2, 0, toUInt256(0)
  FROM evm_blocks AS b
  ARRAY JOIN [${BRIDGE_EVENTS}] AS known
  WHERE toDate(b.block_time) IN {buckets:Array(Date)} AND b.chain = 'rootstock'
)
GROUP BY bucket, chain, direction, event`,
}

export const LAYER_ROLLUPS: readonly Rollup[] = [
  layerBlockDays,
  layerActorBuckets,
  layerOverlapBuckets,
  layerTxDays,
  layerCallDays,
  layerContractDays,
  layerTransferDays,
  layerBridgeDays,
]
