import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { subsidySat } from '#kernel/bitcoin.ts'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { readCatalog } from './readCatalog.ts'

const CATALOG = fileURLToPath(new URL('../../catalog', import.meta.url))

test('the catalogue fits its schema, and events stand in the order of their heights', async () => {
  const { chains, events } = await readCatalog(CATALOG)
  assert.deepEqual(
    chains.map(({ id }) => id),
    ['bitcoin'],
  )
  const heights = events.bitcoin.map(({ height }) => height)
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => a - b),
  )
  for (const { kind, height } of events.bitcoin) {
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
  for (const { day, height } of events.bitcoin) {
    const epoch = Math.floor(height / 2016)
    const [from, to] = [epochs[epoch], epochs[epoch + 1]].map(row => row?.start_time_utc.slice(0, 10) ?? '')
    assert.ok(
      from !== undefined && to !== undefined && from <= day && day <= to,
      `${height}: ${from} ${day} ${to}`,
    )
  }
})

test('a bad catalogue file is told with file, field and reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-catalog-'))
  try {
    await cp(CATALOG, folder, { recursive: true })
    const path = join(folder, 'events/bitcoin.json')
    const events = JSON.parse(await readFile(path, 'utf8')) as { height: unknown }[]
    events[1]!.height = 'high'
    await writeFile(path, JSON.stringify(events))
    await assert.rejects(readCatalog(folder), /catalog\/events\/bitcoin\.json, 1\.height: .*expected number/)
    await writeFile(path, '[')
    await assert.rejects(readCatalog(folder), { code: 'catalog.invalid' })
    await rm(path)
    await assert.rejects(readCatalog(folder), /cannot be read/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
