import { z } from 'zod'
import { ApiError, problemOf } from '../apiError.ts'
import type { QueryResult, QueryRun } from '../contract.ts'
import type { QueryCaller } from '../queries/callers.ts'
import { RUN_STATES } from '../queries/schema.ts'
import { queryAddress, resultAddress, resultProvenance } from './addresses.ts'
import { chainName, chainRows } from './chainText.ts'
import { agesOf, agesSentence, answerOf, chainAges, type ToolAnswer, type ToolContext } from './tool.ts'

/** Rows of one answer. */
export const MAX_ROWS = 1000

export const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const resultAnswer = answerOf({
  run: z
    .strictObject({
      id: z.string().describe('pass to the tool `result` to wait for the end'),
      state: z.enum(RUN_STATES),
      queuePosition: z.int().nullable(),
      readRows: z.number().nullable(),
      totalRows: z.number().nullable().describe('estimate of the rows to read'),
    })
    .nullable()
    .describe('null if the result was read by its hash'),
  result: z
    .strictObject({
      hash: z.string().describe('pass to the tool `result` to read more rows'),
      address: z.string().describe('link to the stored result'),
      provenance: z
        .string()
        .describe('link to the provenance file: the data behind the result and its hash, for `assay check`'),
      query: z.string().nullable().describe('link to the query in the editor; null for a long query'),
      rowCount: z.int().describe('stored rows'),
      isTruncated: z.boolean().describe('true when the row limit cut the result'),
      rowLimit: z.int(),
      isReused: z.boolean().describe('true when a stored result on the same data answered'),
      elapsedMs: z.number(),
      dataVersion: z.string(),
      createdAt: z.string(),
      asOf: chainAges,
    })
    .nullable()
    .describe('null while the query runs'),
  returned: z
    .strictObject({
      offset: z.int(),
      rows: z.int().describe('rows in data.rows'),
      nextOffset: z.int().nullable().describe('offset of the next rows; null at the end'),
      cutCells: z.int().describe('long texts that were cut'),
    })
    .nullable(),
  data: z.strictObject({
    columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(cell)),
  }),
})
type Answer = ToolAnswer<z.input<typeof resultAnswer>>

export type Window = {
  readonly offset: number
  readonly limit: number
  /** Name of a column. */
  readonly sort?: string | undefined
  readonly isDescending?: boolean | undefined
}

/** The answer to a run as it is now: its first rows, or its id while it goes on. Throws the problem of a failed run. */
export async function answerRun(run: QueryRun, window: Window, context: ToolContext): Promise<Answer> {
  const { id, state, queue, progress, problem, result, isReused } = run
  if (problem !== null) throw new ApiError(problem)
  if (state === 'cancelled') throw new ApiError(problemOf('sql.cancelled', 'The query was canceled.'))
  const shownRun = {
    id,
    state,
    queuePosition: queue?.position ?? null,
    readRows: progress?.readRows ?? null,
    totalRows: progress?.totalRows ?? null,
  }
  if (result !== null) {
    const query = queryAddress(context.site, run.sql, run.parameters)
    return answerResult(result.hash, window, context, { run: shownRun, isReused, query })
  }
  return {
    text: `The query is still ${state === 'queued' ? `queued${queue === null ? '' : ` at position ${queue.position}`}` : 'running'}. Call the tool result with run ${id} to wait for its rows.`,
    content: { run: shownRun, result: null, returned: null, data: { columns: [], rows: [] } },
  }
}

/** Rows of a stored result. */
export async function answerResult(
  hash: string,
  { offset, limit, sort, isDescending = false }: Window,
  context: ToolContext,
  of: { run: z.input<typeof resultAnswer>['run']; isReused: boolean; query: string | null } = {
    run: null,
    isReused: true,
    query: null,
  },
): Promise<Answer> {
  const { queries, site, signal } = context
  const caller = context.resultCaller()
  const column = sort === undefined ? undefined : await columnNamed(hash, sort, context, caller)
  const view = column === undefined ? {} : { sort: { column, isDescending } }
  const page = await queries.page(hash, view, { offset, limit }, caller, signal)
  const { result } = page
  const { rows, cutCells } = chainRows(page.rows)
  const end = offset + rows.length
  const nextOffset = end < result.rowCount ? end : null
  const known = agesOf(result.asOf)
  const returned = { offset, rows: rows.length, nextOffset, cutCells }
  return {
    text: [
      rowsSentence(result, returned),
      ...(known.length === 0 ? [] : [agesSentence(known)]),
      `Result: ${resultAddress(site, hash)}`,
    ].join(' '),
    content: {
      run: of.run,
      result: {
        hash,
        address: resultAddress(site, hash),
        provenance: resultProvenance(site, hash),
        query: of.query,
        rowCount: result.rowCount,
        isTruncated: result.isTruncated,
        rowLimit: result.rowLimit,
        isReused: of.isReused,
        elapsedMs: result.elapsedMs,
        dataVersion: result.dataVersion,
        createdAt: result.createdAt,
        asOf: known,
      },
      returned,
      data: {
        columns: result.columns.map(({ name, type }) => ({ name: chainName(name), type: chainName(type) })),
        rows,
      },
    },
  }
}

/** How many rows there are, how many of them are here, and whether the row limit cut the result. */
function rowsSentence(
  { rowCount, isTruncated, rowLimit }: QueryResult,
  {
    offset,
    rows,
    nextOffset,
    cutCells,
  }: { offset: number; rows: number; nextOffset: number | null; cutCells: number },
): string {
  const whole = isTruncated
    ? `The result is TRUNCATED: the query has more rows than the limit of ${rowLimit}, and only the first ${rowCount} are stored. Aggregate or filter in SQL to see all.`
    : `The result is complete: ${rowCount === 1 ? '1 row' : `${rowCount} rows`}.`
  const here =
    rows === 0
      ? rowCount === 0
        ? ''
        : `No rows from offset ${offset} on.`
      : nextOffset === null && offset === 0
        ? 'All are in data.rows.'
        : `Rows ${offset + 1} to ${offset + rows} are in data.rows.${nextOffset === null ? '' : ` Call the tool result with offset ${nextOffset} for more.`}`
  const cut = cutCells === 0 ? '' : `${cutCells === 1 ? '1 long text is' : `${cutCells} long texts are`} cut.`
  return [whole, here, cut].filter(Boolean).join(' ')
}

async function columnNamed(
  hash: string,
  name: string,
  { queries, signal }: ToolContext,
  caller: QueryCaller,
): Promise<number> {
  const { columns } = (await queries.page(hash, {}, { offset: 0, limit: 1 }, caller, signal)).result
  const at = columns.findIndex(column => column.name === name)
  if (at >= 0) return at
  throw new ApiError(
    problemOf('sql.result_column', 'The result has no column of this name.', {
      errors: [{ parameter: 'sort', message: 'must be the name of a column of the result' }],
      nearest: columns.slice(0, 20).map(column => column.name),
    }),
  )
}
