/** Stacks blocks from a node or the public API would be missing, wrong or never retried. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { skipWithoutShared } from '#tests/shared.ts'
import { oldChain } from '#tests/stacks/oldChain.ts'
import { openStacksServer } from '#tests/stacks/openStacksServer.ts'
import { branchOf, type RecordedBlock, recordedChain } from '#tests/stacks/recordedChain.ts'
import {
  blocks,
  DEVNET,
  expected,
  FIRST,
  recorded,
  refusal,
  server,
  setUpStacksServer,
  sourceOf,
  takeDown,
} from '#tests/stacks/testSource.ts'
import { type BlockMessage, parseBlock } from '../messages/block.ts'
import type { StacksPlace, StacksSource } from './index.ts'

/** What a node's events told of a block, without the parts that another source does not tell. */
function without(expected: BlockMessage, { source, lacks }: BlockMessage): BlockMessage {
  const gone = new Set(lacks)
  const noReceipts = gone.has('receipts')
  return {
    ...expected,
    source,
    lacks,
    // Nobody asks for these.
    parentBurnHash: null,
    cost: null,
    microblockCost: null,
    ...(gone.has('miner_rewards') && { minerRewards: [] }),
    ...(gone.has('miner_txid') && { minerTxid: null }),
    ...(gone.has('tenure_height') && { tenureHeight: null }),
    ...(gone.has('header') && {
      consensusHash: null,
      minerSignature: null,
      signerSignatures: null,
      signerBitvec: null,
    }),
    ...(gone.has('reward_set') && { cycle: null, rewardSet: null }),
    ...(gone.has('reward_addresses') && {
      rewardSet: expected.rewardSet && {
        ...expected.rewardSet,
        addresses: [],
        thresholdUstx: null,
        startCycleState: 'null',
      },
    }),
    events: gone.has('events')
      ? []
      : expected.events
          .filter(({ isCommitted }) => isCommitted)
          .map(event =>
            event.body.kind === 'lock' ? { ...event, body: { ...event.body, contract: null } } : event,
          )
          .sort((a, b) => a.index - b.index),
    transactions: expected.transactions.map(tx => ({
      ...tx,
      bitcoinOp: null,
      microblock: tx.microblock && { ...tx.microblock, parentHash: null },
      ...(noReceipts && { status: null, result: Buffer.alloc(0), cost: null, contractInterface: null }),
    })),
  }
}

const idOf = ({ message }: RecordedBlock): string => message.index_block_hash

describe('blocks of Stacks from a node and from the public API', skipWithoutShared, () => {
  setUpStacksServer()

  /** Every recorded block from that source, compared with what its node's events had told. */
  async function demandEqual(source: StacksSource, every = 1): Promise<Map<string, number>> {
    const lacking = new Map<string, number>()
    const tip = await source.tip()
    assert.equal(tip.height, 505)
    const places = await takeDown(source, tip, 478)
    assert.equal(places.at(-1)?.height, FIRST + 1)
    for (const place of places.filter((_, i) => i % every === 0)) {
      const block = await source.block(place)
      const told = expected.get(place.id)!
      // Nodes of the time of the recording did not write it into their events.
      assert.ok(block.lacks.includes('header') || block.consensusHash !== null)
      assert.deepEqual({ ...block, consensusHash: null }, without(told, block), `block ${place.height}`)
      for (const part of block.lacks) lacking.set(part, (lacking.get(part) ?? 0) + 1)
    }
    return lacking
  }

  test('the public API tells what events told, and says what it leaves out', async () => {
    using source = sourceOf({ api: [server.url] })
    const lacking = await demandEqual(source)
    // Rewards and sets stand in blocks that begin a tenure.
    assert.deepEqual([...lacking.keys()].sort(), ['lock_contracts', 'miner_rewards', 'reward_addresses'])
    assert.equal(lacking.get('reward_addresses'), 3)
    assert.ok(lacking.get('miner_rewards')! < 200)
    assert.ok(server.requests.length < 478 * 2 + 300, `${server.requests.length} requests`)
  })

  test('an API that passes no blocks of its node on tells all but headers', async () => {
    server.speaks.rawBlocks = false
    server.speaks.node = false
    using source = sourceOf({ api: [server.url] })
    const lacking = await demandEqual(source, 7)
    assert.equal(lacking.get('header'), 69)
  })

  test('a node alone tells blocks that prove themselves, and nothing of how they ended', async () => {
    server.speaks.api = false
    using source = sourceOf({ node: [server.url] })
    const lacking = await demandEqual(source, 5)
    for (const part of ['receipts', 'events', 'miner_txid', 'tenure_height'])
      assert.equal(lacking.get(part), 96)
  })

  test('a node with the API beside it tells everything but rewards', async () => {
    using source = sourceOf({ node: [server.url], api: [server.url] })
    const lacking = await demandEqual(source, 5)
    assert.ok(!lacking.has('receipts') && !lacking.has('reward_addresses'))
  })

  test('an API that is away leaves what the node tells', async () => {
    server.intercept = (path, response) => {
      if (!path.startsWith('/extended')) return false
      response.writeHead(502).end('bad gateway')
      return true
    }
    using source = sourceOf({ node: [server.url], api: [server.url] }, { rounds: 1 })
    const block = await source.block(await source.tip())
    assert.deepEqual([block.source, block.lacks.includes('receipts')], ['node', true])
  })

  test('Bitcoin blocks come with what was paid in them', async () => {
    using source = sourceOf({ api: [server.url] })
    const told = recorded.burnBlocks.findLast(each => each.reward_recipients.length > 1)!
    const block = await source.burnBlock({
      height: told.burn_block_height,
      hash: told.burn_block_hash as `0x${string}`,
    })
    assert.equal(block.burnSat, BigInt(told.burn_amount))
    assert.deepEqual(
      block.payouts,
      told.reward_recipients.map(({ recipient, amt }) => ({ recipient, valueSat: BigInt(amt) })),
    )
    assert.deepEqual(block.slotHolders, told.reward_slot_holders)
    const unpaid = recorded.burnBlocks.find(each => each.reward_recipients.length === 0)!
    const nothing = await source.burnBlock({ height: 1, hash: unpaid.burn_block_hash as `0x${string}` })
    assert.deepEqual([nothing.burnSat, nothing.payouts], [null, null])
  })

  test('a reorg between two pages is told, and the next walk is of the new branch', async () => {
    const last = blocks.slice(-20)
    const branch = branchOf(last)
    server.learn(branch)
    for (const which of [{ api: [server.url] }, { node: [server.url] }]) {
      server.setTip(last.at(-1)!.message.index_block_hash)
      using source = sourceOf(which, { rounds: 1 })
      const walk = source.down(await source.tip())
      const seen: StacksPlace[] = []
      await assert.rejects(
        async () => {
          for await (const place of walk) {
            seen.push(place)
            server.setTip(branch.at(-1)!.message.index_block_hash)
          }
        },
        refusal('node.reorged', /chain changed/),
      )
      assert.ok(seen.length < 45)
      const ids = (await takeDown(source, await source.tip(), 25)).map(({ id }) => id)
      assert.deepEqual(ids.slice(0, 20), branch.map(idOf).toReversed())
      assert.deepEqual(ids.slice(20), blocks.slice(-25, -20).map(idOf).toReversed())
    }
  })

  test('blocks before Nakamoto are found by their Bitcoin blocks, and prove themselves', async () => {
    const old = oldChain()
    assert.ok(old.length > 10, `${old.length} blocks`)
    await using older = await openStacksServer({ blocks: old, burnBlocks: [] })
    for (const which of [{ node: [older.url] }, { api: [older.url] }]) {
      using source = sourceOf(which)
      const top = await source.at(old.at(-2)!.message.block_height)
      assert.equal(top?.id, idOf(old.at(-2)!))
      const ids = (await takeDown(source, top, old.length - 2)).map(({ id }) => id)
      assert.deepEqual(ids, old.slice(1, -1).map(idOf).toReversed())
      for (const place of await takeDown(source, top, 5)) {
        const block = await source.block(place)
        const told = parseBlock(old.find(each => idOf(each) === place.id)!.message)
        assert.equal(block.consensusHash?.length, 42)
        const without_ = without(told, block)
        assert.deepEqual({ ...block, consensusHash: null }, { ...without_, consensusHash: null })
      }
      assert.equal(await source.at(100), null)
    }
    older.rewriteBytes = (_, bytes) => Buffer.from(bytes).fill(3, 20, 25)
    using source = sourceOf({ node: [older.url] }, { rounds: 1 })
    await assert.rejects(source.tip(), refusal('node.lied', /was asked for/))
  })

  test('operations on Bitcoin, microblocks and contracts of the chain itself come from the API as from events', async () => {
    let ops = 0
    let inMicroblocks = 0
    for (const archive of [
      'mainnet-bitcoin-ops-new_block.jsonl',
      'mainnet-reorg-scenario1.tsv.gz',
      'regtest-epoch-3-transition.tsv.gz',
      'regtest-pox-4-order-independent-multisig.tsv.gz',
    ] as const) {
      const chain = recordedChain(archive)
      await using other = await openStacksServer(chain)
      const isMain = archive.startsWith('mainnet')
      other.networkId = isMain ? 1 : DEVNET
      using source = sourceOf({ api: [other.url] }, { chainId: other.networkId })
      for (const recordedBlock of chain.blocks) {
        const { message } = recordedBlock
        if (message.block_height < 2 || message.transactions.length === 0) continue
        other.setTip(message.index_block_hash)
        const told = parseBlock(message)
        const block = await source.block({ height: told.height, id: told.id, parentId: told.parentId })
        const expectedBlock = without(told, block)
        assert.deepEqual(
          { ...block, tenureHeight: null, transactions: block.transactions },
          {
            ...expectedBlock,
            tenureHeight: null,
            // What the header says of microblocks is not told without it.
            parentMicroblock: null,
          },
          `${archive}, block ${told.height}`,
        )
        ops += block.transactions.filter(({ raw }) => raw === null).length
        inMicroblocks += block.transactions.filter(({ microblock }) => microblock !== null).length
        assert.equal(
          block.lacks.includes('bitcoin_ops'),
          block.transactions.some(({ raw }) => raw === null),
        )
      }
    }
    assert.ok(ops > 3 && inMicroblocks > 0, `${ops} operations, ${inMicroblocks} in microblocks`)
  })

  test('without an endpoint nothing is opened', () => {
    assert.throws(() => sourceOf({}), refusal('node.none', /no endpoint of Stacks/))
    assert.throws(() => sourceOf({ api: ['api.hiro.so'] }), refusal('node.config', /no http address/))
  })
})
