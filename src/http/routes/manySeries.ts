import type { z } from 'zod'
import { toCsv } from '#queries/index.ts'
import { amountUnit } from '../amountUnit.ts'
import type { FullApi } from '../api.ts'
import type { Body } from '../cache/answerCache.ts'
import type { Series, SeriesQuery } from '../contract.ts'
import { asFile, MEDIA_TYPES } from '../format.ts'
import { provenanceLink } from '../provenanceLink.ts'
import type { manySeriesQuery } from '../schemas/metrics.ts'

type Question = z.output<typeof manySeriesQuery>

/** The series that are asked for, in that order. */
export async function readManySeries(
  api: Pick<FullApi, 'series' | 'metrics'>,
  { format: _, ...question }: Question,
): Promise<Series[]> {
  const queries = await manySeriesQueries(api, question)
  return Promise.all(queries.map(query => api.series({ ...query, figuresOnly: true })))
}

/** One query a series; a metric named with several values of its breakdown is one series. */
export async function manySeriesQueries(
  api: Pick<FullApi, 'metrics'>,
  { figures, unit, switches = '', ...span }: Omit<Question, 'format'>,
): Promise<SeriesQuery[]> {
  const entries = await api.metrics()
  const wanted = switches.split(',')
  const named = Map.groupBy(figures, ({ id, entity }) => `${id}@${entity}`)
  return [...named.values()].flatMap(parts => {
    const [first] = parts
    if (first === undefined) return []
    const keys = parts.flatMap(({ key }) => key ?? [])
    const entry = entries.find(({ id, entities }) => id === first.id && entities.includes(first.entity))
    const turned = entry?.switches.map(({ name }) => name).filter(name => wanted.includes(name)) ?? []
    const query: SeriesQuery = {
      id: first.id,
      entity: first.entity,
      ...span,
      // A metric that stands without a value too is meant whole.
      ...(keys.length === parts.length && { breakdown: keys }),
      ...(turned.length > 0 && { switches: turned }),
      ...amountUnit(entry, unit),
    }
    return [query]
  })
}

/** One line a point of any of the metrics; the height stands where a point is a block. */
export function manySeriesCsv(found: readonly Series[], question: Question): Body {
  const isByBlock = found.some(({ grain }) => grain === 'block')
  const height = <Cell>(cell: Cell): Cell[] => (isByBlock ? [cell] : [])
  const rows = found.flatMap(({ metric, entity, unit, points }) =>
    points.map(point => [
      point.day,
      ...height(point.height ?? null),
      metric.id,
      entity,
      point.key,
      point.value,
      unit,
      point.state,
      point.source,
    ]),
  )
  const columns = ['day', ...height('height'), 'metric', 'entity', 'key', 'value', 'unit', 'state', 'source']
  return {
    bytes: Buffer.from(toCsv(columns, rows)),
    contentType: `${MEDIA_TYPES.csv[0]}; charset=utf-8`,
    headers: { ...asFile('assay.csv'), link: linkOf(question) },
  }
}

/** The provenance file of the same figures. */
function linkOf({ figures, ...rest }: Question): string {
  const named = figures.map(({ id, entity, key }) => `${id}@${entity}${key === undefined ? '' : `:${key}`}`)
  return provenanceLink('/api/v1/series/provenance', { figures: named.join(','), ...rest })
}

/** The statements as a script: what each is, its parameters, and the SQL as it stands. */
export function seriesSqlScript(found: readonly Series[]): Body {
  const parts = found.map(({ metric, entity, unit, asOf, sources, sql, parameters }) =>
    [
      comment(`${metric.name} (${metric.id}) of ${entity}, in ${unit}`),
      comment(metric.definition),
      comment(`How it can mislead: ${metric.misleads}`),
      comment(`Sources: ${sources.map(({ name }) => name).join('; ') || 'none reached yet'}`),
      comment(`As of ${asOf.time}${asOf.height === null ? '' : `, block ${asOf.height}`}`),
      ...Object.entries(parameters).map(([name, value]) => `SET param_${name} = ${quoted(value)};`),
      `${sql.trimEnd()};`,
    ].join('\n'),
  )
  return {
    bytes: Buffer.from(`${parts.join('\n\n')}\n`),
    contentType: 'application/sql; charset=utf-8',
    headers: asFile('assay.sql'),
  }
}

const comment = (text: string): string => `-- ${text.replaceAll(/\s+/g, ' ')}`
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
