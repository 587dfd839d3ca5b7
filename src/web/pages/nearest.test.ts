/** A mistyped address would get no suggestion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteWith } from '../site.ts'
import { nearestPages } from './nearest.ts'

const SITE = siteWith({
  layers: [{ id: 'meridian', name: 'Meridian' }],
  applications: [{ slug: 'atoll', name: 'Atoll' }],
})

test('a mistyped address leads to the page it was meant for', () => {
  assert.equal(nearestPages('/bitcion', SITE)[0]?.path, '/bitcoin')
  assert.equal(nearestPages('/Status', SITE)[0]?.path, '/status')
  assert.equal(nearestPages('/meridain', SITE)[0]?.path, '/meridian')
  assert.equal(nearestPages('/atol', SITE)[0]?.path, '/atoll')
})

test('an address of any length is answered at once', () => {
  assert.ok(nearestPages(`/${'x'.repeat(100_000)}`, SITE).length > 0)
})
