/** Yields would be wrong, or a dead pool would show one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Catalog, readCatalog } from '#catalog/index.ts'
import { ask } from '../ask.ts'
import { createKeptRows } from '../keptRows.ts'
import { type MadeFigure, writeMadeFigures } from '../market/testing.ts'
import { readMarks } from '../marks.ts'
import { readPriceSources } from '../pricedBy.ts'
import { loadYields } from '../snapshot/loadYields.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { yieldMetrics } from './index.ts'

const real = await readCatalog('catalog')
const CHARTS = 'defillama.yield_charts'
const LIST = 'defillama.yields'
const ORIGIN = { note: 'made for a test' }

const pool = (id: string, project: string, coins: readonly string[]) => ({
  id,
  name: id,
  project,
  layer: 'ethereum',
  coins: [...coins],
  origin: ORIGIN,
})
const project = (id: string, rewardAsset?: string) => ({
  id,
  name: id,
  strategy: 'lp' as const,
  audits: [{ what: 'all of it', url: 'https://example.org/audit' }],
  incidents: [],
  ...(rewardAsset !== undefined && { rewardAsset }),
  origin: ORIGIN,
})
/** How one gets out, as somebody states it. */
const stated = (waitDays?: number, feeBps?: number) => ({
  how: 'as somebody says',
  ...(waitDays !== undefined && { waitDays }),
  ...(feeBps !== undefined && { feeBps }),
  evidence: { url: 'https://example.org/exit', date: '2025-03-01' },
})
const bitcoin = (symbol: string, redeem?: ReturnType<typeof stated>) => ({
  id: symbol.toLowerCase(),
  symbol,
  name: symbol,
  custodyKind: 'one party' as const,
  ...(redeem && { redeem }),
  origin: ORIGIN,
})
/** Ways to earn that are made up, beside the real coins. */
const catalog: Catalog = {
  ...real,
  bitcoins: [
    ...real.bitcoins,
    bitcoin('SLOWBTC', stated(9, 20)),
    bitcoin('FASTBTC', stated(0.5, 5)),
    bitcoin('MUTEBTC'),
  ],
  yieldProjects: [
    ...real.yieldProjects,
    project('made'),
    project('paying', 'MADE'),
    { ...project('leaving'), exit: stated(2, 10) },
  ],
  opportunities: [
    pool('steady', 'made', ['WBTC', 'CBBTC']),
    pool('subsidised', 'paying', ['WBTC', 'CBBTC']),
    pool('emptied', 'made', ['WBTC', 'TBTC']),
    pool('zeros', 'made', ['WBTC', 'LBTC']),
    pool('mixed', 'made', ['WBTC', 'WETH']),
    pool('absurd', 'made', ['WBTC', 'FBTC']),
    pool('two-stated', 'leaving', ['SLOWBTC', 'FASTBTC']),
    pool('one-stated', 'leaving', ['SLOWBTC', 'MUTEBTC']),
    pool('coin-stated', 'made', ['FASTBTC']),
    { ...pool('quick', 'leaving', ['FASTBTC']), exit: stated(0.25) },
    ...real.opportunities.filter(({ id }) => id === 'zest-v2-sbtc'),
  ],
}
const metrics = yieldMetrics(catalog)

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  await loadYields(site.warehouse, catalog)
  await writeMadeFigures(site.warehouse, FIGURES, CLOSES)
})
after(() => site[Symbol.asyncDispose]())

const FIRST = Date.parse('2025-01-01')
const dayOf = (index: number): string => new Date(FIRST + index * 86_400_000).toISOString().slice(0, 10)
const LAST = 99
const figuresOf = (
  entity: string,
  each: (index: number) => { tvl?: number; base?: number; reward?: number },
  source = CHARTS,
): MadeFigure[] =>
  Array.from({ length: LAST + 1 }, (_, index) => {
    const { tvl = 5_000_000, base, reward } = each(index)
    const at = { entity, day: dayOf(index), source }
    return [
      { ...at, metric: 'yield.tvl', value: tvl },
      ...(base === undefined ? [] : [{ ...at, metric: 'yield.apy_base', value: base }]),
      ...(reward === undefined ? [] : [{ ...at, metric: 'yield.apy_reward', value: reward }]),
    ]
  }).flat()

const FIGURES: MadeFigure[] = [
  ...figuresOf('steady', () => ({ base: 0.05 })),
  // Half of the time rewards come; then the token is worth nothing any more, and neither are they.
  ...figuresOf('subsidised', index => ({ base: 0.01, reward: index < 50 ? 0.2 : 0 })),
  ...figuresOf('emptied', index => (index < 95 ? { base: 0.05 } : { tvl: 0, base: 0.05 })),
  ...figuresOf('zeros', index => ({ base: index % 5 === 0 ? 0 : 0.02 })),
  ...figuresOf('mixed', () => ({ base: 0.4 })),
  // Too small to count among the best.
  ...figuresOf('quick', () => ({ tvl: 500_000, base: 0.05 })),
  ...figuresOf('absurd', index => ({ base: index === LAST ? 192.99 : 0.03 })),
  // What a list of a moment says counts for nothing where a chart has the whole day.
  { metric: 'yield.apy_base', entity: 'steady', day: dayOf(10), value: 9, source: LIST },
  { metric: 'yield.tvl', entity: 'steady', day: dayOf(10), value: 1, source: LIST },
  // A share that grows: 1 at first, 1.02 ninety days later.
  ...[0, 5, 10, 70, 90, LAST].map(index => ({
    metric: 'lend.share_price',
    entity: 'zest',
    key: 'v2 sBTC',
    day: dayOf(index),
    value: 1 + (0.02 * index) / 90,
    source: 'stacks.reads',
  })),
  ...[90, LAST].flatMap(index => [
    {
      metric: 'lend.supply_apr',
      entity: 'zest',
      key: 'v2 sBTC',
      day: dayOf(index),
      value: 0,
      source: 'stacks.reads',
    },
    {
      metric: 'lend.supplied',
      entity: 'zest',
      key: 'v2 sBTC',
      day: dayOf(index),
      amount: 2_000_000_000n,
      source: 'stacks.reads',
    },
  ]),
]
const CLOSES = Array.from({ length: LAST + 1 }, (_, index) => [
  { asset: 'BTC', day: dayOf(index), close: 100_000, source: 'made' },
  { asset: 'MADE', day: dayOf(index), close: index < 50 ? 2 : 0.000_002, source: 'made of rewards' },
]).flat()

type Row = { day: string; key: string; value: number | string | null; state: string }
async function seriesOf(id: string, entity: string, to = '2026-08-31'): Promise<Row[]> {
  const metric = metrics.find(each => each.id === id && each.entities.includes(entity))
  assert.ok(metric, `no metric ${id} of ${entity}`)
  return ask<Row>(site.warehouse.reader, metric.sql, { from: '2009-01-03', to, entity })
}
const on = async (id: string, entity: string, index: number, key = '') =>
  (await seriesOf(id, entity)).find(row => row.day === dayOf(index) && row.key === key)
const valueOn = async (id: string, entity: string, index: number, key = '') => {
  const value = (await on(id, entity, index, key))?.value
  return value === null || value === undefined ? value : Number(value)
}
const near = (value: number | null | undefined, expected: number, what: string) =>
  assert.ok(Math.abs(Number(value) - expected) < 1e-12, `${what}: ${value}, not ${expected}`)
const reasonOn = async (entity: string, index: number, span = 90): Promise<string | undefined> => {
  const [row] = await ask<{ reason: string }>(
    site.warehouse.reader,
    `SELECT reason FROM yield_realised WHERE entity = '${entity}' AND day = '${dayOf(index)}' AND span = ${span}`,
  )
  return row?.reason
}

test('a steady rate over ninety days is the ninety days of its year', async () => {
  near(await valueOn('yield.btc_realised', 'steady', LAST, '90 days'), 1.05 ** (90 / 365) - 1, '90 days')
  near(await valueOn('yield.btc_realised', 'steady', LAST, '30 days'), 1.05 ** (30 / 365) - 1, '30 days')
  // On the 81st day nine tenths of the span are there; the day before there is no figure, and it is said why.
  assert.equal(await valueOn('yield.btc_realised', 'steady', 79, '90 days'), undefined)
  assert.equal(await reasonOn('steady', 79), 'Partial data (80 of 90 days).')
  near(await valueOn('yield.btc_realised', 'steady', 80, '90 days'), 1.05 ** (81 / 365) - 1, '81 days')
})

test('any rates of days grow as they do when counted one by one', async () => {
  const rates = fc.array(fc.double({ min: 0.0001, max: 3, noNaN: true }), { minLength: 30, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(rates, async made => {
      const [row] = await ask<{ growth: number }>(
        site.warehouse.reader,
        `SELECT exp(sum(log1p(r) / 365)) - 1 AS growth FROM (SELECT arrayJoin([${made.join(', ')}]) AS r)`,
      )
      const expected = made.reduce((unit, rate) => unit * (1 + rate) ** (1 / 365), 1) - 1
      assert.ok(Math.abs(Number(row?.growth) - expected) < 1e-9)
    }),
    { numRuns: 5 },
  )
})

test('rewards count at their price of their day; kept, they fall with a token that goes to nothing', async () => {
  const base = 1.01 ** (90 / 365) - 1
  // Of the last ninety days the first forty paid rewards.
  const sold = (40 * 0.2) / 365
  near(await valueOn('yield.btc_realised', 'subsidised', LAST, '90 days'), base + sold, 'sold on the day')
  const kept = sold * (0.000_002 / 2)
  near(await valueOn('yield.btc_realised', 'subsidised', LAST, '90 days, rewards kept'), base + kept, 'kept')
  near(
    await valueOn('yield.btc_realised', 'subsidised', LAST, '30 days'),
    1.01 ** (30 / 365) - 1,
    'afterwards',
  )
  near(await valueOn('yield.subsidy_share', 'subsidised', 49), 0.2 / 0.21, 'subsidised')
  assert.equal(await valueOn('yield.subsidy_share', 'subsidised', LAST), 0)
  const [row] = await ask<{ paid: string }>(
    site.warehouse.reader,
    `SELECT toString(paid_day) AS paid FROM yield_standings WHERE entity = 'subsidised' AND day = '${dayOf(LAST)}'`,
  )
  assert.equal(row?.paid, dayOf(49))
  // Nobody holds a price of the other pools' rewards: of what is kept nothing is said where some came, all where none did.
  assert.notEqual(await valueOn('yield.btc_realised', 'steady', LAST, '90 days'), undefined)
})

test('a pool that empties has no yield from that day on, whatever its list prints, and the reason stands there', async () => {
  assert.equal(await valueOn('yield.apy_base', 'emptied', 94), 0.05)
  assert.equal(await valueOn('yield.apy_base', 'emptied', 95), null)
  assert.equal((await on('yield.apy_base', 'emptied', 95))?.state, 'incomplete')
  assert.equal(await valueOn('yield.tvl', 'emptied', LAST), 0)
  near(await valueOn('yield.btc_realised', 'emptied', 94, '90 days'), 1.05 ** (90 / 365) - 1, 'before')
  assert.equal(await valueOn('yield.btc_realised', 'emptied', LAST, '90 days'), undefined)
  assert.equal(await reasonOn('emptied', LAST), 'Empty.')
})

test('a 0 of the list is unknown and no yield of nothing; a 0 of a contract is one', async () => {
  assert.equal(await valueOn('yield.apy_base', 'zeros', 5), null)
  assert.equal(await valueOn('yield.apy_total', 'zeros', 5), null)
  assert.equal(await valueOn('yield.apy_base', 'zeros', 6), 0.02)
  assert.equal(await reasonOn('zeros', LAST), 'Partial data (72 of 90 days).')
  assert.equal(await valueOn('yield.btc_realised', 'zeros', LAST, '90 days'), undefined)
  // The mean is over the days that are told, not over zeros.
  near(await valueOn('yield.mean_30d', 'zeros', LAST), 0.02, 'mean')
  assert.equal(await valueOn('yield.apy_base', 'zest-v2-sbtc', LAST), 0)
})

test('a pool with another coin has no realised figure, a rate beyond belief no day', async () => {
  assert.match((await reasonOn('mixed', LAST)) ?? '', /^Its other coin moves against bitcoin/)
  assert.equal(await valueOn('yield.apy_base', 'mixed', LAST), 0.4)
  assert.equal(await valueOn('yield.apy_base', 'absurd', LAST), null)
  near(
    await valueOn('yield.btc_realised', 'absurd', LAST, '90 days'),
    1.03 ** (89 / 365) - 1,
    'without the day',
  )
})

test('a share price tells what was earned, an older one brought to the length of the span', async () => {
  // From day 0 to day 90, and from day 5, four days early, to day 99: the last one at or before day 9.
  near(await valueOn('yield.btc_realised', 'zest-v2-sbtc', 90, '90 days'), 0.02, 'ninety days')
  const ratio = (1 + (0.02 * 99) / 90) / (1 + (0.02 * 5) / 90)
  near(
    await valueOn('yield.btc_realised', 'zest-v2-sbtc', LAST, '90 days'),
    ratio ** (90 / 94) - 1,
    'brought to 90',
  )
  // Thirty days before day 90 the newest share is of day 10: too old.
  assert.equal(await valueOn('yield.btc_realised', 'zest-v2-sbtc', 90, '30 days'), undefined)
  assert.match((await reasonOn('zest-v2-sbtc', 90, 30)) ?? '', /^No share price/)
  assert.equal(await valueOn('yield.tvl', 'zest-v2-sbtc', LAST), 20 * 100_000)
})

test('best and median are over those with a figure and a million dollars', async () => {
  const told = await Promise.all(
    ['steady', 'subsidised', 'absurd', 'zest-v2-sbtc'].map(entity =>
      valueOn('yield.btc_realised', entity, LAST, '90 days'),
    ),
  )
  const sorted = told.map(Number).sort((a, b) => a - b)
  near(await valueOn('yield.best_90d', 'bitcoin', LAST), sorted.at(-1) ?? 0, 'best')
  near(
    await valueOn('yield.median_90d', 'bitcoin', LAST),
    ((sorted[1] ?? 0) + (sorted[2] ?? 0)) / 2,
    'median',
  )
})

test('points of risk are the sum of five questions answered from the catalogue and the rates', async () => {
  const points = async (entity: string, index: number) =>
    Object.fromEntries(
      (await seriesOf('yield.risk', entity))
        .filter(({ day }) => day === dayOf(index))
        .map(({ key, value }) => [key, Number(value)]),
    )
  // One party holds either coin; audited; no subsidy; no way out recorded; known for 99 days.
  assert.deepEqual(await points('steady', LAST), { age: 1, contract: 0, custody: 2, exit: 2, subsidy: 0 })
  assert.deepEqual(await points('subsidised', 49), { age: 2, contract: 0, custody: 2, exit: 2, subsidy: 2 })
  // Out of it and to bitcoin in three quarters of a day, as stated.
  assert.deepEqual(await points('quick', LAST), { age: 1, contract: 0, custody: 2, exit: 0, subsidy: 0 })
  assert.equal(await valueOn('yield.custody', 'zest-v2-sbtc', LAST), 1)
})

test('days of the way out are those of all its parts as stated, of several coins the longest, and a part of them is called one', async () => {
  const told = async (entity: string) =>
    (await seriesOf('yield.exit', entity, '2025-06-01')).map(({ key, value, state }) => [
      key,
      Number(value),
      state,
    ])
  assert.deepEqual(await told('two-stated'), [['stated', 2 + 9, 'whole']])
  assert.deepEqual(await told('one-stated'), [['stated', 2, 'incomplete']])
  assert.deepEqual(await told('coin-stated'), [['stated', 0.5, 'incomplete']])
  // Neither the application nor its coins say anything: no figure, which is no zero.
  assert.deepEqual(await told('steady'), [])
  const [row] = await ask<{ source: string; as_of: string }>(
    site.warehouse.reader,
    metrics.find(({ id, entities }) => id === 'yield.exit' && entities.includes('quick'))!.sql,
    { from: '2009-01-03', to: '2025-06-01', entity: 'quick' },
  )
  assert.deepEqual([row?.source, row?.as_of], ['yields.stated', '2025-03-01 00:00:00'])
})

test('a figure in dollars names the closes that it is valued at, one that is reported in dollars names none', async () => {
  const { reader } = site.warehouse
  const standing = { kept: createKeptRows(10_000), marks: await readMarks(reader) }
  const sourcesOf = (id: string, entity: string, from = dayOf(0), to = dayOf(LAST)) => {
    const metric = metrics.find(each => each.id === id && each.entities.includes(entity))!
    return readPriceSources(reader, metric, { entity, from, to }, standing)
  }
  assert.deepEqual(await sourcesOf('yield.tvl', 'zest-v2-sbtc'), ['made'])
  assert.deepEqual(await sourcesOf('yield.tvl', 'zest-v2-sbtc', dayOf(0), dayOf(89)), [], 'no value yet')
  assert.deepEqual(await sourcesOf('yield.tvl', 'steady'), [])
  assert.deepEqual(await sourcesOf('yield.tvl', 'bitcoin'), ['made'])
  assert.deepEqual(await sourcesOf('yield.apy_base', 'zest-v2-sbtc'), [])
  assert.deepEqual((await sourcesOf('yield.btc_realised', 'subsidised')).sort(), ['made', 'made of rewards'])
  assert.deepEqual(
    await sourcesOf('yield.btc_realised', 'subsidised', dayOf(LAST), dayOf(LAST)).then(all => all.length),
    2,
  )
  assert.deepEqual(await sourcesOf('yield.btc_realised', 'steady'), [])
  assert.deepEqual(await sourcesOf('yield.btc_realised', 'zest-v2-sbtc'), [])
})

test('a catalogue that says nothing new is not loaded again', async () => {
  assert.equal(await loadYields(site.warehouse, catalog), 0)
})

test('a word that is said of tomorrow changes nothing of today', async () => {
  const before = await seriesOf('yield.btc_realised', 'steady', dayOf(LAST))
  await writeMadeFigures(site.warehouse, [
    { metric: 'yield.apy_base', entity: 'steady', day: dayOf(LAST + 1), value: 0.9, source: CHARTS },
    { metric: 'yield.tvl', entity: 'steady', day: dayOf(LAST + 1), value: 1, source: CHARTS },
  ])
  assert.deepEqual(await seriesOf('yield.btc_realised', 'steady', dayOf(LAST)), before)
})
