/** Lists would hide that their data is old. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOfList, freshChainsFirst, listMark } from './listMark.server.ts'

const TODAY = '2026-08-05'
const run = (chain: string, day: string) => ({ chain, time: `${day}T20:36:11Z` })

test('a list is as old as its blocks, by the calendar', () => {
  assert.deepEqual(listMark([run('stacks', '2022-03-09')], TODAY), {
    asOf: { time: '2022-03-09T20:36:11Z', height: null, state: 'overdue' },
    day: '2022-03-09',
  })
  assert.equal(listMark([run('stacks', '2026-08-04')], TODAY).asOf?.state, 'live')
  assert.deepEqual(listMark([], TODAY), { asOf: undefined })
})

test('a list says its oldest and its newest figure, be it of a block or of a day of its own', () => {
  const { asOf, from, day } = listMark([run('stacks', '2026-08-02'), run('merlin', '2026-08-05')], TODAY, [
    '2026-07-30',
  ])
  assert.deepEqual([from, day, asOf?.state], ['2026-07-30', '2026-08-05', 'overdue'])
})

test('rows of a chain that lags do not lead', () => {
  const rows = [{ chain: 'stacks' }, { chain: 'merlin' }, { chain: 'stacks', at: 2 }]
  const held = [run('stacks', '2022-03-09'), run('merlin', '2026-08-05')]
  assert.deepEqual(freshChainsFirst(rows, held, TODAY), [rows[1], rows[0], rows[2]])
})

test('ages are measured from the past day shown', () => {
  const now = Date.parse('2026-08-05T12:00:00Z')
  const dayOf = (query: string) => dayOfList(new URL(`http://localhost/tokens${query}`), now)
  assert.deepEqual(['', '?known=2026-01-31', '?known=2027-01-01'].map(dayOf), [TODAY, '2026-01-31', TODAY])
})
