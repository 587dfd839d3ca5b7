/** A corrected or repeated filing would change a treasury’s balance wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { observations } from '#warehouse/tables/observations.ts'
import { treasuryEventsTable } from '#warehouse/tables/treasuries.ts'
import { COIN } from '../madeChain.testing.ts'
import { dayAfter, everyDay, madeHolder, secondOf } from './made.testing.ts'
import { buys, load, read, seriesOf, setCloses, site, state, trade } from './sharedMade.testing.ts'

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
