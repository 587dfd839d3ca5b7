/** Chart rows would have empty halves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { widened } from './widened.ts'

test('a chart that would stand alone in its row fills it, wherever it is', () => {
  assert.deepEqual(widened([false, false, false]), [false, false, true])
  assert.deepEqual(widened([true, false, true, false, false]), [true, true, true, false, false])
  assert.deepEqual(widened([]), [])
})

test('no row has an empty half, and what is declared wide stays so', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), declared => {
      const wide = widened(declared)
      let half = 0
      for (const [at, isWide] of wide.entries()) {
        if (declared[at]) assert.ok(isWide)
        if (isWide) assert.equal(half % 2, 0)
        else half += 1
      }
      assert.equal(half % 2, 0)
    }),
  )
})
