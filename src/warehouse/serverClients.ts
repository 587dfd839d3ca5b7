import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { CLIENT_OPTIONS } from './client.ts'
import { WarehouseError } from './errors.ts'
import { createGate, type Gate } from './gate.ts'

export type ServerConfig = { readonly url: string; readonly user?: string; readonly password?: string }

const GIB = 2 ** 30
const COMMON: ClickHouseSettings = { use_index_for_in_with_subqueries_max_values: '10000' }

/**
 * The four clients on a ClickHouse server. Limits travel with each request, `readonly` among them, so that SQL cannot lift
 * them; people's SQL passes the same gate as on the embedded engine.
 */
export function serverClients(
  config: ServerConfig,
): Record<'writer' | 'reader' | 'guest' | 'member', ClickHouseClient> {
  const client = (settings: ClickHouseSettings) =>
    createClient({
      ...CLIENT_OPTIONS,
      url: config.url,
      ...(config.user === undefined ? {} : { username: config.user }),
      ...(config.password === undefined ? {} : { password: config.password }),
      clickhouse_settings: { ...COMMON, ...settings },
    })
  const reader = client({ readonly: '1', max_execution_time: 300 })
  const people = (settings: ClickHouseSettings) => gated(client({ readonly: '1', ...settings }), reader)
  return {
    writer: client({ max_insert_threads: '2', parallel_view_processing: 1 }),
    reader,
    guest: people({ max_execution_time: 10, max_memory_usage: String(GIB), max_result_rows: '10000' }),
    member: people({
      max_execution_time: 60,
      max_memory_usage: String(4 * GIB),
      max_result_rows: '1000000',
    }),
  }
}

/** The server refuses several statements and `INTO OUTFILE` by itself. */
function gated(client: ClickHouseClient, reader: ClickHouseClient): ClickHouseClient {
  let gate: Promise<Gate> | undefined
  const lines = async (client: ClickHouseClient, query: string, params?: Record<string, unknown>) => {
    const result = await client.query({
      query,
      format: 'JSONCompactEachRow',
      ...(params === undefined ? {} : { query_params: params }),
    })
    return (await result.json<[string]>()).map(([line]) => line)
  }
  const query = client.query.bind(client)
  const checked = async (params: Parameters<typeof query>[0]) => {
    gate ??= lines(reader, 'SELECT name FROM system.table_functions').then(createGate)
    const tree = await lines(client, `EXPLAIN AST ${params.query}`, params.query_params)
    const refusal = (await gate)(params.query, tree.join('\n'))
    if (refusal !== undefined) throw new WarehouseError('warehouse.refused', refusal)
    return query(params)
  }
  // The generic signature of `query` cannot be restated: the format is passed through as it came.
  return Object.assign(client, { query: checked as unknown as typeof query })
}
