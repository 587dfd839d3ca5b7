/** A figure that nothing is indexed for could be shown as zero. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { context, type Made, plot, problems } from './rules.testing.ts'
import { zeros } from './zeros.ts'

describe('rules of page figures: zeros', () => {
  test('a drawn zero is a zero of the metric on that day', async () => {
    const reported = context([
      { day: '2026-08-01', value: 0, state: 'whole', source: 'defillama.dexs' },
      { day: '2026-08-02', value: 5, state: 'whole', source: 'defillama.dexs' },
      { day: '2026-08-03', value: 5, state: 'whole', source: 'defillama.dexs' },
    ])
    const counted = context([{ day: '2026-08-01', value: 5, state: 'whole', source: 'stacks.chain' }])
    assert.deepEqual(await problems(zeros, { '/alex': { plot: plot([0]) } }, counted), [])
    assert.deepEqual(await problems(zeros, { '/alex': { plot: plot([0, 5, null]) } }, reported), [])
    assert.equal((await problems(zeros, { '/alex': { plot: plot([0, 5, 0]) } }, reported)).length, 1)
  })

  test('a count of a window is zero only where every block of it is indexed', async () => {
    const list = (row: object, since: string) => ({
      answer: {
        items: [{ chain: 'bob', asset: '0x1', ...row }],
        held: [{ chain: 'bob', time: '2026-08-05T12:00:00Z', since, isSinceGenesis: false }],
      },
    })
    const hour = '2026-08-05T11:00:00Z'
    for (const row of [{ mintCount24h: 0 }, { saleCount7d: 0 }, { volume30d: '0' }, { ratePerHour: 0 }])
      assert.equal(
        (await problems(zeros, { '/collections': list(row, hour) })).length,
        1,
        JSON.stringify(row),
      )
    const day = '2026-08-04T12:00:00Z'
    const fine = [
      list({ mintCount24h: 0, mintCount7d: null }, day),
      list({ mintCount24h: 1 }, hour),
      list({ saleCount7d: 0, isWhole: true }, hour),
    ]
    for (const page of fine) assert.deepEqual(await problems(zeros, { '/collections': page }), [])
  })

  test('a count beside the indexed hours is zero only where they cover it', async () => {
    const contract = (indexedHours: number | null, row: object, more: object = {}) => ({
      contract: { indexedHours, functions: [{ name: 'mint', callCount: 4, ...row }], ...more },
    })
    const wrong = [
      contract(24, { failedCallCount: 0 }),
      contract(24, {}, { failedTxCount: 0 }),
      contract(24, {}, { feeWei: '0' }),
      { contracts: { indexedHours: 24, hot: [{ failedCallCount: 0 }] } },
      { coins: { indexedHours: 24, coins: [{ swapCount7d: 0 }] } },
      { contracts: { hot: [{ failedCallCount: 0 }] } },
    ]
    for (const page of wrong)
      assert.equal((await problems(zeros, { '/core': page })).length, 1, JSON.stringify(page))
    const fine = [
      contract(24, { failedCallCount: null }, { failedTxCount: 3 }),
      contract(null, { failedCallCount: 0 }, { txCount: 0, feeWei: '0' }),
      { contracts: { indexedHours: 168, hot: [{ failedCallCount: 0 }] } },
      { coins: { indexedHours: 168, coins: [{ swapCount7d: 0 }] } },
      { blocks: { items: [{ height: 7, failedTxCount: 0 }] } },
    ]
    for (const page of fine) assert.deepEqual(await problems(zeros, { '/core': page }), [])
  })

  test('wins of a miner of whose commits no outcome is known are not zero', async () => {
    const problemsOf = (row: Made) => problems(zeros, { '/stacks/mining': { table: { rows: [row] } } })
    assert.equal((await problemsOf({ judged: '0', wins: '0', expected: null })).length, 1)
    assert.equal((await problemsOf({ judged: '0', wins: null, expected: 0 })).length, 1)
    assert.deepEqual(await problemsOf({ judged: '0', wins: null, expected: null }), [])
    assert.deepEqual(await problemsOf({ judged: '3', wins: '0', expected: 0.4 }), [])
  })

  test('counts, rates and trends of a span leave out hours that are not indexed', async () => {
    const list = (row: object, more: object = {}) => ({
      calls: {
        span: '24h',
        items: [{ chain: 'bob', contract: '0x1', ...row }],
        held: [
          {
            chain: 'bob',
            time: '2026-08-05T12:30:00Z',
            since: '2026-08-05T08:00:00Z',
            isSinceGenesis: false,
          },
        ],
        ...more,
      },
    })
    const trend = (from: number) => Array.from({ length: 24 }, (_, at) => (at < from ? null : 0))
    const wrong = [
      list({ callCount: 4, failedCallCount: 0 }),
      list({ fee: '0' }),
      list({ share: 0.5 }),
      list({ growth: 1 }),
      list({ trend: trend(0) }),
      list({ trend: trend(18) }),
      list({}, { nested: [{ chain: 'bob', contract: '0x2', callCount: 0 }] }),
      list({}, { nested: [{ chain: 'bob', contract: '0x2', namedByCount: 0 }] }),
    ]
    for (const page of wrong)
      assert.equal((await problems(zeros, { '/popularcalls': page })).length, 1, JSON.stringify(page))
    const fine = [
      list({ callCount: 4, failedCallCount: null, share: null, growth: null, trend: trend(19) }),
      list({ failedCallCount: 0, trend: trend(19) }, { span: '1h' }),
      list({ trend: new Array(28).fill(null) }, { span: '7d' }),
    ]
    for (const page of fine) assert.deepEqual(await problems(zeros, { '/popularcalls': page }), [])
  })
})
