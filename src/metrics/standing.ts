import type { SourceRef } from './answers.ts'
import { ask } from './ask.ts'
import type { MetricsDeps } from './deps.ts'
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
}

export async function readStanding({ warehouse: { reader }, sources }: MetricsDeps): Promise<Standing> {
  const [known, runs, revised] = await Promise.all([
    readSources(reader, sources),
    ask<{ from: number; to: number }>(
      reader,
      `SELECT from_height AS from, to_height AS to
FROM btc_block_runs
WHERE basis = 'facts'
ORDER BY from_height`,
    ),
    ask<{ metric: string; entity: string }>(
      reader,
      `SELECT DISTINCT metric, entity
FROM (
  SELECT metric, entity
  FROM observations
  GROUP BY metric, entity, breakdown, day, source
  HAVING count() > 1
)`,
    ),
  ])
  return {
    sources: known,
    runs,
    revised: new Set(revised.map(({ metric, entity }) => `${metric} ${entity}`)),
  }
}
