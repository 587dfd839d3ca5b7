import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { CLIENT_OPTIONS } from './client.ts'

export type ServerConfig = { readonly url: string; readonly user?: string; readonly password?: string }

const GIB = 2 ** 30

/**
 * The same four clients on a ClickHouse server. Limits travel as settings of each request, with `readonly`, so that SQL
 * cannot lift them; what a user may read at all is the server's to grant.
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
      clickhouse_settings: settings,
    })
  return {
    writer: client({}),
    reader: client({ readonly: '1', max_execution_time: 300 }),
    guest: client({
      readonly: '1',
      max_execution_time: 10,
      max_memory_usage: String(GIB),
      max_result_rows: '10000',
    }),
    member: client({
      readonly: '1',
      max_execution_time: 60,
      max_memory_usage: String(4 * GIB),
      max_result_rows: '1000000',
    }),
  }
}
