/** Weights of an index would not add up to one, or break their cap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { near, spreadWeights } from './near.testing.ts'
import { cappedWeights } from './weights.ts'

test('weights are those of spreading the excess again and again, none above the largest, and add up to one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (sizes, maxWeight) => {
        const { weights } = cappedWeights(sizes, maxWeight)
        const expected = spreadWeights(sizes, maxWeight)
        const most = Math.max(maxWeight, 1 / sizes.length)
        near(
          weights.reduce((sum, weight) => sum + weight, 0),
          1,
          'sum',
        )
        for (const [i, weight] of weights.entries()) {
          assert.ok(weight <= most * (1 + 1e-9), `${weight} is above ${most}`)
          near(weight, expected[i]!, `weight ${i}`, 1e-7)
        }
      },
    ),
  )
  assert.throws(() => cappedWeights([], 0.25), RangeError)
  assert.throws(() => cappedWeights([1, 0], 0.25), RangeError)
})

test('equal sizes are never at the largest weight, however many', () => {
  for (let count = 1; count <= 120; count++) {
    const { weights, total } = cappedWeights(new Array<number>(count).fill(2), 0.001)
    near(total, 2 * count, `total of ${count}`)
    for (const weight of weights) near(weight, 1 / count, `weight of ${count}`)
  }
  assert.deepEqual(cappedWeights([1, 1, 1, 1], 0.25), {
    weights: [0.25, 0.25, 0.25, 0.25],
    isCapped: [false, false, false, false],
    total: 4,
  })
})
