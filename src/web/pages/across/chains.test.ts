/** A chain without a catalog file would break pages across chains. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveredWith } from './chains.ts'

test('a chain whose file is gone is told as such by its id, and has no page', () => {
  const covered = coveredWith([])
  assert.deepEqual([covered.of('stacks').name, covered.has('stacks')], ['Stacks', true])
  assert.deepEqual(
    [covered.of('meridian').name, covered.has('meridian')],
    ['meridian (no longer in the catalog)', false],
  )
  assert.ok(!covered.all.includes('meridian'))
})
