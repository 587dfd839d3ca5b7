/** Pages would hide that a chain is behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AsOf } from '#http/contract.ts'
import { chainMark } from './chainMark.server.ts'

const NOW_MS = Date.parse('2026-08-05T12:00:00Z')
const stateOf = (day: string, state: AsOf['state'], query = '') =>
  chainMark(
    { time: `${day}T10:00:00Z`, height: 7, state },
    new URL(`http://localhost/stacks/block/7${query}`),
    NOW_MS,
  ).asOf?.state

test('a page about one thing of a chain ages by the calendar, synced or not', () => {
  for (const state of ['recorded', 'live'] as const)
    assert.deepEqual(
      ['2026-08-05', '2026-08-03', '2026-08-02', '2026-07-31', '2021-01-14'].map(day => stateOf(day, state)),
      ['live', 'live', 'stale', 'overdue', 'overdue'],
    )
  assert.equal(stateOf('2026-01-30', 'recorded', '?known=2026-01-31'), 'live')
})

test('a source that is late within the day keeps its state', () => {
  assert.equal(stateOf('2026-08-05', 'overdue'), 'overdue')
  assert.equal(stateOf('2026-08-05', 'stale'), 'stale')
})

test('the block is kept, and nothing is said where there is no block', () => {
  const url = new URL('http://localhost/bob')
  assert.deepEqual(chainMark(undefined, url), { asOf: undefined })
  const none: AsOf = { time: new Date(0).toISOString(), height: null, state: 'recorded' }
  assert.deepEqual(chainMark(none, url), { asOf: undefined })
  const asOf: AsOf = { time: '2026-08-05T10:00:00Z', height: 7, state: 'recorded' }
  assert.deepEqual(chainMark(asOf, url, NOW_MS), { asOf: { ...asOf, state: 'live' } })
})
