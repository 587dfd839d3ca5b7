/** An EVM node that lies, or is cut off, would slip in wrong data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy } from '#tests/evm/rpcProxy.ts'
import {
  cleanDigest,
  layer,
  one,
  open,
  random,
  rows,
  SMALL,
  setUpEvmIngest,
  sourceOf,
  warehouse,
} from '#tests/evm/sharedEvmIngest.ts'
import { EVM } from '#warehouse/index.ts'
import { digestOf, hiddenRows } from '../testing.ts'
import { verifyEvm } from './verifyEvm.ts'

describe('endpoints of an EVM layer', skipWithoutAnvil, () => {
  setUpEvmIngest()

  describe('endpoints that cannot be trusted', () => {
    test('one of another chain is refused with both numbers, and nothing is stored', async () => {
      await using ingest = await open({ source: sourceOf([{ url: layer.anvil.url }], 30) })
      await assert.rejects(ingest.backfill({ from: 0 }), {
        code: 'node.wrong_chain',
        message: /follows chain 60808, but Assay asks for BOB \(chain 30\)/,
      })
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      await until('the ingest halts', async () => (await ingest.status()).state?.state === 'halted')
      stop.abort()
      await following
      assert.deepEqual(await rows('SELECT count() AS count FROM evm_blocks'), [{ count: 0 }])
    })

    test('so is one whose chain has the right number and another first block', async () => {
      await using ingest = await open({ genesisHash: `0x${'12'.repeat(32)}` })
      await assert.rejects(ingest.backfill({ from: 0 }), {
        code: 'node.wrong_chain',
        message: /begin with block 0x.*; the chain begins with 0x1212/,
      })
    })

    test('a lie is not stored: another endpoint is asked, and without one the blocks before it stay', async () => {
      await layer.grow(40, random)
      const expected = await cleanDigest()
      await using proxy = await openRpcProxy(layer.anvil.url)
      proxy.rewrite = (call, answer) => {
        if (call.method !== 'eth_getBlockReceipts' || Number(call.params[0]) < 30) return answer
        const [first, ...others] = answer.result as { gasUsed: string }[]
        return first === undefined
          ? answer
          : { ...answer, result: [{ ...first, gasUsed: '0x5209' }, ...others] }
      }
      {
        await using alone = await open({ source: sourceOf([{ url: proxy.url }]) })
        await assert.rejects(alone.backfill({ from: 0 }), (thrown: unknown) => {
          assert.match((thrown as { code: string }).code, /^check\./)
          return true
        })
        assert.equal(await hiddenRows(warehouse, EVM), 0)
        const { ranges } = await alone.status()
        assert.ok(ranges.length <= 1 && (ranges[0]?.toHeight ?? 0) < 31)
      }
      await using both = await open({ source: sourceOf([{ url: proxy.url }, { url: layer.anvil.url }]) })
      await both.backfill({ from: 0 })
      assert.deepEqual(await digestOf(warehouse, EVM), expected)
    })

    test('where most endpoints contradict the newest block, nothing is stored above it', async () => {
      await layer.grow(15, random)
      const others = [await openRpcProxy(layer.anvil.url), await openRpcProxy(layer.anvil.url)]
      for (const proxy of others)
        proxy.rewrite = (call, answer) =>
          call.method === 'eth_getBlockByNumber' && call.params[1] === false && answer.result !== null
            ? { ...answer, result: { ...(answer.result as object), hash: `0x${'77'.repeat(32)}` } }
            : answer
      // The honest one answers first; the others are asked only to compare.
      const source = sourceOf([{ url: layer.anvil.url }, ...others.map(({ url }) => ({ url }))])
      await using ingest = await open({ source, limits: { ...SMALL, loadBytes: 1e6, batchBlocks: 1000 } })
      await assert.rejects(ingest.backfill({ from: 0 }), { code: 'node.disagree' })
      assert.deepEqual(await rows('SELECT count() AS count FROM evm_blocks'), [{ count: 0 }])
      for (const proxy of others) await proxy[Symbol.asyncDispose]()
    })

    const faults: Record<string, (proxy: Awaited<ReturnType<typeof openRpcProxy>>) => void> = {
      'a gap in its chain': proxy => {
        let left = 2
        proxy.rewrite = (call, answer) =>
          call.method === 'eth_getBlockByNumber' && call.params[0] === '0xc' && left-- > 0
            ? { ...answer, result: null }
            : answer
      },
      'a stall in the middle of an answer': proxy => {
        let left = 1
        proxy.intercept = (calls, response) => {
          if (calls[0]?.method === 'eth_chainId' || left-- <= 0) return false
          response.writeHead(200, { 'content-type': 'application/json' })
          response.write('[')
          return true
        }
      },
      'connections that it drops': proxy => {
        let left = 2
        proxy.intercept = (_, response) => {
          if (left-- <= 0) return false
          response.destroy()
          return true
        }
      },
      'answers that are no JSON': proxy => {
        let left = 2
        proxy.intercept = (_, response) => {
          if (left-- <= 0) return false
          response.writeHead(502, { 'content-type': 'text/html' })
          response.end('<html>bad gateway</html>')
          return true
        }
      },
    }
    for (const [name, make] of Object.entries(faults))
      test(`${name} is waited out, and every block comes in`, async () => {
        await layer.grow(20, random)
        const expected = await cleanDigest()
        await using proxy = await openRpcProxy(layer.anvil.url)
        make(proxy)
        const source = sourceOf([{ url: proxy.url, limits: { idleMs: 400 } }])
        await using ingest = await open({ source, startHeight: 0 })
        const stop = new AbortController()
        const following = ingest.follow(stop.signal)
        await until('height 21 is indexed', async () => (await ingest.status()).ranges[0]?.toHeight === 21)
        stop.abort()
        await following
        assert.deepEqual(await digestOf(warehouse, EVM), expected)
        assert.equal(await hiddenRows(warehouse, EVM), 0)
      })

    test('a second source that tells otherwise is found out by sampled heights', async () => {
      await layer.grow(25, random)
      await using ingest = await open()
      await ingest.backfill({ from: 0 })
      const { height } = await one<{ height: number }>('SELECT max(height) AS height FROM evm_logs')
      await using proxy = await openRpcProxy(layer.anvil.url)
      proxy.rewrite = (call, answer) => {
        if (call.method !== 'eth_getLogs') return answer
        const logs = answer.result as { blockNumber: string; logIndex: string }[]
        return {
          ...answer,
          result: logs.filter(log => Number(log.blockNumber) !== height || log.logIndex !== '0x0'),
        }
      }
      const { differences } = await verifyEvm(
        { warehouse, of: { family: EVM, chain: 'bob' } },
        { source: sourceOf([{ url: proxy.url }]), samples: 100 },
      )
      assert.deepEqual(
        differences.map(difference => [difference.height, difference.what.replace(/of .*/, '')]),
        [[height, 'log 0 ']],
      )
      // What is held against itself: a row that went missing is told.
      await warehouse.writer.command({
        query: `DELETE FROM base.evm_logs WHERE height = ${height} AND log_index = 0`,
      })
      const own = await verifyEvm({ warehouse, of: { family: EVM, chain: 'bob' } })
      assert.deepEqual([...new Set(own.differences.map(({ what }) => what))], ['logs'])
    })
  })
})
