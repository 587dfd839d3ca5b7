/** Open queries would be lost in a crash, by closing one, or by a second window. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  afterAction,
  currentTab,
  isUnsaved,
  newTab,
  readTabs,
  type Tabs,
  type TabsAction,
  tabsWith,
} from './tabs.ts'

const LINE = {
  kind: 'line',
  x: 'day',
  series: null,
  values: ['fee_sat'],
  aggregation: 'sum',
  stacking: 'none',
  scale: 'linear',
} as const
const start = tabsWith(newTab({ id: 'a', sql: 'SELECT 1' }))
const after = (...actions: TabsAction[]): Tabs => actions.reduce(afterAction, start)
const open = (id: string): TabsAction => ({ type: 'open', tab: newTab({ id, sql: id }) })

describe('tabs of the editor', () => {
  test('a new tab comes to the front under a free name', () => {
    const tabs = after(open('b'), open('c'))
    assert.deepEqual(
      tabs.tabs.map(({ name }) => name),
      ['New query', 'New query 2', 'New query 3'],
    )
    assert.equal(currentTab(tabs).id, 'c')
  })

  test('closing shows the neighbor, keeps the last tab, and can be undone', () => {
    const closed = after(open('b'), open('c'), { type: 'select', id: 'b' }, { type: 'close', id: 'b' })
    assert.equal(closed.current, 'c')
    const again = afterAction(closed, { type: 'reopen' })
    assert.equal(currentTab(again).sql, 'b')
    assert.equal(after({ type: 'close', id: 'a' }).tabs.length, 1)
    // Closing one that is not in front leaves the front as it is.
    assert.equal(after(open('b'), { type: 'close', id: 'a' }).current, 'b')
  })

  test('what is stored comes back, and anything else does not break the page', () => {
    const tabs = after(open('b'), { type: 'change', id: 'b', by: { values: { day: '2026-01-31' } } })
    assert.deepEqual(readTabs(JSON.stringify(tabs)), tabs)
    const drawn = tabsWith(newTab({ id: 'd', sql: 'SELECT 1', chart: LINE }))
    assert.deepEqual(readTabs(JSON.stringify(drawn)), drawn)
    assert.equal(readTabs(JSON.stringify(drawn).replace('"line"', '"3d"'))?.tabs[0]?.chart, null)
    for (const text of [null, '', '{', '7', '{"tabs":[]}', '{"tabs":[{"id":1}]}', '[]'])
      assert.equal(readTabs(text), undefined, String(text))
    assert.equal(
      readTabs('{"tabs":[{"id":"x","sql":"SELECT 1","values":{"a":1}}],"current":"y"}')?.current,
      'x',
    )
  })

  test('types stored next to the text become comments in it', () => {
    const stored = (sql: string, types: object) =>
      readTabs(JSON.stringify({ tabs: [{ id: 'a', sql, types }] }))?.tabs[0]?.sql
    assert.equal(
      stored('SELECT {{n}}, {{s}}', { n: 'Int64', s: 'String', gone: 'Date' }),
      '-- {{n}} type: Int64\nSELECT {{n}}, {{s}}',
    )
    const own = '-- {{n}} type: Float64\nSELECT {{n}}'
    assert.equal(stored(own, { n: 'Int64' }), own)
  })

  test('another chart is an unsaved change', () => {
    const saved = { id: 'q', version: 1, sql: 'SELECT 1', chart: LINE }
    const tab = newTab({ id: 'a', sql: 'SELECT 1', chart: { ...LINE }, saved })
    assert.equal(isUnsaved(tab), false)
    assert.equal(isUnsaved({ ...tab, chart: { ...LINE, kind: 'bar' } }), true)
    assert.equal(isUnsaved({ ...tab, chart: null }), true)
    assert.equal(isUnsaved(newTab({ id: 'a', chart: LINE })), false)
  })

  test('what was typed before the stored tabs were read is kept beside them', () => {
    const stored = after(open('b'))
    const drawn = tabsWith(newTab({ id: 'first', sql: 'drawn' }))
    const untouched = afterAction(drawn, { type: 'stored', tabs: stored, drawn: 'drawn', id: 'x' })
    assert.deepEqual(untouched, stored)
    const typed = afterAction(drawn, { type: 'change', id: 'first', by: { sql: 'typed' } })
    const both = afterAction(typed, { type: 'stored', tabs: stored, drawn: 'drawn', id: 'x' })
    assert.deepEqual([both.tabs.length, currentTab(both).sql, both.current], [3, 'typed', 'x'])
    const front = afterAction(typed, { type: 'stored', tabs: stored, drawn: 'drawn', id: 'x', front: 'a' })
    assert.deepEqual([front.tabs.length, currentTab(front).sql, front.current], [2, 'typed', 'a'])
    const alone = afterAction(typed, { type: 'stored', tabs: undefined, drawn: 'drawn', id: 'x' })
    assert.deepEqual([alone.tabs.length, alone.current], [1, 'x'])
  })

  test('tabs of another window are added, and closed ones stay closed', () => {
    const mine = after(open('b'), { type: 'close', id: 'b' })
    const other = after(open('b'), open('c'))
    const both = afterAction(mine, { type: 'elsewhere', tabs: other })
    assert.deepEqual(
      both.tabs.map(({ id }) => id),
      ['a', 'c'],
    )
    assert.equal(both.current, 'a')
  })

  test('the newest change of a tab wins, whichever window stores last', () => {
    const change = (sql: string): TabsAction => ({ type: 'change', id: 'a', by: { sql } })
    const stale = afterAction(start, change('old'), 1)
    const fresh = afterAction(afterAction(start, open('b'), 2), change('new'), 3)
    for (const [mine, theirs] of [
      [stale, fresh],
      [fresh, stale],
    ] as const) {
      const both = afterAction(mine, { type: 'elsewhere', tabs: theirs })
      assert.equal(both.tabs.find(({ id }) => id === 'a')?.sql, 'new')
      assert.equal(both.current, mine.current)
      // No change is left, or two windows would update each other forever.
      assert.equal(afterAction(both, { type: 'elsewhere', tabs: theirs }), both)
    }
  })

  test('the end of a run in one window does not overwrite text typed in another', () => {
    const change = (by: object): TabsAction => ({ type: 'change', id: 'a', by })
    const typed = afterAction(start, change({ sql: 'typed' }), 1)
    const ran = afterAction(start, change({ runId: 'run' }), 2)
    for (const [mine, theirs] of [
      [typed, ran],
      [ran, typed],
    ] as const) {
      const both = afterAction(mine, { type: 'elsewhere', tabs: theirs })
      assert.deepEqual([currentTab(both).sql, currentTab(both).runId], ['typed', 'run'])
      assert.equal(afterAction(both, { type: 'elsewhere', tabs: theirs }), both)
    }
    const cited = afterAction(start, change({ result: 'hash' }), 2)
    assert.equal(currentTab(afterAction(typed, { type: 'elsewhere', tabs: cited })).result, null)
  })

  test('a tab closed in another window closes here too, unless it is the current one', () => {
    const mine = afterAction(start, open('b'), 1)
    const closedThere = (id: string) =>
      afterAction(afterAction(mine, { type: 'select', id: id === 'a' ? 'b' : 'a' }), { type: 'close', id }, 2)
    const behind = afterAction(mine, { type: 'elsewhere', tabs: closedThere('a') })
    assert.deepEqual([behind.tabs.length, behind.current, behind.closed[0]?.id], [1, 'b', 'a'])
    assert.equal(afterAction(mine, { type: 'elsewhere', tabs: closedThere('b') }), mine)
    // Editing it afterward reopens it in the other window.
    const written = afterAction(mine, { type: 'change', id: 'b', by: { sql: 'more' } }, 3)
    const there = afterAction(closedThere('b'), { type: 'elsewhere', tabs: written })
    assert.deepEqual([there.tabs.length, there.closed.length], [2, 0])
  })

  test('closed tabs beyond the limit do not make two windows update each other forever', () => {
    const closing = (name: string) =>
      Array.from({ length: 20 }, (_, at) => `${name}${at}`).reduce(
        (tabs, id) => afterAction(afterAction(tabs, open(id)), { type: 'close', id }),
        start,
      )
    const mine = closing('m')
    assert.equal(afterAction(mine, { type: 'elsewhere', tabs: closing('t') }), mine)
  })
})
