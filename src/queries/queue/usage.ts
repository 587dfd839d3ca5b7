import { QUERY_QUOTAS, type QueryQuota } from '#kernel/sqlLimits.ts'
import { QueryError } from '../errors.ts'

/** Usage of a caller today (UTC), and its quota. */
export type DailyUsage = {
  readonly runs: Part
  readonly seconds: Part
  readonly rows: Part
  readonly bytes: Part
  /** When the day ends: milliseconds since 1970. */
  readonly resetsAt: number
}
type Part = { readonly used: number; readonly limit: number }

/** As the store has it. */
export type UsageRow = {
  readonly runs: number | null
  readonly elapsed_ms: number | null
  readonly read_rows: number | null
  readonly read_bytes: number | null
}

const DAY_MS = 86_400_000

export const quotaOf = (isMember: boolean): QueryQuota => QUERY_QUOTAS[isMember ? 'member' : 'guest']

export function usageOfRow(row: UsageRow | undefined, isMember: boolean): DailyUsage {
  const quota = quotaOf(isMember)
  const part = (used: number | null | undefined, limit: number): Part => ({ used: Number(used ?? 0), limit })
  return {
    runs: part(row?.runs, quota.runs),
    seconds: part(Math.round(Number(row?.elapsed_ms ?? 0) / 1000), quota.seconds),
    rows: part(row?.read_rows, quota.rows),
    bytes: part(row?.read_bytes, quota.bytes),
    resetsAt: endOfDay(),
  }
}

const endOfDay = (now = Date.now()): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS

const UNITS: Readonly<Record<string, (limit: number) => string>> = {
  runs: limit => `${limit.toLocaleString('en-US')} queries`,
  seconds: limit => `${limit / 60} minutes of execution time`,
  rows: limit => `${limit / 1e9} billion rows read`,
  bytes: limit => `${limit / 1e9} GB read`,
}

/** The refusal of a query beyond the quota of the day, of which `part` is used up. */
export function overQuota(part: string, isMember: boolean): QueryError {
  const resetsAt = endOfDay()
  const limit = quotaOf(isMember)[part as keyof QueryQuota]
  const unit = UNITS[part]?.(limit) ?? part
  const reset = new Date(resetsAt).toISOString().slice(0, 16).replace('T', ' ')
  return new QueryError('sql.quota', `The daily quota of ${unit} is used up. It resets at ${reset} UTC.`, {
    hint: isMember
      ? 'Wait for the reset. Stored results stay available and do not count.'
      : 'Wait for the reset, or see /pricing for a larger quota. Stored results stay available and do not count.',
    facts: { retryAfterSeconds: Math.ceil((resetsAt - Date.now()) / 1000) },
  })
}
