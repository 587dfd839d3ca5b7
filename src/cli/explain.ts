import type { Figure, Metrics, Series } from '#metrics/index.ts'

/** Days of figures that an explanation shows unless one day is asked for. */
const SHOWN_DAYS = 10
const DAY_MS = 86_400_000

export type Explanation = {
  readonly series: Series
  /** The newest whole figure, or why there is none. */
  readonly figure: Figure
  /** The statement with its parameters written into it. */
  readonly sql: string
}

/**
 * All that a figure rests on: of one day, or of the newest days that have one. Errors as of `Metrics.series`:
 * `metrics.unknown_metric`, `metrics.unknown_entity`, `metrics.from` where the day is none.
 */
export async function readExplanation(
  metrics: Pick<Metrics, 'series' | 'figure' | 'standing'>,
  { id, entity, day }: { id: string; entity: string; day?: string | undefined },
): Promise<Explanation> {
  const standing = await metrics.standing()
  const figure = await metrics.figure({ id, entity, changeRange: '30d' }, undefined, standing)
  const newest = figure.point?.day
  const range =
    day !== undefined
      ? { from: day, to: day }
      : newest === undefined
        ? {}
        : { from: dayBefore(newest, SHOWN_DAYS - 1) }
  const series = await metrics.series({ id, entity, ...range }, undefined, standing)
  return { series, figure, sql: filledIn(series.sql, series.parameters) }
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** A statement with its parameters as literals, so that it runs anywhere. A parameter without a value stays as it is. */
export const filledIn = (sql: string, parameters: Readonly<Record<string, string>>): string =>
  sql.replace(/\{(\w+)\s*:\s*([\w()]+)\}/g, (whole, name: string, type: string) => {
    const value = parameters[name]
    if (value === undefined) return whole
    const text = `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    return type === 'String' ? text : `CAST(${text} AS ${type})`
  })

/** An explanation as lines for a person. */
export function explanationLines({ series, figure, sql }: Explanation): string[] {
  const { metric, entity, points, sources, heights, restatements, differences } = series
  const known = points.filter(({ source }) => source !== '')
  const section = (title: string, lines: readonly string[], none: string): string[] => [
    '',
    title,
    ...(lines.length === 0 ? [none] : lines).map(line => `  ${line}`),
  ]
  return [
    `${metric.id} of ${entity}: ${metric.name}, ${metric.unit}`,
    '',
    `  ${metric.definition}`,
    `  Why: ${metric.why}`,
    `  How: ${metric.how}`,
    `  How it can mislead: ${metric.misleads}`,
    ...section(
      'Newest whole figure',
      figure.point === null
        ? []
        : [`${figure.point.day}  ${figure.point.value} ${figure.unit}  by ${figure.point.source}`],
      `None. ${figure.absent ?? ''}`.trim(),
    ),
    ...section(
      'Figures',
      known.map(
        ({ day, key, value, state, source }) =>
          `${[day, ...(key === '' ? [] : [key]), value ?? 'not known'].join('  ')}  ${state}, ${source}`,
      ),
      'None of the requested days has one.',
    ),
    ...section(
      'Sources of these figures',
      sources.map(
        ({ id, name, lastSuccess, state, licence, url }) =>
          `${id}: ${name}; ${lastSuccess === null ? 'never reached' : `last answered ${lastSuccess} (${state})`}; license: ${licence}; ${url}`,
      ),
      'No source reported these days.',
    ),
    ...section(
      'Blocks behind them',
      heights.map(({ from, to }) => `${from} to ${to}`),
      'None. Figures from other sources have no blocks.',
    ),
    ...section(
      'What other sources say of the same days',
      differences.map(
        ({ day, key, source, value, chosen }) =>
          `${[day, ...(key === '' ? [] : [key])].join('  ')}  ${value ?? 'not known'} by ${source}${apart(value, chosen)}`,
      ),
      'No other source reports them.',
    ),
    ...section(
      'What was revised',
      restatements.map(
        ({ day, key, oldValue, newValue, source, observedAt }) =>
          `${[day, ...(key === '' ? [] : [key])].join('  ')}  ${oldValue ?? 'not known'} became ${newValue ?? 'not known'}, from ${source}, seen ${observedAt}`,
      ),
      'Nothing.',
    ),
    ...section(
      'References',
      metric.references.map(({ title, url }) => (url === undefined ? title : `${title}: ${url}`)),
      '',
    ),
    ...section('SQL', sql.split('\n'), ''),
  ]
}

/** How far another source’s figure lies from the chosen one, where that can be said. */
function apart(value: number | string | null, chosen: number | string | null): string {
  const [theirs, ours] = [Number(value), Number(chosen)]
  if (value === null || chosen === null || !Number.isFinite(theirs) || !Number.isFinite(ours) || ours === 0)
    return ''
  const ratio = theirs / ours - 1
  return `, ${ratio > 0 ? '+' : ratio < 0 ? '−' : ''}${(Math.abs(ratio) * 100).toFixed(2)} %`
}
