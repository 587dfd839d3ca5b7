import { text } from 'node:stream/consumers'
import {
  type BaseQueryParams,
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { CLIENT_OPTIONS } from './client.ts'
import { WarehouseError } from './errors.ts'
import { createGate, EXPLAIN, type Gate, placesShiftedBack } from './gate.ts'

export type ServerConfig = {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly cluster?: string
}

const GIB = 2 ** 30
const COMMON: ClickHouseSettings = { use_index_for_in_with_subqueries_max_values: '10000' }

/** On a cluster an insert is acknowledged when it is on its node, and lists of batches are sent to all nodes once. */
const CLUSTER: ClickHouseSettings = { distributed_foreground_insert: 1, distributed_product_mode: 'global' }

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
      clickhouse_settings: { ...COMMON, ...(config.cluster === undefined ? {} : CLUSTER), ...settings },
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
  const own = {
    query: client.query.bind(client),
    exec: client.exec.bind(client),
    command: client.command.bind(client),
  }
  let gate: Promise<Gate> | undefined
  const check = async ({ query, query_params }: BaseQueryParams & { query: string }) => {
    gate ??= tableFunctions(reader).then(createGate)
    const params = { query: EXPLAIN + query, ...(query_params === undefined ? {} : { query_params }) }
    const { stream } = await own.exec(params).catch(cause => {
      if (cause instanceof ClickHouseError) cause.message = placesShiftedBack(cause.message)
      throw cause
    })
    const refusal = (await gate)(query, await text(stream))
    if (refusal !== undefined) throw new WarehouseError('warehouse.refused', refusal)
  }
  const query = async (params: Parameters<typeof own.query>[0]) => {
    await check(params)
    return own.query(params)
  }
  return Object.assign(client, {
    // The generic signature of `query` cannot be restated: the format is passed through as it came.
    query: query as unknown as typeof own.query,
    async exec(params: Parameters<typeof own.exec>[0]) {
      await check(params)
      return own.exec(params)
    },
    async command(params: Parameters<typeof own.command>[0]) {
      await check(params)
      return own.command(params)
    },
  })
}

async function tableFunctions(reader: ClickHouseClient): Promise<string[]> {
  const result = await reader.query({
    query: 'SELECT name FROM system.table_functions',
    format: 'JSONCompactEachRow',
  })
  return (await result.json<[string]>()).map(([name]) => name)
}
