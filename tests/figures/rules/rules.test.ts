/** The rules that compare figures across pages would miss a contradiction. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pageParts } from '../pageParts.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { changes, courses } from './changes.ts'
import { chartTexts } from './chartTexts.ts'
import { counts } from './counts.ts'
import { dated } from './dated.ts'
import { headlines } from './headlines.ts'
import { blockMarks, marks } from './marks.ts'
import { partialSums } from './partialSums.ts'
import { plurals } from './plurals.ts'
import { ratios } from './ratios.ts'
import { rowRatios } from './rowRatios.ts'
import { sameFigure } from './sameFigure.ts'
import { shares } from './shares.ts'
import { oneBridgedSum, sums } from './sums.ts'
import { timeAxis } from './timeAxis.ts'
import { windows } from './windows.ts'
import { zeros } from './zeros.ts'

type Made = Readonly<Record<string, unknown>>

/** An API that answers series from a list, and nothing else. */
const context = (
  points: readonly { day: string; value: number | null; state: string; source: string }[] = [],
): RuleContext =>
  ({
    api: { series: async () => ({ metric: { breakdown: null }, points }) },
    rows: async () => [],
  }) as unknown as RuleContext

/** Problems that a rule finds in pages made of loader answers. */
async function problems(rule: Rule, pages: Readonly<Record<string, Made>>, given = context()) {
  const parts = Object.entries(pages).map(([address, answer]) =>
    pageParts({ address, data: { page: answer } }),
  )
  return (await rule.check(parts, given)).map(({ address, problem }) => `${address}: ${problem}`)
}

const kpi = (assay: string, value: number | string, day = '2026-08-05') => ({
  assay,
  label: assay,
  value,
  unit: 'sat',
  day,
  spark: [],
})
const sumOf = (value: number, from: string, ...addends: [string, number, string][]) => ({
  value,
  unit: 'sat',
  from,
  to: addends
    .map(([, , day]) => day)
    .sort()
    .at(-1),
  addends: addends.map(([entity, amount, day]) => ({
    entity,
    value: amount,
    unit: 'sat',
    day,
    assay: `btc.bridged@${entity}`,
  })),
})
const plot = (values: (number | null)[]) => ({
  start: '2026-08-01',
  grain: 'day',
  count: values.length,
  unit: 'USD',
  lines: [{ key: 'a', label: 'A', colour: '', values, incomplete: [], assay: 'dex.volume@alex' }],
})

describe('rules of page figures', () => {
  test('the same metric has the same value and day on every page', async () => {
    const one = { kpis: [kpi('btc.bridged@stacks', 251_751_958_739)] }
    assert.deepEqual(await problems(sameFigure, { '/': one, '/stacks': one }), [])
    const other = { kpis: [kpi('btc.bridged@stacks', 105_400_000_000, '2024-10-22')] }
    assert.equal((await problems(sameFigure, { '/': one, '/stacks': other })).length, 1)
  })

  test('a sum is that of its parts and as old as the oldest', async () => {
    const parts: [string, number, string][] = [
      ['stacks', 2, '2026-08-05'],
      ['bob', 3, '2024-10-22'],
    ]
    assert.deepEqual(await problems(sums, { '/': { sum: sumOf(5, '2024-10-22', ...parts) } }), [])
    assert.equal((await problems(sums, { '/': { sum: sumOf(6, '2024-10-22', ...parts) } })).length, 1)
    assert.equal((await problems(sums, { '/': { sum: sumOf(5, '2026-08-05', ...parts) } })).length, 1)
  })

  test('home and the directory add up the same bitcoin', async () => {
    const home = { sum: sumOf(5, '2024-10-22', ['stacks', 2, '2026-08-05'], ['bob', 3, '2024-10-22']) }
    const directory = (btcSat: string) => ({ totals: { btcSat, covers: 2, from: '2024-10-22' } })
    assert.deepEqual(await problems(oneBridgedSum, { '/': home, '/bitcoin/l2s': directory('5') }), [])
    assert.equal((await problems(oneBridgedSum, { '/': home, '/bitcoin/l2s': directory('9') })).length, 1)
  })

  test('one of a thing is in the singular', async () => {
    assert.deepEqual(
      await problems(plurals, { '/': { note: '31 days, 1 company, 0.1 days, $1.1 days' } }),
      [],
    )
    assert.equal((await problems(plurals, { '/': { note: 'Below mNAV 1: 1 companies' } })).length, 1)
    assert.deepEqual(await problems(plurals, { '/': { ...kpi('mnav.companies', 1), unit: 'companies' } }), [])
  })

  test('parts are shown as shares only where they cover most of their total', async () => {
    const api = {
      metrics: async () => [{ id: 'tvl.by_protocol', entities: ['core'], breakdown: { total: 'tvl.total' } }],
      series: async () => ({ points: [{ day: '2026-08-01', value: 100 }] }),
    }
    const given = { api } as unknown as RuleContext
    const map = (...values: number[]) => ({
      whole: {
        span: '1 Aug 2026',
        to: '2026-08-01',
        unit: 'USD',
        parts: values.map((value, index) => ({ key: `p${index}`, value, assay: 'tvl.by_protocol@core' })),
      },
    })
    assert.deepEqual(await problems(shares, { '/core': map(50, 30) }, given), [])
    assert.equal((await problems(shares, { '/core': map(50, 29) }, given)).length, 1)
  })

  test('a share as a metric of its own keeps the same rule', async () => {
    const entries = [
      {
        id: 'dex.by_protocol',
        entities: ['bob'],
        sources: [{ id: 'defillama.dexs' }],
        breakdown: { total: 'dex.volume' },
      },
      {
        id: 'dex.by_protocol',
        entities: ['stacks'],
        sources: [{ id: 'stacks.chain' }],
        breakdown: { total: 'dex.volume' },
      },
    ]
    const given = (total: number | null) =>
      ({
        api: {
          metrics: async () => entries,
          series: async ({ id }: { id: string }) => ({
            points:
              id === 'dex.volume'
                ? [{ value: total, source: 'defillama.dexs' }]
                : [
                    { value: 80, source: 'stacks.chain' },
                    { value: 900, source: 'defillama.dexs' },
                  ],
          }),
        },
      }) as unknown as RuleContext
    const page = { '/alex': { kpis: [kpi('dex.share@alex', 0.5)] } }
    assert.deepEqual(await problems(shares, page, given(100)), [])
    assert.equal((await problems(shares, page, given(101))).length, 1)
    assert.equal((await problems(shares, page, given(null))).length, 1)
    const chart = { '/alex': { plot: { ...plot([0.5, null]) } } }
    const line = { ...chart['/alex'].plot.lines[0]!, assay: 'dex.share@alex' }
    const drawn = { '/alex': { plot: { ...chart['/alex'].plot, lines: [line] } } }
    assert.equal((await problems(shares, drawn, given(101))).length, 1)
  })

  test('the mark spans the key figures, and no stale one leads', async () => {
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const [fresh, late, old] = [dayBefore(1), dayBefore(3), dayBefore(700)]
    const api = { metrics: async () => [{ id: 'btc.held', entities: ['strategy'], cadenceDays: 31 }] }
    const given = { api } as unknown as RuleContext
    const page = (state: string, from: string | undefined, day: string, ...kpis: object[]) => ({
      '/': { mark: { asOf: { state }, ...(from && { from }), day }, kpis },
    })
    const check = (...made: Parameters<typeof page>) => problems(headlines, page(...made), given)
    const [price, tvl, month] = [
      kpi('price', 1, fresh),
      kpi('tvl', 2, old),
      kpi('btc.held@strategy', 3, late),
    ]
    const bridged = { key: 'btc', sum: sumOf(5, old, ['stacks', 2, fresh], ['bob', 3, old]) }

    assert.deepEqual(await check('live', undefined, fresh, price), [])
    assert.deepEqual(await check('overdue', old, fresh, price, tvl), [])
    assert.deepEqual(await check('live', late, fresh, month, price), [], 'a figure of a month')
    assert.deepEqual(await check('overdue', old, fresh, price, bridged), [])
    assert.deepEqual(await check('overdue', undefined, old, tvl), [], 'nothing fresher')
    assert.equal((await check('overdue', undefined, fresh, price, tvl)).length, 1, 'only the newest day')
    assert.equal((await check('live', old, fresh, price, tvl)).length, 1, 'not marked')
    assert.equal((await check('overdue', old, fresh, tvl, price)).length, 1, 'leads')
    assert.equal((await check('overdue', old, fresh, bridged, price)).length, 1, 'a sum leads')
    // All are old, but the first is years behind the second.
    const [ancient, older] = [kpi('a', 1, dayBefore(700)), kpi('b', 1, dayBefore(60))]
    assert.equal((await check('overdue', dayBefore(700), dayBefore(60), ancient, older)).length, 1)
    assert.deepEqual(await check('overdue', dayBefore(700), dayBefore(60), older, ancient), [])
    const directory = { mark: { asOf: { state: 'overdue' }, from: old, day: fresh } }
    const totals = { btcSat: '5', covers: 2, from: old, to: fresh }
    assert.deepEqual(await problems(headlines, { '/': { ...directory, totals } }, given), [])
    assert.equal(
      (await problems(headlines, { '/': { ...directory, totals: { ...totals, to: late } } }, given)).length,
      1,
    )
  })

  test('a mark that is newer than the key figures is of a day that a chart has a figure of', async () => {
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const [before, day] = [dayBefore(2), dayBefore(1)]
    // A week that begins on the day before that of the mark.
    const chart = (grain: string) => ({
      ...plot([1]),
      grain,
      count: 1,
      start: grain === 'day' ? day : before,
    })
    const check = (grain: string, newest: string) => {
      const series = async ({ from }: { from: string }) => ({
        points: [{ day: from, value: from === newest ? 1 : null }],
      })
      const given = { api: { metrics: async () => [], series } } as unknown as RuleContext
      const mark = { asOf: { state: 'live' }, from: before, day }
      return problems(
        headlines,
        { '/': { mark, kpis: [kpi('price', 1, before)], plot: chart(grain) } },
        given,
      )
    }
    assert.deepEqual(await check('day', before), [], 'the bucket is the day')
    assert.deepEqual(await check('week', day), [])
    assert.equal((await check('week', before)).length, 1, 'the figure of the week is of another day')
    assert.equal((await check('month', before)).length, 1)
  })

  test('the mark of a list spans its rows by the calendar, and no stale row leads', async () => {
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const [fresh, late, old] = [dayBefore(1), dayBefore(3), dayBefore(700)]
    const given = { api: { metrics: async () => [] } } as unknown as RuleContext
    const run = (chain: string, day: string) => ({ chain, time: `${day}T10:00:00Z` })
    const token = (chain: string, more: object) => ({
      chain,
      decimals: 6,
      capUsd: null,
      capDay: null,
      ...more,
    })
    const check = (mark: object | undefined, held: object[], ...items: object[]) =>
      problems(headlines, { '/tokens': { ...(mark && { mark }), answer: { held, items } } }, given)
    const mark = (state: string, from: string | undefined, day: string) => ({
      asOf: { state },
      ...(from && { from }),
      day,
    })
    const [stacks, merlin] = [run('stacks', old), run('merlin', fresh)]
    const [moved, cap] = [token('stacks', { moves: 3 }), token('merlin', { capUsd: 5, capDay: late })]

    assert.deepEqual(await check(mark('overdue', undefined, old), [stacks], moved), [])
    assert.equal((await check(mark('recorded', undefined, old), [stacks], moved)).length, 1, 'not marked')
    assert.equal((await check(undefined, [stacks], moved)).length, 2, 'no mark')
    assert.deepEqual(await check(mark('overdue', old, fresh), [stacks, merlin], cap, moved), [])
    assert.equal((await check(mark('overdue', old, fresh), [stacks, merlin], moved, cap)).length, 1, 'leads')
    assert.deepEqual(await check(mark('live', undefined, fresh), [merlin], token('stacks', {})), [])
    assert.deepEqual(await check(mark('stale', late, fresh), [merlin], cap), [], 'a day of its own')
    assert.equal((await check(mark('live', undefined, fresh), [merlin], cap)).length, 2)
    // The day of a price that is too old to count is not one of the list.
    const gone = token('merlin', { capDay: old })
    assert.deepEqual(await check(mark('live', undefined, fresh), [merlin], gone), [])
    const locked = (...days: string[]) => ({
      items: days.map(day => ({ chain: 'bob', valueUsd: 1, day })),
      assets: [],
      chains: [{ chain: 'bob', total: { valueUsd: 2, day: fresh } }],
    })
    const tvl = (first: string, second: string) =>
      problems(
        headlines,
        { '/tvl': { mark: mark('overdue', old, fresh), locked: locked(first, second) } },
        given,
      )
    assert.deepEqual(await tvl(fresh, old), [])
    assert.equal((await tvl(old, fresh)).length, 1)
  })

  test('a page without key figures marks its age too', async () => {
    const block = (state: string) => ({ block: {}, mark: { asOf: { state } } })
    assert.deepEqual(await problems(marks, { '/stacks/block/7': block('overdue') }), [])
    assert.deepEqual(await problems(marks, { '/stacks/sbtc': { mark: { asOf: undefined } } }), [])
    assert.equal((await problems(marks, { '/stacks/block/7': block('recorded') })).length, 1)
  })

  test('the mark names the same block at every range', async () => {
    const page = (height: number) => ({
      mark: { asOf: { state: 'live', time: '2026-08-05T10:00:00Z', height: null }, blocks: { height } },
    })
    const at = (year: number, week: number) => ({ '/bitcoin': page(year), '/bitcoin?range=7d': page(week) })
    assert.deepEqual(await problems(blockMarks, at(934_541, 934_541)), [])
    assert.equal((await problems(blockMarks, at(951_658, 934_541))).length, 1)
    assert.deepEqual(await problems(blockMarks, { ...at(1, 1), '/bitcoin?tab=fees': page(2) }), [])
  })

  test('all charts of a page draw its range up to the day of its mark', async () => {
    const axis = (start: string, grain: string, count: number) => ({
      ...plot([1]),
      start,
      grain,
      count,
    })
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' }, day: '2026-08-05' }
    const page = (...plots: object[]) => ({ '/': { mark, plots, kpis: [kpi('tvl', 1, '2026-08-05')] } })
    const year = axis('2025-08-06', 'day', 365)
    assert.deepEqual(await problems(timeAxis, page(year, year)), [])
    assert.deepEqual(await problems(timeAxis, page(year, axis('2025-08-04', 'week', 53))), [])
    assert.deepEqual(await problems(timeAxis, page(year, axis('2025-08-01', 'month', 13))), [])
    assert.deepEqual(await problems(timeAxis, page(axis('2025-08-04', 'week', 53))), [])
    assert.equal((await problems(timeAxis, page(year, axis('2025-02-01', 'day', 365)))).length, 1)
    assert.ok((await problems(timeAxis, page(year, axis('2025-08-10', 'day', 175)))).length > 0)
    assert.ok((await problems(timeAxis, page(axis('2025-08-10', 'day', 175)))).length > 0, 'half a year')
    assert.ok((await problems(timeAxis, page(axis('2025-07-01', 'day', 365)))).length > 0, 'ends too early')
    // One year in every chart, that of another figure: weeks to October under a mark of August.
    assert.equal((await problems(timeAxis, page(axis('2025-10-06', 'week', 53)))).length, 1, 'ends too late')
    assert.equal((await problems(timeAxis, { '/': { plots: [year] } })).length, 1, 'no mark')
    const later = { ...page(year)['/'], kpis: [kpi('fees', 1, '2026-08-06')] }
    assert.equal((await problems(timeAxis, { '/': later })).length, 1, 'a key figure after the mark')
  })

  test('a range of the address is that of the charts', async () => {
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' } }
    const at = (range: string, start: string, count: number, grain = 'day') =>
      problems(timeAxis, { [`/?range=${range}`]: { mark, plot: { ...plot([1]), start, grain, count } } })
    assert.deepEqual(await at('7d', '2026-07-30', 7), [])
    assert.deepEqual(await at('90d', '2026-05-08', 90), [])
    assert.deepEqual(await at('max', '2021-03-01', 66, 'month'), [])
    assert.equal((await at('30d', '2026-07-30', 7)).length, 1)
    assert.equal((await at('max', '2021-03-01', 68, 'month')).length, 1)
  })

  test('whole histories start in buckets with a day in common, where one of them has a figure', async () => {
    const mark = { asOf: { state: 'live', time: '2026-08-05T10:00:00Z' } }
    const from = (start: string, grain: string, count: number, first: number | null = null) => ({
      ...plot([first, 1]),
      start,
      grain,
      count,
    })
    const at = (...plots: object[]) => problems(timeAxis, { '/?range=max': { mark, plots } })
    const months = from('2021-03-01', 'month', 66, 1)
    assert.deepEqual(await at(months, from('2021-03-01', 'month', 66)), [])
    assert.deepEqual(await at(months, from('2021-03-01', 'week', 284)), [])
    assert.equal((await at(months, from('2021-04-01', 'month', 65))).length, 1)
    assert.equal((await at(months, from('2021-04-05', 'week', 279))).length, 1)
    assert.equal((await at(from('2021-03-01', 'month', 66))).length, 1, 'nothing is known at the start')
  })

  test('the mark may be of what a chart draws after every key figure', async () => {
    const [old, late] = ['2025-10-21', '2026-01-18']
    const mark = { asOf: { state: 'overdue' }, from: old, day: late }
    const given = { api: { metrics: async () => [] } } as unknown as RuleContext
    const page = (...values: (number | null)[]) => ({
      '/': { mark, kpis: [kpi('cycles', 1, old)], plot: { ...plot(values), start: '2026-01-17' } },
    })
    assert.deepEqual(await problems(headlines, page(1, 2), given), [])
    assert.equal((await problems(headlines, page(1, null), given)).length, 1, 'drawn up to the day before')
  })

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

  test('a ratio is that of the figures beside it, on one day', async () => {
    const cell = (value: number, day = '2026-08-05', unit = 'USD') => ({ value, day, unit })
    const row = (ratio: object, tvl = cell(20)) => ({
      rows: [
        {
          entity: 'core',
          absent: {},
          cells: { 'token.mcap': cell(90), 'tvl.total': tvl, 'token.mcap_tvl': ratio },
        },
      ],
    })
    assert.deepEqual(await problems(ratios, { '/': row(cell(4.5)) }), [])
    assert.equal((await problems(ratios, { '/': row(cell(3.581)) })).length, 1)
    assert.equal((await problems(ratios, { '/': row(cell(4.5, '2026-07-01')) })).length, 1)
    assert.equal((await problems(ratios, { '/': row(cell(4.5), cell(20, '2026-08-04')) })).length, 1)
  })

  test('a ratio among key figures is that of those beside it, on one day', async () => {
    const strip = (value: number, reserveDay = '2026-08-05') => ({
      '/stacks/sbtc': {
        kpis: [
          kpi('peg.supply@sbtc', 10),
          kpi('peg.reserve@sbtc', 12, reserveDay),
          { ...kpi('peg.ratio@sbtc', value), unit: 'ratio' },
        ],
      },
    })
    assert.deepEqual(await problems(ratios, strip(1.2)), [])
    assert.equal((await problems(ratios, strip(1.3))).length, 1)
    assert.equal((await problems(ratios, strip(1.2, '2026-08-04'))).length, 1)
  })

  test('a ratio in a table is that of the columns beside it', async () => {
    const table = (...rows: object[]) => ({ '/developer-activity': { columns: [], rows } })
    const overlap = (share: number) => table({ people: 20, all_people: 100, share })
    assert.deepEqual(await problems(rowRatios, overlap(0.2)), [])
    assert.equal((await problems(rowRatios, overlap(0.3))).length, 1)
    assert.deepEqual(await problems(rowRatios, table({ people: 20, all_people: null, share: 0.3 })), [])
    const ballots = (yes: number) => table({ yes_stx: '3', no_stx: '1', yes_share: yes })
    assert.deepEqual(await problems(rowRatios, ballots(0.75)), [])
    assert.equal((await problems(rowRatios, ballots(1))).length, 1)
    const pools = (share: number) =>
      table({ pools: '1', share: 0.1 }, { pools: '0', share: 0 }, { pools: '3', share })
    assert.deepEqual(await problems(rowRatios, pools(0.3)), [])
    assert.equal((await problems(rowRatios, pools(0.4))).length, 1)
  })

  test('a count beside a list is that of its rows', async () => {
    const hot = (contractCount: number, rows: number) => ({
      '/dashboards/hotcontracts': { hot: { contractCount, items: Array.from({ length: rows }, () => ({})) } },
    })
    assert.deepEqual(await problems(counts, hot(3, 3)), [])
    assert.deepEqual(await problems(counts, hot(300, 50)), [], 'a list that is cut')
    assert.equal((await problems(counts, hot(1, 3))).length, 1)
    assert.equal((await problems(counts, hot(40, 50))).length, 1)

    const holder = (mnav: number | null, more: object = {}) => ({
      kind: 'company',
      mnav,
      mnav_is_quiet: 0,
      ...more,
    })
    const rows = [holder(0.7), holder(0.4), holder(1.2), holder(null), holder(0.5, { mnav_is_quiet: 1 })]
    const below = (value: number) => ({
      '/analyze/bitcoin-treasuries': {
        kpis: [kpi('mnav.companies@bitcoin', value)],
        tables: [{ columns: [], rows }],
      },
    })
    assert.deepEqual(await problems(counts, below(2)), [])
    assert.equal((await problems(counts, below(1))).length, 1)

    const compared = (covers: number) => ({
      '/': {
        changeRange: '1y',
        lead: 'tvl.total',
        columns: [{ key: 'tvl.total', sum: { covers, of: 2, unit: 'USD' } }],
        rows: ['bitcoin', 'stacks', 'bob'].map(entity => ({
          entity,
          spark: [],
          cells:
            entity === 'bob'
              ? {}
              : { 'tvl.total': { unit: 'USD', change: null, day: '2026-08-05', value: 1 } },
        })),
      },
    })
    assert.deepEqual(await problems(counts, compared(1)), [])
    assert.equal((await problems(counts, compared(2))).length, 1)
  })

  test('a sparkline goes from the one end of the change beside it to the other', async () => {
    const beside = (change: unknown, spark: (number | null)[], more: object = {}) =>
      problems(courses, { '/': { change, spark, ...more } })
    assert.deepEqual(await beside(0.5, [100, 80, 150]), [])
    assert.deepEqual(await beside(null, [100, 80, 50]), [])
    assert.equal((await beside(0.5, [100, 80, 50])).length, 1, 'the other way')
    assert.equal((await beside(0.5, [140, 150])).length, 1, 'a part of the span')
    assert.equal((await beside(0.5, [null, 100, 150])).length, 1, 'without an end')
    const some = { changeOver: { name: 'pools', count: 4, of: 57 } }
    assert.deepEqual(await beside(0.5, [1, 150], some), [])
    assert.deepEqual(await beside({ day: 0.1, year: 0.5 }, [100, 150]), [])
    assert.equal((await beside({ day: 0.1, year: 0.5 }, [120, 150])).length, 1)
    const compared = (spark: number[]) => ({
      '/': {
        changeRange: '1y',
        lead: 'tvl.total',
        columns: [],
        rows: [{ entity: 'bob', spark, cells: { 'tvl.total': { change: 0.5, changeOver: null } } }],
      },
    })
    assert.deepEqual(await problems(courses, compared([2, 3])), [])
    assert.equal((await problems(courses, compared([3, 2]))).length, 1)
  })

  test('a sum says what it lacks, and its sparkline has none that lacks a part', async () => {
    const point = (day: string, key: string, value: number) => ({
      ...{ day, key, value },
      state: 'whole',
      source: 'defillama.protocols',
    })
    // zest is late on the second and on the last day.
    const points = [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map(day => point(`2026-08-0${day}`, 'alex', 10)),
      ...[1, 3, 4, 5, 6, 7].map(day => point(`2026-08-0${day}`, 'zest', 30)),
    ]
    const entry = { id: 'tvl.by_protocol', entities: ['stacks'], unit: 'USD', cadenceDays: 1, parameters: [] }
    const given = {
      api: { metrics: async () => [{ ...entry, breakdown: { isComplete: false } }] },
      rows: async () => points,
    } as unknown as RuleContext
    const lacks = ['1 of 2 protocols', 'No data that day for zest']
    const figure = (spark: (number | null)[], more: object = { lacks }) => ({
      ...kpi('tvl.by_protocol@stacks', 10, '2026-08-08'),
      unit: 'USD',
      change: null,
      changeRange: '7d',
      spark,
      ...more,
    })
    const check = (...made: Parameters<typeof figure>) =>
      problems(partialSums, { '/stacks/defi': { kpis: [figure(...made)] } }, given)
    const course = [40, null, 40, 40, 40, 40, 40, 10]
    assert.deepEqual(await check(course), [])
    assert.equal((await check([40, 10, 40, 40, 40, 40, 40, 10])).length, 1)
    assert.equal((await check(course, {})).length, 1)
    assert.equal((await check(course.slice(0, 7), { lacks, value: 40, day: '2026-08-07' })).length, 1)
    const compared = (more: object) => ({
      '/': {
        changeRange: '7d',
        lead: 'tvl.by_protocol',
        columns: [],
        rows: [{ entity: 'stacks', spark: course, cells: { 'tvl.by_protocol': figure([], more) } }],
      },
    })
    assert.deepEqual(await problems(partialSums, compared({ lacks }), given), [])
    assert.ok((await problems(partialSums, compared({}), given)).length > 0)
  })

  test('each figure of a row with days has one', async () => {
    const token = { chain: 'bob', decimals: 18, priceUsd: 2, priceDay: '2026-08-05', transferCount7d: 1 }
    const list = (row: object) => ({ '/tokens': { answer: { items: [row] } } })
    assert.equal((await problems(dated, list(token))).length, 1)
    assert.equal((await problems(dated, list({ ...token, supply: '1000', countDay: null }))).length, 2)
    assert.deepEqual(await problems(dated, list({ ...token, supply: '1000', countDay: '2026-05-30' })), [])
    assert.deepEqual(await problems(dated, list({ chain: 'bob', callCount: 3 })), [])
    assert.deepEqual(await problems(dated, list({ id: 'index', maxWeight: 0.25, day: null })), [])
  })

  test('a window whose newest day is not over is whole where all its blocks are indexed', async () => {
    const week = (isWhole: boolean, indexedHours: number | null) => ({
      '/core': {
        contracts: {
          hot: [],
          from: '2025-10-14',
          isWhole,
          indexedHours,
          asOf: { time: '2025-10-20T12:00:00Z' },
        },
      },
    })
    assert.deepEqual(await problems(windows, week(true, 156)), [])
    assert.equal((await problems(windows, week(false, 156))).length, 1)
    assert.deepEqual(await problems(windows, week(false, 48)), [])
    assert.equal((await problems(windows, week(true, 48))).length, 1)
    assert.equal((await problems(windows, week(false, null))).length, 1)
    const span = { from: '2025-10-14T13:00:00Z', isSinceGenesis: false, indexedHours: 167 }
    const run = (since: string) => ({ '/': { held: [{ ...span, chain: 'core', since, isWhole: true }] } })
    assert.deepEqual(await problems(windows, run('2025-10-14T13:00:00Z')), [])
    assert.equal((await problems(windows, run('2025-10-14T13:10:00Z'))).length, 1)
  })

  test('texts of a chart count what it draws', async () => {
    const line = (key: string, values: (number | null)[]) => ({ ...plot(values).lines[0], key, label: key })
    const stack = (mode: string) => ({
      '/stacks': {
        specs: [{ id: 'coins', kind: 'stacked', title: 'Stablecoins', defaults: { mode } }],
        charts: [
          {
            id: 'coins',
            state: 'drawn',
            plot: { ...plot([1, 1, 1]), lines: [line('a', [1, 1, 1]), line('b', [null, 2, 2])] },
          },
        ],
      },
    })
    assert.deepEqual(await problems(chartTexts, stack('absolute')), [])
    assert.deepEqual(await problems(chartTexts, stack('share')), [])
  })

  describe('a change compares', () => {
    const [then, now] = ['2026-07-06', '2026-08-05']
    const changed = (change: number | null) => ({
      '/': { kpis: [{ ...kpi('btc.held@bitcoin', 400), change, changeRange: '30d' }] },
    })
    const at = (day: string, values: Readonly<Record<string, number>>, source = 'made.one') =>
      Object.entries(values).map(([key, value]) => ({ day, key, value, state: 'whole', source }))
    const given = (
      entry: { breakdown?: object; members?: object },
      points: ReturnType<typeof at>,
      members: ReturnType<typeof at> = [],
    ) =>
      ({
        api: {
          metrics: async () => [
            {
              id: 'btc.held',
              entities: ['bitcoin'],
              unit: 'sat',
              sources: [{ id: 'made.one' }, { id: 'made.two' }],
              breakdown: null,
              members: null,
              ...entry,
            },
          ],
          series: async () => ({ points }),
        },
        rows: async () => members,
      }) as unknown as RuleContext

    test('the same holders', async () => {
      const holders = given(
        { members: { name: 'holders', isSum: true } },
        [...at(then, { '': 100 }), ...at(now, { '': 130 })],
        [...at(then, { one: 100 }), ...at(now, { one: 110, state: 20 })],
      )
      assert.deepEqual(await problems(changes, changed(0.1), holders), [])
      assert.deepEqual(await problems(changes, changed(null), holders), [])
      assert.equal((await problems(changes, changed(0.3), holders)).length, 1)
    })

    test('members that are most of the sum at both ends', async () => {
      const [few, many] = [{ one: 100 }, { one: 110, two: 290 }]
      const members = { name: 'pools', isSum: true }
      const whole = [...at(then, { '': 100 }), ...at(now, { '': 400 })]
      const added = given({ members }, whole, [...at(then, few), ...at(now, many)])
      assert.equal((await problems(changes, changed(0.1), added)).length, 1)
      assert.deepEqual(await problems(changes, changed(null), added), [])
      const removed = given({ members }, whole, [...at(then, many), ...at(now, few)])
      assert.equal((await problems(changes, changed(100 / 110 - 1), removed)).length, 1)
      const partsOf = (third: number) =>
        given({ breakdown: { isComplete: false } }, [
          ...at(then, { one: 100, two: 20 }),
          ...at(now, { one: 110, two: 30, three: third }),
        ])
      assert.deepEqual(await problems(changes, changed(140 / 120 - 1), partsOf(35)), [])
      assert.equal((await problems(changes, changed(140 / 120 - 1), partsOf(290))).length, 1)
    })

    test('the same holders in a cell of a comparison and in its news', async () => {
      const holders = given(
        { members: { name: 'holders', isSum: true } },
        [...at(then, { '': 100 }), ...at(now, { '': 130 })],
        [...at(then, { one: 100 }), ...at(now, { one: 110, state: 20 })],
      )
      const cell = (change: number) => ({
        assay: 'btc.held@bitcoin',
        value: 400,
        unit: 'sat',
        day: now,
        change,
      })
      const compared = (change: number) => ({
        '/': {
          changeRange: '30d',
          lead: 'btc.held',
          columns: [],
          rows: [{ entity: 'bitcoin', spark: [], cells: { 'btc.held': cell(change) } }],
        },
      })
      assert.deepEqual(await problems(changes, compared(0.1), holders), [])
      assert.equal((await problems(changes, compared(0.3), holders)).length, 1)
      const news = (change: number) => ({ '/': { moves: [{ ...cell(change), grain: 'day' }] } })
      const week = given({}, [...at('2026-07-29', { '': 100 }), ...at(now, { '': 110 })])
      assert.deepEqual(await problems(changes, news(0.1), week), [])
      assert.equal((await problems(changes, news(0.2), week)).length, 1)
    })

    test('the same parts of a breakdown, all of them where a part without a figure is zero', async () => {
      const points = [...at(then, { one: 100 }), ...at(now, { one: 110, two: 290 })]
      const parts = (isComplete: boolean) => given({ breakdown: { isComplete } }, points)
      assert.deepEqual(await problems(changes, changed(0.1), parts(false)), [])
      assert.equal((await problems(changes, changed(3), parts(false))).length, 1)
      assert.deepEqual(await problems(changes, changed(3), parts(true)), [])
    })

    test('no figures of other members where they do not add up, and none of other publishers', async () => {
      const points = [...at(then, { '': 4 }), ...at(now, { '': 1 })]
      const members = { name: 'histories', isSum: false }
      const ended = given({ members }, points, at(then, { one: 1 }))
      assert.equal((await problems(changes, changed(-0.75), ended)).length, 1)
      const whole = given({ members }, points, [...at(then, { one: 1 }), ...at(now, { one: 1 })])
      assert.deepEqual(await problems(changes, changed(-0.75), whole), [])
      const others = given({}, [...at(then, { '': 4 }), ...at(now, { '': 1 }, 'other.one')])
      assert.equal((await problems(changes, changed(-0.75), others)).length, 1)
    })
  })
})
