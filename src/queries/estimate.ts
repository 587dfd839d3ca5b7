import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { QueryError } from './errors.ts'
import type { Executor, QueryRequest, QueryRole } from './execute.ts'
import { readStatement } from './statement.ts'

/** Rows that a query will read at most, with two significant digits; null if the engine cannot tell. Throws QueryError. */
export type Estimate = (
  request: Pick<QueryRequest, 'sql' | 'parameters'>,
  caller: { readonly caller: string; readonly role: QueryRole },
  signal?: AbortSignal,
) => Promise<number | null>

export type EstimateDeps = {
  readonly executor: Executor
  readonly reader: Pick<ClickHouseClient, 'query'>
}

/** Subqueries that stand for a value are run for an estimate. */
const LIMITS: ClickHouseSettings = { max_execution_time: 2, max_memory_usage: String(256 * 2 ** 20) }
const SELECTS = new Set(['select', 'with', 'from'])

/**
 * User queries may not estimate themselves: exact counts of a table include rows that are not committed yet. So the text passes
 * the checks of user queries first, and our own reader estimates it then.
 */
export function createEstimate({ executor, reader }: EstimateDeps): Estimate {
  return async (request, { caller, role }, signal) => {
    const { text, tokens } = readStatement(request.sql)
    const first = tokens.find(({ kind, value }) => !(kind === 'symbol' && value === '('))
    if (first?.kind !== 'word' || !SELECTS.has(first.value.toLowerCase())) return null
    await executor.run(
      { ...request, sql: `EXPLAIN AST ${text}` },
      {
        caller,
        role,
        signal,
        settings: {},
        maxRows: 1,
        overflow: 'break',
        take: async stream => {
          stream.resume()
          return {}
        },
      },
    )
    try {
      const answer = await reader.query({
        query: `EXPLAIN ESTIMATE ${text}`,
        query_params: { ...request.parameters },
        clickhouse_settings: LIMITS,
        format: 'JSONEachRow',
        ...(signal && { abort_signal: signal }),
      })
      const tables = await answer.json<{ rows: string }>()
      return rounded(tables.reduce((sum, { rows }) => sum + Number(rows), 0))
    } catch {
      // An estimate is a help: what is wrong with the query is reported when it runs.
      return null
    }
  }
}

const rounded = (rows: number): number => (Number.isFinite(rows) ? Number(rows.toPrecision(2)) : 0)

/** Whether the failure of an estimate says only that the query cannot run, which its run reports better. */
export const isOfQuery = (thrown: unknown): boolean =>
  thrown instanceof QueryError && thrown.code !== 'sql.too_many_at_once' && thrown.code !== 'sql.paused'
