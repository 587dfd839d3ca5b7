import type { MissingMembers } from './answers.ts'
import { addDays } from './days.ts'
import { isBreakdownComplete, type Metric, SUM_OF_KEYS } from './metric.ts'

/** A value of a member of a sum in a whole bucket. */
export type MemberDay = { readonly day: string; readonly key: string; readonly source: string }

/** A member that was silent for longer is gone, and no sum waits for it. */
export const SILENT_DAYS = 30

/** Whether the headline is a sum of parts that publishers report, so that one may lack on a day. */
export const maySumLack = (entry: Metric): boolean =>
  entry.headline === SUM_OF_KEYS && entry.breakdown !== null && !isBreakdownComplete(entry)

/**
 * What the sum of a bucket lacks: members with an outside figure in the days before it and none in it. A part that is
 * counted from blocks is zero where it has no row.
 */
export function missingOn(day: string, rows: readonly MemberDay[], silentDays: number): string[] {
  const present = new Set(rows.flatMap(row => (row.day === day ? [row.key] : [])))
  const since = addDays(day, -silentDays)
  const expected = rows.flatMap(row =>
    row.day < day && row.day >= since && !row.source.endsWith('.chain') ? [row.key] : [],
  )
  return [...new Set(expected)].filter(key => !present.has(key)).sort()
}

/**
 * The newest of these buckets, newest first, that lacks no member and is no older than `freshDays` before the newest one;
 * where none is, the newest with what it lacks.
 */
export function wholeSum<Row extends { readonly day: string }>(
  days: readonly Row[],
  rows: readonly MemberDay[],
  { name, freshDays, silentDays }: { name: string; freshDays: number; silentDays: number },
): { readonly row: Row; readonly missing: MissingMembers | null } | undefined {
  const [newest] = days
  if (newest === undefined) return undefined
  const oldest = addDays(newest.day, -freshDays)
  const row = days.find(({ day }) => day >= oldest && missingOn(day, rows, silentDays).length === 0)
  if (row !== undefined) return { row, missing: null }
  const keys = missingOn(newest.day, rows, silentDays)
  const present = new Set(rows.flatMap(({ day, key }) => (day === newest.day ? [key] : [])))
  return { row: newest, missing: { name, of: present.size + keys.length, keys } }
}
