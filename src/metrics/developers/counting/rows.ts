import { MetricsError } from '../../errors.ts'

/**
 * Rows of commits in memory, as words of 32 bits. Threads that walk through them load this file and little else: it knows no
 * engine.
 */

/** Words of a row as it waits: the number of its address, the two halves of its work, its day, place and kind, its commits. */
export const WAITING_WORDS = 5
/** Words of a row that lies with those of its address: the same but for the number. */
export const ROW_WORDS = 4
/** Of these, the third tells day, place and kind. */
export const ABOUT = 2

const PLACE_BIT = 16
/** Repositories have places below this one. */
export const MOST_PLACES = 2 ** 15
const CLEAN = 0x8000_0000

/** `isClean` is 1 of somebody's, no merge, of a day that is known. */
export const aboutOf = (day: number, place: number, isClean: number): number =>
  day | (place << PLACE_BIT) | (isClean << 31)
export const dayOf = (about: number): number => about & 0xffff
export const placeOf = (about: number): number => (about >>> PLACE_BIT) & (MOST_PLACES - 1)
export const isClean = (about: number): boolean => about >= CLEAN
export const withoutClean = (about: number): number => about - CLEAN

/** People from one number up to another. */
export type Range = readonly [from: number, to: number]

/** Rows of some people, batch after batch, within a batch as they came. Threads share them. */
export type Rows = { readonly words: Uint32Array; readonly batches: readonly Range[] }

type Order = { readonly firstAddress: Uint32Array; readonly starts: Uint32Array }

/** How many rows the people before this one have. */
export const rowsBefore = ({ firstAddress, starts }: Order, person: number): number =>
  starts[firstAddress[person]!]!

/** People in ranges of at most so many rows; who has more is alone. */
export function rangesOf(order: Order & { readonly people: number }, most: number): Range[] {
  const ranges: Range[] = []
  for (let from = 0, person = 1; person <= order.people; person += 1)
    if (person === order.people || rowsBefore(order, person + 1) - rowsBefore(order, from) > most) {
      ranges.push([from, person])
      from = person
    }
  return ranges
}

export const changedMeanwhile = (): MetricsError =>
  new MetricsError('metrics.commits_changed', 'Commits were written while developers were counted.', {
    hint: 'Nothing was shown of it: they are counted again.',
  })
