import {
  stxBlockDays,
  stxCallDays,
  stxContractDays,
  stxContractFeeDays,
  stxContractFlowDays,
  stxTransferDays,
  stxTxDays,
} from '#warehouse/tables/stacksRollups.ts'
import type { Exchanges } from '../deps.ts'
import { dexBinDaysOf } from './dexBinDays.ts'
import { dexEventsOf } from './dexEvents.ts'
import type { Rollup } from './rollup.ts'
import { BLOCKS, daily, IN_DAYS } from './stacksBlocks.ts'
import { CLARITY_ROLLUPS, MADE, madeVersion } from './stacksClarity.ts'

/** Transactions that a user makes; the rest are the protocol's own: coinbases and changes of tenure. */
export const STACKS_USER_KINDS = [
  'token_transfer',
  'contract_call',
  'smart_contract',
  'versioned_smart_contract',
  'bitcoin_op',
  'poison_microblock',
  'unknown',
] as const

const IS_USER = `kind IN (${STACKS_USER_KINDS.map(kind => `'${kind}'`).join(', ')})`

export const stacksBlockDays: Rollup = {
  ...daily,
  table: stxBlockDays,
  select: () => `WITH
  ${BLOCKS},
  intervals AS (
    SELECT
      height, toDate(block_time) AS bucket,
      if(
        lagInFrame(height) OVER heights + 1 = height,
        toFloat64(toInt64(block_time) - toInt64(lagInFrame(block_time) OVER heights)),
        NULL
      ) AS seconds
    FROM stx_blocks
    WHERE height BETWEEN (SELECT min(height) FROM blocks) - 1 AND (SELECT max(height) FROM blocks)
    WINDOW heights AS (ORDER BY height ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  paced AS (
    SELECT
      bucket, sumOrNull(seconds) AS interval_sum, count(seconds) AS interval_count,
      quantileExactInclusiveOrNull(0.5)(seconds) AS median_interval
    FROM intervals
    GROUP BY bucket
  ),
  users AS (
    SELECT
      toDate(block_time) AS bucket, count() AS txs, countIf(NOT is_success) AS failed, sum(fee_ustx) AS fees,
      toNullable(quantileExactLow(0.5)(fee_ustx)) AS median_fee
    FROM stx_txs
    WHERE ${IN_DAYS} AND ${IS_USER}
    GROUP BY bucket
  ),
  tenures AS (
    SELECT toDate(block_time) AS bucket, countIf(cause = 'BlockFound') AS begun
    FROM stx_tenures
    WHERE ${IN_DAYS}
    GROUP BY bucket
  ),
  rewards AS (
    SELECT
      toDate(block_time) AS bucket, sum(coinbase_ustx) AS coinbase,
      sum(tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx) AS fees
    FROM stx_miner_rewards
    WHERE ${IN_DAYS}
    GROUP BY bucket
  ),
  held AS (
    SELECT
      toDate(block_time) AS bucket, count() AS blocks, min(height) AS from_height, max(height) AS to_height,
      max(block_time) AS last_time, countIf(NOT is_nakamoto) AS old_tenures, sum(contract_count) AS contracts
    FROM stx_blocks
    WHERE ${IN_DAYS}
    GROUP BY bucket
  )
SELECT
  {run:UInt64}, h.bucket, h.blocks, h.from_height, h.to_height, h.last_time,
  greatest(t.begun, h.old_tenures),
  u.txs, u.failed, u.fees, u.median_fee,
  p.interval_sum, p.interval_count, p.median_interval,
  h.contracts, r.coinbase, r.fees
FROM held AS h
LEFT JOIN tenures AS t ON t.bucket = h.bucket
LEFT JOIN users AS u ON u.bucket = h.bucket
LEFT JOIN paced AS p ON p.bucket = h.bucket
LEFT JOIN rewards AS r ON r.bucket = h.bucket`,
}

export const stacksTxDays: Rollup = {
  ...daily,
  table: stxTxDays,
  select: () => `WITH
  ${BLOCKS}
SELECT {run:UInt64}, toDate(block_time) AS bucket, kind, count(), countIf(NOT is_success), sum(fee_ustx)
FROM stx_txs
WHERE ${IN_DAYS}
GROUP BY bucket, kind`,
}

export const stacksCallDays: Rollup = {
  ...daily,
  table: stxCallDays,
  select: () => `WITH
  ${BLOCKS}
SELECT
  {run:UInt64}, toDate(block_time) AS bucket, contract, function_name, count(), countIf(NOT is_success),
  uniqExact(sender)
FROM stx_calls
WHERE ${IN_DAYS}
GROUP BY bucket, contract, function_name`,
}

export const stacksContractDays: Rollup = {
  ...daily,
  table: stxContractDays,
  select: () => `WITH
  ${BLOCKS}
SELECT {run:UInt64}, b.bucket, ${madeVersion} AS version, count(), uniqExact(c.deployer)
FROM ${MADE}
GROUP BY b.bucket, version`,
}

export const stacksTransferDays: Rollup = {
  ...daily,
  table: stxTransferDays,
  select: () => `WITH
  ${BLOCKS}
SELECT
  {run:UInt64}, toDate(block_time) AS bucket, standard, action, count(), uniqExact(asset),
  sumIf(amount, standard = 'stx')
FROM stx_transfers
WHERE ${IN_DAYS}
GROUP BY bucket, standard, action`,
}

export const stacksContractFeeDays: Rollup = {
  ...daily,
  table: stxContractFeeDays,
  select: () => `WITH
  ${BLOCKS}
SELECT {run:UInt64}, toDate(block_time) AS bucket, contract, count(), sum(fee_ustx)
FROM stx_txs
WHERE ${IN_DAYS} AND kind = 'contract_call' AND isNotNull(contract)
GROUP BY bucket, contract`,
}

/** A token that leaves one contract and comes to another in the same transaction has moved between them. */
export const stacksContractFlowDays: Rollup = {
  ...daily,
  table: stxContractFlowDays,
  select: () => `WITH
  ${BLOCKS},
  moved AS (
    SELECT
      toDate(block_time) AS bucket, txid, if(standard = 'stx', 'STX', splitByString('::', asset)[1]) AS token,
      sumMapIf([ifNull(sender, '')], [toUInt256(amount)], position(ifNull(sender, ''), '.') > 0) AS left_contracts,
      sumMapIf([ifNull(recipient, '')], [toUInt256(amount)], position(ifNull(recipient, ''), '.') > 0) AS reached
    FROM stx_transfers
    WHERE ${IN_DAYS} AND action = 'transfer' AND standard != 'nft'
    GROUP BY bucket, txid, token
    HAVING notEmpty(left_contracts.1) AND notEmpty(reached.1)
  ),
  pairs AS (
    SELECT bucket, txid, token, out.1 AS sender, out.2 AS gone, came.1 AS recipient, came.2 AS got
    FROM (
      SELECT bucket, txid, token, out, reached
      FROM moved
      ARRAY JOIN arrayZip(left_contracts.1, left_contracts.2) AS out
    )
    ARRAY JOIN arrayZip(reached.1, reached.2) AS came
    WHERE out.1 != came.1
  )
SELECT {run:UInt64}, bucket, sender, recipient, token, toUInt128(sum(least(gone, got))), uniqExact(txid)
FROM pairs
GROUP BY bucket, sender, recipient, token`,
}

export const stacksRollups = (catalog: Exchanges): readonly Rollup[] => [
  stacksBlockDays,
  stacksTxDays,
  stacksCallDays,
  stacksContractDays,
  ...CLARITY_ROLLUPS,
  stacksTransferDays,
  stacksContractFeeDays,
  stacksContractFlowDays,
  dexEventsOf(catalog),
  dexBinDaysOf(catalog),
]
