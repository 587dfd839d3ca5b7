import type { z } from 'zod'
import { RESULT_FILES, type ResultView } from '#queries/index.ts'
import { asFile } from '../format.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { callerOf, type QueriesApi } from './api.ts'
import {
  columnProfile,
  equivalence,
  equivalenceRequest,
  estimateRequest,
  profileRequest,
  queryDialect,
  queryEstimate,
  queryRun,
  querySchema,
  resultHash,
  resultPage,
  resultRequest,
  runId,
  runRequest,
} from './schema.ts'

const PAGE_ROWS = 200

/** The query tool: runs of SQL with stored results. */
export const queryRoutes = (api: QueriesApi): AnyRoute[] => [
  route({
    method: 'POST',
    path: '/api/v1/queries/runs',
    id: 'startQuery',
    summary: 'Runs a query and stores its result',
    body: runRequest,
    answer: { schema: queryRun },
    problems: [401, 403, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body, signal, ...asked }) => {
      const { sql, parameters = {}, isFresh = false, waitSeconds = 0 } = body
      const run = await api.start(
        { sql, parameters, isFresh, waitMs: waitSeconds * 1000 },
        callerOf(asked),
        signal,
      )
      return { ...json(run), status: run.endedAt === null ? 202 : 200 }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/runs/:id',
    id: 'readQueryRun',
    summary: 'State of a run, with its result once it has ended',
    params: runId,
    answer: { schema: queryRun },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params, ...asked }) => json(await api.run(params.id, callerOf(asked))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/runs/:id/events',
    id: 'followQueryRun',
    summary: 'Events named `run`, each the state of the run, until it has ended',
    params: runId,
    answer: { schema: queryRun, isStream: true },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params, signal, ...asked }) => ({
      events: await api.follow(params.id, callerOf(asked), signal),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/queries/runs/:id',
    id: 'cancelQueryRun',
    summary: 'Cancels a run that has not ended',
    params: runId,
    answer: { schema: queryRun },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params, ...asked }) => json(await api.cancel(params.id, callerOf(asked))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/results/:hash',
    id: 'readQueryResult',
    summary: 'Rows of a stored result, filtered and sorted: a page as JSON, or all of them as a file',
    params: resultHash,
    query: resultRequest,
    answer: {
      schema: resultPage,
      media: Object.values(RESULT_FILES).map(({ media }) => media),
    },
    problems: [401, 403, 404, 410, 422],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { hash }, query, signal, ...asked }) => {
      const view = viewOf(query)
      const caller = callerOf(asked)
      if (query.format === undefined || query.format === 'json')
        return json(await api.page(hash, view, { offset: query.offset, limit: query.limit ?? PAGE_ROWS }))
      const { media, extension } = RESULT_FILES[query.format]
      return {
        stream: await api.file(hash, view, query.format, caller, signal),
        contentType: media,
        headers: asFile(`assay-${hash.slice(0, 12)}.${extension}`),
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/results/:hash/profile',
    id: 'profileQueryResult',
    summary: 'What values a column of a stored result has',
    params: resultHash,
    query: profileRequest,
    answer: { schema: columnProfile },
    problems: [404, 410],
    kept: 'never',
    handle: async ({ params: { hash }, query: { column } }) => json(await api.profile(hash, column)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/queries/estimate',
    id: 'estimateQuery',
    summary: 'Rows that a query would read, and the limits of the caller',
    body: estimateRequest,
    answer: { schema: queryEstimate },
    problems: [401, 403, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body: { sql, parameters = {} }, ...asked }) =>
      json(await api.estimate({ sql, parameters }, callerOf(asked))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/schema',
    id: 'readQuerySchema',
    summary: 'Tables and columns that queries can read',
    answer: { schema: querySchema },
    kept: 'data',
    handle: async () =>
      json(await api.schema(callerOf({ asker: 'schema', person: undefined, features: {} }))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/dialect',
    id: 'readQueryDialect',
    summary: 'Keywords and functions that an editor can complete',
    answer: { schema: queryDialect },
    kept: 'data',
    handle: async () => json(await api.dialect()),
  }),
  route({
    method: 'POST',
    path: '/api/v1/queries/equivalence',
    id: 'compareQueries',
    summary: 'Whether the engine parses two texts to the same query',
    body: equivalenceRequest,
    answer: { schema: equivalence },
    problems: [401, 403, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body: { first, second }, ...asked }) =>
      json(await api.equivalence(first, second, callerOf(asked))),
  }),
]

/** The API counts columns to sort by from 1, so that a minus can stand before each. */
function viewOf({ sort, filter }: z.output<typeof resultRequest>): ResultView {
  const position = sort === undefined ? undefined : Number(sort.replace('-', ''))
  return {
    ...(filter && { filters: filter }),
    ...(position !== undefined && {
      sort: { column: position - 1, isDescending: sort?.startsWith('-') === true },
    }),
  }
}
