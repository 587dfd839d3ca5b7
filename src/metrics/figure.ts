import type { Figure, FigureQuery } from './answers.ts'
import { ask, figureOf } from './ask.ts'
import { addDays } from './days.ts'
import type { MetricsDeps } from './deps.ts'
import { entryOf, metricOf } from './entry.ts'
import { SUM_OF_KEYS } from './metric.ts'
import { asOfRows } from './series.ts'
import { seriesSql } from './seriesSql.ts'
import { readStanding, type Standing } from './standing.ts'

const RANGE_DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, max: undefined } as const
const SPARK_POINTS = 30

type Row = {
  day: string
  value: number | string
  source: string
  to_height: number | null
  as_of: string
}

/**
 * The newest whole bucket of a metric, its change against the whole bucket a range before (null where that one is
 * missing), and the thirty days up to it. Errors as of `readSeries`.
 */
export async function readFigure(
  deps: MetricsDeps,
  query: FigureQuery,
  signal?: AbortSignal,
  standing?: Standing,
): Promise<Figure> {
  const { reader } = deps.warehouse
  const entry = metricOf(deps.metrics, query.id, query.entity)
  const drawn = seriesSql(entry, 'day', query.unit ?? 'native')
  const days = RANGE_DAYS[query.changeRange]
  const parameters = Object.fromEntries(
    entry.parameters.map(({ name, default: value }) => [name, name === 'entity' ? query.entity : value]),
  )
  const [rows, { sources }] = await Promise.all([
    ask<Row>(reader, newestWhole(drawn.sql, entry.headline, days), parameters, signal),
    standing ?? readStanding(deps),
  ])
  const byDay = new Map(rows.map(row => [row.day, row]))
  const newest = rows[0]
  const older = days === undefined ? rows.at(-1) : newest && byDay.get(addDays(newest.day, -days))
  const figure = {
    metric: entryOf(entry, sources),
    entity: query.entity,
    unit: drawn.unit,
    changeRange: query.changeRange,
    asOf: asOfRows(newest === undefined ? [] : [newest], sources),
  }
  if (newest === undefined) {
    return { ...figure, point: null, change: null, spark: [], absent: 'No day is covered whole yet.' }
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
    spark: Array.from({ length: SPARK_POINTS }, (_, i) => {
      const row = byDay.get(addDays(newest.day, i + 1 - SPARK_POINTS))
      return row === undefined ? null : Number(row.value)
    }),
    absent: null,
  }
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

function changeOf(newest: Row, older: Row | undefined): number | null {
  if (older === undefined || older.day === newest.day) return null
  const before = Number(older.value)
  return before === 0 ? null : Number(newest.value) / before - 1
}
