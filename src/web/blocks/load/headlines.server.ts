import type { AsOf } from '#http/contract.ts'
import { type Headline, headlineSpan } from '#kernel/freshness.ts'
import type { AsOfMarkProps } from '../AsOfMark.tsx'
import { KNOWN, type PageView } from '../view.ts'

/** The UTC day that ages on a page are measured from: the end of a custom range, else the past day shown, else today. */
export function dayOfPage(view: PageView, query: URLSearchParams, nowMs = Date.now()): string {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const shown = view.range === 'custom' ? view.to : (query.get(KNOWN) ?? undefined)
  return shown === undefined || shown > today ? today : shown
}

/** The mark of the newest figure. */
export const newestOf = (marks: readonly AsOf[]): AsOf | undefined =>
  marks.toSorted((a, b) => b.time.localeCompare(a.time))[0]

/**
 * The mark of a page: the days of its key figures, and how late the oldest is. Undefined where there are none.
 * @param asOf of the newest figure
 */
export function headlineMark(
  headlines: readonly Headline[],
  today: string,
  asOf: AsOf,
): (AsOfMarkProps & { asOf: AsOf; day: string }) | undefined {
  const span = headlineSpan(headlines, today)
  if (span === undefined) return undefined
  const { from, to, state } = span
  return { asOf: { ...asOf, state }, ...(from < to && { from }), day: to }
}
