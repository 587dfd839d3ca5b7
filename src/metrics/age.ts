import { type Freshness, freshnessOf } from '#kernel/freshness.ts'
import { knownNow } from '#warehouse/index.ts'
import type { SourceRef } from './answers.ts'

/** Whether what is held is as fresh as its publisher allows. */
export type AgeState = Freshness | 'recorded'

const DAY_S = 86_400

/** The same of a source; `never` of one that has not answered yet, which nobody may have asked. */
export type SourceState = AgeState | 'never'

/** By the age in multiples of the cadence: stale over two, overdue over four; a recording has no cadence. */
export function ageState(ageSeconds: number, cadenceSeconds: number | null): AgeState {
  return cadenceSeconds === null ? 'recorded' : freshnessOf(ageSeconds, cadenceSeconds)
}

/** State of a source by its last success. */
export const sourceState = (
  lastSuccess: string | null,
  cadenceSeconds: number | null,
  nowMs: number = knownNow(),
): SourceState =>
  lastSuccess === null ? 'never' : ageState((nowMs - Date.parse(lastSuccess)) / 1000, cadenceSeconds)

/**
 * State of a figure of this time: that of its source, or worse where the source answers and its figures stopped. A day
 * is whole only once it is over, so a figure’s own cadence is a day at least.
 */
export function figureState(
  asOf: string,
  source: Pick<SourceRef, 'state' | 'cadenceSeconds'> | undefined,
  nowMs: number = knownNow(),
): AgeState {
  if (source === undefined || source.cadenceSeconds === null) return 'recorded'
  const own = ageState((nowMs - Date.parse(asOf)) / 1000, Math.max(source.cadenceSeconds, DAY_S))
  return (['overdue', 'stale'] as const).find(state => state === own || state === source.state) ?? own
}
