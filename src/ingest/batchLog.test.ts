/** Chains would roll back or hide each other’s blocks. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { EvmLayer } from '#kernel/evm.ts'
import { EVM } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { type Batch, BatchLog, type BatchPlan } from './batchLog.ts'
import { createStateKeeper, readIngestState } from './ingestState.ts'
import { forgetStaleBlocks, removeBatches } from './removeBatches.ts'
import { emptyTables, hiddenRows } from './testing.ts'

const NOW = (): number => 1_700_000_000_000
const hex = (n: number): string => n.toString(16).padStart(64, '0')

const plan = (fromHeight: number, toHeight: number, branch = 0): BatchPlan => ({
  isIsland: false,
  fromHeight,
  toHeight,
  firstPrevHash: hex(branch + fromHeight - 1),
  lastHash: hex(branch + toHeight),
  blockCount: toHeight - fromHeight + 1,
  origin: 'rpc',
})

describe('one log for many chains', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())
  beforeEach(() => emptyTables(warehouse, EVM))

  const open = async (chain: EvmLayer): Promise<BatchLog> => {
    const log = new BatchLog(warehouse, { family: EVM, chain }, NOW)
    await log.refresh()
    return log
  }
  const rows = async (query: string): Promise<unknown[]> =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<unknown>()

  /** Begins a batch and writes its blocks; `branch` is added to their hashes. */
  async function write(log: BatchLog, fromHeight: number, toHeight: number, branch = 0): Promise<Batch> {
    const planned = { ...plan(fromHeight, toHeight, branch), batch: log.nextNumber() }
    const [begun] = await log.begin([planned])
    const fixed = (height: string): string => `unhex(leftPad(lower(hex(${branch} + ${height})), 64, '0'))`
    await warehouse.writer.command({
      query: `INSERT INTO base.evm_blocks (chain, batch, height, hash, prev_hash, block_time)
SELECT '${log.of.chain}', ${planned.batch}, number, ${fixed('number')}, ${fixed('number - 1')}, toDateTime(1600000000 + number)
FROM numbers(${fromHeight}, ${toHeight - fromHeight + 1})`,
    })
    return begun!
  }

  test('chains number their batches alone, and neither sees, commits or removes rows of another', async () => {
    const [rootstock, bob] = [await open('rootstock'), await open('bob')]
    const first = await write(rootstock, 1, 3)
    const other = await write(bob, 1, 2, 100)
    assert.equal(first.batch, other.batch)
    await rootstock.commit([first], [], '')
    assert.deepEqual(await rows('SELECT DISTINCT toString(chain) AS chain FROM evm_blocks'), [
      { chain: 'rootstock' },
    ])
    await bob.commit([other], [], '')
    assert.deepEqual(await rows('SELECT chain, from_height, to_height, block_count FROM evm_coverage'), [
      { chain: 'rootstock', from_height: 1, to_height: 3, block_count: 3 },
      { chain: 'bob', from_height: 1, to_height: 2, block_count: 2 },
    ])

    const better = await write(rootstock, 2, 4, 50)
    await rootstock.commit([better], [first], 'reorg at 2')
    await removeBatches(warehouse, rootstock, rootstock.unfinished())
    assert.equal(await hiddenRows(warehouse, EVM), 0)
    assert.deepEqual(
      await rows('SELECT toString(chain) AS chain, height FROM evm_blocks ORDER BY chain, height'),
      [1, 2]
        .map(height => ({ chain: 'bob', height }))
        .concat([2, 3, 4].map(height => ({ chain: 'rootstock', height }))),
    )
    assert.deepEqual(
      await rows(
        'SELECT toString(chain) AS chain, height, right(hex(hash), 2) AS lost, right(hex(winner_hash), 2) AS won FROM evm_stale_blocks ORDER BY height',
      ),
      [
        { chain: 'rootstock', height: 1, lost: '01', won: null },
        { chain: 'rootstock', height: 2, lost: '02', won: '34' },
        { chain: 'rootstock', height: 3, lost: '03', won: '35' },
      ],
    )
    const again = await write(rootstock, 1, 1)
    await rootstock.commit([again], [], '')
    await forgetStaleBlocks(warehouse, rootstock.of, 1, 1)
    assert.deepEqual(await rows('SELECT height FROM evm_stale_blocks ORDER BY height'), [
      { height: 2 },
      { height: 3 },
    ])
  })

  test('a start reads the decisions of its chain, finds what a stop left, and gives no number twice', async () => {
    const rootstock = await open('rootstock')
    const held = await write(rootstock, 1, 2)
    await rootstock.commit([held], [], '')
    const left = await write(rootstock, 3, 3)
    const bob = await open('bob')
    await write(bob, 7, 7)

    const next = await open('rootstock')
    assert.deepEqual(
      next.live(),
      [{ ...held, seq: held.seq + 1n, isLive: true, reason: '' }].map(one => one),
    )
    assert.deepEqual(
      next.unfinished().map(({ batch }) => batch),
      [left.batch],
    )
    assert.deepEqual(next.ranges()[0]?.toHeight, 2)
    assert.ok(next.nextNumber() > left.batch + 999)
    await removeBatches(warehouse, next, next.unfinished())
    assert.deepEqual((await open('rootstock')).unfinished(), [])
    // What the other chain has begun is not theirs to remove.
    assert.equal((await open('bob')).unfinished().length, 1)
    assert.deepEqual(await rows('SELECT count() AS count FROM evm_stale_blocks'), [{ count: 0 }])
  })

  test('each chain has a state of its own', async () => {
    const of = (chain: EvmLayer) => ({ family: EVM, chain })
    const change = { sentence: '', sourceTip: 9, heldTip: 8 }
    await createStateKeeper(warehouse, of('core'), NOW).set({ ...change, state: 'following' })
    await createStateKeeper(warehouse, of('bob'), () => NOW() + 1).set({ ...change, state: 'halted' })
    assert.equal((await readIngestState(warehouse, of('core')))?.state, 'following')
    assert.equal((await readIngestState(warehouse, of('bob')))?.state, 'halted')
    assert.equal(await readIngestState(warehouse, of('merlin')), undefined)
  })
})
