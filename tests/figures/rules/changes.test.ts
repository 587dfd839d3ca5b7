/** A change could compare figures of different members, or contradict the line beside it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuleContext } from '../rule.ts'
import { changes, courses } from './changes.ts'
import { kpi, problems } from './rules.testing.ts'

describe('rules of page figures: changes', () => {
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
