/** Tables about Clarity versions and SIP-033 would miscount contracts and calls. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import {
  clarityArchive,
  FIRST_ACTIVE_HEIGHT,
  MADE_CONTRACTS,
  VERSION_CONTRACTS,
  WORD_CONTRACTS,
} from '#tests/stacks/clarityChain.ts'
import prints from '../../catalog/stacks/prints.json' with { type: 'json' }
import type { StacksTableAnswer } from './contract.ts'
import { openTestSite, type TestSite } from './testing.ts'

describe('what became of SIP-033, from blocks as a node posts them', () => {
  let site: TestSite
  before(async () => {
    site = await openTestSite()
    const home = await mkdtemp(join(tmpdir(), 'assay-clarity-'))
    try {
      await writeFile(join(home, 'chain.tsv'), clarityArchive())
      await using ingest = await openStacksIngest({
        warehouse: site.warehouse,
        codec: openStacksCodec(),
        prints: parsePrintCatalogue(prints),
        home,
        log: silentLog,
      })
      const { refused, blocks } = await ingest.ingestArchive(join(home, 'chain.tsv'))
      assert.deepEqual({ refused, blocks }, { refused: 0, blocks: 120 })
    } finally {
      await rm(home, { recursive: true, force: true })
    }
    await site.metrics.refreshRollups()
    await site.metrics.refreshCallHours('all')
  })
  after(() => site[Symbol.asyncDispose]())

  const rowsOf = async (id: string): Promise<StacksTableAnswer['rows']> => {
    const { statusCode, body } = await site.app.inject({ url: `/api/v1/stacks/tables/${id}` })
    assert.equal(statusCode, 200, body)
    return (JSON.parse(body) as StacksTableAnswer).rows
  }
  const sumOf = async (id: string, key?: string) => {
    const { points } = await site.metrics.series({ id, entity: 'stacks' })
    return points
      .filter(point => key === undefined || point.key === key)
      .reduce((sum, { value }) => sum + Number(value ?? 0), 0)
  }

  test('the first block is told where the one before it is held', async () => {
    const [row] = await rowsOf('sip033-activation')
    assert.equal(row?.first_height, FIRST_ACTIVE_HEIGHT)
    assert.equal(row?.first_time, '2025-11-11T16:00:00Z')
    assert.equal(Number(row?.blocks), 120 - 44)
  })

  test('contracts stand under the version that they were made with, the unnamed one under that of its epoch', async () => {
    const versions = await rowsOf('clarity-versions')
    // The blocks end before these exist: that none is made in them is not known.
    assert.deepEqual(
      versions.flatMap(row => (row.contracts === null ? [row.version, row.deployers, row.calls] : [])),
      ['5', null, null, '6', null, null],
    )
    const made = versions.filter(row => row.contracts !== '0' && row.contracts !== null)
    assert.deepEqual(
      Object.fromEntries(made.map(row => [row.version, Number(row.contracts)])),
      VERSION_CONTRACTS,
    )
    for (const [version, contracts] of Object.entries(VERSION_CONTRACTS))
      assert.equal(await sumOf('contracts.deployed', version), contracts)
  })

  test('each call is counted once, under the version of its contract or as not known', async () => {
    const [calls] = await (
      await site.warehouse.reader.query({
        query: "SELECT count() AS calls, countIf(contract LIKE '%.never-made-here') AS unheld FROM stx_calls",
        format: 'JSONEachRow',
      })
    ).json<{ calls: number; unheld: number }>()
    const versions = await rowsOf('clarity-versions')
    assert.equal(
      versions.reduce((sum, row) => sum + Number(row.calls), 0),
      Number(calls?.calls),
    )
    assert.equal(Number(versions.find(row => row.version === 'not known')?.calls), Number(calls?.unheld))
    assert.equal(await sumOf('calls.by_clarity_version'), Number(calls?.calls))
    assert.equal(await sumOf('calls.by_clarity_version', 'unknown'), Number(calls?.unheld))
  })

  test('each word has the contracts whose source uses it, and the calls to them', async () => {
    const words = await rowsOf('clarity-words')
    assert.ok(words.every(row => (row.contracts === null) === Number(row.since) > 4))
    const used = words.filter(row => row.contracts !== '0' && row.contracts !== null)
    assert.deepEqual(Object.fromEntries(used.map(row => [row.word, Number(row.contracts)])), WORD_CONTRACTS)
    const clock = words.find(row => row.word === 'stacks-block-time')
    assert.match(String(clock?.first_contract), /\.clock$/)
    assert.equal(await sumOf('function.calls', 'stacks-block-time'), Number(clock?.calls))
    assert.equal(await sumOf('function.uses', 'any'), 3)
  })

  test('who deployed first comes first, once each', async () => {
    const firsts = await rowsOf('clarity-first')
    const newer = MADE_CONTRACTS.filter(({ version = 4 }) => version >= 4)
    assert.deepEqual(
      firsts.map(row => [row.deployer, row.contract, row.contracts]),
      [...new Set(newer.map(({ deployer }) => deployer))].map(deployer => {
        const own = newer.filter(made => made.deployer === deployer)
        return [deployer, `${deployer}.${own[0]?.name}`, String(own.length)]
      }),
    )
  })

  test('the median cost of a call is that of its calls, by hand', async () => {
    const costs = await rowsOf('clarity-costs')
    const { points } = await site.metrics.series({ id: 'calls.cost_share', entity: 'stacks' })
    const unheld = { reads: 30 / 15_000, runtime: 5_000_000 / 5_000_000_000 }
    for (const row of costs.filter(({ version }) => version === 'not known')) {
      assert.equal(row.read_count, unheld.reads)
      assert.equal(row.runtime, unheld.runtime)
      assert.equal(row.tightest, Math.max(unheld.reads, unheld.runtime))
    }
    assert.deepEqual([...new Set(costs.map(({ period }) => period))], ['before', 'since'])
    const unknown = points.filter(({ key, value }) => key === 'unknown' && value !== null)
    assert.ok(unknown.length > 5)
    for (const { value } of unknown) assert.equal(value, unheld.reads)
  })

  test('extensions of tenures are counted by what they reset', async () => {
    const rows = await rowsOf('tenure-extends')
    assert.deepEqual(Object.fromEntries(rows.map(row => [row.resets, Number(row.extensions)])), {
      'all five budgets': 30,
      reads: 30,
      'running time': 30,
    })
    assert.equal(await sumOf('tenures.extended'), 90)
  })
})
