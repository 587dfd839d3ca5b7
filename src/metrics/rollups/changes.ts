import type { ClickHouseClient } from '@clickhouse/client'
import { LAYERS_EVERY_S } from '#warehouse/views/layerRollups.ts'
import { ask } from '../ask.ts'

/** Fingerprint of all that rollups rest on and of what has been computed: cheap, where comparing buckets is not. */
export type Mark = { readonly base: string; readonly computed: string }

export async function readMark(reader: ClickHouseClient): Promise<Mark> {
  const [row] = await ask<{ base: string; computed: string }>(
    reader,
    `SELECT
  concat(
    toString((SELECT (count(), max(seq)) FROM btc_batches)), toString((SELECT count() FROM btc_block_stats)),
    toString((SELECT (count(), max(seq)) FROM stx_batches)), toString((SELECT (count(), max(seq)) FROM stx_burn_batches)),
    -- Layers commit every few seconds: while they do the clock marks them, afterwards their log.
    (SELECT if(
      max(decided_at) > now('UTC') - ${2 * LAYERS_EVERY_S},
      toString(intDiv(toUnixTimestamp(now('UTC')), ${LAYERS_EVERY_S})),
      toString((count(), max(seq), max(decided_at)))
    ) FROM evm_batches),
    toString((SELECT count() FROM btc_difficulty_epochs)), toString((SELECT (count(), max(observed_at)) FROM prices)),
    toString((SELECT count() FROM sources)), toString(toDate(now('UTC')))
  ) AS base,
  toString((SELECT (count(), max(run)) FROM rollup_runs)) AS computed`,
  )
  return { base: row?.base ?? '', computed: row?.computed ?? '' }
}

/**
 * Runs `refresh` only when something has changed since the last time that it left nothing to do. The mark of the base is
 * taken before, so what changes meanwhile is seen the next time.
 */
export function whenChanged<Result>(
  reader: ClickHouseClient,
  nothing: Result,
): (refresh: () => Promise<Result>) => Promise<Result> {
  let last: Mark | undefined
  return async refresh => {
    const before = await readMark(reader)
    if (last !== undefined && before.base === last.base && before.computed === last.computed) return nothing
    const result = await refresh()
    last = { base: before.base, computed: (await readMark(reader)).computed }
    return result
  }
}
