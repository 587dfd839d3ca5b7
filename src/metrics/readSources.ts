import type { ClickHouseClient } from '@clickhouse/client'
import type { SourceDeclaration } from '#sources/source.ts'
import { sourceState } from './age.ts'
import type { SourceRef } from './answers.ts'
import { ask, isoOf } from './ask.ts'

type Row = { id: string; recorded_at: string | null; origin: string }

/** All declared sources with the time of their last success; null for one that was never reached. */
export async function readSources(
  reader: ClickHouseClient,
  declared: readonly SourceDeclaration[],
): Promise<ReadonlyMap<string, SourceRef>> {
  const rows = await ask<Row>(
    reader,
    `SELECT id, max(recorded_at) AS recorded_at, '' AS origin
FROM sources
WHERE NOT endsWith(id, '.chain')
GROUP BY id
UNION ALL
SELECT 'bitcoin.chain', toNullable(max(decided_at)), CAST(argMax(origin, seq) AS String)
FROM btc_batches
HAVING count() > 0
UNION ALL
SELECT 'stacks.chain', toNullable(max(decided_at)), CAST(argMax(origin, seq) AS String)
FROM stx_batches
HAVING count() > 0
UNION ALL
SELECT concat(toString(chain), '.chain'), toNullable(max(decided_at)), CAST(argMax(origin, seq) AS String)
FROM evm_batches
GROUP BY chain`,
  )
  const known = new Map(rows.map(row => [row.id, row]))
  return new Map(
    declared.map(source => {
      const row = known.get(source.id)
      const lastSuccess = row?.recorded_at == null ? null : isoOf(row.recorded_at)
      // Blocks that came with a recording do not follow the tip.
      const isRecorded = row?.origin === 'snapshot' || row?.origin === 'archive'
      const cadenceSeconds = isRecorded ? null : source.cadenceSeconds
      return [
        source.id,
        {
          id: source.id,
          name: source.name,
          url: source.url,
          licence: source.licence,
          lastSuccess,
          cadenceSeconds,
          state: sourceState(lastSuccess, cadenceSeconds),
          about: source.about,
        },
      ]
    }),
  )
}
