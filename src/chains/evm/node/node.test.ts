/** EVM nodes that are slow, limited or faulty would stop the index or slip in wrong data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAnvil, skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy, refuse } from '#tests/evm/rpcProxy.ts'
import {
  all,
  anvil,
  clientOf,
  codec,
  FRIEND,
  factory,
  proxy,
  refusal,
  setUpTestNode,
  sourceOf,
  undo,
} from '#tests/evm/testNode.ts'
import { createAddress } from '../address.ts'
import { asList } from '../fields.ts'
import type { Hex } from '../hex.ts'
import { creationsOf, readCallTracer, readTraceBlock } from '../index.ts'
import { createEvmSource, logsIn, openEvmClient, openRangeSize } from './index.ts'

test('no endpoint, and an address that is none, are refused before anything is sent', () => {
  assert.throws(() => clientOf(), refusal('node.none', /no endpoint of the test chain/))
  assert.throws(() => clientOf('rsk:4444'), refusal('node.config', /no http address/))
})

describe('a real EVM node', skipWithoutAnvil, () => {
  setUpTestNode()

  test('its blocks arrive whole, linked and proved: hashes, roots, senders, deployments, failures', async () => {
    using source = sourceOf(anvil.url)
    const tip = await source.tip()
    assert.equal(tip.number, 30)
    const blocks = await all(source.blocks(0, 30))
    assert.deepEqual(
      blocks.map(({ block }) => block.header.number),
      Array.from({ length: 31 }, (_, i) => i),
    )
    for (const { proofs } of blocks)
      assert.deepEqual([proofs.hash, proofs.transactions, proofs.receipts], [true, true, true])
    assert.equal(blocks.at(-1)?.block.header.hash, tip.hash)
    const [, first, second] = blocks.map(({ block }) => block)
    assert.deepEqual(
      first?.receipts?.map(({ contractAddress }) => contractAddress),
      first?.transactions.map(({ from, nonce }) => createAddress(from, nonce)),
    )
    const kinds = new Map(second?.transactions.map((tx, i) => [tx.kind, second.receipts![i]!.isSuccess]))
    assert.ok(kinds.has('dynamic_fee'))
    assert.equal(second?.receipts?.filter(({ isSuccess }) => isSuccess === false).length, 1)
    assert.equal(second?.receipts?.flatMap(({ logs }) => logs).length, 1)
    assert.equal(await source.hashAt(31), null)
    assert.equal(await source.hashAt(2), second?.header.hash)
    assert.ok((await source.finalized())!.number <= 30)
  })

  test('contracts that a factory makes are found alike by either tracer', async () => {
    using client = clientOf(anvil.url)
    const byTracer = await client.call(readCallTracer, [
      'debug_traceBlockByNumber',
      '0x2',
      { tracer: 'callTracer' },
    ])
    const byBlock = await client.call(readTraceBlock, ['trace_block', '0x2'])
    const made = creationsOf(byTracer)
    assert.equal(made.length, 2)
    assert.deepEqual(
      made.map(({ creator }) => creator),
      [factory, factory],
    )
    assert.deepEqual(
      made.map(({ kind }) => kind),
      ['create', 'create2'],
    )
    assert.equal(made[0]?.address, createAddress(factory as Hex, 1n))
    assert.deepEqual(
      creationsOf(byBlock).map(({ address }) => address),
      made.map(({ address }) => address),
    )
    assert.equal(byTracer.filter(({ isReverted }) => isReverted).length, 1)
  })

  test('without eth_getBlockReceipts the receipts are asked one by one, and are the same', async () => {
    undo()
    proxy.intercept = (calls, response, isBatch) =>
      calls.some(({ method }) => method === 'eth_getBlockReceipts') &&
      refuse(response, calls, isBatch, {
        code: -32601,
        message: 'the method eth_getBlockReceipts does not exist/is not available',
      })
    using source = sourceOf(proxy.url)
    using direct = sourceOf(anvil.url)
    assert.deepEqual(await all(source.blocks(0, 30)), await all(direct.blocks(0, 30)))
    assert.equal(proxy.calls.filter(({ method }) => method === 'eth_getBlockReceipts').length > 0, true)
  })

  test('an endpoint of another chain is set aside by name; alone, it is refused', async () => {
    await using other = await openAnvil({ chainId: 30 })
    using both = sourceOf(other.url, anvil.url)
    assert.equal((await both.tip()).number, 30)
    assert.equal(both.client.health()[0]?.state, 'aside')
    using alone = sourceOf(other.url)
    await assert.rejects(
      alone.tip(),
      refusal('node.wrong_chain', /follows chain 30, but Assay asks for the test chain \(chain 31337\)/),
    )
    await assert.rejects(alone.tip(), refusal('node.wrong_chain', /No endpoint follows it/))
  })

  test('an endpoint that lies is found out and left for one that does not', async () => {
    const lies: [string, (block: Record<string, unknown>) => void][] = [
      ['check.block_hash', block => (block.stateRoot = `0x${'11'.repeat(32)}`)],
      ['check.transactions_root', block => (block.transactions = [])],
      ['node.lied', block => (block.number = '0x63')],
      ['decode.missing', block => delete block.parentHash],
    ]
    for (const [code, lie] of lies) {
      undo()
      proxy.rewrite = (call, answer) => {
        if (call.method === 'eth_getBlockByNumber' && call.params[0] === '0x2')
          lie(answer.result as Record<string, unknown>)
        if (
          code === 'check.transactions_root' &&
          call.method === 'eth_getBlockReceipts' &&
          call.params[0] === '0x2'
        )
          return { ...answer, result: [] }
        return answer
      }
      using both = sourceOf(proxy.url, anvil.url)
      assert.equal((await all(both.blocks(0, 5))).length, 6, code)
      assert.equal(both.client.health()[0]?.lies, 1, code)
      using alone = createEvmSource(
        codec,
        openEvmClient({ chainId: 31_337, chainName: 'x', endpoints: [{ url: proxy.url }], rounds: 1 }),
      )
      await assert.rejects(all(alone.blocks(0, 5)), { code })
    }
  })

  test('a gap below the tip is told, and filled by another endpoint', async () => {
    undo()
    proxy.rewrite = (call, answer) => (call.params[0] === '0x7' ? { ...answer, result: null } : answer)
    using both = sourceOf(proxy.url, anvil.url)
    assert.equal((await all(both.blocks(0, 20))).length, 21)
    using alone = createEvmSource(
      codec,
      openEvmClient({ chainId: 31_337, chainName: 'x', endpoints: [{ url: proxy.url }], rounds: 1 }),
    )
    await assert.rejects(
      all(alone.blocks(0, 20)),
      refusal('node.gap', /does not have block 7, though its chain is longer/),
    )
  })

  test('endpoints are compared at a height: agreement, silence, contradiction', async () => {
    undo()
    using source = sourceOf(anvil.url, proxy.url)
    const hash = (await source.hashAt(12))!
    assert.equal((await source.crossCheck(12, hash)).agreeing.length, 2)
    proxy.rewrite = (_, answer) => ({ ...answer, result: null })
    const silent = await source.crossCheck(12, hash)
    assert.deepEqual([silent.agreeing.length, silent.silent[0]?.why], [1, 'it does not have this block'])
    proxy.rewrite = (_, answer) => ({
      ...answer,
      result: { ...(answer.result as object), hash: `0x${'ab'.repeat(32)}` },
    })
    assert.equal((await source.crossCheck(12, hash)).differing.length, 1)
    // One that says nothing at all is not waited for, nor asked again at once.
    const client = openEvmClient({
      chainId: 31_337,
      chainName: 'the test chain',
      endpoints: [{ url: anvil.url }, { url: proxy.url }],
      opinionMs: 60,
    })
    using patient = createEvmSource(codec, client)
    proxy.intercept = () => true
    const [late, resting] = [await patient.crossCheck(12, hash), await patient.crossCheck(12, hash)]
    assert.deepEqual([late.agreeing.length, resting.agreeing.length], [1, 1])
    assert.match(late.silent[0]?.why ?? '', /did not answer eth_\w+ within 60 ms/)
    assert.match(resting.silent[0]?.why ?? '', /rests after a failure/)
    proxy.intercept = undefined
    await assert.rejects(
      source.crossCheck(12, `0x${'cd'.repeat(32)}`),
      refusal('node.disagree', /is 0xcdcd.*but 0x/),
    )
  })

  test('logs that are not what was asked for are a lie', async () => {
    type Log = Record<string, unknown>
    const lies: [RegExp, (logs: Log[]) => Log[]][] = [
      [/stands behind log/, logs => logs.toReversed()],
      [/stands behind log/, logs => [logs[0]!, ...logs]],
      [/asked for blocks 4 to 30/, logs => [{ ...logs[0], blockNumber: '0x1' }, ...logs.slice(1)]],
      [/taken back/, logs => [{ ...logs[0], removed: true }, ...logs.slice(1)]],
      [
        /of another block/,
        logs =>
          logs.map((log, i) =>
            i === 1 ? { ...log, blockNumber: logs[0]!.blockNumber, logIndex: '0x9' } : log,
          ),
      ],
    ]
    for (const [words, lie] of lies) {
      undo()
      proxy.rewrite = (call, answer) =>
        call.method === 'eth_getLogs' ? { ...answer, result: lie(asList(answer.result) as Log[]) } : answer
      using client = openEvmClient({
        chainId: 31_337,
        chainName: 'x',
        endpoints: [{ url: proxy.url }],
        rounds: 1,
      })
      await assert.rejects(
        all(logsIn(client, { fromBlock: 4, toBlock: 30 }, openRangeSize())),
        refusal('node.lied', words),
      )
    }
  })

  test('a reorg is seen as one: by the link between blocks, and by receipts of another branch', async () => {
    await using own = await openAnvil()
    await using line = await openRpcProxy(own.url)
    await own.mine(235)
    for (let i = 0; i < 10; i++) {
      await own.transact({ to: FRIEND, value: '0x1' })
      await own.mine()
    }
    using source = sourceOf({ url: line.url, batchCalls: 4 })
    const before = await all(source.blocks(0, 245))
    // The chain changes while its blocks are being asked for, more of them than are read ahead.
    let isDone = false
    const seen: number[] = []
    await assert.rejects(
      async () => {
        for await (const { block } of source.blocks(0, 245)) {
          seen.push(block.header.number)
          if (isDone) continue
          isDone = true
          await own.send('anvil_reorg', 230, [])
        }
      },
      refusal('node.reorged', /its parent is not the block/),
    )
    const after = await all(source.blocks(0, 245))
    assert.deepEqual(
      after.slice(0, 16).map(({ block }) => block.header.hash),
      before.slice(0, 16).map(({ block }) => block.header.hash),
    )
    assert.notEqual(after[245]?.block.header.hash, before[245]?.block.header.hash)
    assert.equal(await source.hashAt(245), after[245]?.block.header.hash)
    // Receipts of the old branch beside blocks of the new one: asked again until they fit.
    const stale = before[240]!.block.receipts!
    let left = 2
    line.rewrite = (call, answer) => {
      if (call.method !== 'eth_getBlockReceipts' || call.params[0] !== '0xf0' || left-- <= 0) return answer
      return {
        ...answer,
        result: [
          {
            transactionHash: stale[0]!.transactionHash,
            transactionIndex: '0x0',
            blockHash: before[240]!.block.header.hash,
            blockNumber: '0xf0',
            from: stale[0]!.from,
            to: stale[0]!.to,
            gasUsed: '0x5208',
            cumulativeGasUsed: '0x5208',
            logs: [],
            status: '0x1',
            type: '0x2',
          },
        ],
      }
    }
    const again = await all(source.blocks(240, 240))
    assert.equal(again[0]?.block.header.hash, after[240]?.block.header.hash)
    const [health] = source.client.health()
    assert.deepEqual([health?.lies, health?.failures, left < 0], [0, 2, true])
  })

  test('a chain taken back to an earlier state is told by its hashes', async () => {
    await using own = await openAnvil()
    await own.mine(5)
    const snapshot = await own.send('evm_snapshot')
    await own.transact({ to: FRIEND, value: '0x1' })
    await own.mine(3)
    using source = sourceOf(own.url)
    const longer = await source.hashAt(7)
    await own.send('evm_revert', snapshot)
    assert.equal((await source.tip()).number, 5)
    assert.equal(await source.hashAt(7), null)
    await own.transact({ to: FRIEND, value: '0x2' })
    await own.mine(3)
    assert.notEqual(await source.hashAt(7), longer)
    assert.equal((await all(source.blocks(0, 8))).length, 9)
  })
})
