import type { AsOf } from '#http/contract.ts'
import { freshestFirst, type Headline } from '#kernel/freshness.ts'
import type { AsOfMarkProps } from '../AsOfMark.tsx'
import { KNOWN } from '../view.ts'
import { headlineMark } from './headlines.server.ts'

/** Blocks come within a day, and publishers of lists publish by the day. */
const LIST_CADENCE_DAYS = 1

/** A figure of a list by its UTC day. */
export const dailyHeadline = (day: string): Headline => ({
  from: day,
  to: day,
  cadenceDays: LIST_CADENCE_DAYS,
})

type Chain = { readonly chain: string; readonly time: string }

/** The UTC day that ages on a list are measured from: the past day shown, else today. */
export function dayOfList({ searchParams }: URL, nowMs = Date.now()): string {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const shown = searchParams.get(KNOWN)
  return shown !== null && shown < today ? shown : today
}

/**
 * The mark of a list: from its oldest to its newest figure, which are as old as the newest block of their chain unless
 * they have a day of their own.
 * @param chains newest indexed block of each chain that the list covers
 * @param days of the figures that have one
 */
export function listMark(
  chains: readonly Chain[],
  today: string,
  days: readonly string[] = [],
): AsOfMarkProps {
  const headlines = [...chains.map(({ time }) => time.slice(0, 10)), ...days].map(dailyHeadline)
  const times = [...chains.map(({ time }) => time), ...days.map(day => `${day}T00:00:00.000Z`)]
  const time = times.sort().at(-1)
  const asOf: AsOf | undefined = time === undefined ? undefined : { time, height: null, state: 'recorded' }
  return (asOf && headlineMark(headlines, today, asOf)) ?? { asOf: undefined }
}

/** Rows of chains whose newest block is fresh before those of others, else in the given order: a stale figure never leads. */
export function freshChainsFirst<Row extends { readonly chain: string }>(
  rows: readonly Row[],
  chains: readonly Chain[],
  today: string,
): Row[] {
  const newest = new Map(chains.map(({ chain, time }) => [chain, dailyHeadline(time.slice(0, 10))]))
  return freshestFirst(rows, ({ chain }) => newest.get(chain), today)
}
