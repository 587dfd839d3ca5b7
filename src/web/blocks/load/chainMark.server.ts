import type { AsOf } from '#http/contract.ts'
import type { AsOfMarkProps } from '../AsOfMark.tsx'
import { headlineMark } from './headlines.server.ts'
import { dailyHeadline, dayOfList } from './listMark.server.ts'

/** The later of two ages, by how much of it is late. */
const LATE: readonly AsOf['state'][] = ['live', 'stale', 'overdue']

/**
 * The mark of a page whose figures are all as old as one answer: one block, transaction or account of a chain. It ages by
 * the calendar even where nothing is synced, and says where the source is late within the day.
 * @param asOf of the answer; none where there is no data
 */
export function chainMark(asOf: AsOf | undefined, url: URL, nowMs = Date.now()): AsOfMarkProps {
  if (asOf === undefined || Date.parse(asOf.time) === 0) return { asOf: undefined }
  const mark = headlineMark([dailyHeadline(asOf.time.slice(0, 10))], dayOfList(url, nowMs), asOf)
  if (mark === undefined) return { asOf }
  const state = LATE.indexOf(asOf.state) > LATE.indexOf(mark.asOf.state) ? asOf.state : mark.asOf.state
  return { asOf: { ...asOf, state } }
}
