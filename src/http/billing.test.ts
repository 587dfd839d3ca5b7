/** A forged payment message would be believed, or a real one lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FakeStripe, openFakeStripe } from '#tests/stripe/fakeStripe.ts'
import type { OwnSubscription, Plans, Problem } from './contract.ts'
import {
  bearer,
  type Jar,
  mailedLink,
  ORIGIN,
  openPeopleSite,
  type PeopleSite,
  signIn,
  visit,
} from './people.testing.ts'

describe('buying Premium over HTTP', () => {
  let stripe: FakeStripe
  let site: PeopleSite
  let token = ''
  const ann = { email: 'ann@example.org', password: 'a long enough secret of ann', name: 'Ann' }

  before(async () => {
    stripe = await openFakeStripe()
    site = await openPeopleSite({}, undefined, stripe)
    const jar: Jar = new Map()
    const tokens = await signIn(site, ann, jar)
    await visit(site, jar, mailedLink(site, 'confirm'), {})
    token = tokens.access_token
  })
  after(async () => {
    await site[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  })

  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    site.ask(url, {
      method: 'POST',
      payload: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const features = async () =>
    (await site.ask('/api/v1/features', { headers: bearer(token) })).json<Record<string, boolean>>()

  test('prices are told to all, the rest to persons', async () => {
    const plans = (await site.ask('/api/v1/billing/plans')).json<Plans>()
    assert.deepEqual(
      [plans.isOpen, plans.prices.map(({ period, amount }) => [period, amount])],
      [
        true,
        [
          ['monthly', '19.00'],
          ['yearly', '190.00'],
        ],
      ],
    )
    assert.equal((await site.ask('/api/v1/billing/subscription')).statusCode, 401)
    for (const url of ['checkout', 'portal'])
      assert.equal((await post(`/api/v1/billing/${url}`, { price: 'monthly' })).statusCode, 401)
    const elsewhere = { ...bearer(token), origin: 'https://evil.example' }
    assert.equal((await post('/api/v1/billing/checkout', { price: 'monthly' }, elsewhere)).statusCode, 403)
    for (const price of ['weekly', '', null, { monthly: 1 }])
      assert.equal((await post('/api/v1/billing/checkout', { price }, bearer(token))).statusCode, 400)
  })

  test('checkout, the page of the provider, its message, features: in that order and not before', async () => {
    assert.equal((await post('/api/v1/billing/portal', {}, bearer(token))).statusCode, 404)
    const begun = await post('/api/v1/billing/checkout', { price: 'yearly' }, bearer(token))
    assert.equal(begun.statusCode, 200, begun.body)
    const paid = await fetch(begun.json<{ url: string }>().url, { method: 'POST', redirect: 'manual' })
    assert.match(
      paid.headers.get('location') ?? '',
      new RegExp(`^${ORIGIN}/subscription-success\\?session_id=cs_test_`),
    )
    // Who comes back before the message has nothing yet.
    assert.deepEqual(await features(), {})
    const [session] = [...stripe.sessions.values()]
    const [subscription] = [...stripe.subscriptions.values()]
    const { body, signature } = stripe.sign({
      id: 'evt_journey',
      object: 'event',
      type: 'checkout.session.completed',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: {
        object: {
          id: session?.id,
          mode: 'subscription',
          customer: subscription?.customer,
          subscription: subscription?.id,
          client_reference_id: session?.form.client_reference_id,
        },
      },
    })
    const heard = await post('/api/v1/billing/webhook', body, { 'stripe-signature': signature })
    assert.deepEqual([heard.statusCode, heard.json()], [200, { received: true }])
    assert.deepEqual(await features(), { dashboard: true, query: true, bitcoin: true })
    const own = (
      await site.ask('/api/v1/billing/subscription', { headers: bearer(token) })
    ).json<OwnSubscription>()
    assert.deepEqual([own.subscription?.isEntitled, own.subscription?.period], [true, 'yearly'])
    const again = await post('/api/v1/billing/checkout', { price: 'monthly' }, bearer(token))
    assert.deepEqual([again.statusCode, again.json<Problem>().code], [409, 'billing.subscribed'])
    assert.equal((await post('/api/v1/billing/portal', {}, bearer(token))).statusCode, 200)
  })

  test('a message that is not signed, or longer than any, is refused, whatever its type', async () => {
    for (const [body, headers, status] of [
      ['{}', {}, 400],
      ['{}', { 'stripe-signature': 't=1,v1=00' }, 400],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
      ['', {}, 400],
      ['x'.repeat(600 * 1024), {}, 413],
    ] as const) {
      const answer = await post('/api/v1/billing/webhook', body, headers)
      assert.equal(answer.statusCode, status, answer.body)
      assert.doesNotMatch(answer.body, /whsec|sk_test/)
    }
    assert.doesNotMatch(site.said.join('\n'), /whsec_|sk_test_/)
  })

  test('who deletes the account pays no more', async () => {
    const [subscription] = [...stripe.subscriptions.values()]
    const answer = await site.ask('/api/v1/account', {
      method: 'DELETE',
      payload: JSON.stringify({ confirm: 'delete' }),
      headers: { 'content-type': 'application/json', ...bearer(token) },
    })
    assert.equal(answer.statusCode, 204, answer.body)
    assert.equal(subscription?.status, 'canceled')
  })
})
