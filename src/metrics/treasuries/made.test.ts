/** A corrected or repeated filing would change a treasury’s balance wrongly. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CatalogTreasury } from '#catalog/index.ts'
import { testCatalog } from '#catalog/testing.ts'
import type { RowOf } from '#kernel/table.ts'
import { BASE_DATABASE, schemaOf } from '#warehouse/index.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { treasuryEventsTable } from '#warehouse/tables/treasuries.ts'
import { truncateTables } from '#warehouse/testing.ts'
import { ask } from '../ask.ts'
import { COIN, type MadeTx, writeMadeChain } from '../madeChain.testing.ts'
import { loadTreasuries } from '../snapshot/loadTreasuries.ts'
import { openEmptyMetrics } from '../testing.ts'
import { treasuryMetrics } from './index.ts'
import {
  CHAIN_START,
  dayAfter,
  everyDay,
  insertBitcoinCloses,
  insertShareCloses,
  insertStatements,
  madeDays,
  madeHolder,
  PAYMENTS,
  PUBLISHED,
  secondOf,
} from './made.testing.ts'

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())
const TABLES = schemaOf({ evm: [], stacksApps: [] }).tables.map(({ name }) => name)
beforeEach(() => truncateTables(site.warehouse, TABLES))

const catalog = await testCatalog()
const read = <Row>(sql: string) => ask<Row>(site.warehouse.reader, sql)
const load = (treasury: CatalogTreasury) => loadTreasuries(site.warehouse, { treasuries: [treasury] })
const state = (...rows: Parameters<typeof insertStatements>[1]) => insertStatements(site.warehouse, rows)

/** What stands on the page: bitcoin, shares, recorded on, and whether it is struck through. */
const statements = async () =>
  (
    await read<{ sat: string | null; shares: string | null; recorded: string; is_corrected: number }>(
      'SELECT toString(held_sat) AS sat, toString(shares) AS shares, toString(toDate(recorded_at)) AS recorded, is_corrected FROM treasury_statements ORDER BY recorded_at, position',
    )
  ).map(({ sat, shares, recorded, is_corrected: struck }) => [sat, shares, recorded, Boolean(Number(struck))])

test('a statement that a later recording repeats is no correction and stands once, as it was said last', async () => {
  await state(
    { heldSat: 5n * COIN, shares: 10n },
    { heldSat: 5n * COIN, shares: 10n, recordedAt: secondOf('2026-03-01') },
    { heldSat: 5n * COIN, shares: 10n, recordedAt: secondOf('2026-04-01') },
  )
  assert.deepEqual(await statements(), [['500000000', '10', '2026-04-01', false]])
})

test('a statement of which another value is said later is struck through, and so is that one once the first is back', async () => {
  await state(
    { heldSat: 5n * COIN },
    { heldSat: 6n * COIN, recordedAt: secondOf('2026-03-01') },
    { heldSat: 5n * COIN, recordedAt: secondOf('2026-04-01') },
  )
  assert.deepEqual(await statements(), [
    ['500000000', null, '2026-02-01', true],
    ['600000000', null, '2026-03-01', true],
    ['500000000', null, '2026-04-01', false],
  ])
})

test('a later word on the bitcoin alone takes nothing from what was said of shares', async () => {
  await state({ heldSat: 5n * COIN, shares: 10n }, { heldSat: 5n * COIN, recordedAt: secondOf('2026-03-01') })
  assert.deepEqual(await statements(), [['500000000', '10', '2026-02-01', false]])
})

test('of several totals of a day those that are not said again are struck through', async () => {
  const again = { recordedAt: secondOf('2026-03-01') }
  await state(
    { heldSat: 5n * COIN },
    { heldSat: 6n * COIN, position: 1 },
    { heldSat: 5n * COIN, ...again },
    { heldSat: 7n * COIN, position: 1, ...again },
  )
  assert.deepEqual(await statements(), [
    ['600000000', null, '2026-02-01', true],
    ['500000000', null, '2026-03-01', false],
    ['700000000', null, '2026-03-01', false],
  ])
})

test('a filing that repeats the total of an earlier one leaves it standing, under the number of the newest', async () => {
  const filing = (accession: string, amount: bigint, seen: string) => ({
    metric: 'btc.held',
    entity: 'made',
    breakdown: `sec:${accession}`,
    day: '2026-01-05',
    value: null,
    source: 'sec.facts',
    amount,
    observedAt: secondOf(seen),
  })
  await site.warehouse.insertRows(observations, [
    filing('0000000001-26-000001', 5n * COIN, '2026-02-01'),
    filing('0000000001-26-000002', 5n * COIN, '2026-05-01'),
  ])
  const rows = await read<{ ref: string; is_corrected: number }>(
    'SELECT ref, is_corrected FROM treasury_statements',
  )
  assert.deepEqual(
    rows.map(({ ref, is_corrected: struck }) => [ref, Boolean(Number(struck))]),
    [['sec:0000000001-26-000002', false]],
  )
})

type Event = RowOf<typeof treasuryEventsTable>
const buys = (more: Partial<Event>): Event => ({
  entity: 'made',
  day: '2026-01-05',
  kind: 'purchase',
  deltaSat: COIN,
  costUsd: null,
  priceUsd: null,
  afterSat: null,
  grade: 'B',
  ref: 'test',
  list: '',
  position: 0,
  source: 'made.events',
  recordedAt: secondOf('2026-02-01'),
  ...more,
})

test('purchases that are recorded again count once, two alike of a day twice, and one that is gone is struck through', async () => {
  const again = { recordedAt: secondOf('2026-03-01') }
  await site.warehouse.insertRows(treasuryEventsTable, [
    buys({}),
    buys({ position: 1 }),
    buys({ position: 2 }),
    buys({ position: 3, deltaSat: 9n * COIN }),
    buys(again),
    buys({ position: 1, ...again }),
  ])
  const rows = await read<{ btc: string; n: string; is_corrected: number }>(
    'SELECT toString(intDiv(delta_sat, 100000000)) AS btc, toString(count()) AS n, is_corrected FROM treasury_events GROUP BY btc, is_corrected ORDER BY is_corrected, btc',
  )
  assert.deepEqual(
    rows.map(({ btc, n, is_corrected: struck }) => [btc, n, Boolean(Number(struck))]),
    [
      ['1', '2', false],
      ['1', '1', true],
      ['9', '1', true],
    ],
  )
})

const saying = (...said: [day: string, btc: number][]) =>
  madeHolder({
    said: said.map(([day, btc]) => ({
      day,
      heldSat: btc * 1e8,
      grade: 'B',
      ref: 'https://example.org',
    })),
  })

test('a statement of the catalogue that was edited or taken out stands struck through, one that was left as it was once', async () => {
  await load(saying(['2026-01-05', 5], ['2026-02-05', 6], ['2026-03-05', 7]))
  await load(saying(['2026-01-05', 5], ['2026-02-05', 8]))
  const rows = await read<{ day: string; sat: string; is_corrected: number }>(
    'SELECT toString(day) AS day, toString(held_sat) AS sat, is_corrected FROM treasury_statements ORDER BY day, recorded_at',
  )
  assert.deepEqual(
    rows.map(({ day, sat, is_corrected: struck }) => [day, sat, Boolean(Number(struck))]),
    [
      ['2026-01-05', '500000000', false],
      ['2026-02-05', '600000000', true],
      ['2026-02-05', '800000000', false],
      ['2026-03-05', '700000000', true],
    ],
  )
  const held = await read<{ day: string; sat: string }>(
    'SELECT toString(day) AS day, toString(held_sat) AS sat FROM treasury_held ORDER BY day',
  )
  assert.deepEqual(
    held.map(({ day, sat }) => [day, sat]),
    [
      ['2026-01-05', '500000000'],
      ['2026-02-05', '800000000'],
    ],
  )
})

const setCloses = (closes: Record<string, number>, feed?: { quote: string; source: string }) =>
  insertBitcoinCloses(site.warehouse, closes, feed)
const trade = (closes: Record<string, number>, currency?: string) =>
  insertShareCloses(site.warehouse, closes, currency === undefined ? {} : { currency })

async function seriesOf(treasury: CatalogTreasury, id: string, entity = 'made') {
  const metric = treasuryMetrics({ ...catalog, treasuries: [treasury] }).find(
    each => each.id === id && each.entities.includes(entity),
  )
  assert.ok(metric, `no metric ${id} of ${entity}`)
  const rows = await ask<{ day: string; key: string; value: number | string }>(
    site.warehouse.reader,
    metric.sql,
    { from: '2009-01-03', to: '2026-12-31', entity },
  )
  return rows.map(({ day, key, value }) => [day, key, Number(value)] as const)
}

test('at the weekend mNAV repeats the last trading day, with the bitcoin close of that day, and ends after five days', async () => {
  // 2026-01-09 is a Friday; bitcoin goes on trading at the weekend, the share does not.
  const treasury = madeHolder({})
  await load(treasury)
  await setCloses({ ...everyDay('2026-01-08', 15, 100), '2026-01-09': 101, '2026-01-19': 111 })
  await trade({ '2026-01-08': 10, '2026-01-09': 20, '2026-01-19': 30 })
  await state({ heldSat: 2n * COIN, shares: 5n })
  const friday = (20 * 5) / (2 * 101)
  assert.deepEqual(await seriesOf(treasury, 'mnav.basic'), [
    ['2026-01-08', '', (10 * 5) / (2 * 100)],
    ...Array.from({ length: 6 }, (_, place) => [dayAfter('2026-01-09', place), '', friday] as const),
    ['2026-01-19', '', (30 * 5) / (2 * 111)],
  ])
})

test('a share that is quoted in yen is worth what two closes of bitcoin of the day make of it', async () => {
  const treasury = madeHolder({ currency: 'JPY' })
  await load(treasury)
  await setCloses(everyDay('2026-01-08', 2, 100))
  await setCloses({ '2026-01-08': 16_000 }, { quote: 'JPY', source: 'btcfiat.typedcypher' })
  await trade({ '2026-01-08': 3_200, '2026-01-09': 3_200 }, 'JPY')
  await state({ heldSat: 2n * COIN, shares: 5n })
  // 160 yen a dollar: 3,200 yen are 20 dollars. On the next day no exchange rate is known, and nothing is told.
  assert.deepEqual(await seriesOf(treasury, 'mnav.basic'), [['2026-01-08', '', (20 * 5) / (2 * 100)]])
})

test('a share count lasts while bitcoin stays within a twentieth of what it was told with, and no further', async () => {
  const treasury = madeHolder({})
  await load(treasury)
  await setCloses(everyDay('2026-01-05', 4, 100))
  await trade(everyDay('2026-01-05', 4, 20))
  await state(
    { heldSat: 100n * COIN, shares: 500n },
    { day: '2026-01-06', heldSat: 105n * COIN },
    { day: '2026-01-07', heldSat: 105n * COIN + 1n },
    { day: '2026-01-08', heldSat: 95n * COIN },
  )
  assert.deepEqual(await seriesOf(treasury, 'mnav.basic'), [
    ['2026-01-05', '', (20 * 500) / (100 * 100)],
    ['2026-01-06', '', (20 * 500) / (105 * 100)],
    ['2026-01-08', '', (20 * 500) / (95 * 100)],
  ])
})

test('a statement gives mNAV for a hundred days and not for the day after', async () => {
  const treasury = madeHolder({})
  await load(treasury)
  await setCloses(everyDay('2026-01-05', 110, 100))
  await trade(everyDay('2026-01-05', 110, 20))
  await state({ heldSat: 2n * COIN, shares: 5n })
  const days = (await seriesOf(treasury, 'mnav.basic')).map(([day]) => day)
  assert.deepEqual([days[0], days.at(-1), days.length], ['2026-01-05', dayAfter('2026-01-05', 100), 101])
})

test('a word on debt alone leaves preferred stock and cash as they were said last', async () => {
  const treasury = madeHolder({})
  await load(treasury)
  await setCloses(everyDay('2026-01-05', 3, 100))
  await trade(everyDay('2026-01-05', 3, 20))
  await state(
    { heldSat: 2n * COIN, shares: 5n, debtUsd: 60n, preferredUsd: 30n, cashUsd: 10n },
    { day: '2026-01-06', debtUsd: 0n },
    { day: '2026-01-07', preferredUsd: 50n },
  )
  assert.deepEqual(await seriesOf(treasury, 'mnav.ev'), [
    ['2026-01-05', '', (100 + 60 + 30 - 10) / 200],
    ['2026-01-06', '', (100 + 0 + 30 - 10) / 200],
    ['2026-01-07', '', (100 + 0 + 50 - 10) / 200],
  ])
})

test('companies that live on something else are in no count of those below their bitcoin', async () => {
  for (const [mainBusiness, expected] of [
    [undefined, [['2026-01-05', 'above', 0] as const, ['2026-01-05', 'below', 1] as const]],
    ['games', []],
  ] as const) {
    const treasury = madeHolder({ ...(mainBusiness && { mainBusiness }) })
    await load(treasury)
    if (mainBusiness === undefined) {
      await setCloses({ '2026-01-05': 100 })
      await trade({ '2026-01-05': 20 })
      await state({ heldSat: 2n * COIN, shares: 5n })
    }
    assert.deepEqual(await seriesOf(treasury, 'mnav.companies', 'bitcoin'), expected)
  }
})

test('a company without a figure is missed in the count for good, unless it has sold all its bitcoin', async () => {
  const holders = [madeHolder({ id: 'one' }), madeHolder({ id: 'two', ticker: 'TWO' })]
  await loadTreasuries(site.warehouse, { treasuries: holders })
  const months = ['2026-01-05', '2026-03-05', '2026-05-05', '2026-07-05']
  await insertBitcoinCloses(site.warehouse, everyDay('2026-01-05', 200, 100))
  await insertShareCloses(site.warehouse, everyDay('2026-01-05', 200, 20), { entity: 'one' })
  // The recording of its closes ends.
  await insertShareCloses(site.warehouse, everyDay('2026-01-05', 10, 20), { entity: 'two' })
  await state(...months.map(day => ({ entity: 'one', day, heldSat: 2n * COIN, shares: 5n })), {
    entity: 'two',
    heldSat: 2n * COIN,
    shares: 5n,
  })
  const newest = async () => {
    const { point } = await site.metrics.figure({
      id: 'mnav.companies',
      entity: 'bitcoin',
      changeRange: '30d',
    })
    return [point?.day, Number(point?.value)]
  }
  assert.deepEqual(await newest(), ['2026-01-14', 2])
  const late = dayAfter('2026-01-14', 150)
  const { points } = await site.metrics.series({
    id: 'mnav.companies',
    entity: 'bitcoin',
    from: '2026-01-14',
    to: late,
  })
  const states = ['2026-01-14', late].map(day => {
    const sides = points.filter(point => point.day === day)
    return [day, sides.reduce((sum, { value }) => sum + Number(value), 0), sides[0]?.state]
  })
  assert.deepEqual(states, [
    ['2026-01-14', 2, 'whole'],
    [late, 1, 'incomplete'],
  ])

  await state({ entity: 'two', day: '2026-03-01', heldSat: 0n })
  assert.deepEqual(await newest(), [dayAfter('2026-01-05', 199), 1])
  // It buys again and has no close since.
  await state({ entity: 'two', day: '2026-06-01', heldSat: 1n * COIN, shares: 5n })
  assert.deepEqual(await newest(), ['2026-01-14', 2])
})

test('what funds state is drawn at the days of their reports, by fund, and nothing between them', async () => {
  const treasury = madeHolder({ id: 'made-etf', kind: 'etf' })
  await load(treasury)
  await state(
    { entity: 'made-etf', day: '2026-03-31', heldSat: 7n * COIN },
    { entity: 'made-etf', day: '2026-06-30', heldSat: 9n * COIN },
    { entity: 'another', day: '2026-06-30', heldSat: 3n * COIN },
  )
  assert.deepEqual(await seriesOf(treasury, 'etf.holdings', 'bitcoin'), [
    ['2026-03-31', 'MADE', 7e8],
    ['2026-06-30', 'MADE', 9e8],
  ])
})

const published = madeHolder({
  addresses: PUBLISHED,
  addressesOrigin: { url: 'https://example.org' },
  currency: undefined,
})

test('once every block is held, what lies on published addresses is a statement of grade A and counts', async () => {
  await load(published)
  await state({ day: CHAIN_START, heldSat: 99n * COIN, grade: 'D' })
  await writeMadeChain(site.warehouse, madeDays(5, PAYMENTS))
  await site.metrics.refreshRollups()
  const held = await read<{ day: string; sat: string; grade: string; source: string }>(
    "SELECT toString(day) AS day, toString(held_sat) AS sat, grade, source FROM treasury_held WHERE entity = 'made' ORDER BY day",
  )
  assert.deepEqual(
    held.map(({ day, sat, grade, source }) => [day, sat, grade, source]),
    [
      // Of the same day the better evidence wins.
      ['2026-01-01', String(40n * COIN), 'A', 'treasuries.addresses'],
      ['2026-01-02', String(15n * COIN), 'A', 'treasuries.addresses'],
      // The newest whole day: nothing has moved, and that is known.
      ['2026-01-04', String(15n * COIN), 'A', 'treasuries.addresses'],
    ],
  )
  await setCloses(everyDay(CHAIN_START, 4, 100))
  assert.deepEqual(await seriesOf(published, 'btc.by_evidence', 'bitcoin'), [
    ['2026-01-01', 'A', 40e8],
    ['2026-01-02', 'A', 15e8],
    ['2026-01-03', 'A', 15e8],
    ['2026-01-04', 'A', 15e8],
  ])
})

test('without the first blocks, or before days are counted by address, published addresses prove nothing', async () => {
  await load(published)
  await state({ day: CHAIN_START, heldSat: 99n * COIN, grade: 'D' })
  const grades = async () =>
    (await read<{ grade: string }>('SELECT toString(grade) AS grade FROM treasury_statements')).map(
      ({ grade }) => grade,
    )
  await writeMadeChain(site.warehouse, madeDays(5).slice(1), 1, 1)
  await site.metrics.refreshRollups()
  assert.deepEqual(await grades(), ['D'])

  await writeMadeChain(site.warehouse, madeDays(5).slice(0, 1), 2, 0)
  await site.metrics.refreshRollups()
  assert.deepEqual((await grades()).sort(), ['A', 'D'])
  await site.warehouse.writer.command({
    query: `DELETE FROM ${BASE_DATABASE}.rollup_runs WHERE rollup = 'btc_address_days' AND bucket = '2026-01-02'`,
  })
  const [last] = await read<{ day: string }>('SELECT toString(max(day)) AS day FROM treasury_balance_days')
  assert.equal(last?.day, CHAIN_START)
})

test('a holding is a share of what miners claimed, not of what the schedule allows', async () => {
  const treasury = madeHolder({})
  await load(treasury)
  await setCloses(everyDay(CHAIN_START, 2, 100))
  await state({ day: CHAIN_START, heldSat: 57n * COIN }, { day: '2026-01-02', heldSat: 57n * COIN })
  const [first, ...rest] = madeDays(3)
  assert.ok(first)
  // One miner leaves 30 of its 50 BTC: 600 a day are scheduled, 570 are issued on the first one.
  const short: MadeTx = { name: 'short', outputs: [{ to: 'miner', sat: 20n * COIN }] }
  await writeMadeChain(site.warehouse, [
    first,
    ...rest.map((block, place) => (place === 4 ? { ...block, txs: [short] } : block)),
  ])
  await site.metrics.refreshRollups()
  for (const entity of ['made', 'bitcoin'])
    assert.deepEqual(
      (await seriesOf(treasury, 'supply.share', entity)).filter(([, key]) => key === 'issued'),
      [
        [CHAIN_START, 'issued', 57 / 570],
        ['2026-01-02', 'issued', 57 / 1170],
      ],
      entity,
    )
})

test('what all hold together changes by holders that both days know: one that is added is no growth', async () => {
  const holders = [
    madeHolder({ id: 'one' }),
    madeHolder({ id: 'two', kind: 'miner', ticker: 'TWO', mainBusiness: 'mining' }),
    madeHolder({ id: 'state', kind: 'government' }),
  ]
  await loadTreasuries(site.warehouse, { treasuries: holders })
  await insertBitcoinCloses(site.warehouse, everyDay('2026-01-01', 60, 100_000))
  const change = async () => {
    const { point, change, changeOver } = await site.metrics.figure({
      id: 'btc.held',
      entity: 'bitcoin',
      changeRange: '30d',
    })
    return [point?.day, Number(point?.value) / Number(COIN), change?.toFixed(6), changeOver]
  }
  await state(
    { entity: 'one', day: '2026-01-01', heldSat: 100n * COIN },
    { entity: 'two', day: '2026-01-01', heldSat: 50n * COIN },
    { entity: 'one', day: '2026-02-10', heldSat: 115n * COIN },
    { entity: 'two', day: '2026-02-10', heldSat: 50n * COIN },
  )
  assert.deepEqual(await change(), ['2026-02-10', 165, '0.100000', null])
  await state({ entity: 'state', day: '2026-02-01', heldSat: 30n * COIN })
  assert.deepEqual(await change(), ['2026-02-10', 195, '0.100000', { name: 'holders', count: 2, of: 3 }])
  // What they hold of all bitcoin changes by the same.
  const share = await site.metrics.figure({ id: 'supply.share', entity: 'bitcoin', changeRange: '30d' })
  assert.equal(share.change?.toFixed(6), '0.100000')
  // Up to the day before nothing was bought.
  const before = await site.metrics.figure({
    id: 'btc.held',
    entity: 'bitcoin',
    changeRange: '30d',
    to: '2026-02-09',
  })
  assert.deepEqual([before.point?.day, before.point?.value, before.change], ['2026-02-09', 18_000_000_000, 0])
  // Holders of less than 80% of the sum tell nothing of it.
  await state({ entity: 'state', day: '2026-02-10', heldSat: 300n * COIN })
  assert.deepEqual(await change(), ['2026-02-10', 465, undefined, null])
})

test('what all bought in a month is incomplete once the record of one ends, and compares holders known on both days', async () => {
  const names = ['one', 'two', 'three']
  await loadTreasuries(site.warehouse, {
    treasuries: names.map(id => madeHolder({ id, ticker: id.toUpperCase() })),
  })
  await setCloses(everyDay('2026-01-01', 200, 100_000))
  const bought = (entity: string, day: string, btc: bigint, after: bigint) =>
    buys({ entity, day, deltaSat: btc * COIN, afterSat: after * COIN })
  await site.warehouse.insertRows(treasuryEventsTable, [
    bought('one', '2026-01-05', 10n, 10n),
    bought('one', '2026-02-15', 3n, 13n),
    bought('one', '2026-03-15', 6n, 19n),
    bought('one', '2026-06-15', 1n, 20n),
    bought('two', '2026-01-05', 5n, 5n),
    bought('two', '2026-02-20', 7n, 12n),
    bought('three', '2026-03-10', 2n, 2n),
  ])
  // Its record goes on while it states the same total, and no further.
  await state(
    { entity: 'two', day: '2026-03-20', heldSat: 12n * COIN },
    { entity: 'two', day: '2026-04-20', heldSat: 14n * COIN },
    { entity: 'three', day: '2026-06-15', heldSat: 2n * COIN },
  )
  const figure = async () => {
    const { point, change, changeOver } = await site.metrics.figure({
      id: 'btc.change_30d',
      entity: 'bitcoin',
      changeRange: '30d',
    })
    return [point?.day, Number(point?.value) / Number(COIN), change?.toFixed(6), changeOver]
  }
  const overBoth = { name: 'holders', count: 2, of: 3 }
  assert.deepEqual(await figure(), ['2026-03-20', 15, (13 / 3 - 1).toFixed(6), overBoth])
  const statesOf = async (id: string, days: readonly string[]) => {
    const { points } = await site.metrics.series({
      id,
      entity: 'bitcoin',
      from: '2026-01-01',
      to: '2026-12-31',
    })
    return days.map(day => points.find(point => point.day === day && point.value !== null)?.state)
  }
  assert.deepEqual(await statesOf('btc.change_30d', ['2026-03-20', '2026-03-21', '2026-06-15']), [
    'whole',
    'incomplete',
    'incomplete',
  ])
  assert.deepEqual(await statesOf('btc.change', ['2026-03-15', '2026-06-15']), ['whole', 'incomplete'])
  // It has sold all: nothing of it is unknown.
  await site.warehouse.insertRows(treasuryEventsTable, [
    { ...bought('two', '2026-04-25', 0n, 0n), kind: 'sale', deltaSat: -14n * COIN },
  ])
  assert.deepEqual((await figure()).slice(0, 2), ['2026-06-15', 1])
})

test('grades of evidence end before the first announcement that no recorded filing can confirm, and none is zero', async () => {
  const holders = [
    madeHolder({ id: 'one' }),
    madeHolder({ id: 'two', ticker: 'TWO' }),
    madeHolder({ id: 'state', kind: 'government' }),
  ]
  await loadTreasuries(site.warehouse, { treasuries: holders })
  await setCloses(everyDay('2026-01-01', 120, 100_000))
  await state(
    { entity: 'one', day: '2026-01-05', heldSat: 100n * COIN },
    { entity: 'two', day: '2026-03-01', heldSat: 50n * COIN },
    { entity: 'one', day: '2026-03-16', heldSat: 120n * COIN, grade: 'C' },
    // Its addresses were empty before the first price.
    { entity: 'state', day: '2025-12-20', heldSat: 0n, grade: 'A', source: 'treasuries.addresses' },
    { entity: 'state', day: '2026-01-10', heldSat: 300n * COIN, grade: 'D' },
    { entity: 'state', day: '2026-04-10', heldSat: 300n * COIN, grade: 'D' },
  )
  const grades = async () => {
    const { points } = await site.metrics.series({
      id: 'btc.by_evidence',
      entity: 'bitcoin',
      from: '2026-01-01',
      to: '2026-12-31',
    })
    const newest = points.at(-1)?.day
    return {
      keys: [...new Set(points.map(({ key }) => key))].sort(),
      newest,
      of: points.filter(({ day }) => day === newest).map(({ key, value }) => [key, Number(value) / 1e8]),
    }
  }
  assert.deepEqual(await grades(), {
    keys: ['B', 'D'],
    newest: '2026-03-15',
    of: [
      ['B', 150],
      ['D', 300],
    ],
  })
  const kinds = await site.metrics.series({
    id: 'btc.held',
    entity: 'bitcoin',
    from: '2026-01-01',
    to: '2026-12-31',
  })
  const [ofStates] = kinds.points.filter(({ key }) => key === 'government')
  assert.deepEqual([ofStates?.day, Number(ofStates?.value)], ['2026-01-10', 300e8])
  await state({ entity: 'one', day: '2026-04-01', heldSat: 125n * COIN })
  const { newest, of } = await grades()
  assert.deepEqual(
    [newest, of],
    [
      '2026-04-10',
      [
        ['B', 175],
        ['D', 300],
      ],
    ],
  )
})
