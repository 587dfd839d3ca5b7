/** Totals over all holders, or grades of their evidence, would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { treasuryEventsTable } from '#warehouse/tables/treasuries.ts'
import { COIN, type MadeTx, writeMadeChain } from '../madeChain.testing.ts'
import { loadTreasuries } from '../snapshot/loadTreasuries.ts'
import {
  CHAIN_START,
  dayAfter,
  everyDay,
  insertBitcoinCloses,
  insertShareCloses,
  madeDays,
  madeHolder,
  PAYMENTS,
  PUBLISHED,
} from './made.testing.ts'
import { buys, load, read, seriesOf, setCloses, site, state, trade } from './sharedMade.testing.ts'

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
