import { isoOf, type Reader } from '../../readRows.ts'
import { type Closes, readCloses, readCycleStarts } from './read.ts'
import type { YIELD_BASES, YIELD_WAYS } from './vocabulary.ts'

/** What an address had stacked for one reward cycle in one way, and what it got. */
export type YieldRow = {
  cycle: number
  way: (typeof YIELD_WAYS)[number]
  /** Who stands between: a pool, a signer, the number of a bond, or the Bitcoin address that is paid. */
  via: string
  startDay: string | null
  endDay: string | null
  stackedUstx: string | null
  stackedSat: string | null
  paidUstx: string | null
  paidSat: string | null
  /** Bitcoin that the pool swapped for what it paid, by the same share. */
  earnedSat: string | null
  basis: (typeof YIELD_BASES)[number]
  /** What it got, at the closes of the days of payment; what it had stacked, at the mean close of the cycle. */
  paidUsd: number | null
  stackedUsd: number | null
  yieldCycle: number | null
  yieldYear: number | null
  /** The same in the coin that was stacked, where it was paid in it: needs no price. */
  coinYear: number | null
  /** What a bond was set up for, as a year’s ratio. */
  promisedYear: number | null
}

const SAT = 100_000_000
const USTX = 1_000_000

/** A row before it is priced. */
export type Draft = Omit<
  YieldRow,
  'startDay' | 'endDay' | 'stackedUsd' | 'yieldCycle' | 'yieldYear' | 'coinYear' | 'paidUsd'
> & {
  startDay?: string | null
  endDay?: string | null
  /** Where payments are priced one by one; else all of it at the close of `paidDay`, or of the last day. */
  paidUsd?: number | null
  paidDay?: string | null
}

const dayOf = (seconds: number): string => isoOf(seconds).slice(0, 10)
const DAY_S = 86_400
const DAY_MS = DAY_S * 1000

/** What was got of what was stacked, in one coin; null where they are not of one. */
const over = (paid: string | null, stacked: string | null): number | null =>
  paid === null || stacked === null || stacked === '0' ? null : Number(paid) / Number(stacked)

/** Prices what was paid on its day and what was stacked over its cycle; both or neither make a yield. */
export async function pricedRows(reader: Reader, drafts: readonly Draft[]): Promise<YieldRow[]> {
  if (drafts.length === 0) return []
  const cycles = [...new Set(drafts.flatMap(({ cycle }) => [cycle, cycle + 1]))]
  const starts = await readCycleStarts(reader, cycles)
  const spans = drafts.map(draft => {
    const [start, end] = [starts.get(draft.cycle), starts.get(draft.cycle + 1)]
    const startDay = start === undefined ? (draft.startDay ?? null) : dayOf(start)
    const endDay = end === undefined ? (draft.endDay ?? null) : dayOf(end)
    const seconds =
      start !== undefined && end !== undefined
        ? end - start
        : startDay !== null && endDay !== null
          ? (Date.parse(endDay) - Date.parse(startDay)) / 1000
          : null
    return { draft, startDay, endDay, seconds }
  })
  const days = spans
    .flatMap(({ draft, startDay, endDay }) => [startDay, endDay, draft.paidDay ?? null])
    .filter(day => day !== null)
    .sort()
  const [first, last] = [days[0], days.at(-1)]
  const closes: Closes =
    first === undefined || last === undefined
      ? { btc: new Map(), stx: new Map() }
      : await readCloses(reader, first, last)
  return spans.map(({ draft, startDay, endDay, seconds }) => {
    const { paidDay, paidUsd: eachPaid, ...row } = draft
    const day = paidDay ?? endDay
    const paidUsd = eachPaid !== undefined ? eachPaid : paidValue(row.paidSat, row.paidUstx, day, closes)
    const stackedUsd =
      row.stackedUstx === null
        ? times(row.stackedSat, SAT, meanOf(closes.btc, startDay, endDay))
        : times(row.stackedUstx, USTX, meanOf(closes.stx, startDay, endDay))
    const inKind =
      endDay === null ? null : (over(row.paidSat, row.stackedSat) ?? over(row.paidUstx, row.stackedUstx))
    const inValue =
      endDay === null || paidUsd === null || stackedUsd === null || stackedUsd === 0
        ? null
        : paidUsd / stackedUsd
    // Bitcoin on bitcoin needs no price.
    const yieldCycle = row.stackedSat === null ? inValue : inKind
    const aYear = (ratio: number | null) =>
      ratio === null || !seconds ? null : (ratio * 365) / (seconds / DAY_S)
    return {
      ...row,
      startDay,
      endDay,
      paidUsd,
      stackedUsd,
      yieldCycle,
      yieldYear: aYear(yieldCycle),
      coinYear: aYear(inKind),
    }
  })
}

const times = (amount: string | null, unit: number, close: number | null): number | null =>
  amount === null || close === null ? null : (Number(amount) / unit) * close

function paidValue(
  sat: string | null,
  ustx: string | null,
  day: string | null,
  closes: Closes,
): number | null {
  if (day === null) return null
  return sat !== null
    ? times(sat, SAT, closes.btc.get(day) ?? null)
    : times(ustx, USTX, closes.stx.get(day) ?? null)
}

/** Mean close of the days from first to last, both in; null where one has none. */
function meanOf(
  closes: ReadonlyMap<string, number>,
  first: string | null,
  last: string | null,
): number | null {
  if (first === null || last === null) return null
  let sum = 0
  let count = 0
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const close = closes.get(new Date(at).toISOString().slice(0, 10))
    if (close === undefined) return null
    sum += close
    count += 1
  }
  return count === 0 ? null : sum / count
}
