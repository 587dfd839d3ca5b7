import type { Scope } from '../scope.ts'
import type { Authors } from './authors.ts'
import { createBuckets } from './buckets.ts'
import { createCopies } from './copies.ts'
import {
  ABOUT,
  changedMeanwhile,
  dayOf,
  isClean,
  placeOf,
  type Range,
  ROW_WORDS,
  type Rows,
  rowsBefore,
  WAITING_WORDS,
} from './rows.ts'
import { ecosystemsOf } from './scopeSql.ts'
import { addTallies, createTallies, type Days, type Tallies } from './tallies.ts'
import { addWriters, createWriters, type WriterTallies } from './writers.ts'

/** Some of the people whose rows were read. */
export type People = {
  readonly scope: Scope
  readonly days: Days
  readonly authors: Pick<Authors, 'firstAddress' | 'starts'>
  readonly rows: Rows
  /** Batches of rows that are walked through, by their places among those that were read. */
  readonly batches: Range
}

/** What is counted of people. */
export type Counts = {
  /** By address, as commits stand. */
  readonly raw: Tallies
  /** By person, each commit once. */
  readonly cleaned: Tallies
  readonly writers: WriterTallies
}

export function addCounts(to: Counts, more: Counts): Counts {
  addTallies(to.raw, more.raw)
  addTallies(to.cleaned, more.cleaned)
  addWriters(to.writers, more.writers)
  return to
}

/** Rows are sorted as numbers that hold their day above their place. */
const DAY = 2 ** 32

/**
 * Walks through the days of these people, one after the other. Throws `metrics.commits_changed` where the rows of
 * an address are not those that were numbered.
 */
export function walkPeople({ scope, days, authors, rows, batches }: People): Counts {
  const { firstAddress, starts } = authors
  const ecosystems = ecosystemsOf(scope)
  const rawTallies = createTallies(true, days, scope)
  const cleanedTallies = createTallies(false, days, scope)
  const raw = createBuckets(rawTallies, scope)
  const cleaned = createBuckets(cleanedTallies, scope)
  const writers = createWriters(scope)
  const ranges = rows.batches.slice(...batches)
  const size = Math.max(...ranges.map(([from, to]) => rowsBefore(authors, to) - rowsBefore(authors, from)))
  const words = new Uint32Array(size * ROW_WORDS)
  const keys = new Float64Array(size)
  const orderByDay = createOrder(days, size)
  const leaveOutCopies = createCopies(words, scope)

  /** Tells one row: of an address as it stands, of a person each work once. */
  const tell = (at: number, isRaw: boolean, isCleaned: boolean): void => {
    const about = words[at + ABOUT]!
    const day = dayOf(about) - days.first
    const commits = words[at + 3]!
    const isCounted = isCleaned && isClean(about)
    const of = ecosystems[placeOf(about)]!
    for (let place = 0; place < of.length; place += 1) {
      if (isRaw) raw.add(of[place]!, day, commits)
      if (isCounted) cleaned.add(of[place]!, day, commits)
    }
  }

  /** The rows of several addresses of one person by day; those of one lie so already. */
  const tellTogether = (from: number, to: number): void => {
    for (let row = from; row < to; row += 1) keys[row] = dayOf(words[row * ROW_WORDS + ABOUT]!) * DAY + row
    const sorted = keys.subarray(from, to).sort()
    // As 32 bits, a number is what stands below the day.
    for (let index = 0; index < sorted.length; index += 1)
      tell((sorted[index]! >>> 0) * ROW_WORDS, false, true)
  }

  for (const [from, to] of ranges) {
    const first = rowsBefore(authors, from)
    const waiting = first - rowsBefore(authors, rows.batches[0]![0])
    const count = rowsBefore(authors, to) - first
    const ordered = orderByDay(
      rows.words.subarray(waiting * WAITING_WORDS, (waiting + count) * WAITING_WORDS),
    )
    layByAddress(
      words,
      ordered,
      starts.subarray(firstAddress[from], firstAddress[to]! + 1),
      firstAddress[from]!,
    )
    for (let person = from; person < to; person += 1) {
      const isAlone = firstAddress[person + 1]! - firstAddress[person]! === 1
      for (let address = firstAddress[person]!; address < firstAddress[person + 1]!; address += 1) {
        const [start, end] = [starts[address]! - first, starts[address + 1]! - first]
        for (let at = start * ROW_WORDS; at < end * ROW_WORDS; at += ROW_WORDS) {
          const about = words[at + ABOUT]!
          if (isClean(about)) writers.add(placeOf(about), dayOf(about), words[at + 3]!)
        }
        leaveOutCopies(start, end)
        for (let row = start; row < end; row += 1) tell(row * ROW_WORDS, true, isAlone)
        raw.leave()
      }
      if (!isAlone) tellTogether(rowsBefore(authors, person) - first, rowsBefore(authors, person + 1) - first)
      cleaned.leave()
      writers.leave()
    }
  }
  raw.end()
  cleaned.end()
  return { raw: rawTallies, cleaned: cleanedTallies, writers: writers.tallies }
}

type Ordered = { readonly read: Uint32Array; readonly order: Uint32Array }

/** Gives the rows of a batch from the oldest day to the newest: counted by day, since there are fewer days than rows. */
function createOrder({ first, count }: Days, most: number): (read: Uint32Array) => Ordered {
  const next = new Uint32Array(count + 1)
  const places = new Uint32Array(most)
  return read => {
    next.fill(0)
    for (let at = 3; at < read.length; at += WAITING_WORDS) next[dayOf(read[at]!) - first + 1]! += 1
    for (let day = 1; day <= count; day += 1) next[day]! += next[day - 1]!
    const order = places.subarray(0, read.length / WAITING_WORDS).fill(0)
    for (let at = 0; at < read.length; at += WAITING_WORDS) {
      const day = dayOf(read[at + 3]!) - first
      order[next[day]!] = at
      next[day]! += 1
    }
    return { read, order }
  }
}

/** Puts the rows of a batch where those of their address lie, in their order: from the first of `starts` on. */
function layByAddress(
  words: Uint32Array,
  { read, order }: Ordered,
  starts: Uint32Array,
  firstAddress: number,
): void {
  const first = starts[0]!
  const next = starts.slice(0, -1)
  for (let row = 0; row < order.length; row += 1) {
    const from = order[row]!
    const number = read[from]! - firstAddress
    const to = (next[number]! - first) * ROW_WORDS
    next[number]! += 1
    words[to] = read[from + 1]!
    words[to + 1] = read[from + 2]!
    words[to + 2] = read[from + 3]!
    words[to + 3] = read[from + 4]!
  }
  if (next.some((end, number) => end !== starts[number + 1])) throw changedMeanwhile()
}
