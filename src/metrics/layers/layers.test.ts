/** Daily figures of EVM layers would be wrong or count partial days as whole. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, openEvmClient } from '#chains/evm/node/index.ts'
import { openEvmIngest } from '#ingest/evm/index.ts'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogEvents from '../../../catalog/evm/events.json' with { type: 'json' }
import { ask } from '../ask.ts'
import { createMetrics } from '../createMetrics.ts'
import { metricOf } from '../entry.ts'
import { layerMetrics } from './index.ts'

const CHAIN_ID = 60_808
/** 2023-11-14 22:13:20 UTC; a block an hour. */
const GENESIS_S = 1_700_000_000
const HOUR_S = 3600
const DAY = '2023-11-15'

type Receipt = {
  from: string
  to: string | null
  status: string
  gasUsed: string
  effectiveGasPrice: string
  contractAddress: string | null
  logs: { address: string; topics: string[] }[]
}
type Step = { type: string; error?: string }
type Told = {
  timestamp: string
  gasUsed: string
  transactions: { from: string; to: string | null; nonce: string; input: string }[]
}

describe('figures of an EVM layer from its rows', skipWithoutAnvil, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let layer: MadeLayer
  let home = ''
  const random = createRandom(11)
  /** What the node tells of each block. */
  const told: { block: Told; receipts: Receipt[]; created: number }[] = []
  const metrics = async () => createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog })

  async function ingest(): Promise<void> {
    const client = openEvmClient({
      chainId: CHAIN_ID,
      chainName: 'BOB',
      endpoints: [{ url: layer.anvil.url }],
      rounds: 2,
    })
    const codec = openEvmCodec({ chainId: CHAIN_ID, headerForm: 'standard', checksumChainId: null })
    await using ingest = await openEvmIngest({
      warehouse,
      home,
      layer: 'bob',
      name: 'BOB',
      codec,
      events: createEventIndex(EventFacts.parse(catalogEvents)),
      source: createEvmSource(codec, client, { traces: true }),
      log: silentLog,
      pollMs: 1,
    })
    await ingest.backfill({ from: 0 })
  }

  async function askNode(): Promise<void> {
    told.length = 0
    const { send } = layer.anvil
    for (let height = 0; height <= (await layer.height()); height++) {
      const at = `0x${height.toString(16)}`
      const traces = (await send('debug_traceBlockByNumber', at, { tracer: 'callTracer' })) as {
        result: Step & { calls?: Step[] }
      }[]
      told.push({
        block: (await send('eth_getBlockByNumber', at, true)) as Told,
        receipts: (await send('eth_getBlockReceipts', at)) as Receipt[],
        created: traces
          .filter(({ result }) => result.error === undefined)
          .flatMap(({ result }) => [result, ...(result.calls ?? [])])
          .filter(({ type, error }) => type.startsWith('CREATE') && error === undefined).length,
      })
    }
  }
  const onDay = (day: string) =>
    told.filter(({ block }) => new Date(Number(block.timestamp) * 1000).toISOString().slice(0, 10) === day)
  const value = async (id: string, day: string, more: { key?: string; grain?: 'week' } = {}) => {
    const { points } = await (await metrics()).series({ id, entity: 'bob', from: day, to: day, ...more })
    const found = points.filter(({ key }) => more.key === undefined || key === more.key)
    return {
      value: found.reduce((sum, point) => sum + BigInt(Math.round(Number(point.value ?? 0))), 0n),
      exact: found.map(point => String(point.value)),
      state: found[0]?.state,
    }
  }

  before(async () => {
    warehouse = await openTestWarehouse()
    home = await mkdtemp(join(tmpdir(), 'assay-layer-metrics-'))
    layer = await openMadeLayer({ chainId: CHAIN_ID, args: ['--timestamp', String(GENESIS_S)] })
    await layer.anvil.send('anvil_setBlockTimestampInterval', HOUR_S)
    await layer.grow(60, random)
    await askNode()
    await ingest()
    await (await metrics()).refreshRollups()
  })
  after(async () => {
    await layer[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
    await rm(home, { recursive: true })
  })

  test('a day that is held whole has the figures that follow from the node’s own answers', async () => {
    const day = onDay(DAY)
    assert.equal(day.length, 24)
    const receipts = day.flatMap(one => one.receipts)
    const txs = day.flatMap(one => one.block.transactions)
    const fees = receipts.map(one => BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice))
    const sorted = fees.toSorted((a, b) => (a < b ? -1 : 1))
    const expected: Record<string, bigint> = {
      'tx.count': BigInt(txs.length),
      'blocks.count': 24n,
      'fees.total': fees.reduce((sum, fee) => sum + fee, 0n),
      'fees.median_tx': sorted[Math.ceil(sorted.length / 2) - 1]!,
      'addresses.senders': BigInt(new Set(txs.map(({ from }) => from)).size),
      'contracts.deployed': BigInt(day.reduce((sum, { created }) => sum + created, 0)),
      'tokens.transfers': BigInt(
        receipts.flatMap(({ logs }) => logs).filter(({ topics }) => topics.length === 3).length,
      ),
      'calls.by_contract': BigInt(txs.filter(({ to, input }) => to !== null && input.length >= 10).length),
      'chain.throughput': BigInt(
        Math.round(day.reduce((sum, { block }) => sum + Number(block.gasUsed), 0) / 86_400),
      ),
      'contracts.active': BigInt(
        new Set([
          ...txs.flatMap(({ to, input }, i) =>
            to !== null && input.length >= 10 && receipts[i]!.status === '0x1' ? [to] : [],
          ),
          ...receipts.flatMap(({ logs }) => logs.map(({ address }) => address)),
        ]).size,
      ),
    }
    for (const [id, wanted] of Object.entries(expected)) {
      const found = await value(id, DAY)
      assert.deepEqual([found.value, found.state], [wanted, 'whole'], id)
      assert.ok(wanted > 0n, `${id} has something to count`)
    }
    const failed = await (await metrics()).series({
      id: 'tx.failed_share',
      entity: 'bob',
      from: DAY,
      to: DAY,
    })
    assert.equal(
      failed.points[0]?.value,
      receipts.filter(({ status }) => status === '0x0').length / receipts.length,
    )
    assert.deepEqual(await value('chain.block_time', DAY, { key: 'median' }), {
      value: 3600n,
      exact: ['3600'],
      state: 'whole',
    })
    assert.deepEqual((await value('fees.total', DAY)).exact, [String(expected['fees.total'])])
  })

  test('who sent with the nonce 0 is new, and nobody is so twice', async () => {
    const first = new Date(GENESIS_S * 1000).toISOString().slice(0, 10)
    const newcomers = (day: string) =>
      new Set(
        onDay(day)
          .flatMap(({ block }) => block.transactions)
          .filter(({ nonce }) => nonce === '0x0')
          .map(({ from }) => from),
      ).size
    for (const day of [first, DAY, '2023-11-16'])
      assert.equal((await value('addresses.new', day)).value, BigInt(newcomers(day)), day)
    assert.equal(newcomers(first), 1)
  })

  test('days at the ends are not whole, and a week with such a day is not either', async () => {
    assert.equal((await value('tx.count', '2023-11-17')).state, 'incomplete')
    // The chain begins within its first day: nothing of that is missing.
    assert.equal((await value('tx.count', '2023-11-14')).state, 'whole')
    assert.equal((await value('addresses.senders', '2023-11-13', { grain: 'week' })).state, 'incomplete')
  })

  test('contracts made so far count from the first block on', async () => {
    const made = (until: string) =>
      told
        .filter(({ block }) => new Date(Number(block.timestamp) * 1000).toISOString().slice(0, 10) <= until)
        .reduce((sum, { created }) => sum + created, 0)
    assert.equal((await value('contracts.growth', DAY)).value, BigInt(made(DAY)))
  })

  test('after a reorg the figures are those of the branch that won, and recomputing changes nothing', async () => {
    await layer.reorg(30)
    await layer.grow(4, random)
    await askNode()
    await ingest()
    await (await metrics()).refreshRollups()
    const txs = onDay(DAY).flatMap(({ block }) => block.transactions)
    assert.equal((await value('tx.count', DAY)).value, BigInt(txs.length))
    const rows = () =>
      ask<Record<string, unknown>>(
        warehouse.reader,
        'SELECT bucket, chain, user_tx_count, toString(fee_wei) AS fee FROM evm_block_days ORDER BY bucket',
      )
    const known = await rows()
    await warehouse.writer.command({ query: 'TRUNCATE TABLE base.rollup_runs' })
    await (await metrics()).refreshRollups()
    assert.deepEqual(await rows(), known)
  })

  test('every metric of every layer runs as it stands', async () => {
    const all = layerMetrics(await testCatalog())
    for (const { id, entities, entityKind } of all) {
      assert.equal(entityKind, 'layer')
      for (const entity of entities) {
        const { sql, parameters } = metricOf(all, id, entity)
        const values = Object.fromEntries(parameters.map(one => [one.name, one.default]))
        const rows = await ask<{ value: unknown }>(warehouse.guest, sql, values)
        // An overlap takes blocks of two layers.
        assert.equal(rows.length > 0, entity === 'bob' && id !== 'users.overlap', `${id}@${entity}`)
      }
    }
  })
})
