import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteWith } from '../site.ts'
import { nearestPages } from './nearest.ts'

const SITE = siteWith([{ id: 'meridian', name: 'Meridian' }])

test('a mistyped address leads to the page it was meant for', () => {
  assert.equal(nearestPages('/bitcion', SITE)[0]?.path, '/bitcoin')
  assert.equal(nearestPages('/Status', SITE)[0]?.path, '/status')
  assert.equal(nearestPages('/meridain', SITE)[0]?.path, '/meridian')
})

test('an address of any length is answered at once', () => {
  assert.ok(nearestPages(`/${'x'.repeat(100_000)}`, SITE).length > 0)
})
