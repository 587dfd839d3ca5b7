/** The mark of a page could be older or newer than its key figures, or a stale figure could lead. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuleContext } from '../rule.ts'
import { headlines } from './headlines.ts'
import { dayBefore, kpi, plot, problems, sumOf, TODAY } from './rules.testing.ts'

describe('rules of page figures: headlines', () => {
  test('the mark spans the key figures, and no stale one leads', async () => {
    const [fresh, late, old] = [dayBefore(1), dayBefore(3), dayBefore(700)]
    const api = { metrics: async () => [{ id: 'btc.held', entities: ['strategy'], cadenceDays: 31 }] }
    const given = { api, today: TODAY } as unknown as RuleContext
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
      const given = { api: { metrics: async () => [], series }, today: TODAY } as unknown as RuleContext
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
    const [fresh, late, old] = [dayBefore(1), dayBefore(3), dayBefore(700)]
    const given = { api: { metrics: async () => [] }, today: TODAY } as unknown as RuleContext
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

  test('the mark may be of what a chart draws after every key figure', async () => {
    const [old, late] = ['2025-10-21', '2026-01-18']
    const mark = { asOf: { state: 'overdue' }, from: old, day: late }
    const given = { api: { metrics: async () => [] }, today: TODAY } as unknown as RuleContext
    const page = (...values: (number | null)[]) => ({
      '/': { mark, kpis: [kpi('cycles', 1, old)], plot: { ...plot(values), start: '2026-01-17' } },
    })
    assert.deepEqual(await problems(headlines, page(1, 2), given), [])
    assert.equal((await problems(headlines, page(1, null), given)).length, 1, 'drawn up to the day before')
  })
})
