import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { backtestLines } from '../backtestAnswer.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import { backtestAnswer, backtestQuery, indexId, indexList } from '../schemas/indices.ts'
import { csvOf } from './across.ts'

const tableId = z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/)

/** Indices of tokens. */
export const indexRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/indices',
    id: 'listIndices',
    summary: 'Token indices: rules and current levels',
    answer: { schema: indexList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).indices.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/indices/backtest',
    id: 'backtestIndex',
    summary: 'The history of an index of your own: universe, weighting, largest weight, rebalancing, costs',
    query: backtestQuery,
    answer: { schema: backtestAnswer, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) => {
      const answer = await apiFor(asker).indices.backtest(query)
      return format === 'csv' ? csvOf('index-backtest', backtestLines(answer)) : json(answer)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/indices/tables/:table',
    id: 'readIndicesTable',
    summary: 'One table over all indices, with the statement that it came from',
    params: z.strictObject({ table: tableId }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).indices.table(params.table)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/indices/:id/tables/:table',
    id: 'readIndexTable',
    summary: 'One table about an index, with the statement that it came from',
    params: z.strictObject({ id: indexId, table: tableId }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).indices.tableOf(params.id, params.table)),
  }),
]
