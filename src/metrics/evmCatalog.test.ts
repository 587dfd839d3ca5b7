/** A mistyped address or signature in the catalog would lose events of a layer. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createEventIndex, eventsOf } from '#chains/evm/index.ts'
import { readEvmCatalog } from './evmCatalog.ts'

const CATALOG = fileURLToPath(new URL('../../catalog', import.meta.url))

test('each EVM layer has its facts: ids, checksummed addresses, and events that make an index', async () => {
  const { chains, events } = await readEvmCatalog(CATALOG)
  assert.deepEqual(
    chains.map(({ id, chainId }) => [id, chainId]),
    [
      ['rootstock', 30],
      ['bob', 60808],
      ['merlin', 4200],
      ['bitlayer', 200901],
      ['b2-network', 223],
      ['core', 1116],
    ],
  )
  for (const facts of chains) {
    assert.ok(createEventIndex(eventsOf(events, facts)).topics.length >= 30, facts.id)
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
      readEvmCatalog(folder),
      /catalog\/chains\/core\.json, tokens\.2\.address: The capital letters of this address do not fit/,
    )
    await cp(CATALOG, folder, { recursive: true })
    const eventsPath = join(folder, 'evm/events.json')
    const events = JSON.parse(await readFile(eventsPath, 'utf8'))
    events[4].signature = 'Approval(adress indexed owner)'
    await writeFile(eventsPath, JSON.stringify(events))
    await assert.rejects(
      readEvmCatalog(folder),
      /catalog\/evm\/events\.json, 4\.signature: .*should be a type/,
    )
    events[4] = { ...events[3], roles: { from: 'nobody' } }
    await writeFile(eventsPath, JSON.stringify(events))
    await assert.rejects(readEvmCatalog(folder), /has no argument nobody for its from/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
