/** Bitcoin data would be lost, doubled or left over after a reorg. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createRpcSource } from '#chains/bitcoin/node/index.ts'
import { openChainServer } from '#chains/bitcoin/node/testing.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
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

describe('blocks become rows', () => {
  setUpIngest()

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
})
