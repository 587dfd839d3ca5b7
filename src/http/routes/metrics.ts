import { z } from 'zod'
import { assertNever } from '#kernel/errors.ts'
import { toCsv } from '#queries/index.ts'
import type { FullApi } from '../api.ts'
import type { Series } from '../contract.ts'
import { asFile, MEDIA_TYPES } from '../format.ts'
import { provenanceLink } from '../provenanceLink.ts'
import { type AnyRoute, json, route } from '../route.ts'
import {
  catalogue,
  manySeries,
  manySeriesQuery,
  metricEntry,
  series,
  seriesQuery,
  watched,
  watchedQuery,
} from '../schemas/metrics.ts'
import { manySeriesCsv, readManySeries, seriesSqlScript } from './manySeries.ts'

const metricParams = z.strictObject({ id: z.string().min(1).describe('as in the catalog: `fees.total`') })

export const metricRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/metrics',
    id: 'listMetrics',
    summary: 'All metrics, each defined once',
    answer: { schema: catalogue },
    kept: 'data',
    handle: async ({ asker }) => json({ metrics: await apiFor(asker).metrics() }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/metrics/:id',
    id: 'readMetric',
    summary: 'A metric as a series, with its age, sources and SQL',
    params: metricParams,
    query: seriesQuery,
    answer: { schema: series, hasFormats: true },
    problems: [404, 406],
    kept: 'data',
    handle: async ({ params, query, asker, format, signal }) => {
      const { format: _, breakdown, switches, ...rest } = query
      const question = {
        ...params,
        ...rest,
        ...(breakdown !== undefined && { breakdown: listOf(breakdown) }),
        ...(switches !== undefined && { switches: listOf(switches) }),
      }
      const api = apiFor(asker)
      const answer = await api.series(question)
      if (format === 'json') return json(answer)
      const bytes = format === 'csv' ? seriesCsv(answer) : await api.seriesFile(answer, format, signal)
      return {
        bytes,
        contentType: `${MEDIA_TYPES[format][0]}${format === 'csv' ? '; charset=utf-8' : ''}`,
        headers: {
          ...asFile(`${answer.metric.id}-${answer.entity}.${format}`),
          ...originOf(
            answer,
            provenanceLink(`/api/v1/metrics/${encodeURIComponent(params.id)}/provenance`, query),
          ),
        },
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/series',
    id: 'readManySeries',
    summary: 'Several metrics over the same time, as JSON, as one CSV, or as the SQL behind them',
    query: manySeriesQuery,
    answer: { schema: manySeries },
    problems: [404],
    kept: 'data',
    handle: async ({ query, asker }) => {
      const found = await readManySeries(apiFor(asker), query)
      switch (query.format) {
        case 'json':
          return json({ series: found })
        case 'csv':
          return manySeriesCsv(found, query)
        case 'sql':
          return seriesSqlScript(found)
        default:
          return assertNever(query.format)
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/metrics/:id/watches',
    id: 'readWatches',
    summary: 'Past alerts on a metric: each alert condition with the days on which it was met',
    params: metricParams,
    query: watchedQuery,
    answer: { schema: watched },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) => json(await apiFor(asker).watched({ ...params, ...query })),
  }),
  route({
    method: 'GET',
    path: '/api/v1/metrics/:id/entry',
    id: 'readMetricEntry',
    summary: 'What a metric is, without its figures',
    params: metricParams,
    query: z.strictObject({
      entityKind: z.string().exactOptional().describe('where two entries share an id'),
      entity: z.string().exactOptional().describe('where entries of one kind share an id: layers'),
    }),
    answer: { schema: metricEntry },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) =>
      json(await apiFor(asker).metric(params.id, query.entityKind, query.entity)),
  }),
]

const listOf = (text: string): string[] => text.split(',').filter(value => value !== '')

/** Where figures come from, for forms that have no place for it: age, sources, and where definition and SQL stand. */
const originOf = ({ metric, entity, asOf, sources }: Series, provenance: string): Record<string, string> => ({
  'assay-as-of': asOf.height === null ? asOf.time : `${asOf.time}; height=${asOf.height}`,
  'assay-sources': sources.map(({ id }) => id).join(', '),
  link: `</api/v1/metrics/${metric.id}/entry?entity=${entity}>; rel="describedby"; type="application/json", ${provenance}`,
})

/** One line a point. */
function seriesCsv({ grain, unit, points }: Series): Buffer {
  const rows = points.map(({ day, height, key, value, state, source }) => [
    day,
    ...(grain === 'block' ? [height ?? null] : []),
    key,
    value,
    unit,
    state,
    source,
  ])
  const columns = ['day', ...(grain === 'block' ? ['height'] : []), 'key', 'value', 'unit', 'state', 'source']
  return Buffer.from(toCsv(columns, rows))
}
