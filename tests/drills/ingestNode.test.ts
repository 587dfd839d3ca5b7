/** Reorgs of a real Bitcoin node would leave wrong data. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { createRpcSource } from '#chains/bitcoin/node/index.ts'
import { openIngest } from '#ingest/index.ts'
import { digestOf, emptyTables, hiddenRows } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { openBcoin } from './openBcoin.ts'

/** Enough for bcoin's regtest to turn segwit on and to spend under it. */
const FIRST_BLOCKS = 520

test('against a real node that reorganises, every table equals a clean run', {
  timeout: 240_000,
}, async t => {
  const seed = seedOf(t)
  await using bcoin = await openBcoin(seed)
  await bcoin.mine(FIRST_BLOCKS)
  using node = createRpcSource({ url: bcoin.url, user: 'x', password: bcoin.password, network: 'regtest' })
  await using warehouse = await openTestWarehouse()
  await using clean = await openTestWarehouse()
  const homes = [warehouse.home, clean.home, await mkdtemp(join(tmpdir(), 'assay-drill-'))] as const

  const open = (into: Warehouse, home: string) =>
    openIngest({
      warehouse: into,
      codec: openBitcoinCodec({ network: 'regtest' }),
      home,
      network: 'regtest',
      log: silentLog,
      node,
      threads: 1,
      cacheBytes: 8_000,
      limits: { bytes: 20_000, blocks: 50, loadBytes: 40_000 },
      pollMs: 20,
    })

  async function assertClean(what: string): Promise<void> {
    await emptyTables(clean)
    await using ingest = await open(clean, homes[1])
    await ingest.backfill({})
    assert.deepEqual(await digestOf(warehouse), await digestOf(clean), what)
    assert.equal(await hiddenRows(warehouse), 0, what)
    assert.deepEqual((await ingest.verify({ source: node })).differences, [], what)
  }

  await t.test('while it follows the tip', async () => {
    await using ingest = await open(warehouse, homes[0])
    const stop = new AbortController()
    let onStep = (): void => {}
    const following = ingest.follow(stop.signal, () => onStep())
    const reached = async (height: number): Promise<void> => {
      const hash = await node.hashAt(height)
      while (true) {
        const step = new Promise<void>(resolve => {
          onStep = resolve
        })
        if ((await ingest.status()).ranges.some(range => range.lastHash === hash)) return
        await step
      }
    }
    await reached(FIRST_BLOCKS)
    await assertClean('before any reorg')
    for (const depth of [1, 6, 20]) {
      await reached(await bcoin.mine(2))
      await reached(await bcoin.reorg(depth))
      await assertClean(`a reorg of ${depth}`)
    }
    const spends = await warehouse.reader.query({
      query:
        'SELECT countIf(has_witness AND NOT is_coinbase) AS witness, countIf(fee_sat > 0) AS fees FROM btc_txs',
      format: 'JSONEachRow',
    })
    const [counts] = await spends.json<{ witness: number; fees: number }>()
    assert.ok(counts && counts.witness > 0 && counts.fees > 50, 'the node has spent, with witnesses too')
    stop.abort()
    await following
  })

  await t.test('while it backfills', async () => {
    await emptyTables(warehouse)
    await using ingest = await open(warehouse, homes[2])
    let isReorganised = false
    let reorganising: Promise<number> | undefined
    await ingest.backfill({}, ({ height }) => {
      if (isReorganised || height < 100) return
      isReorganised = true
      reorganising = bcoin.reorg(20)
    })
    await reorganising
    await ingest.backfill({})
    await assertClean('a reorg during backfill')
  })
  await rm(homes[2], { recursive: true, force: true })
})
