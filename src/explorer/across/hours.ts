import { type Reader, readRows } from '../readRows.ts'
import { type ChainHeld, type ChainId, countedOver, coversFrom, readHeld } from './chains.ts'

/** Spans of hours that contracts are ranked over. */
export const SPANS = ['1h', '24h', '7d'] as const
export type Span = (typeof SPANS)[number]
export const HOURS_OF: Readonly<Record<Span, number>> = { '1h': 1, '24h': 24, '7d': 168 }

/** Points of a trend, and hours a point. */
export const TREND: Readonly<Record<Span, { points: number; hours: number }>> = {
  '1h': { points: 24, hours: 1 },
  '24h': { points: 24, hours: 1 },
  '7d': { points: 28, hours: 6 },
}

/** How much of a span is held of a chain. */
export type SpanHeld = ChainHeld & {
  /** First hour of the span: it ends with the hour of the newest block. */
  from: string
  isWhole: boolean
  /** The hours that are over, and as many before them, are held without a gap: what grew can be told. */
  isComparable: boolean
}

export type Spans = {
  readonly held: SpanHeld[]
  /** Chains with a block in their span whose receipts are missing. */
  readonly withoutReceipts: ReadonlySet<ChainId>
}

const isWholeIn = (held: readonly SpanHeld[], chain: ChainId): boolean =>
  held.find(one => one.chain === chain)?.isWhole === true

/** Counts of the span of a chain: 0 is null where blocks of it are missing, or none is indexed. */
export const countsOfSpan =
  ({ held }: Spans) =>
  (chain: ChainId, count: number | string): number | null =>
    countedOver(Number(count), isWholeIn(held, chain))

/** The same of failures and fees, which come from receipts: 0 is also null where receipts are missing. */
export const countsOfReceipts =
  ({ held, withoutReceipts }: Spans) =>
  (chain: ChainId, count: number | string): number | null =>
    countedOver(Number(count), !withoutReceipts.has(chain) && isWholeIn(held, chain))

/** The same over all chains of the list. */
export const countOfAll = (held: readonly SpanHeld[], count: number): number | null =>
  countedOver(count, held.length > 0 && held.every(({ isWhole }) => isWhole))

const HOUR_MS = 3_600_000
const hourOf = (ms: number): number => ms - (ms % HOUR_MS)

/** The span of each chain of which blocks are indexed; Bitcoin has no contracts. */
export async function readSpans(
  reader: Reader,
  chains: readonly ChainId[],
  span: Span,
  chain?: ChainId,
): Promise<Spans> {
  const hours = HOURS_OF[span]
  const held = (await readHeld(reader, chains))
    .filter(held => held.chain !== 'bitcoin' && (chain === undefined || held.chain === chain))
    .map(held => {
      const newest = hourOf(Date.parse(held.time))
      const from = newest - (hours - 1) * HOUR_MS
      const sinceMs = Date.parse(held.since)
      return {
        ...held,
        from: new Date(from).toISOString().replace('.000Z', 'Z'),
        isWhole: coversFrom(held, from),
        isComparable: sinceMs <= newest - 2 * hours * HOUR_MS,
      }
    })
  return { held, withoutReceipts: await readWithoutReceipts(reader, held) }
}

async function readWithoutReceipts(reader: Reader, held: readonly SpanHeld[]): Promise<ReadonlySet<ChainId>> {
  if (held.length === 0) return new Set()
  const rows = await readRows<{ chain: ChainId }>(
    reader,
    held
      .map(({ chain, from }) => {
        const table =
          chain === 'stacks' ? 'stx_blocks AS b WHERE' : `evm_blocks AS b WHERE b.chain = '${chain}' AND`
        return `SELECT DISTINCT '${chain}' AS chain FROM ${table} b.failed_tx_count IS NULL AND b.block_time >= toDateTime(${Date.parse(from) / 1000})`
      })
      .join('\nUNION ALL\n'),
  )
  return new Set(rows.map(({ chain }) => chain))
}

/** CTE `tips`: the hour of the newest block of each chain, for the statements that count by the hour. */
export const TIPS = `tips AS (
    SELECT chain, max(hour) AS newest
    FROM (SELECT toString(chain) AS chain, hour, argMax(signature, run) AS signature FROM call_hour_runs GROUP BY chain, hour)
    WHERE signature != 0
    GROUP BY chain
  )`

/** Conditions on `h.hour` beside `t.newest`; `closed` and `before` are whole hours only. */
export const hourConditions = (span: Span) => {
  const seconds = HOURS_OF[span] * 3600
  return {
    inSpan: `h.hour > t.newest - ${seconds}`,
    closed: `h.hour < t.newest AND h.hour >= t.newest - ${seconds}`,
    before: `h.hour < t.newest - ${seconds} AND h.hour >= t.newest - ${2 * seconds}`,
    read: `h.hour >= t.newest - ${Math.max(2 * seconds, TREND[span].points * TREND[span].hours * 3600)}`,
  }
}

/** SQL of the calls of each point of the trend, by its number from the newest back. */
export const trendOf = (span: Span, count: string): string =>
  `sumMapIf([toUInt16(intDiv(dateDiff('hour', h.hour, t.newest), ${TREND[span].hours}))], [toUInt64(${count})], h.hour <= t.newest)`

/** Hour of the newest block in seconds, and calls by their place from it back, as `trendOf` gives them. */
export type TrendRow = { readonly newestS: number; readonly trend: readonly [number[], string[]] }

/**
 * Points from the oldest to the newest; those without a call are 0. A point with hours that are not indexed is null: its
 * count would be of a part of them.
 */
export function trendPoints(
  span: Span,
  { newestS, trend: [places, counts] }: TrendRow,
  run: Pick<ChainHeld, 'since' | 'isSinceGenesis'> | undefined,
): (number | null)[] {
  const { points, hours } = TREND[span]
  const sinceMs =
    run === undefined ? Number.POSITIVE_INFINITY : run.isSinceGenesis ? 0 : Date.parse(run.since)
  const startMs = (place: number): number => newestS * 1000 - (place * hours + hours - 1) * HOUR_MS
  return Array.from({ length: points }, (_, index) => {
    const place = points - 1 - index
    return startMs(place) < sinceMs ? null : Number(counts[places.indexOf(place)] ?? 0)
  })
}

/** Names of functions of EVM contracts by their selectors. */
export async function readFunctionNames(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<{ selector: string; name: string }>(
    reader,
    'SELECT selector, any(function_name) AS name FROM evm_functions GROUP BY selector',
  )
  return new Map(rows.map(({ selector, name }) => [selector, name]))
}
