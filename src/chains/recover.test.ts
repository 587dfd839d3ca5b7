/** Indexing EVM layers would silently become many times slower. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { recover } from './recover.ts'

// It has an advisory and no fix (docs/decisions/dependencies.md). The library's own entry loads it wherever there is no compiled one.
test('the library in JavaScript that comes with the compiled one is never asked for', () => {
  assert.throws(() => recover(new Uint8Array(32).fill(1), new Uint8Array(64), 0))
  const { cache, resolve } = createRequire(import.meta.url)
  const loaded = Object.keys(cache)
  assert.deepEqual(
    loaded.filter(path => path === resolve('secp256k1') || /[\\/]elliptic[\\/.]/.test(path)),
    [],
  )
})
