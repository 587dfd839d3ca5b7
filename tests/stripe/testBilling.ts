import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { type Billing, openBilling } from '#accounts/billing/openBilling.ts'
import { silentLog } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import { type FakeStripe, type MadeSubscription, openFakeStripe } from '#tests/stripe/fakeStripe.ts'

export const HOUR_S = 3600
export const DAY_S = 24 * HOUR_S
export const nowS = Math.floor(Date.now() / 1000)

export const person = (id: string): Person => ({
  kind: 'account',
  id,
  email: `${id}@example.org`,
  name: null,
  scopes: new Set(),
  via: 'token',
})

export let store: Store
export let stripe: FakeStripe
export let billing: Billing
export let events = 0

export const eventOf = (type: string, object: unknown, more: object = {}) => ({
  id: `evt_test_${String(events++)}`,
  object: 'event',
  type,
  created: nowS,
  livemode: false,
  data: { object },
  ...more,
})

export const send = async (event: unknown) => {
  const { body, signature } = stripe.sign(event)
  return billing.webhook(Buffer.from(body), signature)
}

export const featuresOf = async (id: string) => (await billing.subscriptionOf(person(id)))?.features

/** A person with a customer of their own and a subscription of that status. */
export async function subscriber(
  id: string,
  more: Partial<MadeSubscription> = {},
): Promise<MadeSubscription> {
  await billing.checkout(person(id), 'monthly')
  const [customer = ''] =
    [...stripe.customers].find(([, form]) => form['metadata[owner]'] === `account:${id}`) ?? []
  const made = {
    id: `sub_${id}`,
    customer,
    status: 'active',
    price: 'price_month',
    periodStart: nowS - HOUR_S,
    periodEnd: nowS + 30 * 24 * HOUR_S,
    ...more,
  }
  stripe.subscriptions.set(made.id, made)
  return made
}

export const updated = (made: { id: string }) => eventOf('customer.subscription.updated', { id: made.id })

/** Opens a store, a made payment provider and billing for the tests of a suite. */
export function setUpBilling(): void {
  before(async () => {
    // A PostgreSQL, where there is one, starts sooner.
    const kind = STORE_KINDS.findLast(({ skip }) => skip === undefined)
    assert.ok(kind)
    ;[store, stripe] = await Promise.all([openTestStore(kind), openFakeStripe()])
    billing = openBilling({
      config: {
        secretKey: 'sk_test_1',
        webhookSecret: stripe.secret,
        prices: { monthly: 'price_month', yearly: 'price_year' },
        apiUrl: stripe.url,
        publicUrl: 'https://assay.example',
      },
      store: async () => store,
      log: silentLog,
      now: Date.now,
    })
  })
  after(async () => {
    await stripe[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    stripe.asked.length = 0
  })
}
