import { medianTimePast } from '#chains/bitcoin/index.ts'
import type { Chunk } from './rows/chunk.ts'

/** Header times of the newest blocks of a run, newest last: at most ten, fewer only at its beginning. */
export type RecentTimes = {
  readonly height: number
  readonly hash: string
  readonly timesS: readonly number[]
}

/**
 * Fills in the median time of each block that has the ten before it (at a chain's beginning: all before it); the others
 * stay null. `recent` are the times before the first block; undefined where they are not known. Returns the times
 * after the last block.
 */
export function assignMedianTimes(chunk: Chunk, recent: RecentTimes | undefined): RecentTimes | undefined {
  const { medianTime } = chunk.blocks
  let before = recent
  for (const [row, { height, hash, prevHash, timeS }] of chunk.placed.entries()) {
    const follows = before !== undefined && before.hash === prevHash && before.height === height - 1
    const timesS: readonly number[] = follows && before ? [...before.timesS, timeS] : [timeS]
    if (timesS.length === Math.min(11, height + 1)) {
      medianTime.values[row] = medianTimePast(timesS)!
      medianTime.nulls[row] = 0
    }
    before = { height, hash, timesS: timesS.slice(-10) }
  }
  return before
}
