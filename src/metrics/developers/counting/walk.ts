import {
  ACTIVE_DAYS,
  FIGURES,
  GONE_DAYS,
  LINE,
  REGULAR_DAYS,
  STAYED_MONTHS,
  type Tallies,
  YEAR_DAYS,
} from './tallies.ts'

const { fullTime, regular, firstYear, secondYear, longer, newcomers, returned, leavers } = FIGURES

/**
 * A walk through the days on which somebody commits in an ecosystem, from the oldest to the newest, that adds what they tell
 * to its counters. `days` holds each once, `commits` how many there are on it, both from one place up to another.
 */
export function createWalk(
  { days: { count: dayCount, monthOf, monthStarts, yearOf, years, months }, ...tallies }: Tallies,
  ecosystem: number,
): (days: Int32Array, commits: Int32Array, from: number, to: number) => void {
  const { isRaw } = tallies
  const of = (all: Int32Array, size: number): Int32Array =>
    all.subarray(ecosystem * size, (ecosystem + 1) * size)
  const onDays = of(tallies.onDays, dayCount * 2)
  const lines = of(tallies.lines, dayCount * LINE)
  const cohorts = of(tallies.cohorts, years * dayCount)
  const came = of(tallies.came, months)
  const stayed = of(tallies.stayed, months)

  const spell = (figure: number, from: number, to: number): void => {
    lines[from * LINE + figure]! += 1
    lines[to * LINE + figure]! -= 1
  }

  /** Who came on day `first` was active from one day until another. */
  const active = (first: number, from: number, to: number): void => {
    const [second, third] = [first + YEAR_DAYS, first + 2 * YEAR_DAYS]
    if (from < second) spell(firstYear, from, Math.min(to, second))
    if (from < third && to > second) spell(secondYear, Math.max(from, second), Math.min(to, third))
    if (to > third) spell(longer, Math.max(from, third), to)
    if (isRaw) return
    const cohort = yearOf[first]! * dayCount
    cohorts[cohort + from]! += 1
    cohorts[cohort + to]! -= 1
  }

  /** On each day with ten behind it the tenth tells how long it makes somebody a regular; no longer than until the next. */
  const regulars = (days: Int32Array, from: number, to: number): void => {
    let [fullFrom, fullTo, usualFrom, usualTo] = [0, 0, 0, 0]
    for (let at = from + REGULAR_DAYS - 1; at < to; at += 1) {
      const day = days[at]!
      const tenth = days[at - REGULAR_DAYS + 1]!
      const next = at + 1 < to ? days[at + 1]! : dayCount
      const full = Math.min(next, tenth + ACTIVE_DAYS)
      if (full > day) {
        // What goes on is one spell: most days of a regular change no count.
        if (fullTo !== day) {
          if (fullTo > 0) spell(fullTime, fullFrom, fullTo)
          fullFrom = day
        }
        fullTo = full
      }
      const usual = Math.min(next, tenth + GONE_DAYS, day + ACTIVE_DAYS)
      if (usual > day) {
        if (usualTo !== day) {
          if (usualTo > 0) spell(regular, usualFrom, usualTo)
          usualFrom = day
        }
        usualTo = usual
      }
    }
    if (fullTo > 0) spell(fullTime, fullFrom, fullTo)
    if (usualTo > 0) spell(regular, usualFrom, usualTo)
  }

  return (days, commits, from, to) => {
    const first = days[from]!
    lines[first * LINE + newcomers]! += 1
    const asked = monthOf[first]! + STAYED_MONTHS
    const [askedFrom, askedTo] = [monthStarts[asked]!, monthStarts[asked + 1]!]
    let hasStayed = 0
    let since = first
    let day = first
    for (let at = from; at < to; at += 1) {
      onDays[day * 2]! += 1
      onDays[day * 2 + 1]! += commits[at]!
      if (day >= askedFrom && day < askedTo) hasStayed = 1
      const next = at + 1 < to ? days[at + 1]! : Number.POSITIVE_INFINITY
      if (next - day >= ACTIVE_DAYS) {
        active(first, since, day + ACTIVE_DAYS)
        since = next
        if (next - day >= GONE_DAYS) {
          lines[(day + GONE_DAYS) * LINE + leavers]! += 1
          if (at + 1 < to) lines[next * LINE + returned]! += 1
        }
      }
      day = next
    }
    came[asked]! += 1
    stayed[asked]! += hasStayed
    if (to - from >= REGULAR_DAYS) regulars(days, from, to)
  }
}
