import { isOnChain } from '#kernel/sourceNames.ts'
import type { MissingMembers } from './answers.ts'
import { cadenceDays } from './cadence.ts'
import { addDays } from './days.ts'
import { type DayGrain, isBreakdownComplete, type Metric, SUM_OF_KEYS } from './metric.ts'

/** A value of a member of a sum in a whole bucket. */
export type MemberDay = { readonly day: string; readonly key: string; readonly source: string }

/** Days before a bucket within which its members are looked for. */
const SILENT: Readonly<Record<DayGrain, number>> = { day: 30, week: 35, month: 62 }

/** A member of a metric that was silent for more days is gone, and no sum waits for it. */
export const silentDaysOf = (metric: Metric, grain: DayGrain = 'day'): number =>
  Math.max(SILENT[grain], 2 * cadenceDays(metric))

/**
 * What the members of a sum are, and the statement that gives them, where publishers report each by the day, so that one
 * may lack on a day. Undefined for every other figure.
 */
export function reportedMembers({
  headline,
  breakdown,
  sources,
  members,
  sql,
}: Metric): { readonly name: string; readonly sql: string } | undefined {
  if (members?.isReportedDaily) return members
  return headline === SUM_OF_KEYS && breakdown !== null && !isBreakdownComplete({ breakdown, sources })
    ? { name: pluralOf(breakdown.name), sql }
    : undefined
}

const pluralOf = (word: string): string => (word.endsWith('s') ? word : `${word}s`)

/**
 * What the sum of each bucket lacks: members with an outside figure before it and none in it, until they have one again.
 * A member without one for longer than `silentDays` is gone and lacks nowhere, unless the rows end within these days: it
 * may be late. A part that is counted from blocks is zero where it has no row.
 * @returns members by day; a day that lacks none is not in it
 */
export function missingByDay(
  rows: readonly MemberDay[],
  silentDays: number,
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>()
  const newest =
    rows
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ''
  for (const [key, own] of Map.groupBy(rows, row => row.key)) {
    const days = new Set(own.map(({ day }) => day))
    for (const { day, source } of own) {
      if (isOnChain(source)) continue
      const silent: string[] = []
      for (let next = addDays(day, 1); silent.length < silentDays && !days.has(next); next = addDays(next, 1))
        silent.push(next)
      const isGone = silent.length === silentDays && addDays(day, silentDays) < newest
      if (isGone) continue
      for (const without of silent) missing.set(without, [...(missing.get(without) ?? []), key])
    }
  }
  for (const keys of missing.values()) keys.sort()
  return missing
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
  const missing = missingByDay(rows, silentDays)
  const row = days.find(({ day }) => day >= oldest && !missing.has(day))
  if (row !== undefined) return { row, missing: null }
  const keys = missing.get(newest.day) ?? []
  const present = new Set(rows.flatMap(({ day, key }) => (day === newest.day ? [key] : [])))
  return { row: newest, missing: { name, of: present.size + keys.length, keys: [...keys] } }
}
