/** After a reorg or a restart, Bitcoin data would be lost, doubled or left over. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createRestSource, createRpcSource } from '#chains/bitcoin/node/index.ts'
import { openChainServer } from '#chains/bitcoin/node/testing.ts'
import { until } from '#kernel/until.testing.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { IngestError } from './errors.ts'
import { cleanDigest, fileOf, home, open, rows, setUpIngest, warehouse } from './sharedIngest.testing.ts'
import {
  blkFile,
  createRandom,
  digestOf,
  emptyTables,
  genesisChain,
  growChain,
  hiddenRows,
} from './testing.ts'

/** So little memory that outputs go to disk after a few blocks. */
const TINY = { cacheBytes: 2_000, limits: { bytes: 5_000, blocks: 7, loadBytes: 0 } }

describe('reorgs and restarts of the ingest', () => {
  setUpIngest()

  test('after a fork that wins, every table is that of a clean run', skipWithoutShared, async () => {
    const file = (name: string) => shared(`data/bitcoin/reorg/${name}.dat`)
    const all = ['blk-0-to-4', 'blk-3A', 'blk-4A', 'blk-5A'].map(file)
    await using clean = await open('mainnet')
    await clean.ingestFiles(all)
    const expected = await digestOf(warehouse)
    await emptyTables(warehouse)
    await clean.recover()
    await clean.ingestFiles([file('blk-0-to-4')])
    const lost = await clean.ingestFiles([file('blk-3A'), file('blk-4A')])
    assert.deepEqual(lost.chains[0]?.outcome, { type: 'idle', why: 'less_work', forkHeight: 2 })
    assert.deepEqual(await rows('SELECT height FROM btc_stale_blocks ORDER BY height'), [
      { height: 3 },
      { height: 4 },
    ])
    await clean.ingestFiles(['blk-3A', 'blk-4A', 'blk-5A'].map(file))
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
    const { files } = JSON.parse(readFileSync(shared('data/bitcoin/reorg/reorg.json'), 'utf8'))
    const stale = await rows('SELECT height, lower(hex(hash)) AS hash FROM btc_stale_blocks ORDER BY height')
    assert.deepEqual(stale, [
      { height: 3, hash: files[0].blocks[3].hash },
      { height: 4, hash: files[0].blocks[4].hash },
    ])
  })

  for (const depth of [1, 6, 20, 60])
    test(`a reorg of ${depth} blocks at the node leaves the tables of a clean run`, async () => {
      const random = createRandom(depth)
      const trunk = growChain(genesisChain, 150, random)
      const ours = growChain(trunk, depth, random)
      const theirs = growChain(trunk, depth + 1, random)
      const expected = await cleanDigest(theirs)
      await using server = await openChainServer({ network: 'regtest', chain: ours.blocks })
      using node = createRpcSource({ url: server.url, network: 'regtest' })
      await using ingest = await open('regtest', { node, cacheBytes: TINY.cacheBytes })
      await ingest.backfill({})
      server.chain = theirs.blocks
      assert.deepEqual(await ingest.backfill({}), { type: 'idle', why: 'same' })
      assert.deepEqual(await digestOf(warehouse), expected)
      assert.equal(await hiddenRows(warehouse), 0)
      assert.deepEqual(
        await rows('SELECT count() AS count FROM btc_stale_blocks WHERE winner_hash IS NOT NULL'),
        [{ count: depth }],
      )
      server.chain = growChain(ours, 5, random).blocks
      await ingest.backfill({})
      assert.deepEqual(
        await rows(
          `SELECT count() AS count FROM btc_stale_blocks WHERE hash IN (SELECT hash FROM btc_blocks)`,
        ),
        [{ count: 0 }],
        'a block that came back is stale no more',
      )
      assert.deepEqual((await ingest.verify({ source: node })).differences, [])
    })

  test('a reorg beyond 100 blocks halts with a sentence and loses nothing until it is allowed', async () => {
    const random = createRandom(4)
    const trunk = growChain(genesisChain, 20, random, 0)
    const ours = growChain(trunk, 130, random, 1)
    const theirs = growChain(trunk, 140, random, 1)
    const expected = await cleanDigest(theirs)
    await using server = await openChainServer({ network: 'regtest', chain: ours.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    {
      await using ingest = await open('regtest', { node })
      await ingest.backfill({})
      const before = await digestOf(warehouse)
      server.chain = theirs.blocks
      assert.deepEqual(await ingest.backfill({}), {
        type: 'halt',
        reason: 'deep_reorg',
        forkHeight: 20,
        depth: 130,
      })
      assert.deepEqual(await digestOf(warehouse), before)
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      await until('the ingest halts', async () => (await ingest.status()).state?.state === 'halted')
      assert.match(
        (await ingest.status()).state?.sentence ?? '',
        /forks 130 blocks below .* height 20.*--allow-deep-reorg/,
      )
      stop.abort()
      await following
    }
    await using allowed = await open('regtest', { node, allowDeepReorg: true })
    await allowed.backfill({})
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
  })

  test('a reorg in the middle of a backfill ends at the tables of a clean run', async () => {
    const random = createRandom(9)
    const trunk = growChain(genesisChain, 590, random, 1)
    const ours = growChain(trunk, 12, random)
    const theirs = growChain(trunk, 15, random)
    const expected = await cleanDigest(theirs)
    await using server = await openChainServer({ network: 'regtest', chain: ours.blocks })
    let asked = 0
    server.intercept = ({ what }) => {
      // Hashes are asked for 500 at a time: the second question meets another chain.
      if (what === 'getblock' && ++asked === 2) server.chain = theirs.blocks
      return false
    }
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', {
      node,
      limits: { bytes: 20_000, blocks: 64, loadBytes: 50_000 },
    })
    await ingest.backfill({})
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
  })

  test('a small cache, small groups, threads and REST change no row', async () => {
    const chain = growChain(genesisChain, 170, createRandom(5), 6)
    const expected = await cleanDigest(chain)
    await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
    using node = createRestSource({ url: server.url, network: 'regtest' })
    for (const more of [
      TINY,
      { cacheBytes: 2_000, limits: { bytes: 9_000, blocks: 9, loadBytes: 30_000 } },
      { cacheBytes: 60_000, limits: { bytes: 20_000, blocks: 1000, loadBytes: 40_000 }, threads: 2 },
    ]) {
      await emptyTables(warehouse)
      await using ingest = await open('regtest', { node, ...more })
      await ingest.backfill({})
      assert.deepEqual(await digestOf(warehouse), expected, JSON.stringify(more))
      const { inSpill, inEngine } = (await ingest.status()).olderFound
      assert.ok(more.cacheBytes > 2_000 || inSpill > 100, `${inSpill} prevouts were found on disk`)
      assert.equal(inEngine, 0, 'whoever began at genesis need not ask the engine')
    }
  })

  test('a restart goes on where it stopped, and a cold cache finds the same outputs', async () => {
    const chain = growChain(genesisChain, 240, createRandom(6), 5)
    const expected = await cleanDigest(chain)
    // Few outpoints stand in the statement, more go by a table.
    for (const [height, mostInStatement] of [[0], [60], [61], [180, 3], [240]] as const) {
      await using ingest = await open(
        'regtest',
        mostInStatement === undefined ? {} : { lookup: { mostInStatement } },
      )
      await ingest.ingestFiles([await fileOf('part.dat', blkFile(chain.blocks.slice(0, height + 1)))])
      const { ranges, olderFound } = await ingest.status()
      assert.equal(ranges[0]?.toHeight, height)
      assert.ok(
        height < 100 || olderFound.inEngine > 3,
        `${olderFound.inEngine} prevouts were found in the engine`,
      )
    }
    assert.deepEqual(await digestOf(warehouse), expected)
  })

  test('a backfill that goes on after a stop finds old outputs where the one before left them', async () => {
    const random = createRandom(16)
    const trunk = growChain(genesisChain, 230, random, 5)
    const chain = growChain(trunk, 260, random, 5)
    const expected = await cleanDigest(chain)
    await using server = await openChainServer({ network: 'regtest', chain: trunk.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    const fromEngine: number[] = []
    for (const { blocks } of [trunk, chain]) {
      server.chain = blocks
      await using ingest = await open('regtest', { node, ...TINY })
      await ingest.backfill({})
      const { inSpill, inEngine } = (await ingest.status()).olderFound
      assert.ok(inSpill > 100, `${inSpill} prevouts were found on disk`)
      fromEngine.push(inEngine)
    }
    assert.deepEqual(await digestOf(warehouse), expected)
    // What had stood in memory and does not fit into the half of it that is filled again.
    assert.ok(fromEngine[0] === 0 && fromEngine[1]! < 64, `${fromEngine} prevouts were found in the engine`)
  })

  test('ranges stand apart until the blocks between them come, and then are those of a clean run', async () => {
    const chain = growChain(genesisChain, 130, createRandom(8), 4)
    const expected = await cleanDigest(chain)
    await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', { node })
    await ingest.backfill({ from: 40, to: 125 })
    const unknown = 'SELECT countIf(prev_value_sat IS NULL AND NOT is_coinbase) > 0 AS some FROM btc_inputs'
    assert.deepEqual(await rows(unknown), [{ some: 1 }], 'coins of before the range')
    await ingest.backfill({ from: 0, to: 10 })
    const bounds = async () =>
      (await ingest.status()).ranges.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])
    assert.deepEqual(await bounds(), [
      [0, 10],
      [40, 125],
    ])
    await ingest.backfill({})
    assert.deepEqual(await bounds(), [[0, 130]])
    assert.deepEqual(await digestOf(warehouse), expected)
  })

  test('an engine that is killed on the way is waited for, and nothing is lost', async () => {
    const chain = growChain(genesisChain, 140, createRandom(11), 4)
    const expected = await cleanDigest(chain)
    const path = await fileOf('chain.dat', blkFile(chain.blocks))
    await using ingest = await open('regtest', { limits: { bytes: 6_000, blocks: 20, loadBytes: 12_000 } })
    let commits = 0
    await ingest.ingestFiles([path], {}, () => {
      const endpoint = readFileSync(join(warehouse.home, 'warehouse', 'endpoint.json'), 'utf8')
      if (++commits === 2) process.kill(JSON.parse(endpoint).pid, 'SIGKILL')
    })
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
  })

  test('a second ingest of one home is refused with the number of the process', async () => {
    await using _first = await open('regtest')
    await assert.rejects(open('regtest'), thrown => {
      assert.ok(thrown instanceof IngestError)
      assert.equal(thrown.code, 'ingest.locked')
      assert.match(thrown.message, new RegExp(`Another process \\(${process.pid}\\)`))
      return true
    })
  })

  test('the lock of a process that is gone is taken over', async () => {
    await writeFile(
      join(home, 'ingest-bitcoin.lock'),
      JSON.stringify({ pid: process.pid, startedAt: 'before' }),
    )
    await using ingest = await open('regtest')
    assert.deepEqual((await ingest.status()).ranges, [])
  })
})
