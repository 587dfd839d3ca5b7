/** A user would see content that belongs to the previous user. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loading, type LoadingEvent, loadingAfter, loadingAtStart } from './loading.ts'

const run = (...events: LoadingEvent[]): Loading => events.reduce(loadingAfter, loadingAtStart)
const auth = (
  features: Record<string, boolean>,
  loading = false,
  identity: string | null = null,
): LoadingEvent => ({ type: 'auth', loading, identity, features })
const ITEM = { key: 'a', path: '/a', title: 'A', summary: '', requires: 'dashboard' }

test('aliases wait for auth, and are asked for again at each change of features', () => {
  assert.equal(run(auth({}, true)).names.aliases, 'waiting')
  const features = {}
  const first = run(auth(features))
  assert.deepEqual([first.names.aliases, first.turn], ['asking', 1])
  assert.equal(loadingAfter(first, auth(features)), first)
  const again = loadingAfter(first, auth({ query: true }))
  assert.deepEqual([again.names.aliases, again.turn], ['asking', 2])
})

test('equal features of the same user are no change; another user is', () => {
  const nobody = run(auth({}))
  assert.equal(loadingAfter(nobody, auth({})), nobody)
  const wallet = loadingAfter(nobody, auth({}, false, 'SP1'))
  assert.deepEqual([wallet.names.aliases, wallet.names.gated, wallet.turn], ['asking', 'asking', 2])
  assert.equal(loadingAfter(wallet, auth({}, false, 'SP1')), wallet)
  assert.equal(loadingAfter(wallet, auth({ toString: false }, false, 'SP1')).turn, 3)
})

test('only entries with a name are kept, from address to name, and a failure leaves none', () => {
  const entries = [
    { alias: 'Treasury', wallet: { address: 'SP1' } },
    { alias: '', wallet: { address: 'SP2' } },
    { alias: null, wallet: { address: 'SP3' } },
    { alias: 'lost' },
  ]
  const held = run(auth({}), { type: 'aliases', turn: 1, answer: entries })
  assert.deepEqual([...held.aliases], [['SP1', 'Treasury']])
  const other = [auth({ query: true }), { type: 'aliases', turn: 2, answer: undefined } as const].reduce(
    loadingAfter,
    held,
  )
  assert.deepEqual([...other.aliases, other.names.aliases], ['held'])
})

test('gated content is asked for only while dashboard is not true, else it is the empty list', () => {
  const gated = run(auth({ query: true }), { type: 'gated', turn: 1, answer: [ITEM] })
  assert.deepEqual([gated.names.gated, gated.gated], ['held', [ITEM]])
  const open = loadingAfter(gated, auth({ dashboard: true }))
  assert.deepEqual([open.names.gated, open.gated], ['held', []])
  assert.equal(run(auth({ dashboard: true })).names.gated, 'held')
  assert.equal(loadingAfter(open, auth({})).names.gated, 'asking')
})

test('an answer to an earlier asker is dropped', () => {
  const state = run(auth({}), auth({ query: true }))
  assert.equal(loadingAfter(state, { type: 'gated', turn: 1, answer: [ITEM] }), state)
  assert.equal(loadingAfter(state, { type: 'aliases', turn: 1, answer: [] }), state)
})

test('pages are asked for once, and a failure gives the empty list', () => {
  const held = run({ type: 'start' }, { type: 'pages', answer: undefined })
  assert.deepEqual([held.names.pages, held.pages], ['held', []])
  assert.equal(loadingAfter(held, { type: 'start' }).names.pages, 'held')
})
