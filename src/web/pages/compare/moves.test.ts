/** The biggest moves would list noise. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movesOf } from './moves.ts'
import { figureFor } from './testing.ts'

const words = {
  nameOf: (entity: string) => entity,
  labelOf: (metric: string) => metric,
}

test('a halving and a doubling are moves of one size, larger than a rise by half', () => {
  const { moves, until } = movesOf(
    [
      figureFor('a', { value: 100, change: 0.5 }),
      figureFor('b', { value: 100, change: -0.55 }),
      figureFor('c', { value: 100, change: 1 }),
    ],
    words,
  )
  assert.deepEqual(
    moves.map(({ entity }) => entity),
    ['b', 'c', 'a'],
  )
  assert.equal(until, '2026-08-05')
})

test('small layers, small changes, Bitcoin itself and figures of another month are no news', () => {
  const { moves } = movesOf(
    [
      figureFor('large', { value: 1000, change: 0.1 }),
      figureFor('dust', { value: 2, change: 9 }),
      figureFor('still', { value: 500, change: 0.001 }),
      figureFor('bitcoin', { value: 1e9, change: 3 }),
      figureFor('old', { value: 800, change: 2, day: '2026-06-01' }),
      figureFor('unknown', { value: 800, change: null }),
      figureFor('lacking', {
        value: 800,
        change: 2,
        missing: { name: 'protocols', of: 5, keys: ['zest'] },
      }),
      figureFor('some', { value: 800, change: 2, changeOver: { name: 'pools', count: 1, of: 2 } }),
    ],
    words,
  )
  assert.deepEqual(
    moves.map(({ entity }) => entity),
    ['large'],
  )
})

test('where nothing changed there is no list', () => {
  assert.deepEqual(movesOf([figureFor('a')], words), { moves: [], until: undefined })
})
