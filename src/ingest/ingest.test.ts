/** Bitcoin data would be lost, doubled or left over after a reorg. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { createRestSource, createRpcSource, readHeader } from '#chains/bitcoin/node/index.ts'
import { openChainServer } from '#chains/bitcoin/node/testing.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { IngestError } from './errors.ts'
import { type IngestConfig, openIngest } from './openIngest.ts'
import {
  blkFile,
  createRandom,
  digestOf,
  emptyTables,
  genesisChain,
  growChain,
  hashAt,
  hiddenRows,
  type MadeChain,
} from './testing.ts'

/** So little memory that outputs go to disk after a few blocks. */
const TINY = { cacheBytes: 2_000, limits: { bytes: 5_000, blocks: 7, loadBytes: 0 } }

describe('blocks become rows', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let home: string
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())
  beforeEach(async () => {
    await emptyTables(warehouse)
    home = await mkdtemp(join(tmpdir(), 'assay-ingest-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const open = (network: Network, more: Partial<IngestConfig> = {}) =>
    openIngest({
      warehouse,
      codec: openBitcoinCodec({ network }),
      home,
      network,
      log: silentLog,
      threads: 0,
      cacheBytes: 4_000_000,
      pollMs: 5,
      ...more,
    })

  async function rows<T>(query: string): Promise<T[]> {
    const answer = await warehouse.reader.query({ query, format: 'JSONEachRow' })
    return answer.json<T>()
  }

  async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(home, name)
    await writeFile(path, bytes)
    return path
  }

  /** What a clean run of a chain gives. */
  async function cleanDigest(chain: MadeChain): Promise<Record<string, string>> {
    await emptyTables(warehouse)
    await using ingest = await open('regtest')
    await ingest.ingestFiles([await fileOf('clean.dat', blkFile(chain.blocks))])
    const digest = await digestOf(warehouse)
    await emptyTables(warehouse)
    return digest
  }

  test(
    'the first 4313 blocks give the unspent outputs and the fees that are known for them',
    skipWithoutShared,
    async () => {
      await using ingest = await open('mainnet', { threads: 1 })
      const seen: number[] = []
      const report = await ingest.ingestFiles([shared('data/bitcoin/runs/blk-0-4312.dat')], {}, progress =>
        seen.push(progress.blockCount),
      )
      assert.deepEqual(report.chains, [
        { fromHeight: 0, toHeight: 4312, outcome: { type: 'idle', why: 'same' } },
      ])
      assert.equal(seen.at(-1), 4313)
      assert.deepEqual(
        await rows(`SELECT count() AS outputs, sum(value_sat) AS sat FROM btc_outputs
        WHERE height > 0 AND (txid, vout) NOT IN (SELECT prev_txid, prev_vout FROM btc_inputs)`),
        [{ outputs: 4149, sat: 21_560_000_000_000 }],
      )
      assert.deepEqual(
        await rows(`SELECT countIf(prev_value_sat IS NULL) AS unknown, countIf(fee_sat IS NULL) AS free,
        countIf(isNull(prev_height) != isNull(prev_time)) AS halves FROM btc_inputs AS inputs
        INNER JOIN btc_blocks AS blocks USING (height) WHERE NOT is_coinbase`),
        [{ unknown: 0, free: 0, halves: 0 }],
      )
      const stats = readFileSync(shared('data/bitcoin/runs/blk-0-2999.csv'), 'utf8')
      assert.ok(stats.length > 0)
      const fees = await rows<{ fees: number }>(
        'SELECT sum(fee_sat) AS fees FROM btc_blocks WHERE height < 3000',
      )
      assert.deepEqual(fees, [{ fees: 201_000_000 }])
      const spend =
        await rows(`SELECT prev_height, prev_value_sat, prev_script_type, toUnixTimestamp(prev_time) AS prev_time
      FROM btc_inputs WHERE height = 170 AND NOT is_coinbase`)
      assert.deepEqual(spend, [
        { prev_height: 9, prev_value_sat: 5_000_000_000, prev_script_type: 'p2pk', prev_time: 1_231_473_279 },
      ])
      const { differences } = await ingest.verify()
      assert.deepEqual(differences, [])
    },
  )

  test('each block has the median time and figures that Bitcoin Core gives', skipWithoutShared, async () => {
    await using ingest = await open('mainnet')
    await ingest.ingestFiles([shared('data/bitcoin/runs/blk-0-4312.dat')])
    const text = readFileSync(shared('data/bitcoin/vectors/getblockstats-0-2999.csv'), 'utf8')
    const [head = '', ...lines] = text.trim().split('\n')
    const names = head.split(',')
    const held = await rows<Record<string, number | string>>(`SELECT height, lower(hex(hash)) AS hash,
      toUnixTimestamp(median_time) AS mediantime, toUnixTimestamp(block_time) AS time, tx_count AS txs,
      input_count - 1 AS ins, output_count AS outs, fee_sat AS totalfee, subsidy_sat AS subsidy
      FROM btc_blocks WHERE height < 3000 ORDER BY height`)
    lines.forEach((line, i) => {
      const expected = Object.fromEntries(line.split(',').map((value, n) => [names[n] ?? '', value]))
      for (const [name, value] of Object.entries(held[i]!))
        if (name in expected) assert.equal(String(value), expected[name], `${name} of block ${i}`)
    })
    assert.ok(names.includes('mediantime') && names.includes('ins'))
  })

  test(
    'lone blocks enter with the fees that their prevouts give, and with none without them',
    skipWithoutShared,
    async () => {
      await using ingest = await open('mainnet')
      const folder = shared('data/bitcoin/blocks')
      const files = readdirSync(folder).map(name => join(folder, name))
      const report = await ingest.ingestFiles(files)
      const count = (end: string) => report.lone.filter(one => one.end === end).length
      assert.deepEqual([count('stored'), count('no_height'), count('refused')], [41, 5, 0])
      const listed = JSON.parse(readFileSync(shared('data/bitcoin/blocks.json'), 'utf8')) as {
        height: number | null
        feesFrom: string | null
        totalFees: number | null
      }[]
      const expected = listed
        .filter(block => block.height !== null && block.totalFees !== null)
        // Elsewhere the list knows fees from statistics, which are no prevouts.
        .filter(({ feesFrom }) => feesFrom === 'coinbase only' || feesFrom === 'prevouts')
        // The list knows what block 170 spends from the run of the first blocks.
        .filter(({ height }) => height !== 170)
        .map(({ height, totalFees }) => ({ height, fee_sat: totalFees }))
        .sort((a, b) => a.height! - b.height!)
      const held = await rows(
        'SELECT height, fee_sat FROM btc_blocks WHERE fee_sat IS NOT NULL ORDER BY height',
      )
      assert.deepEqual(held, expected)
      assert.deepEqual(
        await rows(
          'SELECT max(prev_height) AS top FROM btc_inputs WHERE height = 739990 AND prev_height != 739990',
        ),
        [{ top: null }],
      )
      assert.deepEqual((await ingest.status()).ranges, [])
      assert.equal((await ingest.status()).islandCount, 41)
      const again = await ingest.ingestFiles(files.slice(0, 3))
      assert.ok(again.lone.every(({ end }) => end === 'held'))
    },
  )

  test('a run takes the place of the islands that it reaches', skipWithoutShared, async () => {
    await using ingest = await open('mainnet')
    const run = shared('data/bitcoin/runs/blk-0-4312.dat')
    await ingest.ingestFiles([run])
    const expected = await digestOf(warehouse)
    await emptyTables(warehouse)
    await ingest.recover()
    const lone = ['0-0a8ce26f', '170-8dd4a2ee', '2016-6c7bddef'].map(name =>
      shared(`data/bitcoin/blocks/${name}.bin`),
    )
    await ingest.ingestFiles(lone)
    assert.equal((await ingest.status()).islandCount, 3)
    await ingest.ingestFiles([run])
    assert.equal((await ingest.status()).islandCount, 0)
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
  })

  test('the overflow of block 74638 is refused and kept', skipWithoutShared, async () => {
    await using ingest = await open('mainnet')
    const report = await ingest.ingestFiles([shared('data/bitcoin/reorg/stale-blocks/74638-70a7ec1c.bin')])
    const [end] = report.lone
    assert.ok(end?.end === 'refused')
    assert.equal(end.code, 'ingest.value')
    assert.equal((await readdir(join(home, 'refused'))).length, 1)
    assert.deepEqual(await rows("SELECT code, size_bytes, kept_as != '' AS kept FROM btc_refused_blocks"), [
      { code: 'ingest.value', size_bytes: 474, kept: 1 },
    ])
    assert.deepEqual(await rows('SELECT count() AS count FROM btc_blocks'), [{ count: 0 }])
  })

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

  test('a node of another genesis block halts, whatever is allowed', async () => {
    const chain = growChain(genesisChain, 3, createRandom(1))
    await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', { node, allowDeepReorg: true })
    await ingest.backfill({})
    const other = Buffer.from(chain.blocks[0]!)
    other.writeUInt32LE(77, 76)
    server.chain = [other, ...growChain({ blocks: [other], unspent: [] }, 9, createRandom(2)).blocks.slice(1)]
    const outcome = await ingest.backfill({})
    assert.ok(outcome.type === 'halt' && outcome.reason === 'other_chain')
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

  test('a block that claims too much ends the run there, whatever was prepared behind it', async () => {
    const random = createRandom(11)
    const good = growChain(genesisChain, 125, random, 3)
    const bad = growChain(growChain(good, 1, random, 0, 1n), 20, random, 3)
    const expected = await cleanDigest(good)
    await using server = await openChainServer({ network: 'regtest', chain: bad.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', {
      node,
      limits: { bytes: 20_000, blocks: 3, loadBytes: 4_000 },
    })
    const outcome = await ingest.backfill({})
    assert.ok(outcome.type === 'refused')
    assert.equal(outcome.block.code, 'ingest.coinbase_value')
    assert.equal(outcome.block.height, 126)
    assert.deepEqual(await digestOf(warehouse), expected)
    assert.equal(await hiddenRows(warehouse), 0)
    // The node finds a better branch: what the refused one made answers no more.
    server.chain = growChain(good, 30, random, 3).blocks
    assert.equal((await ingest.backfill({})).type, 'idle')
    assert.equal((await ingest.status()).ranges[0]?.toHeight, 155)
  })

  test('one bad block of a file costs that block alone', async () => {
    const chain = growChain(genesisChain, 30, createRandom(3), 0)
    const blocks = chain.blocks.map(block => Buffer.from(block))
    // A byte of the coinbase's script: the merkle root no longer fits.
    blocks[12]!.writeUInt8(blocks[12]!.readUInt8(140) ^ 1, 140)
    await using ingest = await open('regtest')
    const path = await fileOf('bad.dat', blkFile(blocks))
    await ingest.ingestFiles([path])
    assert.deepEqual(await rows('SELECT code, height FROM btc_refused_blocks'), [
      { code: 'check.merkle_root', height: 12 },
    ])
    const ranges = (await ingest.status()).ranges.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])
    assert.deepEqual(ranges, [
      [0, 11],
      [13, 30],
    ])
    await ingest.ingestFiles([path])
    assert.deepEqual(
      await rows('SELECT count() AS count FROM btc_refused_blocks'),
      [{ count: 1 }],
      'kept once',
    )
    await ingest.ingestFiles([await fileOf('good.dat', blkFile(chain.blocks))])
    const healed = (await ingest.status()).ranges.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])
    assert.deepEqual(healed, [[0, 30]])
  })

  test('a block is refused at a height that its coinbase denies', async () => {
    const chain = growChain(genesisChain, 20, createRandom(3), 0)
    await using ingest = await open('regtest')
    const path = await fileOf('lone.bin', chain.blocks[18]!)
    const { lone } = await ingest.ingestFiles([{ path, height: 17 }])
    assert.ok(lone[0]?.end === 'refused')
    assert.match(lone[0].reason, /was offered for height 17, but its coinbase states 18/)
    const [held] = (await ingest.ingestFiles([path])).lone
    assert.deepEqual(held && { ...held, hash: undefined }, {
      name: 'lone.bin',
      end: 'stored',
      height: 18,
      hash: undefined,
    })
  })

  test('prevouts that do not fit their block are told and kept out', async () => {
    const chain = growChain(genesisChain, 130, createRandom(3), 3)
    const [block] = chain.blocks.filter(bytes => bytes.length > 400)
    const path = await fileOf('lone.bin', block!)
    const prevouts = await fileOf('lone.json', Buffer.from('[[1, "51"]]'))
    await using ingest = await open('regtest')
    const { lone } = await ingest.ingestFiles([{ path, prevouts }])
    assert.ok(lone[0]?.end === 'refused')
    assert.match(lone[0].code, /ingest\.(prevouts_file|overspend)/)
    await writeFile(prevouts, '{"no": "list"}')
    await assert.rejects(ingest.ingestFiles([{ path, prevouts }]), /is no list of \[satoshis, script hex\]/)
  })

  test('what is held wrongly is named by verify', async () => {
    const chain = growChain(genesisChain, 12, createRandom(3), 0)
    await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', { node })
    await ingest.backfill({})
    assert.deepEqual(await ingest.verify({ source: node }), { blockCount: 13, differences: [] })
    await warehouse.writer.command({
      query:
        'INSERT INTO base.btc_txs SELECT * REPLACE (toUInt32(tx_index + 1) AS tx_index) FROM base.btc_txs WHERE height = 7',
    })
    const { differences } = await ingest.verify({ from: 5, to: 9, source: node })
    assert.deepEqual(
      differences.map(({ height, what }) => [height, what]),
      [
        [7, 'transactions'],
        [7, 'inputs by transaction'],
        [7, 'output sum by transaction'],
        [7, 'weight'],
        [7, 'txids'],
      ],
    )
    assert.deepEqual(
      differences.filter(({ what }) => what === 'transactions').map(({ held, expected }) => [held, expected]),
      [['1', '2']],
    )
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

  describe('a node that cannot be trusted', () => {
    const chain = growChain(genesisChain, 40, createRandom(12))

    async function follow(
      server: Awaited<ReturnType<typeof openChainServer>>,
      isMeant: (state: { state: string; sentence: string; heldTip: number | null }) => boolean,
    ) {
      using node = createRpcSource({
        url: server.url,
        network: 'regtest',
        user: 'u',
        password: 'p',
        limits: { idleMs: 400 },
      })
      await using ingest = await open('regtest', { node })
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      const met = await until(
        `the state is as meant: ${isMeant}`,
        async () => {
          const { state } = await ingest.status()
          return state && isMeant(state) && state
        },
        { betweenMs: 0 },
      )
      stop.abort()
      await following
      return met
    }
    const isHeldWhole = async () =>
      assert.deepEqual(await rows('SELECT max(height) AS height, count() AS count FROM btc_blocks'), [
        { height: 40, count: 41 },
      ])

    const faults: Record<
      string,
      { sentence: RegExp; play: (server: Awaited<ReturnType<typeof openChainServer>>) => void }
    > = {
      stalls: {
        sentence: /did not answer getblock within/,
        play: server => {
          server.intercept = ({ what }) => what === 'getblock'
        },
      },
      'drops the connection': {
        sentence: /dropped the connection while answering getblock/,
        play: server => {
          server.intercept = ({ what }, response) => {
            if (what !== 'getblock') return false
            response.writeHead(200, { 'content-length': '100000' })
            response.write('[', () => response.destroy())
            return true
          }
        },
      },
      'answers 401': {
        sentence: /refused user and password \(401\)/,
        play: server => {
          server.intercept = (_, response) => {
            response.writeHead(401).end()
            return true
          }
        },
      },
      'lies about height': {
        sentence: /gave block [0-9a-f]{64} for height 1, which does not follow|offered for height/,
        play: server => {
          server.chain = [chain.blocks[0]!, ...chain.blocks.slice(5)]
        },
      },
      'gives another block than it named': {
        sentence: /gave block [0-9a-f]{64} where it had named/,
        play: server => {
          server.intercept = (ask, response) => {
            if (ask.what !== 'getblock') return false
            const hex = chain.blocks[7]!.toString('hex')
            const answers = Array.from({ length: ask.callCount }, (_, id) => ({
              result: hex,
              error: null,
              id,
            }))
            response.end(JSON.stringify(answers))
            return true
          }
        },
      },
      'gives a block cut short': {
        sentence: /Ingest is paused: .*at byte/,
        play: server => {
          server.chain = chain.blocks.with(9, chain.blocks[9]!.subarray(0, 150))
        },
      },
      'gives a block with a wrong merkle root': {
        sentence: /Ingest is paused: The transactions of block .* do not give its merkle root/,
        play: server => {
          const block = Buffer.from(chain.blocks[9]!)
          block.writeUInt8(block.readUInt8(140) ^ 1, 140)
          server.chain = chain.blocks.with(9, block)
        },
      },
      'gives a block that spends what no block made': {
        sentence: /Ingest is paused: Block .* spends [0-9a-f]{64}:\d+, which no block below it made/,
        play: server => {
          const foreign = { txid: Buffer.alloc(32, 7), vout: 3, valueSat: 50_000n, ripeHeight: 0 }
          server.chain = growChain(
            { blocks: genesisChain.blocks, unspent: [foreign] },
            20,
            createRandom(6),
          ).blocks
        },
      },
    }
    for (const [name, { sentence, play }] of Object.entries(faults))
      test(`one that ${name} is told as such, and nothing is lost`, async () => {
        await using server = await openChainServer({
          network: 'regtest',
          chain: chain.blocks,
          user: 'u',
          password: 'p',
        })
        play(server)
        const state = await follow(server, ({ sentence: said }) => sentence.test(said))
        assert.ok(['waiting', 'halted'].includes(state.state))
        assert.equal(await hiddenRows(warehouse), 0)
        server.intercept = undefined
        server.chain = chain.blocks
        await follow(server, ({ state, heldTip }) => state === 'following' && heldTip === 40)
        await isHeldWhole()
      })

    test('a lower tip takes nothing back', async () => {
      await using server = await openChainServer({
        network: 'regtest',
        chain: chain.blocks,
        user: 'u',
        password: 'p',
      })
      await follow(server, ({ heldTip }) => heldTip === 40)
      server.chain = chain.blocks.slice(0, 20)
      const state = await follow(server, ({ sentence }) => sentence !== '')
      assert.match(state.sentence, /is behind the indexed blocks\. Nothing is rolled back/)
      await isHeldWhole()
      assert.equal(hashAt(chain, 40), readHeader(chain.blocks[40]!).hash)
    })
  })
})
