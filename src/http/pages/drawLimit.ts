import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { ProblemCode } from '../problems.ts'
import { createDrawBudget, type DrawBudgetOptions } from './drawBudget.ts'
import { createTurns } from './turns.ts'

export type DrawLimitOptions = DrawBudgetOptions & {
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

/**
 * Runs the drawing of a page, now or later. One that was drawn before and is drawn anew with new data (`isKnown`) takes a place
 * and nothing of the budget: open pages ask for it by themselves. Throws `often` (429) and `busy` (503) of its options.
 */
export type DrawLimit = <T>(caller: string, run: () => Promise<T>, isKnown?: boolean) => Promise<T>

/**
 * Lets so many drawings run at once and so many wait, and no caller take all of the places or draw without end.
 * @param now milliseconds since any moment
 */
export function createDrawLimit(
  options: DrawLimitOptions,
  now: () => number = performance.now.bind(performance),
): DrawLimit {
  const { atOnce, maxWaiting, perCaller, retrySeconds, pages, perMinute } = options
  // A /48 leaves other callers half of all places.
  const perWider = Math.min(perCaller * WIDER_SHARE, (atOnce + maxWaiting) / 2)
  const turn = createTurns(atOnce, maxWaiting)
  const budget = createDrawBudget(options, now)
  const counts = new Map<string, number>()
  const countOf = (key: string): number => counts.get(key) ?? 0
  const problem = (code: ProblemCode, detail: string, retryAfterSeconds = retrySeconds): ApiError =>
    new ApiError(problemOf(code, detail), { retryAfterSeconds })
  return async (caller, run, isKnown = false) => {
    const wide = widerKey(caller)
    if (countOf(caller) >= perCaller || (wide !== undefined && countOf(wide) >= perWider))
      throw problem(
        options.often,
        `${perCaller} requests from your network for ${pages} are already in progress.`,
      )
    const charged = [
      { key: caller, share: 1 },
      ...(wide === undefined ? [] : [{ key: wide, share: WIDER_SHARE }]),
    ]
    const waitSeconds = isKnown ? 0 : Math.ceil(budget.waitMs(charged) / 1000)
    if (waitSeconds > 0)
      throw problem(
        options.often,
        `Too many requests from your network for ${pages}. The limit is ${perMinute} a minute.`,
        waitSeconds,
      )
    const drawn = turn(run)
    if (drawn === undefined)
      throw problem(options.busy, `${maxWaiting} requests for ${pages} are already waiting.`)
    if (!isKnown) budget.charge(charged)
    for (const { key } of charged) counts.set(key, countOf(key) + 1)
    try {
      return await drawn
    } finally {
      for (const { key } of charged)
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
  burst: 120,
  perMinute: 30,
  retrySeconds: 15,
  pages: 'pages as of a past day',
  often: 'http.past_often',
  busy: 'http.past_busy',
} as const satisfies DrawLimitOptions

const DRAWS = { atOnce: 4, retrySeconds: 5, often: 'http.draws_often', busy: 'http.draws_busy' } as const

/**
 * Uncached pages by what makes their addresses so many. Each kind has places and a budget of its own, so that paging through a
 * list leaves those of searches alone. A page is drawn in a fraction of a second. A reader who clicks through the controls of
 * a page asks for one a second at most, and a network may have many readers.
 */
export const PAGE_DRAWS = {
  /** Controls with listed values: each value comes to an end, their combinations do not. */
  choice: {
    ...DRAWS,
    maxWaiting: 96,
    perCaller: 24,
    burst: 240,
    perMinute: 60,
    pages: 'new combinations of controls',
  },
  /** Tabs, pages of lists, days, sorting. */
  navigation: { ...DRAWS, maxWaiting: 96, perCaller: 24, burst: 240, perMinute: 60, pages: 'list pages' },
  /** Searches and filters. A reader who types has one or two at a time. */
  text: {
    ...DRAWS,
    maxWaiting: 48,
    perCaller: 12,
    burst: 120,
    perMinute: 30,
    pages: 'searches and filtered lists',
  },
  /** Pages of one thing by its path, as a block or an address, and paths without a page. */
  path: {
    ...DRAWS,
    maxWaiting: 96,
    perCaller: 24,
    burst: 600,
    perMinute: 180,
    pages: 'pages of blocks, transactions and addresses',
  },
  /** Answers of queries, which are never cached. Their running has limits of its own, so many may wait for it here. */
  query: {
    ...DRAWS,
    atOnce: 24,
    maxWaiting: 48,
    perCaller: 12,
    burst: 120,
    perMinute: 60,
    pages: 'query results',
  },
} as const satisfies Record<string, DrawLimitOptions>

export type DrawKind = keyof typeof PAGE_DRAWS

export const createPageDrawLimits = (now?: () => number): Readonly<Record<DrawKind, DrawLimit>> => ({
  choice: createDrawLimit(PAGE_DRAWS.choice, now),
  navigation: createDrawLimit(PAGE_DRAWS.navigation, now),
  text: createDrawLimit(PAGE_DRAWS.text, now),
  path: createDrawLimit(PAGE_DRAWS.path, now),
  query: createDrawLimit(PAGE_DRAWS.query, now),
})

/** Codes of the problems that a reader sees as a page. */
export const DRAW_PROBLEMS: ReadonlySet<string> = new Set(
  [PAST_DRAWS, DRAWS].flatMap(({ often, busy }) => [often, busy]),
)
