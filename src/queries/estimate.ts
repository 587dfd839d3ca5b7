import { text } from 'node:stream/consumers'
import type { ClickHouseSettings, DataFormat } from '@clickhouse/client'
import { QueryError } from './errors.ts'
import type { Executor, QueryRequest, QueryRole } from './execute.ts'
import { readStatement } from './statement.ts'

/** Rows that a query will read at most, with two significant digits; null if the engine cannot tell. Throws QueryError. */
export type Estimate = (
  request: Pick<QueryRequest, 'sql' | 'parameters' | 'uploadsOf'>,
  caller: { readonly caller: string; readonly role: QueryRole },
  signal?: AbortSignal,
) => Promise<number | null>

const SELECTS = new Set(['select', 'with', 'from'])
/** Subqueries that stand for a value are run for an estimate. */
const SECONDS = 1
/** With the wait for a slot, and with what the engine does not count as execution. */
const MOST_MS = 3000

/**
 * User queries may not estimate themselves, because exact counts of a table include rows that are not committed yet. So a
 * parameter that only this program sends has the embedded engine estimate a query that passed all checks, under all limits. For a
 * ClickHouse server, the client of user queries turns it into the statement.
 */
export function createEstimate(executor: Executor): Estimate {
  return async (request, { caller, role }, signal) => {
    const { tokens } = readStatement(request.sql)
    const first = tokens.find(({ kind, value }) => !(kind === 'symbol' && value === '('))
    if (first?.kind !== 'word' || !SELECTS.has(first.value.toLowerCase())) return null
    const { rows } = await executor.run(request, {
      caller,
      role,
      signal: AbortSignal.any([AbortSignal.timeout(MOST_MS), ...(signal ? [signal] : [])]),
      settings: {
        default_format: 'JSONEachRow' as DataFormat,
        max_execution_time: SECONDS,
        assay_estimate: 1,
      } as ClickHouseSettings,
      isCounted: 'time',
      maxRows: 10_000,
      overflow: 'throw',
      take: async stream => ({ rows: sumOf(await text(stream)) }),
    })
    return rows
  }
}

/** The engine counts only table rows. Zero means that the query reads something else, such as `numbers()`. */
function sumOf(lines: string): number | null {
  const rows = lines
    .split('\n')
    .filter(line => line !== '')
    .reduce((sum, line) => sum + Number((JSON.parse(line) as { rows: string | number }).rows), 0)
  return Number.isFinite(rows) && rows > 0 ? Number(rows.toPrecision(2)) : null
}

/** Whether the failure of an estimate says only that the query cannot run, which its run reports better. */
export const isOfQuery = (thrown: unknown): boolean =>
  thrown instanceof QueryError && thrown.code !== 'sql.too_many_at_once' && thrown.code !== 'sql.paused'
