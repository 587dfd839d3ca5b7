/** Shares would add up to more than 100% or hide what is not covered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MIN_SHARE_COVERAGE, sharesOf } from './share.ts'

test('parts that cover most of their whole have shares, and the rest is unattributed', () => {
  assert.deepEqual(sharesOf([60, 30], 100), { shares: [0.6, 0.3], unattributed: 10, whole: 100 })
})

test('a fragment of a whole has no shares', () => {
  assert.equal(sharesOf([11_770], 4_700_000), null)
  assert.equal(sharesOf([79.9], 100), null)
  assert.notEqual(sharesOf([80], 100), null)
})

test('without a whole of that day there are no shares', () => {
  assert.equal(sharesOf([1, 2], null), null)
  assert.equal(sharesOf([], 'parts'), null)
  assert.equal(sharesOf([0, 0], 'parts'), null)
})

test('parts that overlap are shared out of their sum', () => {
  assert.deepEqual(sharesOf([90, 60], 100)?.shares, [0.6, 0.4])
})

test('exhaustive parts of which one is unknown have no shares', () => {
  assert.deepEqual(sharesOf([1, 3], 'parts')?.shares, [0.25, 0.75])
  assert.equal(sharesOf([1, null], 'parts'), null)
})

test('a whole that the known parts make up is unknown where another part is', () => {
  assert.equal(sharesOf([5_923_937.79, 1_866_967.07, null], 7_790_904.86), null)
  assert.equal(sharesOf([90, 60, null], 100), null)
  assert.deepEqual(sharesOf([60, 30, null], 100)?.shares, [0.6, 0.3, 0])
})

test('what rounding leaves of a whole is not unattributed', () => {
  const found = sharesOf([11_926_733, 1], 11_926_734.04)
  assert.equal(found?.unattributed, 0)
  assert.equal(sharesOf([11_926_733, 1, null], 11_926_734.04), null)
})

test('shares and what is unattributed make one, and never rest on less than the least coverage', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 1e9 })), { maxLength: 12 }),
      fc.option(fc.integer({ min: 0, max: 1e10 })),
      (parts, whole) => {
        const found = sharesOf(parts, whole)
        if (found === null) return
        const sum = found.shares.reduce((all, share) => all + share, 0)
        assert.ok(sum >= MIN_SHARE_COVERAGE - 1e-9)
        assert.ok(Math.abs(sum + found.unattributed / found.whole - 1) < 1e-9)
      },
    ),
  )
})
