/** A link could send a user who signs in to another site. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import cases from './localPath.fixture.json' with { type: 'json' }
import { isLocalPath, isRequestPath } from './localPath.ts'

const ORIGIN = 'https://assay.example'

test('what leads to another host, or is no path, is not local', () => {
  for (const text of cases.hostile) assert.equal(isLocalPath(text), false, JSON.stringify(text))
})

test('paths of the site are local, and a browser resolves each to this host', () => {
  for (const text of cases.local) {
    assert.equal(isLocalPath(text), true, text)
    assert.equal(new URL(text, ORIGIN).origin, ORIGIN, text)
  }
})

test('a request names a path of this site without a fragment', () => {
  for (const url of ['/', '/bitcoin?range=1y', '//?x', '/a//b'])
    assert.equal(isRequestPath(url), url !== '//?x', url)
  for (const url of ['/bitcoin#1', '/bitcoin?range=1y#1', '/#', 'http://a/b', '*', '/a\\b'])
    assert.equal(isRequestPath(url), false, url)
})
