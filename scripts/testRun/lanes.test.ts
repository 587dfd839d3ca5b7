/** A test run would leave cores idle, or take more memory than the machine has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanes } from './lanes.ts'

test('one more test file than cores runs at once, as far as memory allows, and two in any case', () => {
  const gib = 2 ** 30
  assert.equal(lanes(2, 16 * gib), 3)
  assert.equal(lanes(2, 7 * gib), 2)
  assert.equal(lanes(1, 2 * gib), 2)
  assert.equal(lanes(8, 64 * gib), 9)
  assert.equal(lanes(8, 16 * gib), 5)
})
