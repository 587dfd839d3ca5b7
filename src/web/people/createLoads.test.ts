/** A visitor would see content of another user or none at all. */
import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { createLoads } from './createLoads.ts'
import { type PeopleState, peopleAtStart } from './peopleState.ts'
import type { AuthState } from './states/authState.ts'

afterEach(() => mock.reset())

/** Somebody of whom more and more becomes known, and what is asked meanwhile. */
function open(headers: () => Promise<Readonly<Record<string, string>>> = async () => ({})) {
  let state: PeopleState = peopleAtStart
  const listeners = new Set<() => void>()
  const asked: string[] = []
  const told: (HeadersInit | undefined)[] = []
  mock.method(globalThis, 'fetch', async (path: string, init?: RequestInit) => {
    asked.push(path)
    told.push(init?.headers)
    return Response.json(
      path.endsWith('/mine') ? [{ alias: 'Mine', wallet: { address: 'SP1' } }] : [{ key: 'one' }],
    )
  })
  const loads = createLoads({
    headers,
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  return {
    loads,
    asked,
    told,
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

test('pressing Sign In as an anonymous visitor requests nothing twice; a signed-in user gets their own lists', async () => {
  const { loads, asked, become, settled } = open()
  loads.start()
  become({ features: {} })
  await settled()
  asked.splice(0)
  // The sign-in code loads, starts over and finds nobody again.
  become({ loading: true, features: {} })
  become({ features: {} })
  await settled()
  assert.deepEqual(asked, [])
  become({ features: {}, identity: 'account-1' })
  await settled()
  assert.deepEqual(asked.toSorted(), ['/api/cms/content/gated', '/api/wallets/aliases/mine'])
})

test('pages come while sign-in is under way, and where it fails: what is asked for says nothing of who asks', async () => {
  const never = () => new Promise<never>(() => {})
  const fails = () => Promise.reject(new Error('no token'))
  for (const headers of [never, fails]) {
    const { loads, asked, told, settled } = open(headers)
    loads.start()
    await settled()
    assert.deepEqual([asked, told], [['/api/cms/content/pages'], [undefined]])
    assert.equal(loads.read().pages.length, 1)
  }
})
