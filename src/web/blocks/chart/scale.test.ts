/** Chart axes would cut off or squeeze values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linearScale, logScale } from './scale.ts'

/** Values as charts have them: of any size, told apart in nine digits. */
const amount = fc
  .record({
    digits: fc.integer({ min: -999_999_999, max: 999_999_999 }),
    power: fc.integer({ min: -6, max: 6 }),
  })
  .map(({ digits, power }) => digits * 10 ** power)

test('a linear scale holds every value between its first and its last tick', () => {
  fc.assert(
    fc.property(amount, amount, fc.boolean(), (a, b, fromZero) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      fc.pre(low !== 0 || high !== 0)
      fc.pre(high === low || high - low > Math.max(Math.abs(high), Math.abs(low)) * 1e-9)
      const scale = linearScale(low, high, fromZero)
      assert.ok(scale.ticks.length >= 2 && scale.ticks.length <= 12, `${scale.ticks}`)
      for (const value of [low, high]) assert.ok(scale.at(value) > -1e-6 && scale.at(value) < 1 + 1e-6)
    }),
  )
})

test('nothing but zeros has one tick', () => {
  const scale = linearScale(0, 0, true)
  assert.deepEqual([scale.ticks, scale.at(0)], [[0], 0])
})

test('a logarithmic scale lies close around its values and reads in ones, twos and fives', () => {
  assert.deepEqual(logScale(60_000, 125_000).ticks, [50_000, 100_000, 200_000])
  assert.equal(logScale(60_000, 125_000).at(50_000), 0)
  const wide = logScale(1, 1e12)
  assert.ok(wide.ticks.length <= 8)
})
