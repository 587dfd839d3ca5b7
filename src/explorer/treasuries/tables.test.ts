/** Treasury tables would rank the wrong companies or misstate debt and evidence. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CatalogTreasury } from '#catalog/index.ts'
import { ask } from '#metrics/ask.ts'
import { COIN, writeMadeChain } from '#metrics/madeChain.testing.ts'
import { loadTreasuries } from '#metrics/snapshot/loadTreasuries.ts'
import { openEmptyMetrics } from '#metrics/testing.ts'
import {
  CHAIN_START,
  everyDay,
  insertBitcoinCloses,
  insertShareCloses,
  insertStatements,
  madeDays,
  madeHolder,
  PAYMENTS,
  PUBLISHED,
} from '#metrics/treasuries/made.testing.ts'
import { schemaOf } from '#warehouse/index.ts'
import { truncateTables } from '#warehouse/testing.ts'
import { TREASURIES_TABLES, TREASURY_TABLES } from './index.ts'

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())
const TABLES = schemaOf({ evm: [], stacksApps: [] }).tables.map(({ name }) => name)
beforeEach(() => truncateTables(site.warehouse, TABLES))

type Row = Record<string, string | number | boolean | null>
const rowsOf = (name: string, entity = 'made'): Promise<Row[]> => {
  const table = TREASURY_TABLES[name] ?? TREASURIES_TABLES[name]
  assert.ok(table, name)
  return ask<Row>(site.warehouse.reader, table.sql(entity))
}
const load = (...treasuries: CatalogTreasury[]) => loadTreasuries(site.warehouse, { treasuries })
const DAY = '2026-01-05'

/** A holder whose bitcoin is worth 200 dollars, with five shares at this price. */
async function quote(entity: string, close: number) {
  await insertShareCloses(site.warehouse, { [DAY]: close }, { entity })
  await insertStatements(site.warehouse, [{ entity, heldSat: 2n * COIN, shares: 5n }])
}

test('published addresses stand together against what was stated, proved by blocks or not at all', async () => {
  await load(madeHolder({ addresses: PUBLISHED, addressesOrigin: { url: 'https://example.org' } }))
  await insertStatements(site.warehouse, [
    { day: '2025-12-31', heldSat: 7n * COIN, grade: 'D' },
    { day: CHAIN_START, heldSat: 20n * COIN, grade: 'D' },
  ])
  const told = async () =>
    (await rowsOf('addresses')).map(({ address, left, grade, stated, stated_day, apart }) => [
      address,
      left,
      grade,
      stated,
      stated_day,
      apart,
    ])
  const btc = (amount: number) => String(BigInt(amount) * COIN)
  await writeMadeChain(site.warehouse, madeDays(3, PAYMENTS).slice(0, 6), 1)
  await writeMadeChain(site.warehouse, madeDays(3).slice(7), 2, 7)
  const claim = [btc(20), CHAIN_START]
  assert.deepEqual(await told(), [
    ['all 2', null, '', ...claim, null],
    [PUBLISHED[0], null, '', null, null, null],
    [PUBLISHED[1], null, '', null, null, null],
  ])
  await writeMadeChain(site.warehouse, madeDays(3).slice(6, 7), 3, 6)
  assert.deepEqual(await told(), [
    ['all 2', btc(40), 'A', ...claim, btc(20)],
    [PUBLISHED[0], btc(40), 'A', null, null, null],
    [PUBLISHED[1], '0', 'A', null, null, null],
  ])
})

test('the lenses of whoever lives on something else are grey, and it has no place among treasuries', async () => {
  await load(
    madeHolder({ id: 'pure' }),
    madeHolder({ id: 'other' }),
    madeHolder({ id: 'side', mainBusiness: 'games' }),
  )
  await insertBitcoinCloses(site.warehouse, { [DAY]: 100 })
  await quote('pure', 20)
  await quote('other', 40)
  await quote('side', 80)
  const holders = await rowsOf('holders')
  for (const lens of ['mnav', 'mnav_diluted', 'mnav_ev'])
    assert.deepEqual(
      new Map(holders.map(row => [row.name_href, Number(row[`${lens}_is_quiet`])])),
      new Map([
        ['/analyze/bitcoin-treasuries/pure', 0],
        ['/analyze/bitcoin-treasuries/other', 0],
        ['/analyze/bitcoin-treasuries/side', 1],
      ]),
      lens,
    )
  assert.deepEqual(
    TREASURIES_TABLES.holders?.columns.find(({ key }) => key === 'mnav_day'),
    { key: 'mnav_day', label: 'mNAV as of', form: 'day' },
  )
  const lensOf = async (entity: string) => {
    const row = (await rowsOf('peers', entity)).find(({ measure }) => measure === 'mNAV, basic')
    return [row?.value, Number(row?.value_is_quiet), row?.median, row?.place, row?.of].map(cell =>
      cell === null ? null : Number(cell),
    )
  }
  assert.deepEqual(await lensOf('pure'), [0.5, 0, 0.75, 2, 2])
  assert.deepEqual(await lensOf('other'), [1, 0, 0.75, 1, 2])
  assert.deepEqual(await lensOf('side'), [2, 1, null, null, null])
})

test('below what may become shares the ladder tells all debt and preferred stock as it was stated last', async () => {
  const convertible = { kind: 'convertible', shares: 10, strikeUsd: 5 }
  await load(
    madeHolder({
      instruments: [
        { ...convertible, expires: '2027-01-01', faceUsd: 40 },
        { ...convertible, expires: '2025-01-01', faceUsd: 900 },
      ],
    }),
    madeHolder({ id: 'owing' }),
  )
  await insertStatements(site.warehouse, [
    { debtUsd: 60n, preferredUsd: 30n },
    { day: '2026-01-06', debtUsd: 100n },
    { entity: 'owing', preferredUsd: 8n },
  ])
  const ladder = async (entity: string) =>
    (await rowsOf('instruments', entity)).map(({ kind, face, stated_day: day }) => [kind, Number(face), day])
  assert.deepEqual(await ladder('made'), [
    ['convertible', 900, null],
    ['convertible', 40, null],
    ['all debt', 100, '2026-01-06'],
    ['of it beyond convertibles', 60, '2026-01-06'],
    ['all preferred stock', 30, DAY],
  ])
  assert.deepEqual(await ladder('owing'), [['all preferred stock', 8, DAY]])
  const { sub, empty } = TREASURY_TABLES.instruments ?? {}
  for (const words of [sub, empty]) assert.match(words ?? '', /are not covered/)
})

test('of published addresses the list of evidence has the last balance of each month', async () => {
  await load(madeHolder({ addresses: PUBLISHED, addressesOrigin: { url: 'https://example.org' } }))
  await writeMadeChain(site.warehouse, madeDays(4, PAYMENTS))
  await site.metrics.refreshRollups()
  await insertBitcoinCloses(site.warehouse, everyDay(CHAIN_START, 4, 100))
  await insertStatements(site.warehouse, [{ day: CHAIN_START, heldSat: 99n * COIN, grade: 'D' }])
  assert.deepEqual(
    (await rowsOf('evidence')).map(({ day, held, grade }) => [day, held, grade]),
    [
      ['2026-01-03', String(15n * COIN), 'A'],
      [CHAIN_START, String(99n * COIN), 'D'],
    ],
  )
})
