import type { ClickHouseClient } from '@clickhouse/client'
import type { CatalogExchange, DexSource } from '#catalog/index.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { stxPoolDepths } from '#warehouse/tables/stacksDex.ts'
import { ask } from '../ask.ts'
import { type BinDay, type BinsAt, binHistory, keptBins } from '../dex/curves/binHistory.ts'
import { depthOf, lossOf } from '../dex/curves/curve.ts'
import { amplifiedBy, curveOf, type PoolState } from '../dex/curves/poolCurve.ts'

/** Days over which providing is held against holding. */
export const LP_DAYS = 30
/** Days that are computed at once: bounds memory. */
const DAYS_AT_ONCE = 60
const DAY_MS = 86_400_000

const REST = (of: string): string =>
  `toString(${of}.reserve_x) AS ${of}_x, toString(${of}.reserve_y) AS ${of}_y,
  toString(${of}.amplification) AS ${of}_amplification, toString(${of}.factor) AS ${of}_factor,
  toString(${of}.midpoint_over) AS ${of}_over, toString(${of}.midpoint_under) AS ${of}_under`

/** Pools whose curve is no constant product, on each day and 30 days before it, in base units and dollars. */
const STATES = `SELECT
  toString(v.day) AS day, v.protocol AS protocol, v.pool AS pool, toString(v.curve) AS curve,
  dx.decimals AS decimals_x, dy.decimals AS decimals_y,
  ${REST('n')}, v.value_x AS value_x, v.value_y AS value_y,
  ${REST('o')}, b.value_x AS value_before_x, b.value_y AS value_before_y
FROM stx_pool_values AS v
ASOF INNER JOIN stx_pool_reserves AS n ON n.pool = v.pool AND n.day <= v.day
LEFT JOIN stx_pool_values AS b ON b.pool = v.pool AND b.day = v.day - ${LP_DAYS}
ASOF LEFT JOIN (SELECT *, day + ${LP_DAYS} AS later FROM stx_pool_reserves) AS o ON o.pool = v.pool AND o.later <= v.day
LEFT JOIN stx_dex_tokens AS dx ON dx.token = v.token_x
LEFT JOIN stx_dex_tokens AS dy ON dy.token = v.token_y
WHERE v.curve != 'product' AND v.day BETWEEN {from:Date} AND {to:Date} AND isNotNull(n.reserve_x) AND isNotNull(n.reserve_y)`

/** Bins as the last print of each day leaves them; those of days long before stand once. */
const BINS = `SELECT
  toString(max(d.bucket)) AS day, d.pool AS pool, d.bin AS bin,
  toString(argMax(d.x, d.bucket)) AS x, toString(argMax(d.y, d.bucket)) AS y,
  toString(argMaxIf(tuple(d.shares), d.bucket, isNotNull(d.shares)).1) AS shares,
  toString(argMaxIf(tuple(d.price), d.bucket, isNotNull(d.price)).1) AS price,
  toString(argMaxIf(tuple(d.step), d.bucket, isNotNull(d.step)).1) AS step,
  argMaxIf(tuple(d.active_bin), d.bucket, isNotNull(d.active_bin)).1 AS active,
  argMaxIf(d.active_height, d.bucket, isNotNull(d.active_bin)) AS active_height,
  argMaxIf(d.active_index, d.bucket, isNotNull(d.active_bin)) AS active_index
FROM stx_dex_bin_days AS d
WHERE d.bucket <= {to:Date}
GROUP BY d.pool, d.bin, greatest(d.bucket, {from:Date} - ${LP_DAYS + 1})`

type Terms<Of extends string> = Readonly<
  Record<
    `${Of}_x` | `${Of}_y` | `${Of}_amplification` | `${Of}_factor` | `${Of}_over` | `${Of}_under`,
    string | null
  >
>
type StateRow = {
  readonly day: string
  readonly protocol: string
  readonly pool: string
  readonly curve: string
  readonly decimals_x: number | null
  readonly decimals_y: number | null
  readonly value_x: number | null
  readonly value_y: number | null
  readonly value_before_x: number | null
  readonly value_before_y: number | null
} & Terms<'n'> &
  Terms<'o'>
/** A row with how its exchange takes the amplification of stable pools. */
type DeclaredRow = StateRow & { readonly amplified: DexSource['amplification'] }
type BinRow = Record<'day' | 'pool' | 'x' | 'y', string> &
  Record<'shares' | 'price' | 'step', string | null> &
  Record<'bin' | 'active_height' | 'active_index', number> & { active: number | null }

const COLUMNS = [
  'day',
  'protocol',
  'pool',
  'in1_x',
  'in1_y',
  'in2_x',
  'in2_y',
  'depth1_usd',
  'depth2_usd',
  'loss30',
  'against30',
] as const
type DepthRow = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>

/** Writes down depths and losses of pools from a day on, as the curves of their contracts give them. */
export async function refreshDexDepths(
  writer: ClickHouseClient,
  exchanges: readonly CatalogExchange[],
  from: string,
  run: bigint,
): Promise<void> {
  const [span] = await ask<{ first: string; last: string }>(
    writer,
    `SELECT toString(min(day)) AS first, toString(max(day)) AS last FROM (
      SELECT day FROM stx_pool_values WHERE curve != 'product' UNION ALL SELECT day FROM stx_pool_depths
    ) WHERE day >= {from:Date} HAVING count() > 0`,
    { from },
  )
  if (span === undefined) return
  const last = Date.parse(span.last)
  for (let start = Date.parse(span.first); start <= last; start += DAYS_AT_ONCE * DAY_MS) {
    const end = Math.min(start + (DAYS_AT_ONCE - 1) * DAY_MS, last)
    await restateDays(writer, exchanges, { from: dayOf(start), to: dayOf(end) }, run)
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

async function restateDays(
  writer: ClickHouseClient,
  exchanges: readonly CatalogExchange[],
  days: { readonly from: string; readonly to: string },
  run: bigint,
): Promise<void> {
  const [states, bins, known] = await Promise.all([
    ask<StateRow>(writer, STATES, days),
    ask<BinRow>(writer, BINS, days),
    ask<DepthRow>(
      writer,
      `SELECT ${COLUMNS.map(name => (/^(day|in)/.test(name) ? `toString(d.${name}) AS ${name}` : `d.${name} AS ${name}`)).join(', ')}
FROM stx_pool_depths AS d WHERE d.day BETWEEN {from:Date} AND {to:Date}`,
      days,
    ),
  ])
  const binsAt = binHistory(bins.map(binDayOf))
  const fresh = states.flatMap(
    row => depthRow({ ...row, amplified: amplifiedBy(exchanges, row.protocol) }, binsAt) ?? [],
  )
  const wordsOf = (row: DepthRow): string => JSON.stringify(COLUMNS.map(name => row[name]))
  const keyOf = ({ day, protocol, pool }: DepthRow): string => `${day} ${protocol} ${pool}`
  const [before, now] = [new Set(known.map(wordsOf)), new Set(fresh.map(keyOf))]
  const values = [
    ...fresh
      .filter(row => !before.has(wordsOf(row)))
      .map(row => ({ ...row, run: String(run), is_held: true })),
    ...known.filter(row => !now.has(keyOf(row))).map(row => ({ ...row, run: String(run), is_held: false })),
  ]
  if (values.length === 0) return
  await writer.insert({ table: `${BASE_DATABASE}.${stxPoolDepths.name}`, values, format: 'JSONEachRow' })
}

const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

const binDayOf = (row: BinRow): BinDay => ({
  ...row,
  x: BigInt(row.x),
  y: BigInt(row.y),
  shares: whole(row.shares),
  price: whole(row.price),
  step: row.step === null ? null : Number(row.step),
  activeHeight: row.active_height,
  activeIndex: row.active_index,
})

function stateOf(row: DeclaredRow, of: 'n' | 'o', bins: BinsAt | null): PoolState | null {
  const [x, y] = [whole(row[`${of}_x`]), whole(row[`${of}_y`])]
  const [numerator, denominator] = [whole(row[`${of}_over`]), whole(row[`${of}_under`])]
  if (x === null || y === null) return null
  return {
    pool: row.pool,
    curve: row.curve,
    reserves: { x, y },
    decimalsX: row.decimals_x,
    decimalsY: row.decimals_y,
    amplification: whole(row[`${of}_amplification`]),
    amplified: row.amplified,
    factor: whole(row[`${of}_factor`]),
    midpoint: numerator && denominator ? { numerator, denominator } : null,
    bins,
  }
}

/** Value of what comes in: as much of the pool's value as it is of the pool's reserve. */
const worth = (amount: bigint, reserve: bigint, value: number | null): number | null =>
  value === null || reserve === 0n ? null : (Number(amount) / Number(reserve)) * value
const meanOf = (...values: readonly (number | null)[]): number | null => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function depthRow(row: DeclaredRow, binsAt: ReturnType<typeof binHistory>): DepthRow | null {
  const isOfBins = row.curve === 'bins'
  const bins = isOfBins ? binsAt(row.pool, row.day) : null
  const state = stateOf(row, 'n', bins)
  const known = state === null ? null : curveOf(state)
  if (state === null || known === null) return null
  const [one, two] = [100, 200].map(bps => known.toBase(depthOf(known.curve, bps))) as [Amounts, Amounts]
  const { x, y } = state.reserves
  const usd = (of: Amounts): number | null => meanOf(worth(of.x, x, row.value_x), worth(of.y, y, row.value_y))
  return {
    day: row.day,
    protocol: row.protocol,
    pool: row.pool,
    in1_x: String(one.x),
    in1_y: String(one.y),
    in2_x: String(two.x),
    in2_y: String(two.y),
    depth1_usd: usd(one),
    depth2_usd: usd(two),
    ...sinceThen(row, state, bins, binsAt),
  }
}
type Amounts = { readonly x: bigint; readonly y: bigint }

/** What 30 days came to; null where a price or a day is missing, or the pool was not known then. */
function sinceThen(
  row: DeclaredRow,
  { reserves }: PoolState,
  bins: BinsAt | null,
  binsAt: ReturnType<typeof binHistory>,
): { readonly loss30: number | null; readonly against30: number | null } {
  const none = { loss30: null, against30: null }
  const binsThen = bins === null ? null : binsAt(row.pool, dayOf(Date.parse(row.day) - LP_DAYS * DAY_MS))
  const then = stateOf(row, 'o', binsThen)
  if (then === null || !row.value_before_x || !row.value_before_y || !row.value_x || !row.value_y) return none
  const curve = curveOf(then)
  const usd = [
    [row.value_x, reserves.x],
    [row.value_y, reserves.y],
    [row.value_before_x, then.reserves.x],
    [row.value_before_y, then.reserves.y],
  ] as const
  const [nowX, nowY, thenX, thenY] = usd.map(([value, reserve]) => value / Number(reserve)) as [
    number,
    number,
    number,
    number,
  ]
  const ratio = nowX / nowY / (thenX / thenY)
  return {
    loss30: curve === null || !Number.isFinite(ratio) ? null : lossOf(curve.curve, curve.price, ratio),
    against30: bins === null || binsThen === null ? null : keptBins(binsThen, bins, nowX, nowY),
  }
}
