import type { ClickHouseClient } from '@clickhouse/client'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { newestRuns } from '#warehouse/views/rollups.ts'
import { ask } from '../ask.ts'
import type { Rollup } from './rollup.ts'

/** Superseded runs that may lie about; at the tip about a day’s worth. */
const KEPT_RUNS = 2_000

/** Deletes rows of superseded runs once there are many. Readers have not seen them since their bucket’s newer run. */
export async function sweepRollups(writer: ClickHouseClient, rollups: readonly Rollup[]): Promise<void> {
  const [count] = await ask<{ superseded: string }>(
    writer,
    'SELECT count() - uniqExact(rollup, grain, bucket) AS superseded FROM rollup_runs',
  )
  if (Number(count?.superseded ?? 0) <= KEPT_RUNS) return
  const statements = [
    ...rollups.map(
      ({ table }) => `DELETE FROM ${BASE_DATABASE}.${table.name} WHERE NOT (${newestRuns(table)})`,
    ),
    `DELETE FROM ${BASE_DATABASE}.rollup_runs
WHERE (rollup, grain, bucket, run) NOT IN (
  SELECT r.rollup, r.grain, r.bucket, max(r.run) FROM ${BASE_DATABASE}.rollup_runs AS r GROUP BY r.rollup, r.grain, r.bucket
)`,
  ]
  for (const query of statements) {
    await writer.command({ query, clickhouse_settings: { lightweight_deletes_sync: '2' } })
  }
}
