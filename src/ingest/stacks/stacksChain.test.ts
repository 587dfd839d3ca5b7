/** Stacks data would be wrong after a fork or a reorg. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { recordedMessages, type STACKS_ARCHIVES } from '#tests/recordedStacks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import { STX_FACT_TABLES } from '#warehouse/tables/stacksBurn.ts'
import { openTestWarehouse, truncateTables } from '#warehouse/testing.ts'
import catalogue from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { createRandom, digestOf, emptyTables, hiddenRows } from '../testing.ts'
import { ingestArchive } from './archiveIngest.ts'
import type { RawMessage } from './reading/readMessage.ts'
import { createStacksChain, type StacksChain } from './stacksChain.ts'

const prints = parsePrintCatalogue(catalogue)
type Archive = (typeof STACKS_ARCHIVES)[number]
type Block = {
  index_block_hash: string
  parent_index_block_hash: string
  block_height: number
  burn_block_hash: string
  burn_block_height: number
}

const messagesOf = (archive: Archive): RawMessage[] =>
  [...recordedMessages(archive)].map(([path, message]) => ({
    path,
    json: JSON.stringify(message),
    receivedAtMs: null,
  }))
const blockOf = ({ json }: RawMessage): Block => JSON.parse(json)

describe('Stacks chain in the warehouse', skipWithoutShared, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let clean: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
    clean = await openTestWarehouse()
  })
  after(async () => {
    await warehouse[Symbol.asyncDispose]()
    await clean[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    for (const one of [warehouse, clean]) await empty(one)
  })

  async function empty(one: Warehouse): Promise<void> {
    await emptyTables(one, STACKS)
    await emptyTables(one, STACKS_BURN)
    await truncateTables(
      one,
      STX_FACT_TABLES.map(({ name }) => name),
    )
  }

  async function open(
    into: Warehouse,
    more: { depth?: number; mergeHeights?: number } = {},
  ): Promise<StacksChain> {
    const chain = createStacksChain({
      warehouse: into,
      codec: openStacksCodec(),
      prints,
      log: silentLog,
      now: () => 1_700_000_000_000,
      ...more,
    })
    await chain.recover()
    return chain
  }

  const both = async (one: Warehouse) => ({
    ...(await digestOf(one, STACKS)),
    ...(await digestOf(one, STACKS_BURN)),
  })
  const rows = async <T>(one: Warehouse, query: string): Promise<T[]> =>
    (await one.guest.query({ query, format: 'JSONCompactEachRow' })).json<T>()

  /** The ids of the highest chain, walked down by links from the first block of the greatest height. */
  function canonicalIds(messages: readonly RawMessage[]): Set<string> {
    const blocks = new Map<string, Block>()
    for (const message of messages)
      if (message.path === '/new_block' && !blocks.has(blockOf(message).index_block_hash))
        blocks.set(blockOf(message).index_block_hash, blockOf(message))
    let tip = [...blocks.values()].reduce((best, one) => (one.block_height > best.block_height ? one : best))
    const ids = new Set<string>()
    for (let at: Block | undefined = tip; at !== undefined; at = blocks.get(at.parent_index_block_hash)) {
      ids.add(at.index_block_hash)
      tip = at
    }
    return ids
  }

  /** What a node without reorgs would have told: canonical blocks from the lowest on, once each, everything else before them. */
  function cleanRun(messages: readonly RawMessage[]): RawMessage[] {
    const ids = canonicalIds(messages)
    const seen = new Map<string, RawMessage>()
    for (const message of messages) {
      if (message.path !== '/new_block' || !ids.has(blockOf(message).index_block_hash)) continue
      const id = blockOf(message).index_block_hash
      if ((seen.get(id)?.json.length ?? 0) < message.json.length) seen.set(id, message)
    }
    const blocks = [...seen.values()].sort((a, b) => blockOf(a).block_height - blockOf(b).block_height)
    return [...messages.filter(({ path }) => path === '/new_burn_block'), ...blocks]
  }

  async function applyAll(chain: StacksChain, messages: readonly RawMessage[], groupOf: () => number) {
    for (let from = 0; from < messages.length; ) {
      const count = groupOf()
      await chain.apply(messages.slice(from, from + count), 'observer')
      from += count
    }
  }

  async function demandCleanRun(messages: readonly RawMessage[]): Promise<void> {
    await applyAll(await open(clean), cleanRun(messages), () => 1_000_000)
    assert.deepEqual(await both(warehouse), await both(clean))
  }

  for (const [archive, ...sizes] of [
    ['mainnet-reorg-scenario1.tsv.gz', 1_000_000, 7],
    ['devnet-nakamoto-with-signer-messages.tsv.gz', 150],
    ['regtest-epoch-3-transition.tsv.gz', 1_000_000, 20],
    ['regtest-pox-4-order-independent-multisig.tsv.gz', 60],
  ] as const)
    for (const size of sizes)
      test(`${archive} in groups of ${size} equals a clean run of its canonical blocks`, async () => {
        const messages = messagesOf(archive).filter(({ path }) => path !== '/stackerdb_chunks')
        await applyAll(await open(warehouse), messages, () => size)
        await demandCleanRun(messages)
      })

  test('each message in a start of its own, in any order and twice, equals a clean run', async t => {
    const seed = seedOf(t)
    const random = createRandom(seed)
    const messages = messagesOf('mainnet-reorg-scenario1.tsv.gz')
    // Which of two tips of one height counts is decided by who comes first: the last such pair is left out.
    const told = messages.filter(
      message => message.path !== '/new_block' || !blockOf(message).index_block_hash.startsWith('0x68fb02f8'),
    )
    const mixed = [...told, ...told.filter(() => random() < 0.3)]
      .map(message => ({ message, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ message }) => message)
    for (let from = 0; from < mixed.length; ) {
      const count = 1 + Math.floor(random() * 12)
      await (await open(warehouse)).apply(mixed.slice(from, from + count), 'observer')
      from += count
    }
    await demandCleanRun(told)
  })

  test('a competitor is set aside, and a reorg is one insert that writes no row again', async () => {
    const chain = await open(warehouse)
    const messages = messagesOf('mainnet-reorg-scenario1.tsv.gz')
    const at = messages.findIndex(
      message => message.path === '/new_block' && blockOf(message).block_height === 31,
    )
    await chain.apply(messages.slice(0, at), 'observer')
    assert.deepEqual(
      await rows(
        warehouse,
        'SELECT height, left(lower(hex(hash)), 8) FROM stx_blocks WHERE height >= 29 ORDER BY height',
      ),
      [
        [29, '85ae2bc1'],
        [30, '65549af9'],
      ],
    )
    assert.equal(await hiddenRows(warehouse, STACKS), await competitorRows())
    await chain.apply(messages.slice(at, at + 1), 'observer')
    assert.deepEqual(
      await rows(
        warehouse,
        'SELECT height, left(lower(hex(hash)), 8) FROM stx_blocks WHERE height >= 29 ORDER BY height',
      ),
      [
        [29, '85ae2bc1'],
        [30, '101dc10b'],
        [31, 'b9d24ac3'],
      ],
    )
  })

  async function competitorRows(): Promise<number> {
    let count = 0
    for (const { name } of STACKS.tables) {
      const [[found]] = (await (
        await warehouse.writer.query({
          query: `SELECT count() FROM base.${name} WHERE batch IN (
SELECT batch FROM base.stx_batches GROUP BY batch HAVING argMax(reason, seq) = 'aside')`,
          format: 'JSONCompactEachRow',
        })
      ).json()) as [[string]]
      count += Number(found)
    }
    assert.ok(count > 0)
    return count
  }

  test('a Bitcoin reorg takes the Stacks blocks above it back, and telling of it again brings them back', async () => {
    const messages = messagesOf('mainnet-reorg-scenario1.tsv.gz').filter(
      message => message.path !== '/new_block' || blockOf(message).block_height !== 47,
    )
    const chain = await open(warehouse)
    await chain.apply(messages, 'observer')
    const before = await digestOf(warehouse, STACKS)
    const burnOf = (height: number): RawMessage =>
      messages.find(
        ({ path, json }) => path === '/new_burn_block' && JSON.parse(json).burn_block_height === height,
      )!
    const tip = async () => (await rows<[number]>(warehouse, 'SELECT max(height) FROM stx_blocks'))[0]![0]
    assert.equal(await tip(), 46)
    const hash = (byte: string) => `0x${byte.repeat(32)}`
    const bent = (height: number, change: object): RawMessage => ({
      path: '/new_burn_block',
      json: JSON.stringify({ ...JSON.parse(burnOf(height).json), ...change }),
      receivedAtMs: null,
    })
    // Block 44 stands on Bitcoin 666117, the block of 45 and 46 on 666118 and 666120.
    await chain.apply([bent(666118, { burn_block_hash: hash('aa') })], 'observer')
    assert.equal(await tip(), 44)
    assert.deepEqual(await rows(warehouse, 'SELECT max(height) FROM stx_burn_blocks'), [[666118]])
    // The same again changes nothing, nor does a message of the branch that lost.
    await chain.apply(
      [bent(666118, { burn_block_hash: hash('aa') }), burnOf(666118), burnOf(666120)],
      'observer',
    )
    assert.equal(await tip(), 44)
    // Bitcoin goes back to the branch before: told by a new block that stands on it.
    const old = JSON.parse(burnOf(666118).json).burn_block_hash
    await (await open(warehouse)).apply(
      [bent(666119, { burn_block_hash: hash('bb'), parent_burn_block_hash: old })],
      'observer',
    )
    assert.equal(await tip(), 45)
    // The whole branch is told of again, and then a new block on it: as if nothing had been.
    const told = messages.filter(
      ({ path, json }) => path === '/new_burn_block' && JSON.parse(json).burn_block_height > 666117,
    )
    await (await open(warehouse)).apply(
      [...told, bent(666146, { burn_block_height: 666147, burn_block_hash: hash('cc') })],
      'observer',
    )
    assert.deepEqual(await digestOf(warehouse, STACKS), before)
  })

  test('an archive is taken in again without a row more, and what lies between two stops is not lost', async () => {
    const file = shared('data/stacks/events/regtest-epoch-3-transition.tsv.gz')
    const first = await ingestArchive(await open(warehouse), file, { partBytes: 100_000 })
    assert.deepEqual([first.messages, first.blocks, first.refused, first.line], [238, 51, 0, 238])
    const before = await both(warehouse)
    const again = await ingestArchive(await open(warehouse), file, { partBytes: 100_000 })
    assert.deepEqual([again.blocks, again.rowCount, again.duplicates], [0, 0, again.duplicates])
    assert.deepEqual(await both(warehouse), before)
    assert.deepEqual(await rows(warehouse, 'SELECT from_height, to_height FROM stx_coverage'), [[0, 50]])
    assert.deepEqual(await rows(warehouse, 'SELECT toUInt32(count()) FROM stx_mempool_txs'), [[51]])
  })

  test('below the last Bitcoin blocks nothing changes: competitors go, late ones are noted and not followed', async () => {
    const messages = messagesOf('mainnet-reorg-scenario1.tsv.gz')
    const isSibling = (message: RawMessage) =>
      message.path === '/new_block' && blockOf(message).index_block_hash.startsWith('0x65549af9')
    const late = messages.find(isSibling)!
    const chain = await open(warehouse, { depth: 5 })
    await applyAll(
      chain,
      messages.filter(message => !isSibling(message)),
      () => 10,
    )
    const applied = await chain.apply([late], 'observer')
    assert.equal(applied.tooDeep, 1)
    assert.deepEqual(
      await rows(
        warehouse,
        'SELECT height, left(lower(hex(hash)), 8), left(lower(hex(winner_hash)), 8) FROM stx_stale_blocks ORDER BY height',
      ),
      [
        [30, '65549af9', '101dc10b'],
        [45, '5b3b7490', '9cb73562'],
      ].slice(0, 1),
    )
    const settled = await open(warehouse, { depth: 5 })
    assert.equal((await settled.apply([late], 'observer')).tooDeep, 1)
    await demandCleanRun(messages)
  })

  test('settled batches are put together, and no figure changes', async () => {
    const messages = messagesOf('mainnet-reorg-scenario1.tsv.gz')
    await applyAll(await open(warehouse, { depth: 5, mergeHeights: 10 }), messages, () => 5)
    const [[merged]] = (await rows<[number]>(
      warehouse,
      "SELECT toUInt32(count()) FROM stx_batches WHERE is_live AND origin = 'merged' AND block_count = 10",
    )) as [[number]]
    assert.ok(merged >= 2, `${merged} batches of ten`)
    await demandCleanRun(messages)
  })

  test('what cannot be read is kept with the reason, and the rest is taken in', async () => {
    const [block] = messagesOf('mainnet-poison-microblock-760063.tsv.gz')
    const message = JSON.parse(block!.json)
    message.transactions[4].raw_tx = message.transactions[5].raw_tx
    const chain = await open(warehouse)
    const applied = await chain.apply(
      [
        { ...block!, json: JSON.stringify(message) },
        { path: '/new_block', json: '{"block_height": 1}', receivedAtMs: null },
        { path: '/new_moon', json: '{}', receivedAtMs: null },
        { path: '/new_mempool_tx', json: '["0x0102"]', receivedAtMs: null },
        {
          path: '/drop_mempool_tx',
          json: `{"dropped_txids":["${'ab'.repeat(32)}"],"reason":"TooExpensive"}`,
          receivedAtMs: null,
        },
      ],
      'observer',
    )
    assert.deepEqual([applied.blocks, applied.refused, applied.unknown], [0, 2, 1])
    const kept = await rows<[string, string]>(
      warehouse,
      'SELECT path, reason FROM stx_kept_messages ORDER BY path, reason',
    )
    assert.deepEqual(
      kept.map(([path]) => path),
      ['/new_block', '/new_block', '/new_mempool_tx', '/new_moon'],
    )
    assert.match(kept[0]![1], /Transaction 4 is called 0x/)
    assert.match(kept[1]![1], /^burn_block_time: the field is missing/)
    assert.deepEqual(await rows(warehouse, 'SELECT reason FROM stx_mempool_drops'), [['TooExpensive']])
    assert.equal((await chain.apply([block!, block!], 'observer')).blocks, 1)
    assert.deepEqual(await rows(warehouse, 'SELECT tx_count FROM stx_blocks'), [[63]])
  })
})
