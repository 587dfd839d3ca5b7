import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { createLoads } from './createLoads.ts'
import { type PeopleState, peopleAtStart } from './peopleState.ts'
import type { AuthState } from './states/authState.ts'

afterEach(() => mock.reset())

/** Somebody of whom more and more becomes known, and what is asked meanwhile. */
function open() {
  let state: PeopleState = peopleAtStart
  const listeners = new Set<() => void>()
  const asked: string[] = []
  mock.method(globalThis, 'fetch', async (path: string) => {
    asked.push(path)
    return Response.json(
      path.endsWith('/mine') ? [{ alias: 'Mine', wallet: { address: 'SP1' } }] : [{ key: 'one' }],
    )
  })
  const loads = createLoads({
    headers: async () => ({}),
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  return {
    loads,
    asked,
    become(auth: Partial<AuthState>) {
      state = { ...state, auth: { ...state.auth, loading: false, ...auth } }
      for (const listener of listeners) listener()
    },
    settled: () => new Promise(resolve => setImmediate(resolve)),
  }
}

test('pages are asked for at the start, names and gated pieces once auth is done and at each change of features', async () => {
  const { loads, asked, become, settled } = open()
  loads.start()
  await settled()
  assert.deepEqual(asked.splice(0), ['/api/cms/content/pages'])
  become({ features: {} })
  await settled()
  assert.deepEqual(asked.splice(0).toSorted(), ['/api/cms/content/gated', '/api/wallets/aliases/mine'])
  assert.deepEqual([...loads.read().aliases], [['SP1', 'Mine']])
  assert.equal(loads.read().gated.length, 1)
  become({ features: { dashboard: true } })
  await settled()
  assert.deepEqual([asked, loads.read().gated], [['/api/wallets/aliases/mine'], []])
})
