import { setImmediate as breathe } from 'node:timers/promises'
import { signersOf } from '#chains/stacks/index.ts'
import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { stxSignerDays } from '#warehouse/tables/stacksRollups.ts'
import { stxBlockSigners } from '#warehouse/tables/stacksSigners.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import type { Rollup } from './rollup.ts'
import { BLOCKS, daily, IN_DAYS } from './stacksBlocks.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES

/** Blocks whose signatures are in memory at once. */
const BLOCKS_AT_ONCE = 500

/**
 * Recovers who signed the blocks of these days, as far as it is not known: 50 µs a signature. A row follows from its block alone,
 * so one that was written twice, or whose block lost, harms nothing.
 */
async function recoverSigners({ warehouse }: RollupDeps, buckets: readonly string[]): Promise<void> {
  for (;;) {
    const blocks = await ask<{ height: number; hash: string; header: string; signatures: string }>(
      warehouse.writer,
      `WITH
  ${BLOCKS}
SELECT
  height, lower(hex(hash)) AS hash, lower(hex(header_hash)) AS header, base64Encode(signer_signatures) AS signatures
FROM stx_blocks
WHERE ${IN_DAYS} AND is_nakamoto AND signer_signatures != '' AND hash NOT IN (
  SELECT hash FROM ${BASE_DATABASE}.stx_block_signers WHERE height IN (SELECT height FROM blocks)
)
ORDER BY height
LIMIT ${BLOCKS_AT_ONCE}`,
      { buckets },
    )
    const rows = []
    for (const { height, hash, header, signatures } of blocks) {
      rows.push({
        height,
        hash: Buffer.from(hash, 'hex'),
        signers: signersOf(Buffer.from(header, 'hex'), Buffer.from(signatures, 'base64')),
      })
      // Pages are answered by the same thread.
      if (rows.length % 20 === 0) await breathe()
    }
    if (rows.length > 0) await warehouse.insertRows(stxBlockSigners, rows)
    if (blocks.length < BLOCKS_AT_ONCE) return
  }
}

/**
 * From Nakamoto on a cycle’s signers sign from its first Bitcoin block on (modulo 0), unlike its payouts. Source: stacks-core
 * `PoxConstants::nakamoto_first_block_of_cycle`.
 */
export const signerDays: Rollup = {
  ...daily,
  table: stxSignerDays,
  prepare: recoverSigners,
  select: () => `WITH
  ${BLOCKS},
  signed AS (
    SELECT
      toDate(b.block_time) AS bucket, toUInt32(intDiv(toInt64(b.burn_height) - ${FIRST}, ${LENGTH})) AS cycle,
      b.block_time AS block_time, s.signers AS signers
    FROM (
      SELECT height, hash, block_time, burn_height
      FROM stx_blocks
      WHERE ${IN_DAYS} AND is_nakamoto AND burn_height >= ${FIRST}
    ) AS b
    INNER JOIN (
      SELECT hash, any(signers) AS signers
      FROM ${BASE_DATABASE}.stx_block_signers
      WHERE height IN (SELECT height FROM blocks)
      GROUP BY hash
    ) AS s ON s.hash = b.hash
  ),
  totals AS (SELECT bucket, cycle, count() AS blocks FROM signed GROUP BY bucket, cycle)
SELECT {run:UInt64}, k.bucket, k.cycle, k.signing_key, k.signed, t.blocks, k.last_time
FROM (
  SELECT
    bucket, cycle,
    arrayJoin(arrayMap(n -> toFixedString(substring(signers, 33 * n + 1, 33), 33), range(intDiv(length(signers), 33)))) AS signing_key,
    count() AS signed, max(block_time) AS last_time
  FROM signed
  GROUP BY bucket, cycle, signing_key
) AS k
INNER JOIN totals AS t ON t.bucket = k.bucket AND t.cycle = k.cycle`,
}
