import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createEventIndex, eventsOf } from '#chains/evm/index.ts'
import { subsidySat } from '#kernel/bitcoin.ts'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { readCatalog } from './catalog.ts'

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

test('each EVM layer has its facts: ids, checksummed addresses, and events that make an index', async () => {
  const { evm } = await readCatalog(CATALOG)
  assert.deepEqual(
    evm.chains.map(({ id, chainId }) => [id, chainId]),
    [
      ['rootstock', 30],
      ['bob', 60808],
      ['merlin', 4200],
      ['bitlayer', 200901],
      ['b2-network', 223],
      ['core', 1116],
    ],
  )
  for (const facts of evm.chains) {
    assert.ok(createEventIndex(eventsOf(evm.events, facts)).topics.length >= 30, facts.id)
    assert.ok(facts.endpoints.length > 0, facts.id)
    assert.equal(facts.headerForm === 'stated', facts.headerFormWhy !== undefined, facts.id)
    const sources = [...facts.tokens, ...facts.systemContracts, ...facts.endpoints].map(
      ({ source }) => source,
    )
    assert.ok(
      sources.every(source =>
        source.split(/[^\w.-]+/).some(word => word in facts.sources || /docs/.test(word)),
      ),
      facts.id,
    )
  }
})

test('a mistyped address and a signature that is none are told by file and field', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-catalog-'))
  try {
    await cp(CATALOG, folder, { recursive: true })
    const path = join(folder, 'chains/core.json')
    const core = JSON.parse(await readFile(path, 'utf8'))
    const { address } = core.tokens[2]
    core.tokens[2].address = address.replace(/[a-f]/, (letter: string) => letter.toUpperCase())
    await writeFile(path, JSON.stringify(core))
    await assert.rejects(
      readCatalog(folder),
      /catalog\/chains\/core\.json, tokens\.2\.address: The capital letters of this address do not fit/,
    )
    await cp(CATALOG, folder, { recursive: true })
    const eventsPath = join(folder, 'evm/events.json')
    const events = JSON.parse(await readFile(eventsPath, 'utf8'))
    events[4].signature = 'Approval(adress indexed owner)'
    await writeFile(eventsPath, JSON.stringify(events))
    await assert.rejects(readCatalog(folder), /catalog\/evm\/events\.json, 4\.signature: .*should be a type/)
    events[4] = { ...events[3], roles: { from: 'nobody' } }
    await writeFile(eventsPath, JSON.stringify(events))
    await assert.rejects(readCatalog(folder), /has no argument nobody for its from/)
  } finally {
    await rm(folder, { recursive: true, force: true })
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
    await assert.rejects(readCatalog(folder), { code: 'metrics.catalog' })
    await rm(path)
    await assert.rejects(readCatalog(folder), /cannot be read/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
