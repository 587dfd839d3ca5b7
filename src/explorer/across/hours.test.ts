/** Hot contracts would show a trend or a zero for hours that are not indexed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { refreshCallHours } from '#metrics/rollups/callHours.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { trendPoints } from './hours.ts'
import { type AcrossExplorer, createAcrossExplorer } from './index.ts'

const HOUR_S = 3600
const NEWEST_S = 1_760_000_400 - (1_760_000_400 % HOUR_S)
const isoBefore = (hours: number, minutes = 0): string =>
  new Date((NEWEST_S - hours * HOUR_S + minutes * 60) * 1000).toISOString()

describe('calls of the newest hours', () => {
  test('a point of a trend with hours that are not indexed is unknown, another one without a call is zero', () => {
    const row = {
      newestS: NEWEST_S,
      trend: [
        [0, 2],
        ['3', '4'],
      ] as [number[], string[]],
    }
    const from = (since: string, isSinceGenesis = false) => ({ since, isSinceGenesis })
    assert.deepEqual(trendPoints('24h', row, from(isoBefore(3))).slice(-5), [null, 0, 4, 0, 3])
    assert.deepEqual(trendPoints('24h', row, from(isoBefore(3, 10))).slice(-5), [null, null, 4, 0, 3])
    assert.deepEqual(trendPoints('24h', row, from(isoBefore(3), true)).slice(0, 2), [0, 0])
    assert.deepEqual(trendPoints('24h', row, undefined), new Array(24).fill(null))
    // Points of six hours: the second covers hours 6 to 11 before the newest one.
    assert.deepEqual(trendPoints('7d', row, from(isoBefore(11))).slice(-3), [null, 0, 3])
    assert.deepEqual(trendPoints('7d', row, from(isoBefore(10))).slice(-3), [null, null, 3])
  })

  describe('of a chain that is indexed from three hours ago on', () => {
    const [CALLED, WORKING, ASKER] = ['c1', 'c2', 'a1'].map(pair => pair.repeat(20)) as [
      string,
      string,
      string,
    ]
    let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
    let across: AcrossExplorer
    const write = (query: string) => warehouse.writer.command({ query })

    before(async () => {
      warehouse = await openTestWarehouse()
      const catalog = await testCatalog()
      await write(
        `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('core', 1, 1, 1, 100, 102, 3)`,
      )
      const times = [NEWEST_S - 3 * HOUR_S, NEWEST_S - 2 * HOUR_S, NEWEST_S + 600]
      await write(
        `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash, failed_tx_count) VALUES ${times
          .map((at, index) => `('core', 1, ${100 + index}, ${at}, unhex('${`0${index}`.repeat(32)}'), 0)`)
          .join(', ')}`,
      )
      const txs = [
        [times[1], CALLED],
        [times[2], CALLED],
        // Called before the newest hour, and at work inside another one in it.
        [times[1], WORKING],
      ] as const
      await write(
        `INSERT INTO base.evm_txs (chain, batch, height, block_time, tx_index, tx_hash, kind, sender, recipient, method, is_success, fee_wei, gas_price_wei) VALUES ${txs
          .map(
            ([at, contract], index) =>
              `('core', 1, ${at === times[2] ? 102 : 101}, ${at}, ${index}, unhex('${`1${index}`.repeat(32)}'), 'legacy', unhex('${ASKER}'), unhex('${contract}'), unhex('a9059cbb'), true, 5, 1)`,
          )
          .join(', ')}`,
      )
      await write(
        `INSERT INTO base.evm_logs (chain, batch, height, block_time, log_index, tx_index, tx_hash, emitter) VALUES ('core', 1, 102, ${times[2]}, 0, 1, unhex('${'11'.repeat(32)}'), unhex('${WORKING}'))`,
      )
      await refreshCallHours({ warehouse, log: silentLog }, 'all')
      across = createAcrossExplorer({
        reader: warehouse.reader,
        catalog,
        layers: () => readEvmCatalog(fileURLToPath(new URL('../../../catalog', import.meta.url))),
        network: 'mainnet',
      })
    })
    after(() => warehouse[Symbol.asyncDispose]())

    const GAP = new Array(20).fill(null)

    test('there is no zero, rate or trend of the hours before', async () => {
      const { items, callCount, functionCount } = await across.popularCalls({ chain: 'core', span: '24h' })
      assert.deepEqual([callCount, functionCount], [3, 2])
      const [called] = items
      assert.deepEqual(
        [called?.callCount, called?.failedCallCount, called?.share, called?.growth, called?.trend],
        [2, null, null, null, [...GAP, 0, 1, 0, 1]],
      )
      const hot = await across.hotContracts({ chain: 'core', span: '24h' })
      const working = hot.items.find(({ contract }) => contract === `0x${WORKING}`)
      assert.deepEqual([working?.callCount, working?.failedCallCount, working?.nestedCount], [1, null, 1])
      assert.equal(hot.items.find(({ contract }) => contract === `0x${CALLED}`)?.nestedCount, null)
    })

    test('within the indexed hours zero is known, and the trend has calls before the span', async () => {
      const hot = await across.hotContracts({ chain: 'core', span: '1h' })
      const working = hot.items.find(({ contract }) => contract === `0x${WORKING}`)
      assert.deepEqual(
        [working?.callCount, working?.failedCallCount, working?.fee, working?.trend],
        [0, 0, '0', [...GAP, 0, 1, 0, 0]],
      )
      const { nested } = await across.popularCalls({ chain: 'core', span: '1h' })
      assert.deepEqual(
        nested.map(({ contract, nestedCount, callCount }) => [contract, nestedCount, callCount]),
        [[`0x${WORKING}`, 1, 0]],
      )
    })

    test('calls are counted of all functions, of those too that are not listed', async () => {
      await using many = await openTestWarehouse()
      const insert = (query: string) => many.writer.command({ query })
      await insert(
        `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('core', 1, 1, 1, 0, 0, 1), ('bob', 2, 1, 1, 0, 0, 1)`,
      )
      await insert(
        `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash, failed_tx_count) VALUES ('core', 1, 0, ${NEWEST_S}, unhex('${'01'.repeat(32)}'), 0), ('bob', 2, 0, ${NEWEST_S}, unhex('${'02'.repeat(32)}'), NULL)`,
      )
      // 200 functions are called twice on Core; the one that is called once on BOB is beyond the list.
      await insert(
        `INSERT INTO base.evm_txs (chain, batch, height, block_time, tx_index, tx_hash, kind, sender, recipient, method, is_success, fee_wei, gas_price_wei)
SELECT
  if(number < 400, 'core', 'bob'), if(number < 400, 1, 2), 0, ${NEWEST_S}, number, unhex(leftPad(hex(number), 64, '0')),
  'legacy', unhex('${ASKER}'), unhex('${CALLED}'), unhex(leftPad(hex(toUInt16(intDiv(number, 2))), 8, '0')), true, 5, 1
FROM numbers(401)`,
      )
      await refreshCallHours({ warehouse: many, log: silentLog }, 'all')
      const all = createAcrossExplorer({
        reader: many.reader,
        catalog: await testCatalog(),
        layers: () => readEvmCatalog(fileURLToPath(new URL('../../../catalog', import.meta.url))),
        network: 'mainnet',
      })
      const { items, callCount, functionCount } = await all.popularCalls({ span: '24h' })
      assert.deepEqual([items.length, functionCount, callCount], [200, 201, 401])
      // How the transactions of BOB ended is not reported.
      const failures = async (chain: string) => {
        const { items } = await all.hotContracts({ chain, span: '24h' })
        return items.map(({ failedCallCount }) => failedCallCount)
      }
      assert.deepEqual([await failures('core'), await failures('bob')], [[0], [null]])
    })

    test('nothing is counted of a chain without indexed blocks', async () => {
      const hot = await across.hotContracts({ chain: 'bob', span: '24h' })
      assert.deepEqual([hot.items, hot.callCount, hot.contractCount], [[], null, null])
    })
  })
})
