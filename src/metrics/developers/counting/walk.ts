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

/** Follows somebody through their commits, from the oldest to the newest, in all ecosystems at once. */
export type Walk = {
  /** Commits of a day of them in an ecosystem, no day before the one told last. */
  visit(ecosystem: number, day: number, commits: number): void
  /** There is no further commit of theirs. */
  leave(): void
}

const { daily, commits: ofDay, newcomers, returned, leavers, monthly, fullTime, regular } = FIGURES
const { firstYear, secondYear, longer } = FIGURES

/**
 * A walk that adds what days tell to the counters. What a day means depends on the next one, so each is told when the next is
 * known: how long somebody stays active, and a regular. `newestFrom` is the first of the days that overlaps look at.
 */
export function createWalk(tallies: Tallies, ecosystems: number, newestFrom: number): Walk {
  const { days, lines, cohorts, came, stayed, overlap, isRaw } = tallies
  const { monthOf, monthStarts, yearOf, years, months } = days
  const first = new Int32Array(ecosystems)
  /** Their last day so far; -1 of an ecosystem in which they have none. */
  const last = new Int32Array(ecosystems).fill(-1)
  /** Where the days began that lie less than 28 days apart up to the last. */
  const since = new Int32Array(ecosystems)
  const dayCount = new Int32Array(ecosystems)
  /** Their last ten days, each at its number modulo ten. */
  const tens = new Int32Array(ecosystems * REGULAR_DAYS)
  const hasStayed = new Uint8Array(ecosystems)
  const visited: number[] = []

  const spell = (line: number, figure: number, from: number, to: number): void => {
    lines[line + from * LINE + figure]! += 1
    lines[line + to * LINE + figure]! -= 1
  }

  /** They were active from one day until another. */
  const active = (ecosystem: number, line: number, from: number, to: number): void => {
    spell(line, monthly, from, to)
    const begun = first[ecosystem]!
    const [second, third] = [begun + YEAR_DAYS, begun + 2 * YEAR_DAYS]
    if (from < second) spell(line, firstYear, from, Math.min(to, second))
    if (from < third && to > second) spell(line, secondYear, Math.max(from, second), Math.min(to, third))
    if (to > third) spell(line, longer, Math.max(from, third), to)
    if (isRaw) return
    const cohort = (ecosystem * years + yearOf[begun]!) * days.count
    cohorts[cohort + from]! += 1
    cohorts[cohort + to]! -= 1
  }

  /** With this day they had ten, of which the first counts for so many days; it holds until the next one. */
  const regulars = (ecosystem: number, line: number, day: number, next: number): void => {
    const count = dayCount[ecosystem]!
    if (count < REGULAR_DAYS) return
    const tenth = tens[ecosystem * REGULAR_DAYS + (count % REGULAR_DAYS)]!
    const full = Math.min(next, tenth + ACTIVE_DAYS)
    if (full > day) spell(line, fullTime, day, full)
    const usual = Math.min(next, tenth + GONE_DAYS, day + ACTIVE_DAYS)
    if (usual > day) spell(line, regular, day, usual)
  }

  const begin = (ecosystem: number, line: number, day: number): void => {
    visited.push(ecosystem)
    first[ecosystem] = day
    since[ecosystem] = day
    dayCount[ecosystem] = 0
    hasStayed[ecosystem] = 0
    lines[line + day * LINE + newcomers]! += 1
    came[ecosystem * months + monthOf[day]! + STAYED_MONTHS]! += 1
  }

  const goOn = (ecosystem: number, line: number, before: number, day: number): void => {
    regulars(ecosystem, line, before, day)
    const gap = day - before
    if (gap < ACTIVE_DAYS) return
    active(ecosystem, line, since[ecosystem]!, before + ACTIVE_DAYS)
    since[ecosystem] = day
    if (gap < GONE_DAYS) return
    lines[line + (before + GONE_DAYS) * LINE + leavers]! += 1
    lines[line + day * LINE + returned]! += 1
  }

  return {
    visit(ecosystem, day, commits) {
      const line = ecosystem * days.count * LINE
      const here = line + day * LINE
      lines[here + ofDay]! += commits
      const before = last[ecosystem]!
      if (before === day) return
      last[ecosystem] = day
      lines[here + daily]! += 1
      if (before < 0) begin(ecosystem, line, day)
      else goOn(ecosystem, line, before, day)
      const count = dayCount[ecosystem]!
      tens[ecosystem * REGULAR_DAYS + (count % REGULAR_DAYS)] = day
      dayCount[ecosystem] = count + 1
      if (hasStayed[ecosystem] === 1) return
      const asked = monthOf[first[ecosystem]!]! + STAYED_MONTHS
      if (day < monthStarts[asked]! || day >= monthStarts[asked + 1]!) return
      hasStayed[ecosystem] = 1
      stayed[ecosystem * months + asked]! += 1
    },
    leave() {
      for (const ecosystem of visited) {
        const line = ecosystem * days.count * LINE
        const day = last[ecosystem]!
        regulars(ecosystem, line, day, days.count)
        active(ecosystem, line, since[ecosystem]!, day + ACTIVE_DAYS)
        lines[line + (day + GONE_DAYS) * LINE + leavers]! += 1
        if (day >= newestFrom)
          for (const other of visited)
            if (last[other]! >= newestFrom) overlap[ecosystem * ecosystems + other]! += 1
      }
      for (const ecosystem of visited) last[ecosystem] = -1
      visited.length = 0
    },
  }
}
