/** Fee-weighted indices would change history or differ from their own builder. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask } from '#metrics/ask.ts'
import { backtest, daysBetween, INDEX_LIMITS } from '#metrics/index.ts'
import { openIndexWarehouse } from '#metrics/indices/testing.ts'
import { type MadeFigure, writeMadeFigures } from '#metrics/market/testing.ts'
import { refreshIndices } from '#metrics/rollups/indexRuns.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { inputsSql, readIndexMarket } from './market.ts'

/** Members of the index by fees and their layers, as the catalogue has them. */
const LAYERS = {
  stx: 'stacks',
  rif: 'rootstock',
  core: 'core',
  merl: 'merlin',
  bob: 'bob',
  btr: 'bitlayer',
  b2: 'b2-network',
} as const
type Token = keyof typeof LAYERS
const TOKENS = Object.keys(LAYERS) as Token[]

const FIRST = '2021-01-01'
const REBALANCED = '2021-03-31'
const LAST = '2021-04-20'
/** A day of which nothing is told of RIF, while fees of its layer are. */
const SILENT = '2021-03-20'
const HOUR = 3600

/** Fees of a day, US dollars. */
const FEES: Readonly<Record<Token, (day: string) => number>> = {
  stx: () => 400,
  // 29 days of 190 and one of 490: 6,000 in 30 days.
  rif: day => (day === SILENT ? 490 : 190),
  core: () => 100,
  merl: () => 100,
  bob: () => 100,
  btr: () => 100,
  b2: () => 100,
}
/** Days of March on which fees are told; 25 of 30 are asked for. */
const TOLD: Partial<Record<Token, number>> = { bob: 25, b2: 24 }

const figuresOf = (token: Token): MadeFigure[] =>
  daysBetween(FIRST, LAST)
    .filter(day => token !== 'rif' || day !== SILENT)
    .flatMap(day => [
      // All are 1 dollar; STX doubles on the day after the rebalancing.
      { metric: 'token.price', entity: token, day, value: token === 'stx' && day > REBALANCED ? 2 : 1 },
      { metric: 'token.volume', entity: token, day, value: 1_000_000 },
    ])
    .map(each => ({ ...each, source: 'trusted' }))
const feesOf = (token: Token, value: (day: string) => number, more: Partial<MadeFigure> = {}): MadeFigure[] =>
  daysBetween('2021-03-02', REBALANCED)
    .slice(-(TOLD[token] ?? 30))
    .map(day => ({
      metric: 'fees.chain_usd',
      entity: LAYERS[token],
      day,
      value: value(day),
      source: 'trusted',
      ...more,
    }))

let warehouse: Warehouse
before(async () => {
  warehouse = await openIndexWarehouse({ isBlank: true })
  await writeMadeFigures(
    warehouse,
    TOKENS.flatMap(token => [
      ...figuresOf(token),
      // Said too high at first and put right within the day: the later word counts.
      ...(token === 'core' ? feesOf(token, () => 999) : []),
      ...feesOf(token, FEES[token], { later: 20 * HOUR }),
      ...feesOf(token, day => 10 * FEES[token](day), { source: 'other' }),
    ]),
    [],
    { trusted: 1, other: 2 },
  )
  await refreshIndices({ warehouse })
})
after(() => warehouse[Symbol.asyncDispose]())

/** By hand: of 30,000 dollars Stacks has 12,000, capped at a quarter; the others share the rest, 6,000 to 3,000 four times. */
const WEIGHTS = { bob: 0.125, btr: 0.125, core: 0.125, merl: 0.125, rif: 0.25, stx: 0.25 }
const WITHIN_30_DAYS = { b2: null, bob: 3000, btr: 3000, core: 3000, merl: 3000, rif: 6000, stx: 12_000 }
/** A quarter doubles; buying in cost 30 hundredths of a per cent. */
const LEVEL = 1250
const LEVEL_NET = 1250 * (1 - 0.003)

const rounded = (value: number): number => Number(value.toPrecision(12))
const byToken = (rows: readonly (readonly [string, number | null])[]) =>
  Object.fromEntries(
    rows
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([token, value]) => [token, value === null ? null : rounded(value)]),
  )

async function bySql() {
  const rows = await ask<{ token: string; weight: number | null; fees: number | null; reason: string }>(
    warehouse.reader,
    `SELECT token, weight, fees_usd AS fees, reason FROM index_snapshots WHERE index_id = 'fundamentals' AND day = '${REBALANCED}'`,
  )
  const [newest] = await ask<{ level: number; net: number }>(
    warehouse.reader,
    `SELECT level, level_net AS net FROM index_levels WHERE index_id = 'fundamentals' AND day = '${LAST}'`,
  )
  return {
    weights: byToken(rows.flatMap(({ token, weight }) => (weight === null ? [] : [[token, weight]]))),
    fees: byToken(rows.map(({ token, fees }) => [token, fees])),
    level: rounded(newest!.level),
    levelNet: rounded(newest!.net),
    out: rows.flatMap(({ token, reason }) => (reason === '' ? [] : [{ token, reason }])),
  }
}

async function byEngine() {
  const market = await readIndexMarket(warehouse.reader)
  const done = backtest(
    market,
    {
      weighting: 'fees',
      rebalance: 'monthly',
      maxWeight: 0.25,
      minAgeDays: 60,
      volumeFloorUsd: 100_000,
      costBps: 30,
    },
    INDEX_LIMITS,
  )
  const { constituents, candidates } = done.rebalancings.find(({ day }) => day === REBALANCED)!
  return {
    weights: byToken(constituents.map(({ token, weight }) => [token, weight])),
    fees: byToken(candidates.map(({ token, feesUsd }) => [token, feesUsd])),
    level: rounded(done.level.at(-1)!),
    levelNet: rounded(done.levelNet.at(-1)!),
    out: candidates.flatMap(({ token, reason }) => (reason === '' ? [] : [{ token, reason }])),
  }
}

const EXPECTED = {
  weights: WEIGHTS,
  fees: WITHIN_30_DAYS,
  level: LEVEL,
  levelNet: LEVEL_NET,
  out: [{ token: 'b2', reason: 'no fees of its layer' }],
}

test('weights by fees are those worked out by hand, by SQL and by the builder', async () => {
  assert.deepEqual(await bySql(), EXPECTED)
  assert.deepEqual(await byEngine(), EXPECTED)
})

test('a later revision of fees moves neither the index nor the builder', async () => {
  await writeMadeFigures(
    warehouse,
    TOKENS.flatMap(token => feesOf(token, () => (token === 'stx' ? 1 : 5000), { later: 90 * 24 * HOUR })),
  )
  assert.equal(await refreshIndices({ warehouse }), true)
  assert.deepEqual(await bySql(), EXPECTED)
  assert.deepEqual(await byEngine(), EXPECTED)
})

test('the rows behind every weight hold the fees as they were first known, also of a day without a price', async () => {
  type Row = { token: string; day: string; price_usd: number | null; fees: number | null; source: string }
  const rows = await ask<Row>(
    warehouse.guest,
    `SELECT token, day, price_usd, fees_usd AS fees, fees_source AS source FROM (${inputsSql(['rif', 'core'])}) WHERE fees_usd IS NOT NULL`,
  )
  assert.deepEqual([...new Set(rows.map(({ source }) => source))], ['trusted'])
  const sum = (token: string) =>
    rows.reduce((total, row) => (row.token === token ? total + row.fees! : total), 0)
  assert.deepEqual([sum('rif'), sum('core'), rows.length], [6000, 3000, 60])
  assert.deepEqual(
    rows.find(({ token, day }) => token === 'rif' && day === SILENT),
    { token: 'rif', day: SILENT, price_usd: null, fees: 490, source: 'trusted' },
  )
})
