import { z } from 'zod'
import { toCsv } from '#queries/index.ts'
import type { FullApi } from '../api.ts'
import type { Body } from '../cache/answerCache.ts'
import type { Series } from '../contract.ts'
import { MEDIA_TYPES } from '../format.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { catalogue, metricEntry, series, seriesQuery } from '../schemas/metrics.ts'

const metricParams = z.strictObject({ id: z.string().min(1).describe('as in the catalogue: `fees.total`') })

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
    handle: async ({ params, query, asker, format }) => {
      const { format: _, breakdown, switches, ...rest } = query
      const question = {
        ...params,
        ...rest,
        ...(breakdown !== undefined && { breakdown: listOf(breakdown) }),
        ...(switches !== undefined && { switches: listOf(switches) }),
      }
      const api = apiFor(asker)
      switch (format) {
        case 'json':
          return json(await api.series(question))
        case 'csv':
          return seriesCsv(await api.series(question))
        default: {
          const { bytes } = await api.seriesFile(question, format)
          return {
            bytes,
            contentType: MEDIA_TYPES[format][0],
            headers: asFile(`${params.id}.${format}`),
          }
        }
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/metrics/:id/entry',
    id: 'readMetricEntry',
    summary: 'What a metric is, without its figures',
    params: metricParams,
    query: z.strictObject({
      entityKind: z.string().exactOptional().describe('where two entries share an id'),
    }),
    answer: { schema: metricEntry },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) => json(await apiFor(asker).metric(params.id, query.entityKind)),
  }),
]

const listOf = (text: string): string[] => text.split(',').filter(value => value !== '')

export const asFile = (name: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
})

/** One line a point. Where it all comes from travels in the headers, which a file keeps free of. */
function seriesCsv({ metric, entity, unit, points, asOf, sources }: Series): Body {
  const rows = points.map(({ day, key, value, state, source }) => [day, key, value, unit, state, source])
  return {
    bytes: Buffer.from(toCsv(['day', 'key', 'value', 'unit', 'state', 'source'], rows)),
    contentType: `${MEDIA_TYPES.csv[0]}; charset=utf-8`,
    headers: {
      ...asFile(`${metric.id}-${entity}.csv`),
      'assay-as-of': asOf.height === null ? asOf.time : `${asOf.time}; height=${asOf.height}`,
      'assay-sources': sources.map(({ id }) => id).join(', '),
    },
  }
}
