import type { SourceRef } from './answers.ts'
import { ask } from './ask.ts'
import type { MetricsDeps } from './deps.ts'
import { createKeptRows, type KeptRows } from './keptRows.ts'
import { readSources } from './readSources.ts'

/**
 * What every answer of one data version rests on besides its own figures. It costs as much to read as a short series: a
 * caller that knows the version reads it once and hands it to each question.
 */
export type Standing = {
  readonly sources: ReadonlyMap<string, SourceRef>
  /** Contiguous heights of which the blocks, or a node's statistics of them, are held. */
  readonly runs: readonly { readonly from: number; readonly to: number }[]
  /** Metrics with a figure that its source gave twice, as `<metric> <entity>`: only these can have restatements. */
  readonly revised: ReadonlySet<string>
  /** Outside figures held of a metric, as `<metric> <entity>`. */
  readonly outside: ReadonlyMap<string, number>
  /** Whole histories by day, from which ranges and figures of this data version are cut. */
  readonly kept: KeptRows
}

/** About 300 bytes a row. */
const MOST_KEPT_ROWS = 300_000

export async function readStanding({ warehouse: { reader }, sources }: MetricsDeps): Promise<Standing> {
  const [known, runs, outside] = await Promise.all([
    readSources(reader, sources),
    ask<{ from: number; to: number }>(
      reader,
      `SELECT from_height AS from, to_height AS to
FROM btc_block_runs
WHERE basis = 'facts'
ORDER BY from_height`,
    ),
    ask<{ metric: string; entity: string; figures: string; is_revised: number }>(
      reader,
      `SELECT metric, entity, count() AS figures, max(times) > 1 AS is_revised
FROM (
  SELECT metric, entity, count() AS times
  FROM observations
  GROUP BY metric, entity, breakdown, day, source
)
GROUP BY metric, entity`,
    ),
  ])
  return {
    sources: known,
    runs,
    revised: new Set(outside.flatMap(row => (row.is_revised ? [`${row.metric} ${row.entity}`] : []))),
    outside: new Map(outside.map(row => [`${row.metric} ${row.entity}`, Number(row.figures)])),
    kept: createKeptRows(MOST_KEPT_ROWS),
  }
}
