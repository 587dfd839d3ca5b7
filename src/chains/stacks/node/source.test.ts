/** Stacks blocks from a node or the public API would be missing, wrong or never retried. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { encodeNakamotoBlock } from '#tests/encodeStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { oldChain } from '#tests/stacks/oldChain.ts'
import { openStacksServer, type StacksServer } from '#tests/stacks/openStacksServer.ts'
import { branchOf, type RecordedBlock, recordedChain } from '#tests/stacks/recordedChain.ts'
import { openStacksCodec } from '../index.ts'
import { type BlockMessage, parseBlock } from '../messages/block.ts'
import { NodeError, openStacksSource, type StacksPlace, type StacksSource } from './index.ts'

const codec = openStacksCodec()
const DEVNET = 2147483648
/** The first recorded block whose bytes were recorded too. */
const FIRST = 27

type Which = { node?: readonly string[]; api?: readonly string[] }
const sourceOf = (
  { node = [], api = [] }: Which,
  more: { rounds?: number; chainId?: number } = {},
): StacksSource =>
  openStacksSource({
    codec,
    nodes: node.map(url => ({ url })),
    apis: api.map(url => ({ url })),
    chainId: DEVNET,
    opinionMs: 2_000,
    ...more,
  })

const refusal = (code: string, words: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof NodeError, String(thrown))
  assert.equal(thrown.code, code, thrown.message)
  assert.match(thrown.message, words)
  return true
}

async function takeDown(source: StacksSource, from: StacksPlace, count: number): Promise<StacksPlace[]> {
  const places: StacksPlace[] = []
  for await (const place of source.down(from)) {
    places.push(place)
    if (places.length === count) break
  }
  return places
}

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

describe('blocks of Stacks from a node and from the public API', skipWithoutShared, () => {
  const recorded = recordedChain('devnet-nakamoto-with-signer-messages.tsv.gz')
  const blocks = recorded.blocks.filter(({ message }) => message.block_height >= FIRST)
  const expected = new Map(blocks.map(({ message }) => [message.index_block_hash, parseBlock(message)]))
  let server: StacksServer
  before(async () => {
    server = await openStacksServer({ blocks, burnBlocks: recorded.burnBlocks })
  })
  after(() => server[Symbol.asyncDispose]())
  beforeEach(() => {
    Object.assign(server, {
      intercept: undefined,
      rewrite: undefined,
      rewriteBytes: undefined,
      networkId: DEVNET,
    })
    Object.assign(server.speaks, { node: true, api: true, rawBlocks: true, newTxList: true })
    server.setTip(blocks.at(-1)!.message.index_block_hash)
    server.requests.length = 0
  })

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

  test('an endpoint of another chain is refused before it is asked for blocks', async () => {
    server.networkId = 1
    for (const which of [{ api: [server.url] }, { node: [server.url] }]) {
      using source = sourceOf(which)
      await assert.rejects(
        source.tip(),
        refusal('node.wrong_chain', /follows chain 1, but Assay asks for Stacks/),
      )
      assert.equal(source.health()[0]?.state, 'aside')
    }
    assert.ok(server.requests.every(path => path === '/v2/info'))
  })

  test('bytes of another block, a changed transaction and a cut answer are refused', async () => {
    const other = blocks.find(({ message }) => message.block_height === 400)!
    using honest = sourceOf({ api: [server.url] })
    const place = (await takeDown(honest, await honest.tip(), 1))[0]!
    const cases: [(bytes: Buffer) => Buffer, string, RegExp][] = [
      [() => bytesOf(other), 'node.lied', /where 0x[0-9a-f]+ was asked for/],
      [bytes => Buffer.from(bytes).fill(7, 1, 9), 'node.lied', /was asked for/],
      [bytes => bytes.subarray(0, bytes.length - 5), 'node.shape', /are no block/],
    ]
    for (const [rewriteBytes, code, words] of cases) {
      server.rewriteBytes = (_, bytes) => rewriteBytes(bytes)
      using source = sourceOf({ api: [server.url] }, { rounds: 1 })
      await assert.rejects(source.block(place), refusal(code, words))
      assert.equal(source.health()[0]?.lies, 1)
    }
  })

  test('receipts of another block, missing events and fields of another form are refused', async () => {
    using honest = sourceOf({ api: [server.url] })
    const places = await takeDown(honest, await honest.tip(), 60)
    const place = places.find(({ id }) => expected.get(id)!.events.length > 0)!
    type Tx = Record<string, unknown>
    const changes: [(tx: Tx) => Tx, string, RegExp][] = [
      [tx => ({ ...tx, block_hash: `0x${'11'.repeat(32)}` }), 'node.reorged', /is not in block/],
      [tx => ({ ...tx, canonical: false }), 'node.reorged', /is not in block/],
      [
        tx => ({ ...tx, event_count: 7 }),
        'node.shape',
        /events of transaction 0x[0-9a-f]+ came, 7 were announced/,
      ],
      [
        tx => ({ ...tx, tx_result: { hex: 'zz' } }),
        'node.shape',
        /result\.tx_result\.hex: expected whole bytes/,
      ],
      [tx => ({ ...tx, tx_index: '0' }), 'node.shape', /result\.tx_index: expected a whole number/],
    ]
    for (const [change, code, words] of changes) {
      server.rewrite = (path, json) => {
        if (!path.startsWith('/extended/v1/tx/multiple')) return json
        const answer = json as Record<string, { result: Tx }>
        for (const entry of Object.values(answer)) entry.result = change(entry.result)
        return answer
      }
      using source = sourceOf({ api: [server.url] }, { rounds: 1 })
      await assert.rejects(source.block(place), refusal(code, words))
    }
  })

  test('answers that are cut, no JSON, or refused are told as what they are', async () => {
    const cases: [number, string, string][] = [
      [200, '{"results":[{"heig', 'node.shape'],
      [200, '<html>', 'node.shape'],
      [200, '{"results":{}}', 'node.shape'],
      [500, 'oh', 'node.http'],
      [410, '{"error":"Gone"}', 'node.method'],
      [401, '', 'node.unauthorized'],
    ]
    for (const [status, text, code] of cases) {
      server.intercept = (path, response) => {
        if (!path.startsWith('/extended')) return false
        response.writeHead(status).end(text)
        return true
      }
      using source = sourceOf({ api: [server.url] }, { rounds: 1 })
      await assert.rejects(source.tip(), refusal(code, /./))
    }
  })

  test('an endpoint that takes no more is left alone as long as it asked for', async () => {
    let refusals = 0
    server.intercept = (path, response) => {
      if (!path.startsWith('/extended') || refusals > 0) return false
      refusals += 1
      response.writeHead(429, { 'retry-after': '1' }).end()
      return true
    }
    using source = sourceOf({ api: [server.url] })
    const start = performance.now()
    assert.equal((await source.tip()).height, 505)
    assert.ok(performance.now() - start >= 990)
    assert.equal(source.health()[0]?.rateLimits, 1)
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

  test('of several endpoints one that lies or is away is passed over, and differences are told', async () => {
    await using liar = await openStacksServer({ blocks, burnBlocks: recorded.burnBlocks })
    const branch = branchOf(blocks.slice(-3))
    liar.learn(branch)
    liar.rewriteBytes = (_, bytes) => Buffer.from(bytes).fill(1, 0, 9)
    using source = sourceOf({ api: [liar.url, 'http://127.0.0.1:9', server.url] })
    const place = await source.tip()
    const block = await source.block(place)
    assert.deepEqual(
      block.lacks,
      ['miner_rewards'].filter(() => expected.get(place.id)!.minerRewards.length > 0),
    )
    liar.setTip(branch.at(-1)!.message.index_block_hash)
    const { agreeing, differing, silent } = await source.crossCheck(place)
    assert.deepEqual([agreeing.length, differing.length, silent.length], [1, 1, 1])
    await assert.rejects(
      (async () => {
        using two = sourceOf({ api: [liar.url] })
        await two.crossCheck(place)
      })(),
      refusal('node.disagree', /is 0x[0-9a-f]+ here, but 0x/),
    )
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

const idOf = ({ message }: RecordedBlock): string => message.index_block_hash

function bytesOf({ raw }: RecordedBlock): Buffer {
  assert.ok(raw)
  return encodeNakamotoBlock(raw)
}
