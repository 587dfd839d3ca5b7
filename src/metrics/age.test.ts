/** Figures would claim a wrong age. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageState, figureState, sourceState } from './age.ts'

const NOW = Date.parse('2026-03-10T14:00:00Z')

test('over twice the cadence is stale, over four times overdue, a recording neither', () => {
  assert.deepEqual(
    [100, 200, 201, 400, 401].map(age => ageState(age, 100)),
    ['live', 'live', 'stale', 'stale', 'overdue'],
  )
  assert.equal(ageState(1e9, null), 'recorded')
})

test('a source is as old as its last success, and one that was never reached has no age', () => {
  assert.equal(sourceState('2026-03-10T11:00:00Z', 3600, NOW), 'stale')
  assert.equal(sourceState('2026-03-10T09:00:00Z', 3600, NOW), 'overdue')
  assert.equal(sourceState(null, 3600, NOW), 'never')
})

test('the newest whole day of a source that answers by the hour is live all day', () => {
  const source = { state: 'live', cadenceSeconds: 3600 } as const
  assert.equal(figureState('2026-03-09T23:55:00Z', source, NOW), 'live')
  assert.equal(figureState('2026-03-08T00:00:00Z', source, NOW), 'stale')
  assert.equal(figureState('2026-03-05T00:00:00Z', source, NOW), 'overdue')
})

test('a figure is no fresher than its source', () => {
  assert.equal(
    figureState('2026-03-10T13:00:00Z', { state: 'overdue', cadenceSeconds: 3600 }, NOW),
    'overdue',
  )
})

test('a figure without a source, or of a recording, is recorded', () => {
  assert.equal(figureState('2020-01-01T00:00:00Z', undefined, NOW), 'recorded')
  assert.equal(
    figureState('2020-01-01T00:00:00Z', { state: 'recorded', cadenceSeconds: null }, NOW),
    'recorded',
  )
})

test('a figure is due by its source’s cadence where that is longer than a day', () => {
  const weekly = (state: 'live' | 'stale' | 'overdue') => ({ state, cadenceSeconds: 7 * 86_400 })
  assert.equal(figureState('2026-02-24T14:00:00Z', weekly('live'), NOW), 'live')
  assert.equal(figureState('2026-02-24T13:59:59Z', weekly('live'), NOW), 'stale')
  assert.equal(figureState('2026-02-10T13:59:59Z', weekly('live'), NOW), 'overdue')
  assert.equal(figureState('2026-02-10T13:59:59Z', weekly('stale'), NOW), 'overdue')
  assert.equal(figureState('2026-03-09T00:00:00Z', weekly('stale'), NOW), 'stale')
  // A day is the shortest cadence of a figure: two of them are not over yet.
  const hourly = { state: 'live', cadenceSeconds: 3600 } as const
  assert.equal(figureState('2026-03-08T14:00:00Z', hourly, NOW), 'live')
  assert.equal(figureState('2026-03-08T13:59:59Z', hourly, NOW), 'stale')
})
