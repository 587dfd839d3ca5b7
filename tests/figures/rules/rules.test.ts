/** The rules that compare figures across pages would miss a contradiction. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuleContext } from '../rule.ts'
import { chartTexts } from './chartTexts.ts'
import { counts } from './counts.ts'
import { dated } from './dated.ts'
import { blockMarks, marks } from './marks.ts'
import { partialSums } from './partialSums.ts'
import { plurals } from './plurals.ts'
import { ratios } from './ratios.ts'
import { rowRatios } from './rowRatios.ts'
import { kpi, plot, problems, sumOf } from './rules.testing.ts'
import { sameFigure } from './sameFigure.ts'
import { shares } from './shares.ts'
import { oneBridgedSum, sums } from './sums.ts'
import { windows } from './windows.ts'

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
})
