import type { Scope } from '../scope.ts'
import { ABOUT, isClean, placeOf, ROW_WORDS, withoutClean } from './rows.ts'

/**
 * Leaves one row of each work clean, of the rows of one address: that in the first of the repositories, of these the oldest.
 * A work is told by its address too, so copies of a commit are rows of one address. Repositories that the counts of all
 * together leave out share works among themselves alone: a commit that a counted repository has too stays counted there.
 */
export function createCopies(
  words: Uint32Array,
  { repositories }: Pick<Scope, 'repositories'>,
): (start: number, end: number) => void {
  const isInAll = Uint8Array.from([0, ...repositories.map(each => Number(each.isInAll))])
  const isSameGroup = (about: number, other: number): boolean =>
    isInAll[placeOf(about)] === isInAll[placeOf(other)]
  /** In open places, the row that a work has so far, from 1; 0 of none. */
  let places = new Uint32Array(2 ** 10)
  return (start, end) => {
    if (end - start < 2) return
    const size = 2 ** Math.ceil(Math.log2((end - start) * 2))
    if (size > places.length) places = new Uint32Array(size)
    else places.fill(0, 0, size)
    for (let row = start; row < end; row += 1) {
      const at = row * ROW_WORDS
      const about = words[at + ABOUT]!
      if (!isClean(about)) continue
      const [low, high] = [words[at]!, words[at + 1]!]
      let place = (low ^ high) & (size - 1)
      for (;;) {
        const held = places[place]!
        if (held === 0) {
          places[place] = row + 1
          break
        }
        const other = (held - 1) * ROW_WORDS
        if (words[other] === low && words[other + 1] === high && isSameGroup(about, words[other + ABOUT]!)) {
          // The place of the repository stands above the day: the smaller word goes first.
          if (about < words[other + ABOUT]!) {
            words[other + ABOUT] = withoutClean(words[other + ABOUT]!)
            places[place] = row + 1
          } else words[at + ABOUT] = withoutClean(about)
          break
        }
        place = (place + 1) & (size - 1)
      }
    }
  }
}
