import { z } from 'zod'
import { RESULT_FILES } from '#queries/index.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { Body } from '../cache/answerCache.ts'
import type { QueryRun } from '../contract.ts'
import { type AnyRoute, done, type FileStream, json, route } from '../route.ts'
import { isHeld } from '../send.ts'
import type { QueriesApi } from './api.ts'
import { callerOf, namedCallerOf } from './callers.ts'
import { PRIVATE, resultFile, tagOf, viewOf } from './resultFile.ts'
import { runOrFile } from './runAnswer.ts'
import {
  changedQuery,
  chartRequest,
  citedResult,
  columnProfile,
  type dailyUsage,
  equivalence,
  equivalenceRequest,
  estimateRequest,
  historyRequest,
  latestResult,
  MOST_WAIT_SECONDS,
  pinnedResult,
  profileRequest,
  queryDialect,
  queryEstimate,
  queryRun,
  queryRunEvent,
  querySchema,
  queryVersions,
  resultChart,
  resultHash,
  resultPage,
  resultRequest,
  runHistory,
  runId,
  runRequest,
  savedQueries,
  savedQueriesRequest,
  savedQuery,
  savedQueryChange,
  savedRunRequest,
  tableCoverage,
  tableName,
} from './schema.ts'

const PAGE_ROWS = 200
const MOST_PAGE_ROWS = 10_000
const FILE_MEDIA = [
  ...new Set(['application/json', ...Object.values(RESULT_FILES).map(({ media }) => media)]),
]

/** The query tool: runs of SQL with stored results. */
export const queryRoutes = (api: QueriesApi): AnyRoute[] => [
  route({
    method: 'POST',
    path: '/api/v1/queries/runs',
    id: 'startQuery',
    summary: 'Runs a query and stores its result',
    body: runRequest,
    answer: { schema: queryRun, media: FILE_MEDIA },
    problems: [401, 403, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body, signal, ...asked }) => {
      const { sql, parameters = {}, isFresh = false, dataVersion } = body
      const caller = callerOf(asked)
      api.checkFormat(body.format, caller)
      const run = await api.start(
        {
          sql,
          parameters,
          isFresh,
          waitMs: waitMs(body),
          ...(dataVersion !== undefined && { dataVersion }),
        },
        caller,
        signal,
      )
      return withRateLimits(await runOrFile(api, run, { ...body, caller, signal }), run)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/runs',
    id: 'listQueryRuns',
    isUsersOwn: true,
    summary: 'Runs of the caller that have ended, newest first',
    query: historyRequest,
    answer: { schema: runHistory },
    problems: [401, 403],
    kept: 'never',
    who: 'anyone',
    handle: async ({ query: { limit, before, search }, ...who }) =>
      json(
        await api.history(who, {
          limit,
          search,
          before: before === undefined ? undefined : new Date(before),
        }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries',
    id: 'listQueries',
    summary:
      'Saved queries of the caller, those that they starred or that their teams share, and public ones',
    query: savedQueriesRequest,
    answer: { schema: savedQueries },
    problems: [401, 403],
    kept: 'never',
    who: 'anyone',
    handle: async ({ query, ...who }) => json(await api.list(who, query)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/queries',
    id: 'saveQuery',
    isUsersOwn: true,
    summary: 'Saves a query',
    body: savedQueryChange,
    answer: { schema: savedQuery },
    problems: [401, 403, 404, 409, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body, ...who }) => json(await api.create(body, who)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/:id',
    id: 'readQuery',
    summary: 'A saved query that the caller may open',
    params: runId,
    answer: { schema: savedQuery },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, ...who }) => json(await api.read(id, who)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/queries/:id',
    id: 'changeQuery',
    isUsersOwn: true,
    summary: 'Saves a query anew; a changed text is a new version',
    params: runId,
    body: savedQueryChange,
    answer: { schema: changedQuery },
    problems: [401, 403, 404, 409, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, body, ...who }) => json(await api.change(id, body, who)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/queries/:id',
    id: 'deleteQuery',
    isUsersOwn: true,
    summary: 'Deletes a saved query with its versions',
    params: runId,
    answer: { schema: z.null(), isEmpty: true },
    problems: [401, 403, 404, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, ...who }) => {
      await api.remove(id, who)
      return done()
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/:id/versions',
    id: 'listQueryVersions',
    summary: 'Versions of a saved query, newest first',
    params: runId,
    answer: { schema: queryVersions },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, ...who }) => json(await api.versions(id, who)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/queries/:id/runs',
    id: 'runSavedQuery',
    summary: 'Runs a saved query and stores its result',
    params: runId,
    body: savedRunRequest,
    answer: { schema: queryRun, media: FILE_MEDIA },
    problems: [401, 403, 404, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { id }, body, signal, ...asked }) => {
      const { parameters = {}, isFresh = false } = body
      const caller = namedCallerOf(asked)
      api.checkFormat(body.format, caller)
      const request = { id, parameters, isFresh, waitMs: waitMs(body) }
      const run = await api.startSaved(request, caller, signal)
      return withRateLimits(await runOrFile(api, run, { ...body, caller, signal }), run)
    },
  }),
  ...(['PUT', 'DELETE'] as const).map(method =>
    route({
      method,
      path: '/api/v1/queries/:id/star',
      id: method === 'PUT' ? 'starQuery' : 'unstarQuery',
      isUsersOwn: true,
      summary: method === 'PUT' ? 'Stars a query' : 'Removes the star of a query',
      params: runId,
      answer: { schema: savedQuery },
      problems: [401, 403, 404, 429],
      kept: 'never',
      who: 'anyone',
      handle: async ({ params: { id }, ...who }) => json(await api.star(id, method === 'PUT', who)),
    }),
  ),
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
    isForNamedQueries: true,
    handle: async ({ params, ...asked }) => json(await api.run(params.id, namedCallerOf(asked))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/runs/:id/events',
    id: 'followQueryRun',
    summary: 'Events named `run`, each the state of the run, until it has ended',
    params: runId,
    answer: { schema: queryRunEvent, isStream: true },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params, signal, ...asked }) => ({
      events: await api.follow(params.id, namedCallerOf(asked), signal),
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
    isForNamedQueries: true,
    handle: async ({ params, ...asked }) => json(await api.cancel(params.id, namedCallerOf(asked))),
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
      media: FILE_MEDIA,
      hasRanges: true,
    },
    problems: [401, 403, 404, 410, 416, 422],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { hash }, query, signal, headers, method, ...asked }) => {
      const caller = namedCallerOf(asked)
      const result = await api.result(hash, caller)
      const etag = tagOf(result, query)
      if (isHeld(headers['if-none-match'], etag)) return { ...done({ ...PRIVATE, etag }), status: 304 }
      const { format } = query
      if (format !== undefined && format !== 'json')
        return resultFile(api, { result, query: { ...query, format }, caller, headers, method, signal })
      const window = { offset: query.offset, limit: pageRows(query.limit) }
      const page = await api.page(hash, viewOf(query), window, caller, signal)
      return { ...json(page), headers: { ...PRIVATE, etag } }
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
    problems: [401, 403, 404, 410],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { hash }, query: { column, filter }, signal, ...asked }) =>
      json(await api.profile(hash, column, filter, namedCallerOf(asked), signal)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/results/:hash/chart',
    id: 'chartQueryResult',
    summary: 'All rows of a stored result, grouped for a chart',
    params: resultHash,
    query: chartRequest,
    answer: { schema: resultChart },
    problems: [401, 403, 404, 410, 422],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { hash }, query, signal, ...asked }) => {
      const { filter, values, ...request } = query
      const columns = values === '' ? [] : values.split(',').map(Number)
      const caller = namedCallerOf(asked)
      return json(await api.chart(hash, { ...request, values: columns, filters: filter }, caller, signal))
    },
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
    handle: async ({ body: { sql, parameters = {} }, ...asked }) => {
      const estimate = await api.estimate({ sql, parameters }, callerOf(asked))
      return { ...json(estimate), headers: rateLimits(estimate.usage) }
    },
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
    path: '/api/v1/queries/tables/:table',
    id: 'readTableCoverage',
    summary: 'Rows of a table, and the days and heights that they cover',
    params: tableName,
    answer: { schema: tableCoverage },
    problems: [429],
    kept: 'data',
    handle: async ({ params: { table }, asker }) =>
      json(await api.coverage(table, callerOf({ asker, person: undefined, features: {} }))),
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
  route({
    method: 'GET',
    path: '/api/v1/queries/results/:hash/query',
    id: 'readQueryOfResult',
    summary: 'The query of a stored result, and the current data version',
    params: resultHash,
    answer: { schema: citedResult },
    problems: [401, 403, 404, 410],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { hash }, ...asked }) => json(await api.cited(hash, namedCallerOf(asked))),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/queries/results/:hash/pin',
    id: 'pinQueryResult',
    summary: 'Stores a cited result longer than other results',
    params: resultHash,
    answer: { schema: pinnedResult },
    problems: [401, 403, 404, 410, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { hash }, ...asked }) => json(await api.pin(hash, callerOf(asked))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/queries/:id/results',
    id: 'readLatestResult',
    summary: 'The latest scheduled result of a saved query. Read its rows at /api/v1/queries/results/{hash}',
    params: runId,
    answer: { schema: latestResult },
    problems: [401, 403, 404, 410],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { id }, ...asked }) => json(await api.latest(id, namedCallerOf(asked))),
  }),
]

/** A file needs the end of the run, so its requests wait for it unless they say otherwise. */
const waitMs = ({ format, waitSeconds = format === undefined ? 0 : MOST_WAIT_SECONDS }: RunTiming): number =>
  waitSeconds * 1000
type RunTiming = Pick<z.output<typeof runRequest>, 'format' | 'waitSeconds'>

const withRateLimits = (answer: Body | FileStream, { usage }: QueryRun): Body | FileStream => ({
  ...answer,
  headers: { ...answer.headers, ...rateLimits(usage) },
})

/** What is left of the day, as https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.html writes it. */
function rateLimits(usage: z.output<typeof dailyUsage> | undefined): Record<string, string> {
  if (usage === undefined) return {}
  const { resetsAt, ...parts } = usage
  const seconds = Math.max(1, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000))
  const of = (item: (name: string, part: { used: number; limit: number }) => string): string =>
    Object.entries(parts)
      .map(([name, part]) => item(name, part))
      .join(', ')
  return {
    'ratelimit-policy': of((name, { limit }) => `"${name}";q=${limit};w=86400`),
    ratelimit: of((name, { used, limit }) => `"${name}";r=${Math.max(0, limit - used)};t=${seconds}`),
  }
}

/** Throws `http.parameter` if a page has too many rows. A file can have more. */
function pageRows(limit = PAGE_ROWS): number {
  if (limit <= MOST_PAGE_ROWS) return limit
  const message = `must be at most ${MOST_PAGE_ROWS} for a page (a file can have more rows)`
  throw new ApiError(
    problemOf('http.parameter', `\`limit\` in the query: ${message}.`, {
      errors: [{ parameter: 'limit', message }],
    }),
  )
}
