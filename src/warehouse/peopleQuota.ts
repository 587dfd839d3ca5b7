import { createHash } from 'node:crypto'
import { QUERY_QUOTAS } from '#kernel/sqlLimits.ts'

/**
 * Parameter of ClickHouse's HTTP interface. A server counts a quota `KEYED BY client_key` by it. The embedded engine uses it to
 * share slots fairly among callers.
 */
export const QUOTA_KEY = 'quota_key'

/** A hash of the caller, so server logs contain no IP address or account. */
export const quotaKeyOf = (caller: string): string =>
  createHash('sha256').update(`quota\0${caller}`).digest('hex').slice(0, 32)

/** Requests per user query: two from the gate and the query. */
const REQUESTS = 3

/**
 * A per-caller quota for the server, in addition to that of the query queue. It is the Premium quota. Only the queue enforces the
 * free one.
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
