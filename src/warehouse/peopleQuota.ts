import { createHash } from 'node:crypto'
import { QUERY_QUOTAS } from '#kernel/sqlLimits.ts'

/**
 * Parameter of ClickHouse's HTTP interface: a server with a quota `KEYED BY client_key` counts by it. The embedded engine lets those
 * who wait for a slot take turns by it.
 */
export const QUOTA_KEY = 'quota_key'

/** The caller as a server sees it: its logs hold no address and no account. */
export const quotaKeyOf = (caller: string): string =>
  createHash('sha256').update(`quota\0${caller}`).digest('hex').slice(0, 32)

/** Requests of one user query: two of the gate, and its own. */
const REQUESTS = 3

/**
 * A quota that a server can hold each caller to, behind the one of the query queue. It is that of Premium: free callers are
 * counted by the queue alone.
 */
export function quotaDdl(peopleUser: string): string {
  const { runs, seconds, rows, bytes } = QUERY_QUOTAS.member
  const user = `\`${peopleUser.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
  return [
    'CREATE QUOTA IF NOT EXISTS assay_user_queries KEYED BY client_key',
    `FOR INTERVAL 1 day MAX queries = ${runs * REQUESTS}, execution_time = ${seconds}, read_rows = ${rows}, read_bytes = ${bytes}`,
    `TO ${user}`,
  ].join('\n')
}
