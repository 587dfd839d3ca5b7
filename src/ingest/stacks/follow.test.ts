/** Stacks would not be followed, or details would be lost when a second source adds them. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksSource, type StacksSource } from '#chains/stacks/node/index.ts'
import { silentLog } from '#kernel/log.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openStacksServer, type StacksServer } from '#tests/stacks/openStacksServer.ts'
import { branchOf, type RecordedBlock, recordedChain } from '#tests/stacks/recordedChain.ts'
import { STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogue from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { emptyTables, hiddenRows } from '../testing.ts'
import { backfillBlocks } from './backfill.ts'
import { openStacksIngest, type StacksIngest } from './openStacksIngest.ts'
import { createStacksChain } from './stacksChain.ts'

const prints = parsePrintCatalogue(catalogue)
const codec = openStacksCodec()
const DEVNET = 2147483648
const idOf = ({ message }: RecordedBlock): string => message.index_block_hash

/** Columns that the public API leaves out, by table; whole tables where nothing else is in them. */
const NOT_TOLD: Readonly<Record<string, readonly string[]>> = {
  // The recording is of a node that did not write its consensus hash into events.
  stx_blocks: ['source', 'lacks', 'miner_reward_ustx', 'consensus_hash'],
  stx_locks: ['contract'],
  stx_cycles: ['threshold_ustx', 'slot_count', 'start_state'],
  stx_miner_rewards: [],
  stx_reward_slots: [],
}

describe('Stacks from sources that are asked', skipWithoutShared, () => {
  const recorded = recordedChain('devnet-nakamoto-with-signer-messages.tsv.gz')
  const blocks = recorded.blocks.filter(({ raw }) => raw !== null)
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let clean: Awaited<ReturnType<typeof openTestWarehouse>>
  let server: StacksServer
  let home = ''
  before(async () => {
    warehouse = await openTestWarehouse()
    clean = await openTestWarehouse()
    server = await openStacksServer({ blocks, burnBlocks: recorded.burnBlocks })
    home = await mkdtemp(join(tmpdir(), 'assay-stacks-'))
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
    await clean[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })
  beforeEach(async () => {
    for (const one of [warehouse, clean])
      for (const family of [STACKS, STACKS_BURN]) await emptyTables(one, family)
    Object.assign(server, { intercept: undefined, rewrite: undefined, rewriteBytes: undefined })
    Object.assign(server.speaks, { node: true, api: true })
    server.setTip(idOf(blocks.at(-1)!))
  })

  const openIngest = (): Promise<StacksIngest> =>
    openStacksIngest({ warehouse, codec, prints, home, log: silentLog })
  const openSource = (which: 'api' | 'node' = 'api'): StacksSource =>
    openStacksSource({
      codec,
      nodes: which === 'node' ? [{ url: server.url }] : [],
      apis: which === 'api' ? [{ url: server.url }] : [],
      chainId: DEVNET,
    })
  const at = (height: number): RecordedBlock => blocks.find(({ message }) => message.block_height === height)!
  const rows = async <T>(query: string, one: Warehouse = warehouse): Promise<T[]> =>
    (await one.guest.query({ query, format: 'JSONCompactEachRow' })).json<T>()
  const heights = async (): Promise<string> =>
    (
      await rows<[string]>(
        "SELECT arrayStringConcat(groupArray(concat(toString(from_height), '-', toString(to_height))), ' ') FROM stx_coverage",
      )
    )[0]![0]

  /** What readers see of each table, without columns that are not told. */
  async function digests(one: Warehouse, notTold = NOT_TOLD): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for (const { name } of STACKS.tables) {
      const left = notTold[name]
      if (left?.length === 0) continue
      const except = left === undefined ? '*' : `* EXCEPT (${left.join(', ')})`
      const [row] = await rows<[string]>(
        `SELECT concat(toString(count()), ' ', toString(sum(cityHash64(toString(tuple(${except})))))) FROM ${name}`,
        one,
      )
      found[name] = row![0]
    }
    return found
  }

  /** What a node's events would have made of these blocks. */
  async function byEvents(of: readonly RecordedBlock[], one: Warehouse = clean): Promise<void> {
    const chain = createStacksChain({ warehouse: one, codec, prints, log: silentLog, now: Date.now })
    await chain.recover()
    const messages = of.map(({ message }) => ({
      path: '/new_block',
      json: JSON.stringify(message),
      receivedAtMs: null,
    }))
    await chain.apply(messages, 'observer')
  }

  /** Follows until the source's tip is held and nothing is missing below it. */
  async function followTo(
    ingest: StacksIngest,
    source: StacksSource,
    tip: RecordedBlock,
    more = {},
  ): Promise<void> {
    const stop = new AbortController()
    await ingest.follow(source, {
      signal: stop.signal,
      pollMs: 20,
      onRound: ({ sourceTip, missing }) => {
        if (sourceTip === tip.message.block_height && missing === 0) stop.abort()
      },
      ...more,
    })
    const [row] = await rows<[string]>('SELECT lower(hex(hash)) FROM stx_blocks ORDER BY height DESC LIMIT 1')
    assert.equal(`0x${row?.[0]}`, idOf(tip))
  }

  test('a stretch from the public API has the rows that events give, but for what it says it lacks', async () => {
    await using ingest = await openIngest()
    using source = openSource()
    const report = await ingest.backfill(source, { from: 28, to: 505 })
    assert.deepEqual([report.blocks, report.duplicates, report.refused, report.sourceTip], [478, 0, 0, 505])
    await byEvents(blocks.slice(1))
    assert.deepEqual(await digests(warehouse), await digests(clean))
    const [[tenures]] = (await rows<[number]>(
      "SELECT toUInt32(count()) FROM stx_tenures WHERE cause = 'BlockFound'",
    )) as [[number]]
    const [told] = await rows<[string, string, string]>(
      "SELECT toString(countIf(source = 'api')), toString(countIf(lacks = '')), toString(countIf(miner_reward_ustx IS NULL)) FROM stx_blocks",
    )
    assert.equal(told?.[0], '478')
    // Rewards are paid where a tenure begins; three more blocks lock STX, and the API does not say by which contract.
    assert.deepEqual(told?.map(Number), [478, 478 - tenures - 3, tenures])
    assert.deepEqual((await ingest.verify()).differences, [])
    const again = await ingest.backfill(source, { from: 28, to: 505 })
    assert.deepEqual([again.blocks, again.duplicates], [0, 478])
  })

  test('a stretch from a node has no receipts; events that come later take its place', async () => {
    await using ingest = await openIngest()
    using source = openSource('node')
    await ingest.backfill(source, { from: 440, to: 500 })
    const [told] = await rows<(number | null)[]>(
      `SELECT count() = countIf(event_count IS NULL AND runtime IS NULL AND miner_txid IS NULL),
  (SELECT count() = countIf(is_success IS NULL AND status = 'unknown') FROM stx_txs), (SELECT count() FROM stx_transfers)
FROM stx_blocks`,
    )
    assert.deepEqual(told?.map(Number), [1, 1, 0])
    await ingest[Symbol.asyncDispose]()
    await byEvents(blocks.slice(440 - 27, 501 - 27), warehouse)
    await byEvents(blocks.slice(440 - 27, 501 - 27))
    assert.deepEqual(await digests(warehouse, {}), await digests(clean, {}))
    assert.equal(await hiddenRows(warehouse, STACKS), 0)
  })

  test('settled blocks are told again with more: by the API over a node, by events over the API', async () => {
    const chain = createStacksChain({
      warehouse,
      codec,
      prints,
      log: silentLog,
      now: Date.now,
      depth: 3,
      mergeHeights: 50,
    })
    await chain.recover()
    const deps = { chain, exclusively: <T>(work: () => Promise<T>) => work() }
    const stretch = { from: 440, to: 505 }
    {
      using source = openSource('node')
      await backfillBlocks({ ...deps, source }, stretch)
    }
    using source = openSource()
    const report = await backfillBlocks({ ...deps, source }, stretch)
    assert.deepEqual([report.blocks, report.duplicates], [66, 0])
    const told = blocks.slice(440 - 27)
    await byEvents(told)
    assert.deepEqual(await digests(warehouse), await digests(clean))
    // Not all of them, and twice: what is between stays, and nothing is told for a third time.
    const some = told.filter((_, i) => i % 9 === 0)
    for (const part of [some, told, told]) {
      const messages = part.map(({ message }) => ({
        path: '/new_block',
        json: JSON.stringify(message),
        receivedAtMs: null,
      }))
      await chain.apply(messages, 'archive')
      assert.deepEqual(await digests(warehouse), await digests(clean))
    }
    const [lacking] = await rows<[string]>(
      'SELECT toString(countIf(miner_reward_ustx IS NULL)) FROM stx_blocks',
    )
    assert.deepEqual(lacking, ['0'])
    assert.equal(await heights(), '440-505')
    assert.equal(await hiddenRows(warehouse, STACKS), 0)
    await chain.recover()
    assert.deepEqual(await digests(warehouse), await digests(clean))
  })

  test('following begins at the newest block, keeps up, and goes on after a stop where it was', async () => {
    server.setTip(idOf(at(100)))
    {
      await using ingest = await openIngest()
      using source = openSource()
      await followTo(ingest, source, at(100))
      assert.equal(await heights(), '100-100')
      server.setTip(idOf(at(105)))
      await followTo(ingest, source, at(105))
    }
    server.setTip(idOf(at(190)))
    await using ingest = await openIngest()
    using source = openSource()
    await followTo(ingest, source, at(190))
    assert.equal(await heights(), '100-190')
    const { state } = await ingest.status()
    assert.equal(state?.state, 'stopped')
  })

  test('a gap that is too long is left to backfill, which closes it', async () => {
    server.setTip(idOf(at(100)))
    await using ingest = await openIngest()
    using source = openSource()
    await followTo(ingest, source, at(100))
    server.setTip(idOf(at(160)))
    using other = openSource()
    await followTo(ingest, other, at(160), { mostGap: 50 })
    assert.equal(await heights(), '100-100 160-160')
    await ingest.backfill(other, { from: 101, to: 159 })
    assert.equal(await heights(), '100-160')
    await byEvents(blocks.slice(100 - 27, 161 - 27))
    assert.deepEqual(await digests(warehouse), await digests(clean))
  })

  test('a reorg of Stacks, and one of Bitcoin under it to a lower tip, end in the rows of the branch that won', async () => {
    const branch = branchOf(blocks.slice(120 - 27, 131 - 27))
    const burnHash = `0x${'ab'.repeat(32)}`
    const onOtherBitcoin = branchOf(blocks.slice(118 - 27, 122 - 27), burnHash)
    server.learn([...branch, ...onOtherBitcoin])
    for (const which of ['api', 'node'] as const) {
      for (const family of [STACKS, STACKS_BURN]) await emptyTables(warehouse, family)
      server.setTip(idOf(at(110)))
      await using ingest = await openIngest()
      using source = openSource(which)
      await followTo(ingest, source, at(110))
      server.setTip(idOf(at(128)))
      await followTo(ingest, source, at(128))
      server.setTip(idOf(branch.at(-1)!))
      await followTo(ingest, source, branch.at(-1)!)
      const seen = await rows<[string]>(
        'SELECT lower(hex(hash)) FROM stx_blocks WHERE height >= 120 ORDER BY height',
      )
      assert.deepEqual(
        seen.map(([id]) => `0x${id}`),
        branch.map(idOf),
      )
      server.setTip(idOf(onOtherBitcoin.at(-1)!))
      await followTo(ingest, source, onOtherBitcoin.at(-1)!)
      const [top] = await rows<[number, number]>('SELECT max(height), count() FROM stx_blocks')
      assert.deepEqual(top, [121, 12], which)
    }
  })

  test('an endpoint that lies, and one that is away, change nothing that is held', async () => {
    server.setTip(idOf(at(100)))
    await using ingest = await openIngest()
    using source = openSource()
    await followTo(ingest, source, at(100))
    const held = await digests(warehouse)
    server.setTip(idOf(at(101)))
    server.rewriteBytes = (_, bytes) => Buffer.from(bytes).fill(1, 1, 9)
    await assert.rejects(ingest.backfill(source, { from: 101, to: 101 }), /was asked for/)
    assert.deepEqual(await digests(warehouse), held)
    server.rewriteBytes = undefined
    await followTo(ingest, source, at(101))
  })
})
