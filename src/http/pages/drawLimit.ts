import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { ProblemCode } from '../problems.ts'
import { createTurns } from './turns.ts'

export type DrawLimitOptions = {
  /** Drawn at once, of all callers. */
  readonly atOnce: number
  readonly maxWaiting: number
  /** Drawn and waiting, of one caller. */
  readonly perCaller: number
  readonly retrySeconds: number
  /** What is drawn, for the sentences of the problems. */
  readonly pages: string
  /** Code of the problem for a caller with too many. */
  readonly often: ProblemCode
  /** Code of the problem when too many of all callers wait. */
  readonly busy: ProblemCode
}

/** Runs the drawing of a page, now or later. Throws `often` (429) and `busy` (503) of its options. */
export type DrawLimit = <T>(caller: string, run: () => Promise<T>) => Promise<T>

/** Lets so many drawings run at once and so many wait, and no caller take all of the places. */
export function createDrawLimit(options: DrawLimitOptions): DrawLimit {
  const { atOnce, maxWaiting, perCaller, retrySeconds, pages } = options
  // A /48 leaves other callers half of all places.
  const perWider = Math.min(perCaller * WIDER_SHARE, (atOnce + maxWaiting) / 2)
  const turn = createTurns(atOnce, maxWaiting)
  const counts = new Map<string, number>()
  const countOf = (key: string): number => counts.get(key) ?? 0
  const problem = (code: ProblemCode, detail: string): ApiError =>
    new ApiError(problemOf(code, detail), { retryAfterSeconds: retrySeconds })
  return async (caller, run) => {
    const wide = widerKey(caller)
    if (countOf(caller) >= perCaller || (wide !== undefined && countOf(wide) >= perWider))
      throw problem(options.often, `${perCaller} ${pages} are being drawn for you already.`)
    const drawn = turn(run)
    if (drawn === undefined)
      throw problem(options.busy, `${maxWaiting} ${pages} are waiting to be drawn already.`)
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

/** Nothing of a past day is precomputed, so one such page may keep the engine busy for half a minute. */
export const PAST_DRAWS = {
  atOnce: 2,
  maxWaiting: 12,
  perCaller: 2,
  retrySeconds: 15,
  pages: 'pages of past days',
  often: 'http.past_often',
  busy: 'http.past_busy',
} as const satisfies DrawLimitOptions

/**
 * Addresses with free text (a search, the filter of a table) have no end, and each is drawn once: the cache is no help. One is
 * drawn in a fraction of a second, so a reader who types has one or two at a time.
 */
export const TEXT_DRAWS = {
  atOnce: 4,
  maxWaiting: 48,
  perCaller: 12,
  retrySeconds: 5,
  pages: 'pages of searches and filters',
  often: 'http.draws_often',
  busy: 'http.draws_busy',
} as const satisfies DrawLimitOptions

/** Codes of the problems that a reader sees as a page. */
export const DRAW_PROBLEMS: ReadonlySet<string> = new Set(
  [PAST_DRAWS, TEXT_DRAWS].flatMap(({ often, busy }) => [often, busy]),
)
