/** A Stacks endpoint that lies, limits or is away would stop the index or slip in wrong data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeNakamotoBlock } from '#tests/encodeStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openStacksServer } from '#tests/stacks/openStacksServer.ts'
import { branchOf, type RecordedBlock } from '#tests/stacks/recordedChain.ts'
import {
  blocks,
  expected,
  recorded,
  refusal,
  server,
  setUpStacksServer,
  sourceOf,
  takeDown,
} from '#tests/stacks/testSource.ts'

function bytesOf({ raw }: RecordedBlock): Buffer {
  assert.ok(raw)
  return encodeNakamotoBlock(raw)
}

describe('a Stacks endpoint that is at fault', skipWithoutShared, () => {
  setUpStacksServer()

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
})
