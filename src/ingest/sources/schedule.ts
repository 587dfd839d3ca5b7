/** How a run ended. */
export const OUTCOMES = ['figures', 'same', 'unchanged', 'refused', 'failed'] as const
/**
 * `figures`: something new is kept; `same`: an answer without anything new; `unchanged`: the publisher said that nothing
 * has changed; `refused`: an answer that does not fit, none of it kept; `failed`: no answer.
 */
export type Outcome = (typeof OUTCOMES)[number]

export const isSuccess = (outcome: Outcome): boolean =>
  outcome === 'figures' || outcome === 'same' || outcome === 'unchanged'

const FIRST_WAIT_S = 30
/** A form that has changed is not mended within a minute. */
const FIRST_WAIT_REFUSED_S = 300
/** What was too far off is asked again while someone remembers why. */
const CONFIRM_AFTER_S = 900
const HOUR_S = 3600

export type Ended = {
  readonly outcome: Outcome
  readonly code: string | null
  readonly cadenceSeconds: number
  /** Runs in a row that were no success, this one included. */
  readonly failures: number
  /** Whether a figure of the answer is left out until further answers confirm it. */
  readonly isInDoubt: boolean
  /** What the publisher asked for; null where it did not. */
  readonly retryAtMs: number | null
  readonly nowMs: number
  /** From 0 to 1. */
  readonly random: number
}

/**
 * When a request is due again, milliseconds since 1970: after its cadence, give or take a twentieth; after a failure sooner
 * and then later and later, an hour or the cadence at most; never before the publisher wants it.
 */
export function nextDue(ended: Ended): number {
  const { outcome, code, cadenceSeconds, failures, isInDoubt, nowMs, random } = ended
  const confirmS = Math.min(cadenceSeconds, CONFIRM_AFTER_S)
  if (isSuccess(outcome)) return nowMs + (isInDoubt ? confirmS : cadenceSeconds) * 1000 * (0.95 + random / 10)
  const most = Math.max(cadenceSeconds, HOUR_S)
  const first = outcome === 'refused' ? FIRST_WAIT_REFUSED_S : FIRST_WAIT_S
  const waitS = code === 'sources.jump' ? confirmS : Math.min(first * 2 ** Math.min(failures - 1, 20), most)
  return Math.max(nowMs + waitS * 1000, ended.retryAtMs ?? 0) + waitS * 250 * random
}
