import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestPages } from './nearest.ts'

test('a mistyped address leads to the page it was meant for', () => {
  assert.equal(nearestPages('/bitcion')[0]?.path, '/bitcoin')
  assert.equal(nearestPages('/Status')[0]?.path, '/status')
})

test('an address of any length is answered at once', () => {
  assert.ok(nearestPages(`/${'x'.repeat(100_000)}`).length > 0)
})
