/** A node that limits or breaks off answers would stop the index of an EVM layer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { refuse } from '#tests/evm/rpcProxy.ts'
import {
  all,
  anvil,
  clientOf,
  proxy,
  refusal,
  setUpTestNode,
  sourceOf,
  token,
  undo,
} from '#tests/evm/testNode.ts'
import type { Hex } from '../hex.ts'
import { openEndpoint } from './endpoint.ts'
import { logsIn, openEvmClient, openRangeSize, type RpcCall } from './index.ts'

describe('limits of an EVM node', skipWithoutAnvil, () => {
  setUpTestNode()

  test('a node that takes no batches, or small ones, gets what it takes', async () => {
    for (const [most, words] of [
      [1, 'Batch requests are not supported'],
      [3, 'batch size too large'],
    ] as const) {
      undo()
      proxy.intercept = (calls, response, isBatch) => {
        if (!isBatch || calls.length <= most) return false
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: words } }))
        return true
      }
      using source = sourceOf(proxy.url)
      assert.equal((await all(source.blocks(0, 30))).length, 31)
    }
  })

  test('a rate limit is waited out, as long as it says and no longer', async () => {
    undo()
    let refused = 0
    const times: number[] = []
    proxy.intercept = (_, response) => {
      times.push(performance.now())
      if (refused++ >= 1) return false
      response.writeHead(429, { 'retry-after': '1' }).end('slow down')
      return true
    }
    using source = sourceOf(proxy.url)
    assert.equal((await source.tip()).number, 30)
    assert.ok(times[1]! - times[0]! >= 900, `${times[1]! - times[0]!} ms`)
    assert.equal(source.client.health()[0]?.rateLimits, 1)
  })

  test('calls of a batch that a service limits are asked again, the others are not', async () => {
    undo()
    const limited = new Set<string>()
    proxy.rewrite = (call, answer) => {
      const block = JSON.stringify(call.params)
      if (call.method !== 'eth_getBlockReceipts' || limited.has(block)) return answer
      limited.add(block)
      return {
        jsonrpc: '2.0',
        id: answer.id,
        error: { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
      }
    }
    using source = sourceOf(proxy.url)
    assert.equal((await all(source.blocks(0, 9))).length, 10)
    assert.equal(limited.size, 10)
    assert.equal(proxy.calls.filter(({ method }) => method === 'eth_getBlockByNumber').length, 10)
  })

  test('a batch that a passing limit made smaller grows again', async () => {
    undo()
    proxy.rewrite = (call, answer) =>
      proxy.requestCount === 1 && Number(call.id) > 2
        ? { jsonrpc: '2.0', id: answer.id, error: { code: 429, message: 'too many requests' } }
        : answer
    const sizes: number[] = []
    proxy.intercept = calls => {
      sizes.push(calls.length)
      return false
    }
    using endpoint = openEndpoint({ url: proxy.url, batchCalls: 4 })
    const calls = Array.from({ length: 16 }, (): RpcCall => ['eth_chainId'])
    const outcomes = await endpoint.ask(calls)
    assert.deepEqual(outcomes, Array(16).fill({ result: '0x7a69' }))
    assert.deepEqual(sizes, [4, 2, 2, 3, 4, 3])
  })

  test('a rate that is set is kept', async () => {
    undo()
    using client = clientOf({ url: proxy.url, requestsPerMinute: 600 })
    const start = performance.now()
    for (let i = 0; i < 6; i++) await client.call(String, ['eth_chainId'])
    // Six calls and the check of the chain: six gaps of 100 ms.
    assert.ok(performance.now() - start >= 590)
  })

  test('a stalled line is left for another endpoint, and the health says so', async () => {
    undo()
    proxy.intercept = () => true
    using source = sourceOf({ url: proxy.url, limits: { idleMs: 150 } }, anvil.url)
    assert.equal((await all(source.blocks(3, 12))).length, 10)
    const [stalled, well] = source.client.health()
    assert.deepEqual([stalled?.state, well?.state], ['failing', 'healthy'])
    assert.match(stalled?.lastFault ?? '', /did not answer eth_chainId within 0.15 s/)
  })

  test('an answer that breaks off, is no JSON, or is no answer gives a sentence each', async () => {
    const plays: [string, RegExp, (response: import('node:http').ServerResponse) => void][] = [
      ['node.http', /no JSON/, response => response.end('<html>')],
      ['node.shape', /neither a result nor an error/, response => response.end('{"jsonrpc":"2.0","id":1}')],
      [
        'node.shape',
        /answer to question 999/,
        response => response.end('{"jsonrpc":"2.0","id":999,"result":"0x7a69"}'),
      ],
      [
        'node.dropped',
        /dropped the connection/,
        response => {
          response.writeHead(200, { 'content-length': '1000' })
          response.write('{', () => response.destroy())
        },
      ],
      ['node.unauthorized', /refused us \(401\)/, response => response.writeHead(401).end()],
    ]
    for (const [code, words, play] of plays) {
      undo()
      proxy.intercept = (_, response) => {
        play(response)
        return true
      }
      using client = openEvmClient({
        chainId: 31_337,
        chainName: 'the test chain',
        endpoints: [{ url: proxy.url }],
        rounds: 1,
      })
      await assert.rejects(client.call(String, ['eth_blockNumber']), refusal(code, words))
    }
  })

  test('ranges of logs adapt to what a node refuses and to what it answers', async () => {
    undo()
    using direct = clientOf(anvil.url)
    const whole = (await all(logsIn(direct, { fromBlock: 0, toBlock: 30 }, openRangeSize()))).flatMap(
      ({ logs }) => logs,
    )
    assert.equal(whole.length, 1 + (27 * 28) / 2)
    const refusals = [
      'query returned more than 10000 results',
      'block range is too wide',
      'eth_getLogs is limited to a 10,000 range',
      'exceed maximum block range: 5',
      'Log response size exceeded. this block range should work: [0x0, 0x4]',
    ]
    for (const message of refusals) {
      undo()
      proxy.intercept = (calls, response, isBatch) => {
        const [call] = calls
        const { fromBlock = '0x0', toBlock = '0x0' } = (call?.params[0] ?? {}) as Record<string, string>
        return (
          call?.method === 'eth_getLogs' &&
          Number(toBlock) - Number(fromBlock) >= 5 &&
          refuse(response, calls, isBatch, { code: -32005, message })
        )
      }
      using client = clientOf(proxy.url)
      const stretches = await all(logsIn(client, { fromBlock: 0, toBlock: 30 }, openRangeSize()))
      assert.deepEqual(
        stretches.flatMap(({ logs }) => logs),
        whole,
        message,
      )
      assert.ok(stretches.every(({ fromBlock, toBlock }) => toBlock - fromBlock < 5))
      for (const [i, stretch] of stretches.entries())
        assert.equal(stretch.fromBlock, i === 0 ? 0 : stretches[i - 1]!.toBlock + 1)
      assert.equal(client.health()[0]?.state, 'healthy')
    }
    const filtered = await all(
      logsIn(direct, { fromBlock: 0, toBlock: 30, address: token as Hex }, openRangeSize(7)),
    )
    assert.equal(filtered.flatMap(({ logs }) => logs).length, 1)
  })

  test('an aborted wait ends with the reason that aborted it', async () => {
    undo()
    const abort = new AbortController()
    proxy.intercept = () => {
      abort.abort(new Error('enough'))
      return true
    }
    using source = sourceOf(proxy.url)
    await assert.rejects(source.tip(abort.signal), /enough/)
  })
})
