import type { Authors } from './authors.ts'
import { createCopies } from './copies.ts'
import { dayOf, isClean, placeOf, ROW_WORDS, type Rows } from './rows.ts'
import type { Walk } from './walk.ts'
import type { Writers } from './writers.ts'

/** What is told of people, in the order of their days. */
export type Listeners = {
  /** By address, as commits stand. */
  readonly raw: Walk
  /** By person, each commit once. */
  readonly cleaned: Walk
  readonly writers: Writers
  /** By place of a repository. */
  readonly ecosystems: readonly (readonly number[])[]
  /** First day that is counted, days since 1970. */
  readonly firstDay: number
}

/** A commit as one number, by which it is sorted: its day, its place, whether it counts cleaned, and how many it stands for. */
const COUNTED = 2 ** 21
const PLACE = 2 ** 22
const DAY = 2 ** 37
const MOST_AT_ONCE = COUNTED - 1

/** Tells of these people, one after the other. The number of rows they have is the work that it takes. */
export function createPeopleWalk(
  { firstAddress, starts }: Authors,
  { words, firstRow }: Rows,
  { raw, cleaned, writers, ecosystems, firstDay }: Listeners,
): (person: number) => void {
  const leaveOutCopies = createCopies(words)
  let keys = new Float64Array(2 ** 16)
  let length = 0

  const add = (row: number): void => {
    const about = words[row * ROW_WORDS + 2]!
    const key = (dayOf(about) - firstDay) * DAY + placeOf(about) * PLACE + (isClean(about) ? COUNTED : 0)
    let commits = words[row * ROW_WORDS + 3]!
    do {
      if (length === keys.length) keys = grown(keys)
      keys[length++] = key + Math.min(commits, MOST_AT_ONCE)
      commits -= MOST_AT_ONCE
    } while (commits > 0)
  }

  const tell = (from: number, isOfRaw: boolean, isOfCleaned: boolean): void => {
    const sorted = keys.subarray(from, length).sort()
    for (let at = 0; at < sorted.length; at += 1) {
      const key = sorted[at]!
      const day = Math.floor(key / DAY)
      const rest = key - day * DAY
      const place = Math.floor(rest / PLACE)
      const kind = rest - place * PLACE
      const commits = kind & MOST_AT_ONCE
      const of = ecosystems[place]!
      for (let index = 0; index < of.length; index += 1) {
        if (isOfRaw) raw.visit(of[index]!, day, commits)
        if (isOfCleaned && kind >= COUNTED) cleaned.visit(of[index]!, day, commits)
      }
    }
    if (isOfRaw) raw.leave()
  }

  return person => {
    const [from, to] = [firstAddress[person]!, firstAddress[person + 1]!]
    const isAlone = to - from === 1
    length = 0
    for (let address = from; address < to; address += 1) {
      const [start, end] = [starts[address]! - firstRow, starts[address + 1]! - firstRow]
      const begun = length
      for (let row = start; row < end; row += 1) {
        const about = words[row * ROW_WORDS + 2]!
        if (isClean(about)) writers.add(placeOf(about), dayOf(about), words[row * ROW_WORDS + 3]!)
      }
      leaveOutCopies(start, end)
      for (let row = start; row < end; row += 1) add(row)
      tell(begun, true, isAlone)
    }
    if (!isAlone) tell(0, false, true)
    cleaned.leave()
    writers.leave()
  }
}

function grown(keys: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(keys.length * 2)
  wider.set(keys)
  return wider
}
