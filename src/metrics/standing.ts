import type { SourceRef } from './answers.ts'
import { ask } from './ask.ts'
import type { MetricsDeps } from './deps.ts'
import { createKeptRows, type KeptRows } from './keptRows.ts'
import { type Marks, readMarks } from './marks.ts'
import { readSources } from './readSources.ts'

/**
 * What every answer of one data version rests on besides its own figures. It costs as much to read as a short series: a
 * caller that knows the version reads it once and hands it to each question.
 */
export type Standing = {
  readonly sources: ReadonlyMap<string, SourceRef>
  /** By chain: contiguous heights of which the blocks, or a node's statistics of them, are held. */
  readonly runs: ReadonlyMap<string, readonly HeightRun[]>
  /** UTC day of the newest block that is held, or that a node's statistics tell of. */
  readonly newestBlockDay: string | undefined
  /** Metrics with a figure that its source gave twice, as `<metric> <entity>`: only these can have restatements. */
  readonly revised: ReadonlySet<string>
  /** Outside figures held of a metric, as `<metric> <entity>`. */
  readonly outside: ReadonlyMap<string, OutsideFigures>
  /** Days of which both blocks and a node's statistics are held. */
  readonly toldTwice: readonly DaySpan[]
  /** Whole histories by day, from which ranges and figures are cut while what they rest on (`marks`) stays as it is. */
  readonly kept: KeptRows
  readonly marks: Marks
}

/** Heights from the first to the last, both inclusive. */
export type HeightRun = { readonly from: number; readonly to: number }
/** Days from the first to the last, both inclusive. */
export type DaySpan = { readonly from: string; readonly to: string }
export type OutsideFigures = DaySpan & { readonly count: number; readonly sources: number }

type Run = {
  readonly basis: 'rows' | 'facts' | 'statistics'
  readonly from: number
  readonly to: number
  readonly first_whole_day: string
  readonly last_whole_day: string
  readonly last_day: string
}

/** About 300 bytes a row. */
const MOST_KEPT_ROWS = 300_000

/** What is kept outlasts a standing: a block of one chain changes nothing in the histories of the others. */
export const createHistories = (): KeptRows => createKeptRows(MOST_KEPT_ROWS)

export async function readStanding(
  { warehouse: { reader }, sources }: Pick<MetricsDeps, 'warehouse' | 'sources'>,
  kept = createHistories(),
): Promise<Standing> {
  // Before anything that rests on them: rows that come meanwhile are read once more, never kept too long.
  const marks = await readMarks(reader)
  const [known, runs, stacks, layers, outside] = await Promise.all([
    readSources(reader, sources),
    ask<Run>(
      reader,
      `SELECT basis, from_height AS from, to_height AS to, first_whole_day, last_whole_day, last_day
FROM btc_block_runs
ORDER BY from_height`,
    ),
    ask<HeightRun>(
      reader,
      `SELECT from_height AS from, to_height AS to
FROM stx_coverage
ORDER BY from_height`,
    ),
    ask<HeightRun & { readonly chain: string }>(
      reader,
      `SELECT toString(chain) AS chain, from_height AS from, to_height AS to
FROM evm_coverage
ORDER BY from_height`,
    ),
    ask<{
      metric: string
      entity: string
      figures: string
      is_revised: number
      sources: string
      from: string
      to: string
    }>(
      reader,
      `SELECT
  metric, entity, count() AS figures, max(times) > 1 AS is_revised,
  uniqExact(source) AS sources, min(day) AS from, max(day) AS to
FROM (
  SELECT metric, entity, source, day, count() AS times
  FROM observations
  GROUP BY metric, entity, breakdown, day, source
)
GROUP BY metric, entity`,
    ),
  ])
  return {
    sources: known,
    runs: new Map([
      ['bitcoin', runs.filter(({ basis }) => basis === 'facts')],
      ['stacks', stacks],
      ...Map.groupBy(layers, ({ chain }) => chain),
    ]),
    newestBlockDay: runs.reduce<string | undefined>(
      (newest, { last_day: day }) => (newest === undefined || day > newest ? day : newest),
      undefined,
    ),
    revised: new Set(outside.flatMap(row => (row.is_revised ? [`${row.metric} ${row.entity}`] : []))),
    outside: new Map(
      outside.map(({ metric, entity, figures, sources: count, from, to }) => [
        `${metric} ${entity}`,
        { count: Number(figures), sources: Number(count), from, to },
      ]),
    ),
    toldTwice: toldTwice(runs),
    kept,
    marks,
  }
}

/** Whole days by a node's statistics, of the runs that share a height with blocks that are held. */
const toldTwice = (runs: readonly Run[]): DaySpan[] =>
  runs
    .filter(
      run =>
        run.basis === 'statistics' &&
        runs.some(({ basis, from, to }) => basis === 'rows' && from <= run.to && to >= run.from),
    )
    .map(({ first_whole_day: from, last_whole_day: to }) => ({ from, to }))
