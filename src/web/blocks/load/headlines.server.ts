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
 * The mark of a page: the days from its oldest key figure to the newest figure of the page, and how late the oldest is.
 * Undefined where there are no key figures.
 * @param asOf of the newest figure
 * @param drawn newest day of a chart or list of the page, where it has one
 */
export function headlineMark(
  headlines: readonly Headline[],
  today: string,
  asOf: AsOf,
  drawn?: string,
): (AsOfMarkProps & { asOf: AsOf; day: string }) | undefined {
  const span = headlineSpan(headlines, today)
  if (span === undefined) return undefined
  const { from, to, state } = span
  const day = drawn !== undefined && drawn > to ? drawn : to
  return { asOf: { ...asOf, state }, ...(from < day && { from }), day }
}
