import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import type {
  ChartRequest,
  QueryTool,
  ResultFile,
  ResultFileFormat,
  ResultView,
  StoredFile,
  StoredResult,
} from '#queries/index.ts'
import { ApiError, asking, problemOf } from '../apiError.ts'
import type {
  CitedResult,
  ColumnProfile,
  LatestQueryResult,
  QueryResult,
  ResultChart,
  ResultPage,
} from '../contract.ts'
import { resultOf } from './answers.ts'
import { type QueryCaller, readerOf } from './callers.ts'
import type { KeyChecks } from './keyChecks.ts'

/** Rows of a result that users without the feature may export. */
const FREE_EXPORT_ROWS = SQL_LIMITS.guest.rows
const FREE_FORMATS: readonly ResultFileFormat[] = ['csv', 'json-array', 'jsonl']
/** Rows that a page shows of a result before its script comes, and how long it waits for them. */
const DRAWN_ROWS = 50
const DRAWN_MS = 3_000

const needsPremium = (): ApiError =>
  new ApiError(
    problemOf('sql.export', 'This export needs Premium.', {
      hint: `Without it, you can export results of up to ${FREE_EXPORT_ROWS.toLocaleString('en-US')} rows as CSV, JSON or JSON Lines.`,
    }),
  )

/** Stored results: pages, files, charts and profiles of their rows, and the queries that they are of. */
export function createResultsApi(
  { results, schedules, dataVersion }: QueryTool,
  { checkResult }: Pick<KeyChecks, 'checkResult'>,
) {
  /** Throws `sql.export` for a format that the caller may not export. */
  const checkFormat = (format: ResultFileFormat | undefined, { role }: QueryCaller): void => {
    if (format !== undefined && role !== 'member' && !FREE_FORMATS.includes(format)) throw needsPremium()
  }
  const checkExport = async (hash: string, format: ResultFileFormat, caller: QueryCaller): Promise<void> => {
    await checkResult(hash, caller)
    const { rowCount } = await results.info(hash, caller.uploadsOf)
    checkFormat(format, caller)
    if (caller.role !== 'member' && rowCount > FREE_EXPORT_ROWS) throw needsPremium()
  }
  const fileReaderOf = ({ caller, role, uploadsOf }: QueryCaller, signal: AbortSignal) => ({
    caller,
    isMember: role === 'member',
    owner: uploadsOf,
    signal,
  })
  const citedOf = ({ sql, parameters, ...stored }: StoredResult): CitedResult => ({
    result: resultOf({ sql, parameters, ...stored }),
    sql,
    parameters: { ...parameters },
    currentDataVersion: dataVersion(),
  })

  return {
    checkFormat,
    page: (
      hash: string,
      view: ResultView,
      window: { offset: number; limit: number },
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultPage> =>
      asking(async () => {
        await checkResult(hash, caller)
        const reader = { caller: caller.owner, owner: caller.uploadsOf, signal }
        const [result, { rows, matchingRows }] = await Promise.all([
          results.info(hash, reader.owner),
          results.page(hash, view, window, reader),
        ])
        return { result: resultOf(result), rows, offset: window.offset, matchingRows }
      }),
    /** Metadata of a result. Throws if it is no longer stored or this caller may not read it. */
    result: (hash: string, caller: QueryCaller): Promise<QueryResult> =>
      asking(async () => {
        await checkResult(hash, caller)
        return resultOf(await results.info(hash, caller.uploadsOf))
      }),
    file: (
      hash: string,
      view: ResultView,
      format: ResultFileFormat,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultFile> =>
      asking(async () => {
        await checkExport(hash, format, caller)
        return results.file(hash, view, format, fileReaderOf(caller, signal))
      }),
    /** Throws the same errors as `file`, without reading rows. */
    checkFile: (
      hash: string,
      view: ResultView,
      format: ResultFileFormat,
      caller: QueryCaller,
    ): Promise<void> =>
      asking(async () => {
        await checkExport(hash, format, caller)
        await results.checkFile(hash, view, format, caller.uploadsOf)
      }),
    /** The stored file. Undefined if its rows differ from the result, so that a new file has to be written. */
    storedFile: (hash: string, caller: QueryCaller, signal: AbortSignal): Promise<StoredFile | undefined> =>
      asking(async () => {
        await checkExport(hash, 'native', caller)
        return results.storedFile(hash, fileReaderOf(caller, signal))
      }),
    chart: (
      hash: string,
      request: ChartRequest,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultChart> =>
      asking(async () => {
        await checkResult(hash, caller)
        return results.chart(hash, request, { caller: caller.owner, owner: caller.uploadsOf, signal })
      }),
    profile: (
      hash: string,
      column: number,
      filters: ResultView['filters'],
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ColumnProfile> =>
      asking(async () => {
        await checkResult(hash, caller)
        const profile = await results.profile(hash, column, filters, {
          caller: caller.owner,
          owner: caller.uploadsOf,
          signal,
        })
        return {
          ...profile,
          top: [...profile.top],
          histogram: [...profile.histogram],
        }
      }),
    /** A stored result with its query. */
    cited: (hash: string, caller: QueryCaller): Promise<CitedResult> =>
      asking(async () => {
        await checkResult(hash, caller)
        return citedOf(await results.info(hash, caller.uploadsOf))
      }),
    /** The same with the rows that the page shows until its script loads. */
    drawn: (hash: string, caller: QueryCaller): Promise<CitedResult & Pick<ResultPage, 'rows'>> =>
      asking(async () => {
        const stored = await results.info(hash, caller.uploadsOf)
        const reader = {
          caller: caller.owner,
          owner: caller.uploadsOf,
          signal: AbortSignal.timeout(DRAWN_MS),
        }
        const { rows } = await results
          .page(hash, {}, { offset: 0, limit: DRAWN_ROWS }, reader)
          // The page shows the rest anyway, and the grid requests the rows again.
          .catch(() => ({ rows: [] }))
        return { ...citedOf(stored), rows }
      }),
    /** Pins a result for users with the feature. */
    pin: (hash: string, caller: QueryCaller): Promise<{ isPinned: boolean }> =>
      asking(async () => {
        await results.info(hash, caller.uploadsOf)
        return { isPinned: caller.role === 'member' && (await results.pin(hash, caller.owner)) }
      }),
    /** The latest scheduled result of a saved query, for callers who may read both. */
    latest: (id: string, caller: QueryCaller): Promise<LatestQueryResult> =>
      asking(async () => {
        const { latest } = await schedules.read(id, readerOf(id, caller.person))
        const stored = latest?.result == null ? null : await results.info(latest.result, caller.uploadsOf)
        return {
          result: stored && resultOf(stored),
          resultAt: latest?.resultAt?.toISOString() ?? null,
          endedAt: latest?.endedAt.toISOString() ?? null,
          problem: (latest?.problem ?? null) as LatestQueryResult['problem'],
        }
      }),
  }
}
