/** A wrong fact in the catalog would show on pages instead of stopping the start. */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { subsidySat } from '#kernel/bitcoin.ts'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { CatalogError } from './errors.ts'
import { readCatalog } from './readCatalog.ts'
import { CATALOG_DIR as CATALOG, copyCatalog } from './testing.ts'

test('the catalogue fits its schema, and events stand in the order of their heights', async () => {
  const { chains, events } = await readCatalog(CATALOG)
  assert.deepEqual(
    chains.map(({ id }) => id),
    ['bitcoin'],
  )
  const ofBitcoin = events.bitcoin ?? []
  assert.ok(ofBitcoin.length >= 7)
  const heights = ofBitcoin.map(({ height = 0 }) => height)
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => a - b),
  )
  for (const { kind, height = 0 } of ofBitcoin) {
    assert.equal(kind === 'halving', subsidySat(height) < subsidySat(height - 1), `${height}`)
  }
})

test('the day of each event lies within the difficulty epoch of its height', skipWithoutShared, async () => {
  const { events } = await readCatalog(CATALOG)
  const epochs = parseCsv(
    await readFile(shared('data/bitcoin/series/difficulty-epochs.csv'), 'utf8'),
    ['epoch', 'start_time_utc'],
    'epochs',
  )
  // Upgrades of Stacks begin with heights of Bitcoin.
  const ofBitcoin = [...(events.bitcoin ?? []), ...(events.stacks ?? [])]
  for (const { day, height } of ofBitcoin) {
    if (height === undefined) continue
    const epoch = Math.floor(height / 2016)
    // The list of epochs has no times for the newest.
    if (!epochs[epoch + 1]?.start_time_utc) continue
    const [from, to] = [epochs[epoch], epochs[epoch + 1]].map(row => row?.start_time_utc.slice(0, 10) ?? '')
    assert.ok(
      from !== undefined && to !== undefined && from <= day && day <= to,
      `${height}: ${from} ${day} ${to}`,
    )
  }
})

type Facts = Record<string, unknown>

/** A change that makes a file wrong, and the sentence that tells so. */
const FAULTS: readonly (readonly [file: string, change: (facts: Facts) => unknown, told: RegExp])[] = [
  [
    'events/bitcoin.json',
    events => Object.assign(events, { 1: { height: 'high' } }),
    /bitcoin\.json, 1\.day: /,
  ],
  [
    'events/bitcoin.json',
    events => Object.values(events).reverse(),
    /events\/bitcoin\.json: must stand in the order of their days/,
  ],
  [
    'layers/liquid.json',
    facts => ({ ...facts, status: 'live' }),
    /layers\/liquid\.json, status: .*"mainnet"/,
  ],
  ['layers/liquid.json', facts => ({ ...facts, family: 'chain' }), /layers\/liquid\.json, family: /],
  [
    'layers/liquid.json',
    facts => ({ ...facts, slug: 'liquidity' }),
    /layers\/liquid\.json, slug: is "liquidity", and the file is called liquid\.json/,
  ],
  ['layers/liquid.json', facts => ({ ...facts, token: 'no-such' }), /token: names the token "no-such"/],
  ['layers/liquid.json', facts => ({ ...facts, statusAsOf: '2025-02-30' }), /liquid\.json, statusAsOf: /],
  ['layers/liquid.json', facts => ({ ...facts, more: 1 }), /liquid\.json: Unrecognized key: "more"/],
  [
    'layers/liquid.json',
    facts => ({
      ...facts,
      changes: [
        { day: '2026-01-02', what: 'later' },
        { day: '2026-01-01', what: 'earlier' },
      ],
    }),
    /liquid\.json, changes: must stand in the order of their days/,
  ],
  [
    'protocols/zest.json',
    facts => ({ ...facts, layers: ['stacks', 'atlantis'] }),
    /protocols\/zest\.json, layers\.1: names the layer "atlantis", of which the catalog has no file/,
  ],
  [
    'treasuries/cleanspark.json',
    ({ mainBusiness: _, ...facts }) => facts,
    /treasuries\/cleanspark\.json, mainBusiness: must be said of a miner/,
  ],
  [
    'tokens/rbtc.json',
    facts => ({ ...facts, claimOn: 'gold' }),
    /tokens\/rbtc\.json, claimOn: names the token "gold"/,
  ],
]

test('a bad catalogue file is told with file, field and reason', async () => {
  await using copy = await copyCatalog()
  for (const [file, change, told] of FAULTS) {
    const path = join(copy.dir, file)
    const before = await readFile(path, 'utf8')
    await writeFile(path, JSON.stringify(change(JSON.parse(before))))
    await assert.rejects(readCatalog(copy.dir), error => {
      assert.ok(error instanceof CatalogError)
      assert.match(error.message, told)
      assert.equal(error.facts.file, `catalog/${file}`)
      return true
    })
    await writeFile(path, before)
  }
  const path = join(copy.dir, 'chains/bitcoin.json')
  await writeFile(path, '[')
  await assert.rejects(readCatalog(copy.dir), { code: 'catalog.invalid' })
  await rm(path)
  await assert.rejects(readCatalog(copy.dir), /catalog\/chains\/bitcoin\.json: the file cannot be read/)
  const nowhere = join(copy.dir, 'nowhere')
  await assert.rejects(readCatalog(nowhere), { hint: `The catalog is looked for in ${nowhere}.` })
})

test('events of what the catalogue does not know are refused', async () => {
  await using copy = await copyCatalog()
  await writeFile(join(copy.dir, 'events/atlantis.json'), '[]')
  await assert.rejects(
    readCatalog(copy.dir),
    /events\/atlantis\.json: names the chain or protocol "atlantis"/,
  )
})
