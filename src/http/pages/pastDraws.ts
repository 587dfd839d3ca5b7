import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from '../apiError.ts'
import { createTurns } from './turns.ts'

/** Nothing of a past day is precomputed, so one such page may keep the engine busy for half a minute. */
const AT_ONCE = 2
const MOST_WAITING = 12
const PER_CALLER = 2
/** A /48 leaves other callers half of all places. */
const PER_WIDER = Math.min(PER_CALLER * WIDER_SHARE, (AT_ONCE + MOST_WAITING) / 2)
const RETRY_SECONDS = 15

/** Runs the drawing of a page as of a past day. Throws `http.past_often` (of this caller) and `http.past_busy` (of all). */
export type PastDraws = <T>(caller: string, run: () => Promise<T>) => Promise<T>

export function createPastDraws(): PastDraws {
  const turn = createTurns(AT_ONCE, MOST_WAITING)
  const counts = new Map<string, number>()
  const countOf = (key: string): number => counts.get(key) ?? 0
  return async (caller, run) => {
    const wide = widerKey(caller)
    if (countOf(caller) >= PER_CALLER || (wide !== undefined && countOf(wide) >= PER_WIDER))
      throw busy('http.past_often', `${PER_CALLER} pages of past days are being drawn for you already.`)
    const drawn = turn(run)
    if (drawn === undefined)
      throw busy('http.past_busy', `${MOST_WAITING} pages of past days are waiting to be drawn already.`)
    const keys = [caller, wide].filter(key => key !== undefined)
    for (const key of keys) counts.set(key, countOf(key) + 1)
    try {
      return await drawn
    } finally {
      for (const key of keys)
        if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
        else counts.delete(key)
    }
  }
}

const busy = (code: 'http.past_often' | 'http.past_busy', detail: string): ApiError =>
  new ApiError(problemOf(code, detail), { retryAfterSeconds: RETRY_SECONDS })
