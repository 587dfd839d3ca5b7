import { z } from 'zod'
import { unrecorded } from '#queries/index.ts'
import type { Asker, FullApi } from '../api.ts'
import { ApiError, problemOf } from '../apiError.ts'
import { asOfHeader } from '../asOf.ts'
import type { Body } from '../cache/answerCache.ts'
import type { ChainAsOf } from '../contract.ts'
import { asFile, MEDIA_TYPES } from '../format.ts'
import { callerOf } from '../queries/callers.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { cancelled, sqlAnswer, sqlRequest } from '../schemas/sql.ts'

export const sqlRoutes = (apiFor: (asker: Asker) => FullApi, recordRun = unrecorded): AnyRoute[] => [
  route({
    method: 'POST',
    path: '/api/v1/sql',
    id: 'runSql',
    summary:
      'Runs one reading statement: 10 s, 1 GiB, 10,000 rows, two at a time for an address; who has the feature query gets 60 s, 4 GiB and 1,000,000 rows',
    body: sqlRequest,
    answer: { schema: sqlAnswer, hasFormats: true },
    problems: [401, 403, 406, 409, 413, 415, 422, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ body, asker, signal, format, person, features }) => {
      const caller = callerOf({ asker, person, features })
      const api = apiFor({ address: caller.caller, role: caller.role, uploadsOf: caller.uploadsOf })
      const { sql, parameters = {} } = body
      const recorded = <T>(run: () => Promise<T>): Promise<T> => recordRun({ sql, parameters }, caller, run)
      switch (format) {
        case 'json':
          return sqlJson(await recorded(() => api.sqlText(body, 'json', signal)))
        case 'csv':
          return sqlCsv(await recorded(() => api.sqlText(body, 'csv', signal)))
        default: {
          // The age before the rows: they are at least as new.
          const asOf = await api.asOfSql(body.sql)
          const { bytes, queryId, isTruncated } = await recorded(() => api.sqlFile(body, format, signal))
          return {
            bytes,
            contentType: MEDIA_TYPES[format][0],
            headers: { ...asFile(`query.${format}`), ...queryHeaders(queryId, isTruncated, asOf) },
          }
        }
      }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/sql/:queryId',
    id: 'cancelSql',
    summary: 'Stops a running statement',
    params: z.strictObject({ queryId: z.string() }),
    answer: { schema: cancelled },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { queryId }, ...asked }) => {
      if (await apiFor({ address: callerOf(asked).caller }).cancel(queryId))
        return json({ queryId, isCancelled: true })
      throw new ApiError(problemOf('sql.not_running', `No query with the id ${queryId} is running.`))
    },
  }),
]

const queryHeaders = (
  queryId: string,
  isTruncated: boolean,
  asOf: readonly ChainAsOf[],
): Record<string, string> => ({
  'assay-query-id': queryId,
  'assay-truncated': String(isTruncated),
  ...(asOf.length > 0 && { 'assay-as-of': asOfHeader(asOf) }),
})

type SqlText = Awaited<ReturnType<FullApi['sqlText']>>

/** The answer with its rows as they were written, so that they are not parsed here. */
function sqlJson({ text, ...rest }: SqlText): Body {
  const { bytes, ...body } = json(rest)
  const head = bytes.subarray(0, -1)
  return { ...body, bytes: Buffer.concat([head, Buffer.from(',"rows":'), text, Buffer.from('}')]) }
}

function sqlCsv({ queryId, text, isTruncated, asOf }: SqlText): Body {
  return {
    bytes: Buffer.from(text.buffer, text.byteOffset, text.byteLength),
    contentType: `${MEDIA_TYPES.csv[0]}; charset=utf-8`,
    headers: { ...asFile('query.csv'), ...queryHeaders(queryId, isTruncated, asOf) },
  }
}
