import type { SourceRef } from '#http/contract.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The moment that ages on a page are told for, drawn with it so that server and browser say the same. Whole days where
 * all sources are recordings: the same page is then the same bytes all day.
 */
export function nowFor(sources: readonly Pick<SourceRef, 'cadenceSeconds'>[], nowMs = Date.now()): string {
  const step = sources.some(({ cadenceSeconds }) => cadenceSeconds !== null) ? MINUTE_MS : DAY_MS
  return new Date(Math.floor(nowMs / step) * step).toISOString()
}
