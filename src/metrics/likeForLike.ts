import { MIN_SHARE_COVERAGE } from '#kernel/share.ts'
import type { FigureValue } from './answers.ts'
import { sumOf } from './wholeFigures.ts'

type Value = Exclude<FigureValue, null>

/** A figure of one day, and the values of the members that it is made of. */
export type DayOfMembers = { readonly value: Value; readonly members: ReadonlyMap<string, Value> }

/** A change, the members that it is computed over and how many the newer day has. */
export type ComparedDays = {
  readonly change: number | null
  readonly over: readonly string[]
  readonly of: number
}

/** Ratio of change; null where the figure before is zero. */
export function changeOf(before: Value, now: Value): number | null {
  const base = Number(before)
  return base === 0 ? null : Number(now) / base - 1
}

/**
 * Compares two days like for like. A sum is compared over the members that both days have, so a member that came or went
 * in between never alters its change; these must make up most of the sum on both days, or a change of a fragment would
 * pass for that of the whole. Any other figure has no change unless both days have the same members. Nothing compares
 * with a day without a member.
 */
export function likeForLike(before: DayOfMembers, now: DayOfMembers, isSum: boolean): ComparedDays {
  const both = [...now.members.keys()].filter(member => before.members.has(member))
  const isSame = both.length === now.members.size && both.length === before.members.size
  const compared = { over: both, of: now.members.size }
  if (both.length === 0) return { ...compared, change: null }
  if (isSame) return { ...compared, change: changeOf(before.value, now.value) }
  if (!isSum || ![before, now].every(({ members }) => coversMost(both, members)))
    return { ...compared, change: null }
  const totals = [before, now].map(({ members }) => totalOf(both, members) ?? 0)
  return { ...compared, change: changeOf(totals[0]!, totals[1]!) }
}

/** Whether some members of a day make up at least 80% of all that is summed, as the parts of a share must. */
export function coversMost(over: readonly string[], members: ReadonlyMap<string, Value>): boolean {
  // Amounts that come and amounts that go do not cancel out.
  const weightOf = (keys: Iterable<string>): number =>
    [...keys].reduce((sum, key) => sum + Math.abs(Number(members.get(key) ?? 0)), 0)
  return over.length > 0 && weightOf(over) >= MIN_SHARE_COVERAGE * weightOf(members.keys())
}

/** The sum over some members of a day; undefined where one of them has no value. */
export function totalOf(over: readonly string[], members: ReadonlyMap<string, Value>): Value | undefined {
  const values = over.flatMap(member => members.get(member) ?? [])
  return values.length === over.length && values.length > 0 ? values.reduce(sumOf) : undefined
}
