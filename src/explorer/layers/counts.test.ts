/** A layer’s page would show zero calls or failures where data is missing. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { createMetrics } from '#metrics/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createLayersExplorer, type LayerExplorer } from './index.ts'

const DAY_S = 86_400
const NEWEST_S = Date.UTC(2025, 9, 20, 12) / 1000
const [TOKEN, ASKER] = ['c1', 'a1'].map(pair => pair.repeat(20)) as [string, string]

/** Blocks of Core, one for each of these days before the newest one, and a call of a contract in the newest block for each outcome. */
async function openCalled(
  firstHeight: number,
  days: readonly number[],
  outcomes: readonly (boolean | null)[],
) {
  const warehouse = await openTestWarehouse()
  const write = (query: string) => warehouse.writer.command({ query })
  const last = firstHeight + days.length - 1
  await write(
    `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('core', 1, 1, 1, ${firstHeight}, ${last}, ${days.length})`,
  )
  const hash = (first: string, index: number) => `unhex('${`${first}${index}`.repeat(32)}')`
  await write(
    `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash) VALUES ${days
      .map(
        (ago, index) => `('core', 1, ${firstHeight + index}, ${NEWEST_S - ago * DAY_S}, ${hash('0', index)})`,
      )
      .join(', ')}`,
  )
  await write(
    `INSERT INTO base.evm_txs (chain, batch, height, block_time, tx_index, tx_hash, kind, sender, recipient, method, is_success, fee_wei, gas_price_wei) VALUES ${outcomes
      .map(
        (isSuccess, index) =>
          `('core', 1, ${last}, ${NEWEST_S}, ${index}, ${hash('1', index)}, 'legacy', unhex('${ASKER}'), unhex('${TOKEN}'), unhex('a9059cbb'), ${isSuccess}, 5, 1)`,
      )
      .join(', ')}`,
  )
  await createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog }).refreshRollups()
  const catalog = await readEvmCatalog(fileURLToPath(new URL('../../../catalog', import.meta.url)))
  return { warehouse, core: createLayersExplorer(warehouse.reader, ['core'], async () => catalog)('core') }
}

/** Calls, failed ones of a contract in the newest week and in all indexed blocks. */
async function failuresOf(core: LayerExplorer) {
  const [{ hot, from, isWhole, indexedHours }, contract, asker] = await Promise.all([
    core.hotContracts(),
    core.account(`0x${TOKEN}`),
    core.account(`0x${ASKER}`),
  ])
  return {
    indexedHours,
    isWeekWhole: isWhole,
    from,
    ofWeek: hot.map(row => [row.callCount, row.failedCallCount]),
    ofFunctions: contract.functions.map(row => [row.callCount, row.failedCallCount]),
    ofSender: [asker.txCount, asker.failedTxCount, asker.feeWei],
    ofContract: [contract.txCount, contract.failedTxCount, contract.feeWei, contract.logCount],
  }
}

describe('calls and failures of a layer', () => {
  const opened: Awaited<ReturnType<typeof openCalled>>[] = []
  const open = async (...made: Parameters<typeof openCalled>) => {
    const one = await openCalled(...made)
    opened.push(one)
    return failuresOf(one.core)
  }
  after(async () => {
    for (const { warehouse } of opened) await warehouse[Symbol.asyncDispose]()
  })

  test('no failure in a part of the days is not zero failures', async () => {
    assert.deepEqual(await open(100, [2, 1, 0], [true, true]), {
      indexedHours: 48,
      isWeekWhole: false,
      from: '2025-10-14',
      ofWeek: [[2, null]],
      ofFunctions: [[2, null]],
      ofSender: [2, null, '10'],
      ofContract: [null, null, null, null],
    })
  })

  test('failures of a part of the days are counted', async () => {
    const { ofWeek, ofFunctions, ofSender } = await open(100, [2, 1, 0], [true, false])
    assert.deepEqual([ofWeek, ofFunctions, ofSender], [[[2, 1]], [[2, 1]], [2, 1, '10']])
  })

  test('zero is known of a whole week, and of all blocks only from the first one on', async () => {
    const ofWeek = await open(100, [7, 6, 5, 4, 3, 2, 1, 0], [true])
    assert.deepEqual([ofWeek.ofWeek, ofWeek.ofFunctions, ofWeek.indexedHours], [[[1, 0]], [[1, null]], 168])
    assert.deepEqual(await open(0, [2, 1, 0], [true]), {
      indexedHours: null,
      isWeekWhole: true,
      from: '2025-10-14',
      ofWeek: [[1, 0]],
      ofFunctions: [[1, 0]],
      ofSender: [1, 0, '5'],
      ofContract: [0, 0, '0', 0],
    })
  })

  test('a week whose newest day is not over is whole with fewer than 168 hours', async () => {
    const whole = await open(100, [6.5, 5, 4, 3, 2, 1, 0], [true])
    assert.deepEqual([whole.indexedHours, whole.isWeekWhole, whole.ofWeek], [156, true, [[1, 0]]])
    const lacking = await open(100, [6.49, 5, 4, 3, 2, 1, 0], [true])
    assert.deepEqual([lacking.indexedHours, lacking.isWeekWhole, lacking.ofWeek], [155, false, [[1, null]]])
  })

  test('a call whose outcome is not reported is no success', async () => {
    const { ofWeek, ofFunctions, ofSender } = await open(0, [2, 1, 0], [true, null])
    assert.deepEqual([ofWeek, ofFunctions, ofSender], [[[2, null]], [[2, null]], [2, null, '10']])
  })
})
