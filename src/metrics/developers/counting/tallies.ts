import type { Scope } from '../scope.ts'

/** Days without a commit after which somebody is no longer counted as active, and as gone. */
export const ACTIVE_DAYS = 28
export const GONE_DAYS = 84
/** Days of commits that make a regular. */
export const REGULAR_DAYS = 10
export const YEAR_DAYS = 365
/** A repository whose history ends so many days before the others is late. One that ends earlier leaves the counts. */
export const LATE_DAYS = 7
/** Months after which it is asked who stayed. */
export const STAYED_MONTHS = 6

/**
 * What else is counted of a day, by its place in the day's line of counters. Of some the counter holds the day's own count;
 * of those up to `repositories` by how much the count changes on the day, and running sums are the counts.
 */
export const FIGURES = {
  fullTime: 0,
  regular: 1,
  firstYear: 2,
  secondYear: 3,
  longer: 4,
  repositories: 5,
  newcomers: 6,
  returned: 7,
  leavers: 8,
  all: 9,
  merges: 10,
  bots: 11,
  offClock: 12,
} as const
/** Counters of a day, one beside the other in one piece of memory. */
export const LINE = 16

/** Counters of one way of counting: as commits stand, or cleaned. */
export type Tallies = {
  readonly isRaw: boolean
  readonly days: Days
  /** By ecosystem and day, who commits on the day and how many commits: these change with every day of everybody. */
  readonly onDays: Int32Array
  /** By ecosystem and day, a line each. */
  readonly lines: Int32Array
  /** Changes by ecosystem, year of the first commit, and day. */
  readonly cohorts: Int32Array
  /** By ecosystem and month in which it is asked: who came six months before, and who of them commits in it. */
  readonly came: Int32Array
  readonly stayed: Int32Array
  /** By two ecosystems: who committed in both within a year before the newest day of all. */
  readonly overlap: Int32Array
}

/** The days that are counted, and where their months and years are; days are numbers from the first one. */
export type Days = {
  readonly first: number
  /** From the first commit to the last, and until who made it is gone. */
  readonly count: number
  readonly firstMonth: number
  readonly months: number
  readonly firstYear: number
  readonly years: number
  /** Number of the month of a day. */
  readonly monthOf: Uint16Array
  /** Its first day, also of those after the last one in which it may be asked who stayed. */
  readonly monthStarts: Int32Array
  readonly yearOf: Uint16Array
}

const DAY_MS = 86_400_000

/** Days from the first commit to the last, as days since 1970. */
export function daysOf(first: number, last: number): Days {
  const count = last - first + 1 + GONE_DAYS
  const dateOf = (day: number): Date => new Date((first + day) * DAY_MS)
  const monthNumber = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth()
  const firstMonth = monthNumber(dateOf(0))
  const months = monthNumber(dateOf(count - 1)) - firstMonth + STAYED_MONTHS + 2
  const firstYear = dateOf(0).getUTCFullYear()
  return {
    first,
    count,
    firstMonth,
    months,
    firstYear,
    years: dateOf(count - 1).getUTCFullYear() - firstYear + 1,
    monthOf: Uint16Array.from({ length: count }, (_, day) => monthNumber(dateOf(day)) - firstMonth),
    monthStarts: Int32Array.from(
      { length: months },
      (_, month) =>
        Date.UTC(Math.floor((firstMonth + month) / 12), (firstMonth + month) % 12) / DAY_MS - first,
    ),
    yearOf: Uint16Array.from({ length: count }, (_, day) => dateOf(day).getUTCFullYear() - firstYear),
  }
}

export function createTallies(isRaw: boolean, days: Days, { ecosystems: { length } }: Scope): Tallies {
  return {
    isRaw,
    days,
    onDays: new Int32Array(length * days.count * 2),
    lines: new Int32Array(length * days.count * LINE),
    cohorts: new Int32Array(isRaw ? 0 : length * days.years * days.count),
    came: new Int32Array(length * days.months),
    stayed: new Int32Array(length * days.months),
    overlap: new Int32Array(length * length),
  }
}

/** Those of other people besides. */
export function addTallies(to: Tallies, more: Tallies): void {
  for (const name of ['onDays', 'lines', 'cohorts', 'came', 'stayed', 'overlap'] as const) {
    const [sums, others] = [to[name], more[name]]
    for (let at = 0; at < sums.length; at += 1) sums[at]! += others[at]!
  }
}
