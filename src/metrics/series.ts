import type { ClickHouseClient } from '@clickhouse/client'
import { sourcesNamed } from '#kernel/sourceNames.ts'
import { figureState } from './age.ts'
import type { AsOf, Point, Restatement, Series, SeriesQuery, SourceRef } from './answers.ts'
import { ask, figureOf, isoOf } from './ask.ts'
import { addDays, bucketStart, nextBucket } from './days.ts'
import type { MetricsDeps } from './deps.ts'
import { differencesOf, mayDiffer } from './differences.ts'
import { entryOf } from './entry.ts'
import { type DayGrain, isFine, type Metric } from './metric.ts'
import { readPriceSources } from './pricedBy.ts'
import { type Question, questionOf } from './question.ts'
import { chainOfSource, type FigureRow, isShort, readRows } from './readRows.ts'
import { seriesSql } from './seriesSql.ts'
import type { HeightRun, Standing } from './standing.ts'

/**
 * A metric as a series, with all that it rests on. Buckets between two points that have no figure stand as one null at
 * each end of the gap, so that a line breaks there. Errors as of `questionOf`.
 */
export async function readSeries(
  deps: MetricsDeps,
  query: SeriesQuery,
  signal?: AbortSignal,
  standing?: Standing,
): Promise<Series> {
  const { reader } = deps.warehouse
  const question = questionOf(deps.metrics, query)
  const { entry, grain, drawn, parameters } = question
  const beside =
    entry.besideSql === undefined ||
    grain !== 'day' ||
    query.figuresOnly ||
    (standing !== undefined && !mayDiffer(entry, query.entity, parameters, standing))
      ? undefined
      : seriesSql({ ...entry, sql: entry.besideSql }, 'day', query.unit ?? 'native').sql
  const asked = { ...question, entity: query.entity }
  const [rows, others, restatements, current] = await Promise.all([
    readRows(deps, entry, { ...asked, sql: drawn.sql }, standing, signal),
    beside === undefined ? [] : readRows(deps, entry, { ...asked, sql: beside }, standing, signal),
    query.figuresOnly ||
    isFine(grain) ||
    standing?.revised.has(`${entry.observedAs} ${query.entity}`) === false
      ? []
      : readRestatements(reader, entry, query.entity, parameters, signal),
    standing ?? deps.currentStanding(),
  ])
  const { sources, runs } = current
  const points = rows.map(pointOf)
  const differences = differencesOf(points, others)
  const prices = await readPricesOf(deps, { drawn, grain, points, entity: query.entity }, current)
  const used = new Set([
    ...[...points, ...differences].flatMap(({ source }) => sourcesNamed(source)),
    ...prices,
  ])
  return {
    metric: entryOf(entry, sources),
    entity: query.entity,
    grain,
    unit: drawn.unit,
    points: isFine(grain)
      ? withMissingBlocks(points, rows)
      : entry.calendar === 'reported'
        ? points
        : withGaps(points, grain),
    asOf: asOfRows(
      rows.filter(({ value }) => value !== null),
      sources,
    ),
    sources: [...sources.values()].filter(({ id }) => used.has(id)),
    sql: question.sql,
    parameters,
    heights: heightsOf(rows, runs),
    restatements,
    differences,
  }
}

type Priced = Pick<Question, 'drawn' | 'grain'> & {
  readonly points: readonly Point[]
  readonly entity: string
}

/** Sources of the closes behind the figures of a series; none where nothing is valued at a price. */
async function readPricesOf(
  { warehouse }: MetricsDeps,
  { drawn, grain, points, entity }: Priced,
  standing: Standing,
): Promise<string[]> {
  const days = points.flatMap(({ day, value }) => (value === null ? [] : [day.slice(0, 10)])).sort()
  const [from, last] = [days[0], days.at(-1)]
  if (from === undefined || last === undefined) return []
  const to = addDays(nextBucket(last, isFine(grain) ? 'day' : grain), -1)
  return readPriceSources(warehouse.reader, drawn, { entity, from, to }, standing)
}

/**
 * The newest day of a series that has a figure, null where none has. Undefined where its history is too long to be kept:
 * then only reading tells. Errors as of `readSeries`.
 */
export async function readNewestDay(
  deps: MetricsDeps,
  query: SeriesQuery,
  standing: Standing,
): Promise<string | null | undefined> {
  const { entry, grain, drawn, keys, whole } = questionOf(deps.metrics, query)
  const { entity } = query
  if (isFine(grain) || !isShort(entry, entity, standing)) return undefined
  const question = { sql: drawn.sql, entity, parameters: whole, whole, keys, grain }
  const rows = await readRows(deps, entry, question, standing)
  return rows.reduce<string | null>(
    (newest, { day, value }) => (value !== null && (newest === null || day > newest) ? day : newest),
    null,
  )
}

export const pointOf = (row: FigureRow): Point => ({
  day: row.day,
  ...(row.height !== undefined && { height: row.height }),
  value: figureOf(row.value),
  key: row.key,
  source: row.source,
  state: row.value === null ? 'incomplete' : row.state,
})

/** A figure over several sources is as old as the one that publishes least. */
const WORST_FIRST = ['overdue', 'stale', 'recorded', 'live'] as const satisfies readonly AsOf['state'][]

/** How old the newest figure is, and whether its sources still publish. */
export function asOfRows(
  rows: readonly Pick<FigureRow, 'as_of' | 'to_height' | 'source'>[],
  sources: ReadonlyMap<string, SourceRef>,
): AsOf {
  const newest = rows.reduce<(typeof rows)[number] | undefined>(
    (best, row) => (best === undefined || row.as_of > best.as_of ? row : best),
    undefined,
  )
  if (newest === undefined) return { time: new Date(0).toISOString(), height: null, state: 'recorded' }
  const time = isoOf(newest.as_of)
  const states = sourcesNamed(newest.source).map(name => figureState(time, sources.get(name)))
  return {
    time,
    height: newest.to_height,
    state: WORST_FIRST.find(state => states.includes(state)) ?? 'recorded',
  }
}

async function readRestatements(
  reader: ClickHouseClient,
  entry: Metric,
  entity: string,
  range: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Restatement[]> {
  type Revision = {
    day: string
    key: string
    old_value: number | string | null
    new_value: number | string | null
    source: string
    observed_at: string
  }
  const rows = await ask<Revision>(
    reader,
    `SELECT day, key, old_value, new_value, source, observed_at
FROM (
  SELECT
    day, breakdown AS key, source, observed_at,
    if(amount IS NULL, value, toFloat64(amount)) AS new_value,
    lagInFrame(new_value) OVER (PARTITION BY day, breakdown, source ORDER BY observed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS old_value,
    row_number() OVER (PARTITION BY day, breakdown, source ORDER BY observed_at) AS nth
  FROM observations
  WHERE metric = {metric:String} AND entity = {entity:String} AND day BETWEEN {from:Date} AND {to:Date}
)
WHERE nth > 1 AND (old_value IS NULL) + (new_value IS NULL) = 1 OR nth > 1 AND old_value != new_value
ORDER BY day, key, observed_at`,
    { metric: entry.observedAs, entity, from: range.from ?? '1970-01-01', to: range.to ?? '2100-01-01' },
    signal,
  )
  return rows.map(row => ({
    day: row.day,
    key: row.key,
    oldValue: figureOf(row.old_value),
    newValue: figureOf(row.new_value),
    source: row.source,
    observedAt: isoOf(row.observed_at),
  }))
}

function withGaps(points: readonly Point[], grain: DayGrain): Point[] {
  const keys = [...new Set(points.map(({ key }) => key))]
  const gap = (day: string): Point[] =>
    keys.map(key => ({ day, value: null, key, source: '', state: 'incomplete' as const }))
  const out: Point[] = []
  let before: string | undefined
  for (const point of points) {
    if (before !== undefined && point.day !== before) {
      const first = nextBucket(before, grain)
      if (first < point.day) {
        const last = bucketStart(addDays(point.day, -1), grain)
        out.push(...gap(first), ...(last === first ? [] : gap(last)))
      }
    }
    out.push(point)
    before = point.day
  }
  return out
}

/** One null stands where heights are missing between two blocks or hours; an hour in which none was found has no point. */
function withMissingBlocks(points: readonly Point[], rows: readonly FigureRow[]): Point[] {
  const keys = [...new Set(points.map(({ key }) => key))]
  let known = Number.POSITIVE_INFINITY
  return points.flatMap((point, i) => {
    const { from_height: from, to_height: to } = rows[i]!
    if (from === null || to === null) return [point]
    const isMissing = from > known + 1
    known = Math.max(to, isMissing || known === Number.POSITIVE_INFINITY ? to : known)
    if (!isMissing) return [point]
    return [
      ...keys.map(key => ({ day: point.day, value: null, key, source: '', state: 'incomplete' as const })),
      point,
    ]
  })
}

/** Heights behind the figures as inclusive ranges, cut to the runs of blocks that are known of the chain that they are of. */
function heightsOf(rows: readonly FigureRow[], runs: Standing['runs']): { from: number; to: number }[] {
  return [...Map.groupBy(rows, ({ source }) => chainOf(source))].flatMap(([chain, ofChain]) =>
    heightsOfChain(ofChain, runs.get(chain) ?? []),
  )
}

/** The chain whose heights a source counts by: figures of a chain's own rows have its heights, all others Bitcoin's. */
const chainOf = (source: string): string => chainOfSource(source) ?? 'bitcoin'

function heightsOfChain(rows: readonly FigureRow[], runs: readonly HeightRun[]): HeightRun[] {
  const spans = rows
    .flatMap(({ from_height: from, to_height: to }) => (from === null || to === null ? [] : [{ from, to }]))
    .sort((a, b) => a.from - b.from)
  const merged: { from: number; to: number }[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last !== undefined && span.from <= last.to + 1) last.to = Math.max(last.to, span.to)
    else merged.push({ ...span })
  }
  return merged.flatMap(span =>
    runs
      .filter(run => run.to >= span.from && run.from <= span.to)
      .map(run => ({ from: Math.max(run.from, span.from), to: Math.min(run.to, span.to) })),
  )
}
