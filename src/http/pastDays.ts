import { AccountError, createLimiter } from '#accounts/index.ts'
import { ApiError, problemOf } from './apiError.ts'

/** Past days that one caller network may ask the API about in a minute. */
export const PAST_DAYS_PER_MINUTE = 20
/** Questions about past days that one caller network may ask the API in a minute. */
export const PAST_QUESTIONS_PER_MINUTE = 120
const SECONDS = 60

/** Counts a past day of a caller network. A day counts once in a minute. Throws `http.past_days`. */
export type PastDays = (caller: string, day: string) => Promise<void>

/** Nothing of a past day is precomputed: each one is read from all rows up to that day. */
export function createPastDays(): PastDays {
  const questions = createLimiter('past-day responses', PAST_QUESTIONS_PER_MINUTE, SECONDS)
  const days = createLimiter('past days', PAST_DAYS_PER_MINUTE, SECONDS)
  const repeats = createLimiter('requests for one past day', 1, SECONDS)
  return async (caller, day) => {
    // Counted too for a day asked before: other parameters mean another computation.
    await orRefuse(questions.take(caller), `${PAST_QUESTIONS_PER_MINUTE} past-day responses`)
    const isNew = await repeats.take(`${caller} ${day}`).then(() => true, isTooMany)
    if (!isNew) return
    try {
      await orRefuse(days.take(caller), `${PAST_DAYS_PER_MINUTE} past days`)
    } catch (thrown) {
      // A day that was refused is new again at the next request.
      await repeats.forget(`${caller} ${day}`)
      throw thrown
    }
  }
}

async function orRefuse(taken: Promise<unknown>, asked: string): Promise<void> {
  try {
    await taken
  } catch (thrown) {
    const seconds = thrown instanceof AccountError ? thrown.facts.retryAfterSeconds : undefined
    if (typeof seconds !== 'number') throw thrown
    throw new ApiError(
      problemOf('http.past_days', `You requested ${asked} in the last minute.`, {
        hint: `Try again in ${seconds} seconds.`,
      }),
      { retryAfterSeconds: seconds },
    )
  }
}

/** False for what a limiter refuses; other errors are thrown on. */
function isTooMany(thrown: unknown): false {
  if (thrown instanceof AccountError) return false
  throw thrown
}
