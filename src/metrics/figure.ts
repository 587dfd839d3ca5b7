import type { Figure, FigureQuery } from './answers.ts'
import { ask, figureOf } from './ask.ts'
import { addDays, bucketStart, bucketsBefore } from './days.ts'
import type { MetricsDeps } from './deps.ts'
import { entryOf } from './entry.ts'
import { type Metric, SUM_OF_KEYS } from './metric.ts'
import { questionOf } from './question.ts'
import { type FigureRow, isBlank, isShort, readWhole } from './readRows.ts'
import { asOfRows } from './series.ts'
import { readStanding, type Standing } from './standing.ts'
import { sumOf } from './wholeFigures.ts'

const RANGE_DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, max: undefined } as const
const SPARK_POINTS = 30

/** The figure of one whole bucket. */
type DayRow = Pick<FigureRow, 'day' | 'source' | 'to_height' | 'as_of'> & { readonly value: number | string }

/**
 * The newest whole bucket of a metric, its change against the whole bucket a range before (null where that one is
 * missing), and the thirty buckets up to it. Errors as of `readSeries`.
 */
export async function readFigure(
  deps: MetricsDeps,
  query: FigureQuery,
  signal?: AbortSignal,
  standing?: Standing,
): Promise<Figure> {
  const { reader } = deps.warehouse
  const { grain = 'day' } = query
  const { entry, drawn, whole } = questionOf(deps.metrics, { ...query, grain })
  const days = RANGE_DAYS[query.changeRange]
  const [rows, { sources }] = await Promise.all([
    standing !== undefined && isBlank(entry, query.entity, standing)
      ? []
      : standing !== undefined && isShort(entry, query.entity, standing)
        ? readWhole(deps, drawn.sql, whole, standing).then(rows => wholeDays(rows, entry))
        : ask<DayRow>(reader, newestWhole(drawn.sql, entry.headline, days), whole, signal),
    standing ?? readStanding(deps),
  ])
  const byDay = new Map(rows.map(row => [row.day, row]))
  const newest = rows[0]
  const older =
    days === undefined ? rows.at(-1) : newest && byDay.get(bucketStart(addDays(newest.day, -days), grain))
  const figure = {
    metric: entryOf(entry, sources),
    entity: query.entity,
    unit: drawn.unit,
    changeRange: query.changeRange,
    asOf: asOfRows(newest === undefined ? [] : [newest], sources),
  }
  if (newest === undefined) {
    return { ...figure, point: null, change: null, spark: [], absent: entry.needs }
  }
  return {
    ...figure,
    point: {
      day: newest.day,
      value: figureOf(newest.value),
      key: entry.headline === undefined || entry.headline === SUM_OF_KEYS ? '' : entry.headline,
      source: newest.source,
      state: 'whole',
    },
    change: changeOf(newest, older),
    spark: bucketsBefore(newest.day, grain, SPARK_POINTS).map(day => {
      const row = byDay.get(day)
      return row === undefined ? null : Number(row.value)
    }),
    absent: null,
  }
}

/** Whole days with a figure, newest first: `newestWhole` for rows at hand. */
function wholeDays(rows: readonly FigureRow[], { headline }: Metric): DayRow[] {
  const days = new Map<string, DayRow>()
  for (const { day, key, value, state, source, to_height, as_of } of rows) {
    if (state !== 'whole' || value === null) continue
    if (headline !== undefined && headline !== SUM_OF_KEYS && key !== headline) continue
    const sum = headline === SUM_OF_KEYS ? days.get(day) : undefined
    days.set(day, {
      day,
      value: sum === undefined ? value : sumOf(sum.value, value),
      source: sum?.source ?? source,
      to_height: sum?.to_height == null ? to_height : Math.max(sum.to_height, to_height ?? 0),
      as_of: sum !== undefined && sum.as_of > as_of ? sum.as_of : as_of,
    })
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1))
}

/** Whole days with a figure, newest first, as far back as the change and the spark look. */
function newestWhole(sql: string, headline: string | undefined, days: number | undefined): string {
  const limit = days === undefined ? '' : `\nLIMIT ${Math.max(days, SPARK_POINTS) + 1}`
  const columns =
    headline === SUM_OF_KEYS
      ? 'sum(s.value) AS value, any(s.source) AS source, max(s.to_height) AS to_height, max(s.as_of) AS as_of'
      : 's.value AS value, s.source AS source, s.to_height AS to_height, s.as_of AS as_of'
  const one =
    headline === undefined
      ? ''
      : headline === SUM_OF_KEYS
        ? '\nGROUP BY day'
        : ` AND s.key = '${headline.replaceAll("'", "\\'")}'`
  return `SELECT s.day AS day, ${columns}
FROM (
${sql}
) AS s
WHERE s.state = 'whole' AND isNotNull(s.value)${one}
ORDER BY day DESC${limit}`
}

function changeOf(newest: DayRow, older: DayRow | undefined): number | null {
  if (older === undefined || older.day === newest.day) return null
  const before = Number(older.value)
  return before === 0 ? null : Number(newest.value) / before - 1
}
