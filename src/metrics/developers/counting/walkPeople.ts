import type { Scope } from '../scope.ts'
import type { Authors } from './authors.ts'
import { createBuckets } from './buckets.ts'
import { createCopies } from './copies.ts'
import { dayOf, isClean, placeOf, ROW_WORDS, type Rows } from './rows.ts'
import { ecosystemsOf } from './scopeSql.ts'
import { addTallies, createTallies, type Days, type Tallies } from './tallies.ts'
import { addWriters, createWriters, type WriterTallies } from './writers.ts'

/** People from one number up to another, and all their rows. */
export type People = {
  readonly scope: Scope
  readonly days: Days
  readonly authors: Pick<Authors, 'firstAddress' | 'starts'>
  readonly rows: Rows
  readonly range: readonly [number, number]
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

/** Walks through the days of these people, one after the other. */
export function walkPeople({
  scope,
  days,
  authors: { firstAddress, starts },
  rows: { words, firstRow },
  range,
}: People): Counts {
  const ecosystems = ecosystemsOf(scope)
  const [rawTallies, cleanedTallies] = [createTallies(true, days, scope), createTallies(false, days, scope)]
  const raw = createBuckets(rawTallies, scope)
  const cleaned = createBuckets(cleanedTallies, scope)
  const writers = createWriters(scope)
  const leaveOutCopies = createCopies(words)
  const rowOf = (address: number): number => starts[address]! - firstRow
  let keys = new Float64Array(2 ** 12)

  /** Tells the rows by day: those of an address as they stand, those of a person each work once. */
  const tell = (from: number, to: number, isRaw: boolean, isCleaned: boolean): void => {
    if (to - from > keys.length) keys = new Float64Array((to - from) * 2)
    for (let row = from; row < to; row += 1) keys[row - from] = dayOf(words[row * ROW_WORDS + 2]!) * DAY + row
    const sorted = keys.subarray(0, to - from).sort()
    for (let index = 0; index < sorted.length; index += 1) {
      // As 32 bits, a number is what stands below the day.
      const at = (sorted[index]! >>> 0) * ROW_WORDS
      const about = words[at + 2]!
      const [day, commits] = [dayOf(about) - days.first, words[at + 3]!]
      const isCounted = isCleaned && isClean(about)
      const of = ecosystems[placeOf(about)]!
      for (let place = 0; place < of.length; place += 1) {
        if (isRaw) raw.add(of[place]!, day, commits)
        if (isCounted) cleaned.add(of[place]!, day, commits)
      }
    }
  }

  for (let person = range[0]; person < range[1]; person += 1) {
    const [from, to] = [firstAddress[person]!, firstAddress[person + 1]!]
    const isAlone = to - from === 1
    for (let address = from; address < to; address += 1) {
      const [start, end] = [rowOf(address), rowOf(address + 1)]
      for (let row = start; row < end; row += 1) {
        const about = words[row * ROW_WORDS + 2]!
        if (isClean(about)) writers.add(placeOf(about), dayOf(about), words[row * ROW_WORDS + 3]!)
      }
      leaveOutCopies(start, end)
      tell(start, end, true, isAlone)
      raw.leave()
    }
    if (!isAlone) tell(rowOf(from), rowOf(to), false, true)
    cleaned.leave()
    writers.leave()
  }
  raw.end()
  cleaned.end()
  return { raw: rawTallies, cleaned: cleanedTallies, writers: writers.tallies }
}
