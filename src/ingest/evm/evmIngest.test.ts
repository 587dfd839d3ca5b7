/** Data of an EVM layer would be lost, doubled or left over after a reorg. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EvmLayer } from '#kernel/evm.ts'
import { until } from '#kernel/until.testing.ts'
import { openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import {
  cleanDigest,
  codecOf,
  layer,
  one,
  open,
  random,
  rows,
  setUpEvmIngest,
  sourceOf,
  warehouse,
} from '#tests/evm/sharedEvmIngest.ts'
import { EVM } from '#warehouse/index.ts'
import { digestOf, hiddenRows } from '../testing.ts'
import { verifyEvm } from './verifyEvm.ts'

describe('ingest of an EVM layer', skipWithoutAnvil, () => {
  setUpEvmIngest()

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
