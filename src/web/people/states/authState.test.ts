/** A user would be signed in without a token or stay on a loading screen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AUTH, type AuthEvent, type AuthState, authAfter, authAtStart } from './authState.ts'

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
const SUBJECT = 'account-1'
const looked = (of: { wallet?: string; account?: string; isProviderLoading?: boolean }): AuthEvent => ({
  type: 'looked',
  wallet: of.wallet ?? null,
  account: of.account ?? null,
  isProviderLoading: of.isProviderLoading ?? false,
})
const run = (...events: AuthEvent[]): AuthState => events.reduce(authAfter, authAtStart)

test('it starts in loading, and while the provider is loading nothing happens', () => {
  assert.deepEqual([authAtStart.name, authAtStart.loading], ['loading', true])
  assert.equal(authAfter(authAtStart, looked({ isProviderLoading: true, wallet: ADDRESS })), authAtStart)
})

test('nobody has no features and no token, and loading ends', () => {
  const { name, features, queryToken, loading } = run(looked({}))
  assert.deepEqual(
    { name, features, queryToken, loading },
    { name: 'nobody', features: {}, queryToken: null, loading: false },
  )
})

test('the address of a wallet is its token, and a wallet goes before an account', () => {
  const asks = run(looked({ wallet: ADDRESS, account: SUBJECT }))
  assert.deepEqual([asks.name, asks.queryToken, asks.loading], ['wallet asks', ADDRESS, true])
  const has = authAfter(asks, { type: 'features', turn: asks.turn, features: { query: true } })
  assert.deepEqual([has.name, has.features, has.loading], ['wallet', { query: true }, false])
})

test('an account gets its token first, then its features', () => {
  const asks = run(looked({ account: SUBJECT }))
  assert.deepEqual([asks.name, asks.queryToken], ['account asks', null])
  const proved = authAfter(asks, { type: 'token', turn: asks.turn, token: 'jwt' })
  assert.deepEqual([proved.queryToken, proved.loading], ['jwt', true])
  const has = authAfter(proved, { type: 'features', turn: asks.turn, features: {} })
  assert.deepEqual([has.name, has.queryToken, has.loading], ['account', 'jwt', false])
})

test('any error empties the features, clears the token and ends loading', () => {
  for (const first of [looked({ wallet: ADDRESS }), looked({ account: SUBJECT })]) {
    const { name, features, queryToken, loading } = run(first, { type: 'error', turn: 1 })
    assert.deepEqual(
      { name, features, queryToken, loading },
      { name: 'failed', features: {}, queryToken: null, loading: false },
    )
  }
})

test('an answer to an earlier question is dropped, whatever comes in which order', () => {
  const event: fc.Arbitrary<AuthEvent> = fc.oneof(
    fc.record({
      type: fc.constant('looked' as const),
      wallet: fc.option(fc.constant(ADDRESS)),
      account: fc.option(fc.constant(SUBJECT)),
      isProviderLoading: fc.boolean(),
    }),
    fc.record({ type: fc.constant('token' as const), turn: fc.nat(6), token: fc.constant('jwt') }),
    fc.record({
      type: fc.constant('features' as const),
      turn: fc.nat(6),
      features: fc.constant({ query: true }),
    }),
    fc.record({ type: fc.constant('error' as const), turn: fc.nat(6) }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), events => {
      let state = authAtStart
      for (const next of events) {
        const before = state
        state = authAfter(state, next)
        if (next.type !== 'looked' && next.turn !== before.turn) assert.equal(state, before)
        if (state.name === 'nobody' || state.name === 'failed')
          assert.deepEqual([state.features, state.queryToken, state.loading], [{}, null, false])
        if (state.name !== before.name)
          assert.ok(AUTH.steps.some(({ from, to }) => from === before.name && to === state.name))
      }
    }),
  )
})
