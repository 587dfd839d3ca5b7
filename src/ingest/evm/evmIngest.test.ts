/** Data of an EVM layer would be lost, doubled or left over after a reorg. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, type EndpointConfig, openEvmClient } from '#chains/evm/node/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy } from '#tests/evm/rpcProxy.ts'
import { EVM } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogEvents from '../../../catalog/evm/events.json' with { type: 'json' }
import { createRandom, digestOf, emptyTables, hiddenRows } from '../testing.ts'
import { type EvmIngest, type EvmIngestConfig, openEvmIngest } from './openEvmIngest.ts'
import { verifyEvm } from './verifyEvm.ts'

const CHAIN_ID = 60_808
const events = createEventIndex(EventFacts.parse(catalogEvents))
const codecOf = (chainId: number) => openEvmCodec({ chainId, headerForm: 'standard', checksumChainId: null })
const SMALL = { batchBlocks: 20, loadBytes: 60_000, crossCheckEvery: 25 }

describe('ingest of an EVM layer', skipWithoutAnvil, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let layer: MadeLayer
  let home = ''
  const random = createRandom(7)
  before(async () => {
    warehouse = await openTestWarehouse()
    home = await mkdtemp(join(tmpdir(), 'assay-evm-'))
  })
  after(async () => {
    await warehouse[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })
  beforeEach(async () => {
    await emptyTables(warehouse, EVM)
    layer = await openMadeLayer({ chainId: CHAIN_ID })
  })
  afterEach(() => layer[Symbol.asyncDispose]())

  const sourceOf = (endpoints: readonly EndpointConfig[], chainId = CHAIN_ID) =>
    createEvmSource(codecOf(chainId), openEvmClient({ chainId, chainName: 'BOB', endpoints, rounds: 2 }), {
      traces: true,
    })
  const open = (more: Partial<EvmIngestConfig> = {}): Promise<EvmIngest> =>
    openEvmIngest({
      warehouse,
      home,
      layer: 'bob',
      name: 'BOB',
      codec: codecOf(CHAIN_ID),
      events,
      source: sourceOf([{ url: layer.anvil.url }]),
      log: silentLog,
      pollMs: 1,
      limits: SMALL,
      ...more,
    })
  const rows = async <Row>(query: string): Promise<Row[]> =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Row>()
  const one = async <Row>(query: string): Promise<Row> => (await rows<Row>(query))[0]!

  /** What a run over the chain as it is now leaves in empty tables; the tables are empty again after. */
  async function cleanDigest(): Promise<Record<string, string>> {
    await emptyTables(warehouse, EVM)
    await using ingest = await open({ limits: {} })
    await ingest.backfill({ from: 0 })
    const digest = await digestOf(warehouse, EVM)
    await emptyTables(warehouse, EVM)
    return digest
  }

  test('a backfill holds every block, transaction, log and contract that the node tells of', async () => {
    await layer.grow(50, random)
    await using ingest = await open()
    const seen: number[] = []
    assert.equal((await ingest.backfill({ from: 0 }, ({ height }) => seen.push(height))).type, 'idle')
    assert.ok(seen.length > 3, 'it is committed piece by piece')
    const { send } = layer.anvil
    const logs = (await send('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })) as { data: string }[]
    const told = { blocks: 0, txs: 0, failed: 0, direct: 0 }
    for (let height = 0; height <= 51; height++) {
      const receipts = (await send('eth_getBlockReceipts', `0x${height.toString(16)}`)) as {
        status: string
        contractAddress: string | null
      }[]
      told.blocks += 1
      told.txs += receipts.length
      told.failed += receipts.filter(({ status }) => status === '0x0').length
      told.direct += receipts.filter(
        ({ contractAddress, status }) => contractAddress && status === '0x1',
      ).length
    }
    assert.ok(told.failed > 3 && told.direct > 3 && logs.length > 50)
    assert.deepEqual(
      await one(
        `SELECT (SELECT count() FROM evm_blocks WHERE is_hash_proved AND is_txs_proved AND is_receipts_proved AND is_traced) AS blocks,
        (SELECT count() FROM evm_txs) AS txs, (SELECT countIf(NOT is_success) FROM evm_txs) AS failed,
        (SELECT count() FROM evm_contracts WHERE kind = 'transaction') AS direct, (SELECT count() FROM evm_logs) AS logs`,
      ),
      { ...told, logs: logs.length },
    )
    // A factory makes two contracts, which only traces tell.
    const made = await one<{ create: number; create2: number }>(
      "SELECT countIf(kind = 'create') AS create, countIf(kind = 'create2') AS create2 FROM evm_contracts",
    )
    assert.ok(made.create > 0)
    assert.ok(made.create2 > 0)
    assert.deepEqual(await rows('SELECT * FROM evm_coverage'), [
      { chain: 'bob', from_height: 0, to_height: 51, block_count: 52 },
    ])
    const { differences, sampled, blockCount } = await ingest.verify({
      source: sourceOf([{ url: layer.anvil.url }]),
      samples: 12,
    })
    assert.deepEqual(differences, [])
    assert.deepEqual([sampled.length, sampled[0], sampled.at(-1), blockCount], [12, 0, 51, 52])
    const digest = await digestOf(warehouse, EVM)
    await ingest.backfill({ from: 0 })
    assert.deepEqual(await digestOf(warehouse, EVM), digest, 'nothing changes when it is done again')
  })

  test('reorgs of any depth within the limit leave what a clean run leaves, and a line about each block that lost', async () => {
    await layer.grow(30, random)
    let lost = 0
    {
      await using ingest = await open()
      await ingest.backfill({ from: 0 })
      for (const depth of [1, 3, 12, 25]) {
        await layer.reorg(depth)
        lost += depth
        if (depth % 2 === 0) await layer.grow(2, random)
        assert.equal((await ingest.backfill({ from: 0 })).type, 'idle')
        const tip = (await layer.anvil.send('eth_getBlockByNumber', 'latest', false)) as { hash: string }
        assert.deepEqual(
          await one(
            'SELECT lower(hex(argMax(hash, height))) AS hash, count() - 1 = max(height) AS whole FROM evm_blocks',
          ),
          { hash: tip.hash.slice(2), whole: 1 },
        )
      }
      const stale = await one<{ count: number; won: number }>(
        'SELECT count() AS count, countIf(winner_hash IS NOT NULL) AS won FROM evm_stale_blocks',
      )
      assert.deepEqual(stale, { count: lost, won: lost })
      // A branch that comes back is stale no more.
      const id = await layer.anvil.send('evm_snapshot')
      await layer.grow(3, random)
      await ingest.backfill({ from: 0 })
      await layer.anvil.send('evm_revert', id)
      await layer.grow(4, random)
      await ingest.backfill({ from: 0 })
    }
    const digest = await digestOf(warehouse, EVM)
    assert.equal(await hiddenRows(warehouse, EVM), 0)
    assert.deepEqual(digest, await cleanDigest())
  })

  test('a node that is behind takes nothing back; a branch of its own that is lower waits', async () => {
    await layer.grow(20, random)
    await using ingest = await open()
    await ingest.backfill({ from: 0 })
    const digest = await digestOf(warehouse, EVM)
    const id = await layer.anvil.send('evm_snapshot')
    await layer.grow(5, random)
    await ingest.backfill({ from: 0 })
    const longer = await digestOf(warehouse, EVM)
    await layer.anvil.send('evm_revert', id)
    const behind = await ingest.backfill({ from: 0 })
    assert.deepEqual([behind.type, behind.type === 'idle' && behind.why], ['idle', 'behind'])
    await layer.grow(2, random)
    const lower = await ingest.backfill({ from: 0 })
    assert.deepEqual([lower.type, lower.type === 'idle' && lower.why], ['idle', 'less_work'])
    assert.deepEqual(await digestOf(warehouse, EVM), longer)
    assert.notDeepEqual(longer, digest)
  })

  test('a reorg deeper than the limit waits for a person, and is followed when allowed', async () => {
    await layer.grow(10, random)
    await layer.anvil.mine(230)
    {
      await using ingest = await open()
      await ingest.backfill({ from: 0 })
      const digest = await digestOf(warehouse, EVM)
      await layer.reorg(205)
      await layer.grow(1, random)
      const outcome = await ingest.backfill({ from: 0 })
      assert.deepEqual([outcome.type, outcome.type === 'halt' && outcome.depth], ['halt', 205])
      assert.deepEqual(await digestOf(warehouse, EVM), digest)
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      await until('the ingest halts', async () => (await ingest.status()).state?.state === 'halted')
      assert.match(
        (await ingest.status()).state?.sentence ?? '',
        /forks 205 blocks below .* --allow-deep-reorg/,
      )
      stop.abort()
      await following
    }
    {
      await using ingest = await open({ allowDeepReorg: true })
      await ingest.backfill({ from: 0 })
    }
    const digest = await digestOf(warehouse, EVM)
    assert.deepEqual(digest, await cleanDigest())
  })

  test('small batches are put together once no reorg reaches them, and readers see no difference', async () => {
    await layer.grow(5, random)
    await using ingest = await open()
    for (let i = 0; i < 10; i++) {
      await layer.grow(6, random)
      await ingest.backfill({ from: 0 })
    }
    const batchCount = async () =>
      (await one<{ count: number }>("SELECT count() AS count FROM evm_batches WHERE is_live AND reason = ''"))
        .count
    assert.ok((await batchCount()) > 50)
    await layer.anvil.mine(210)
    await ingest.backfill({ from: 0 })
    const live = (await ingest.status()).ranges
    assert.equal(live.length, 1)
    assert.deepEqual(
      await rows(
        "SELECT from_height, to_height FROM evm_batches WHERE origin = 'merged' AND is_live ORDER BY from_height",
      ),
      [
        { from_height: 0, to_height: 19 },
        { from_height: 20, to_height: 39 },
        { from_height: 40, to_height: 59 },
      ],
    )
    assert.equal(await hiddenRows(warehouse, EVM), 0)
    assert.deepEqual((await ingest.verify()).differences, [])
    const digest = await digestOf(warehouse, EVM)
    await ingest[Symbol.asyncDispose]()
    assert.deepEqual(digest, await cleanDigest())
  })

  test('stretches come in above a gap and are joined when the gap is filled', async () => {
    await layer.grow(60, random)
    {
      await using ingest = await open()
      await ingest.backfill({ from: 40, to: 50 })
      await ingest.backfill({ from: 5, to: 12 })
      assert.deepEqual(await rows('SELECT from_height, to_height FROM evm_coverage ORDER BY from_height'), [
        { from_height: 5, to_height: 12 },
        { from_height: 40, to_height: 50 },
      ])
      // Unless told where to begin, the newest run goes on.
      await ingest.backfill({})
      await ingest.backfill({ from: 13, to: 39 })
      await ingest.backfill({ from: 0, to: 4 })
      assert.deepEqual(await rows('SELECT from_height, to_height FROM evm_coverage'), [
        { from_height: 0, to_height: 61 },
      ])
    }
    const digest = await digestOf(warehouse, EVM)
    assert.deepEqual(digest, await cleanDigest())
  })

  test('an ingest that follows begins at the newest block, keeps up, and goes on where it stopped', async () => {
    await layer.grow(10, random)
    for (const aim of [20, 35]) {
      await using ingest = await open()
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      await until(
        'height 11 is indexed',
        async () => ((await ingest.status()).ranges.at(-1)?.toHeight ?? 0) >= 11,
      )
      await layer.grow(aim - (await layer.height()), random)
      await until(
        `height ${aim} is indexed`,
        async () => ((await ingest.status()).ranges.at(-1)?.toHeight ?? 0) >= aim,
      )
      stop.abort()
      await following
      assert.deepEqual(await rows('SELECT from_height, to_height FROM evm_coverage'), [
        { from_height: 11, to_height: aim },
      ])
      assert.equal((await ingest.status()).state?.state, 'stopped')
    }
  })

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

  test('two layers come in beside each other, and each is locked alone', async () => {
    await layer.grow(20, random)
    await using other = await openMadeLayer({ chainId: 1116 })
    await other.grow(15, random)
    await using bob = await open()
    await using core = await open({
      layer: 'core' satisfies EvmLayer,
      name: 'Core',
      source: sourceOf([{ url: other.anvil.url }], 1116),
      codec: codecOf(1116),
    })
    await assert.rejects(open(), { code: 'ingest.locked', message: /blocks of bob/ })
    await Promise.all([bob.backfill({ from: 0 }), core.backfill({ from: 0 })])
    await other.reorg(5)
    await core.backfill({ from: 0 })
    assert.deepEqual(
      await rows(
        'SELECT toString(chain) AS chain, count() AS count FROM evm_blocks GROUP BY chain ORDER BY chain',
      ),
      [
        { chain: 'bob', count: 22 },
        { chain: 'core', count: 17 },
      ],
    )
    for (const chain of ['bob', 'core'])
      assert.deepEqual((await verifyEvm({ warehouse, of: { family: EVM, chain } })).differences, [])
  })
})
