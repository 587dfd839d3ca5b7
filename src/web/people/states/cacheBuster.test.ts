/** Pages would reload forever after an update. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHUNK_TIMEOUT_MS } from '../loadChunk.ts'
import { cacheAfter, isNewerVersion, SAME_FAILURE_MS } from './cacheBuster.ts'

test('versions are ordered as Semantic Versioning orders them', () => {
  // The chain of §11.4 of its text, and what is beside it.
  const rising = [
    '0.1.12-alpha',
    '0.1.12-alpha.1',
    '0.1.12-alpha.beta',
    '0.1.12-beta',
    '0.1.12-beta.2',
    '0.1.12-beta.11',
    '0.1.12-rc.1',
    '0.1.12',
    '0.1.13',
    '0.2.0',
    '0.10.0',
    '1.0.0',
  ]
  for (const [place, own] of rising.entries())
    for (const [other, found] of rising.entries())
      assert.equal(isNewerVersion(found, own), other > place, `${found} against ${own}`)
  for (const found of ['', '1', '01.0.0', 'latest', '9.9'])
    assert.equal(isNewerVersion(found, '0.1.12'), false)
  assert.equal(isNewerVersion('0.1.12+build.9', '0.1.12'), false)
})

test('a newer version reloads once; the same or an older one does not', () => {
  const first = cacheAfter({}, { type: 'version', own: '0.1.12', found: '0.1.13' })
  assert.equal(first.name, 'reloading')
  // The cache in between still gave the old page.
  assert.equal(cacheAfter(first.reloads, { type: 'version', own: '0.1.12', found: '0.1.13' }).name, 'fresh')
  assert.equal(
    cacheAfter(first.reloads, { type: 'version', own: '0.1.12', found: '0.1.14' }).name,
    'reloading',
  )
  for (const found of ['0.1.12', '0.1.11'])
    assert.equal(cacheAfter({}, { type: 'version', own: '0.1.12', found }).name, 'fresh')
})

test('a chunk that fails reloads once, then it is said; much later it is a first time again', () => {
  const now = 1_800_000_000_000
  const first = cacheAfter({ version: '0.1.13' }, { type: 'chunk', now })
  assert.deepEqual(first, { name: 'reloading', reloads: { version: '0.1.13', chunkAt: now } })
  assert.equal(cacheAfter(first.reloads, { type: 'chunk', now: now + SAME_FAILURE_MS - 1 }).name, 'told')
  assert.equal(cacheAfter(first.reloads, { type: 'chunk', now: now + SAME_FAILURE_MS }).name, 'reloading')
  assert.equal(CHUNK_TIMEOUT_MS, 120_000)
})
