/** A subscription, price or refund would be read wrongly from what the payment provider says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import type { Facts } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { readClaims, readDispute, readRefund } from './claims.ts'
import { type Claim, isEntitled } from './entitled.ts'
import { keepReconciled } from './keepReconciled.ts'
import type { Changes, Ledger } from './ledger.ts'
import { decimalOf, digitsOf } from './money.ts'
import { openStripe } from './openStripe.ts'
import { createPrices } from './prices.ts'
import { at, idOf, missing, subscriptionsOfInvoice } from './stripeObjects.ts'
import { hear, productsOf, readSubscription } from './webhook.ts'

const NOW = Date.parse('2026-03-10T14:00:00Z')
const gone = () =>
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'resource_missing',
  } as never)

test('an object is known by its id, whole or as text', () => {
  assert.deepEqual([{ id: 'a' }, 'b', '', { id: '' }, { id: 7 }, {}, null, undefined, 7].map(idOf), [
    'a',
    'b',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.equal(at({ a: { b: 1 } }, 'a', 'b'), 1)
  assert.deepEqual(at({ a: 1 }), { a: 1 })
  assert.deepEqual(
    [at({ a: null }, 'a', 'b'), at('text', 'length'), at(undefined, 'a')],
    [undefined, undefined, undefined],
  )
})

test('what is missing is no failure, everything else is', () => {
  assert.equal(missing(gone()), undefined)
  for (const cause of [
    new Error('away'),
    new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', code: 'other' } as never),
    new Stripe.errors.StripeAPIError({ type: 'api_error', code: 'resource_missing' } as never),
  ])
    assert.throws(() => missing(cause), cause)
})

test('an invoice names its subscriptions in every version of the interface, each once', () => {
  const lines = {
    data: [
      { subscription: 'line' },
      { parent: { subscription_item_details: { subscription: 'item' } } },
      { parent: { invoice_item_details: { subscription: 'invoice-item' } } },
      { parent: { subscription_details: { subscription: 'elsewhere' } } },
      null,
    ],
  }
  assert.deepEqual(
    subscriptionsOfInvoice({
      parent: { subscription_details: { subscription: { id: 'parent' } } },
      subscription: 'top',
      lines,
    }),
    ['parent', 'top', 'line', 'item', 'invoice-item'],
  )
  assert.deepEqual(subscriptionsOfInvoice({ subscription: 'line', lines }), ['line', 'item', 'invoice-item'])
  assert.deepEqual(subscriptionsOfInvoice({ lines: { data: 'none' } }), [])
  assert.deepEqual(subscriptionsOfInvoice(undefined), [])
})

test('amounts have the digits of their currency', () => {
  assert.deepEqual(['usd', 'jpy', 'kwd', 'isk', 'xpf', 'bhd'].map(digitsOf), [2, 0, 3, 2, 0, 3])
  assert.deepEqual(
    [decimalOf(1, 'kwd'), decimalOf(12_345, 'usd'), decimalOf(0, 'jpy')],
    ['0.001', '123.45', '0'],
  )
})

test('the client of the provider is that of its own address, or of the one that is given', () => {
  const of = (apiUrl: string | undefined) => {
    const stripe = openStripe({ secretKey: 'sk_test_1', apiUrl })
    const field = (name: string) => stripe.getApiField(name as 'host')
    return [field('host'), Number(field('port')), field('protocol'), Number(field('timeout'))]
  }
  assert.deepEqual(of(undefined), ['api.stripe.com', 443, 'https', 8000])
  assert.deepEqual(of('http://127.0.0.1:4000'), ['127.0.0.1', 4000, 'http', 8000])
  assert.deepEqual(of('http://stripe.example'), ['stripe.example', 80, 'http', 8000])
  assert.deepEqual(of('https://stripe.example'), ['stripe.example', 443, 'https', 8000])
  const stripe = openStripe({ secretKey: 'sk_test_1', apiUrl: undefined })
  assert.equal(Number(stripe.getMaxNetworkRetries()), 2)
})

const subscription = (more: object = {}, items: object[] = [item()]): Stripe.Subscription =>
  ({
    id: 'sub',
    customer: { id: 'cus' },
    status: 'active',
    cancel_at: null,
    cancel_at_period_end: false,
    items: { data: items },
    ...more,
  }) as never
const item = (product: unknown = 'premium', start = 1000, end = 2000) => ({
  price: { id: `price of ${String(idOf(product))}`, product },
  current_period_start: start,
  current_period_end: end,
})
const PRODUCTS = new Set(['premium'])

test('a subscription is read with the period of the item that is ours', () => {
  const plain = readSubscription(subscription(), PRODUCTS)
  assert.deepEqual(plain, {
    id: 'sub',
    customer: 'cus',
    status: 'active',
    plan: 'premium',
    price: 'price of premium',
    periodStartMs: 1_000_000,
    periodEndMs: 2_000_000,
    endsAtMs: null,
  })
  const second = [item('other', 1, 2), item({ id: 'premium' })]
  assert.deepEqual(readSubscription(subscription({}, second), PRODUCTS), plain)
  assert.deepEqual(readSubscription(subscription({}, [item('other', 1, 2), item('more', 3, 4)]), PRODUCTS), {
    ...plain,
    plan: null,
    price: null,
    periodStartMs: 1000,
    periodEndMs: 2000,
  })
  assert.deepEqual(readSubscription(subscription({ customer: null }, []), PRODUCTS), {
    ...plain,
    customer: '',
    plan: null,
    price: null,
    periodStartMs: null,
    periodEndMs: null,
  })
  const endOf = (more: object, items?: object[]) =>
    readSubscription(subscription(more, items), PRODUCTS).endsAtMs
  assert.equal(endOf({ cancel_at: 1500 }), 1_500_000)
  assert.equal(endOf({ cancel_at: 1500, cancel_at_period_end: true }), 1_500_000)
  assert.equal(endOf({ cancel_at_period_end: true }), 2_000_000)
  assert.equal(endOf({ cancel_at_period_end: true }, []), null)
})

const price = (more: object = {}) => ({
  active: true,
  unit_amount: 1900,
  currency: 'usd',
  product: 'premium',
  recurring: { interval: 'month', interval_count: 3 },
  ...more,
})

test('prices are read once for ten minutes, and the last ones stand while the provider is away', async () => {
  const state = { now: NOW, reads: 0, fails: false, price: price() }
  const warnings: (Facts | undefined)[] = []
  const stripe = {
    prices: {
      retrieve: async () => {
        state.reads++
        if (state.fails) throw new Error('away')
        return state.price
      },
    },
  } as unknown as Stripe
  const log = { ...silentLog, warn: (_: string, facts?: Facts) => void warnings.push(facts) }
  const prices = createPrices({ stripe, ids: { monthly: 'm', yearly: undefined }, log, now: () => state.now })
  state.fails = true
  await assert.rejects(prices.read(), /away/)
  assert.deepEqual(warnings, [])
  state.fails = false
  const [first, same] = await Promise.all([prices.read(), prices.read()])
  assert.equal(first, same)
  assert.equal(state.reads, 2)
  assert.deepEqual(first, [
    {
      ...{ period: 'monthly', id: 'm', product: 'premium', amount: '19.00', currency: 'USD' },
      ...{ interval: 'month', intervalCount: 3 },
    },
  ])
  assert.deepEqual([...(await productsOf(prices))], ['premium'])
  state.now = NOW + 599_999
  await prices.read()
  assert.equal(state.reads, 2)
  state.fails = true
  state.now = NOW + 600_000
  assert.equal(await prices.read(), first)
  assert.deepEqual(warnings, [{ cause: 'away' }])
  assert.equal(state.reads, 3)
  state.fails = false
  state.price = price({ product: { id: 'other' } })
  assert.equal((await prices.read())[0]?.product, 'other')
})

test('a price that is inactive, by usage or not recurring cannot be sold', async () => {
  for (const more of [{ active: false }, { unit_amount: null }, { recurring: null }]) {
    const warnings: (Facts | undefined)[] = []
    const prices = createPrices({
      stripe: { prices: { retrieve: async () => price(more) } } as unknown as Stripe,
      ids: { monthly: undefined, yearly: 'y' },
      log: { ...silentLog, warn: (_: string, facts?: Facts) => void warnings.push(facts) },
      now: () => NOW,
    })
    assert.deepEqual(await prices.read(), [])
    assert.deepEqual(warnings, [{ variable: 'STRIPE_PRICE_YEARLY' }])
  }
})

async function* listed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
const line = (more: object) => ({ amount: 1, period: { start: 1, end: 2 }, subscription: null, ...more })
/** A provider with one invoice of four lines, which one payment paid. */
function stripeWith(more: object = {}): Stripe {
  return {
    invoicePayments: { list: async () => ({ data: [{ invoice: 'in' }] }) },
    invoices: {
      retrieve: async (id: string) => ({ id, amount_paid: 1900 }),
      listLineItems: () =>
        listed([
          line({ subscription: 'a' }),
          line({ parent: { subscription_item_details: { subscription: 'b' } } }),
          line({ parent: { invoice_item_details: { subscription: 'c' } } }),
          line({ subscription: 'credited', amount: -1 }),
          line({ subscription: 'free', amount: 0 }),
          line({ parent: {} }),
        ]),
    },
    charges: { list: () => listed(CHARGES) },
    disputes: { list: ({ charge: id }: { charge: string }) => listed([{ ...DISPUTE, id: `dp of ${id}` }]) },
    ...more,
  } as unknown as Stripe
}
const charge = (more: object = {}): Stripe.Charge =>
  ({
    id: 'ch',
    customer: 'cus',
    amount_refunded: 0,
    created: 7,
    disputed: false,
    payment_intent: 'pi',
    ...more,
  }) as never
const DISPUTE = { id: 'dp', status: 'lost', created: 9, amount: 500 }
const CHARGES = [
  charge({ id: 'plain' }),
  charge({ id: 'one cent', amount_refunded: 1 }),
  charge({ id: 'known' }),
  charge({ id: 'disputed', disputed: true }),
]
const PAID = {
  invoice: 'in',
  invoicePaid: 1900,
  periods: ['a', 'b', 'c'].map(of => ({ subscription: of, startMs: 1000, endMs: 2000 })),
}

test('a claim names the invoice that the charge paid, and the periods on it', async () => {
  const refund = { id: 'ch', customer: 'cus', kind: 'refund', sinceMs: 7000, ...PAID }
  assert.deepEqual(await readRefund(stripeWith(), charge()), { ...refund, state: 'none', amount: 0 })
  assert.deepEqual(await readRefund(stripeWith(), charge({ amount_refunded: 1 })), {
    ...refund,
    state: 'refunded',
    amount: 1,
  })
  const nothing = { invoice: null, invoicePaid: null, periods: [] }
  const away = { retrieve: () => Promise.reject(gone()) }
  for (const [stripe, of] of [
    [stripeWith(), charge({ payment_intent: null })],
    [stripeWith({ invoicePayments: { list: () => Promise.reject(gone()) } }), charge()],
    [stripeWith({ invoicePayments: { list: async () => ({ data: [] }) } }), charge()],
    [stripeWith({ invoices: away }), charge()],
  ] as const)
    assert.deepEqual(await readRefund(stripe, of), { ...refund, state: 'none', amount: 0, ...nothing })
  assert.deepEqual(await readDispute(stripeWith(), DISPUTE as never, charge({ customer: null })), {
    ...{ id: 'dp', customer: '', kind: 'dispute', state: 'lost', sinceMs: 9000, amount: 500, ...PAID },
  })
})

test('claims are read of charges that were refunded, disputed, or known for a refund', async () => {
  const claims = await readClaims(stripeWith(), 'cus', new Set(['known']))
  assert.deepEqual(
    claims.map(({ id, state }) => [id, state]),
    [
      ['one cent', 'refunded'],
      ['known', 'none'],
      ['dp of disputed', 'lost'],
    ],
  )
})

test('refunds of several charges of an invoice count together, and only up to what was paid', () => {
  const held = { id: 'a', status: 'active', plan: 'premium', periodStartMs: 1000, periodEndMs: 2000 } as const
  const refund = (amount: number, more: Partial<Claim> = {}): Claim => ({
    ...{ kind: 'refund', state: 'refunded', amount, ...PAID },
    ...more,
  })
  assert.equal(isEntitled(held, [refund(1000), refund(899)]), true)
  assert.equal(isEntitled(held, [refund(1000), refund(900)]), false)
  assert.equal(isEntitled(held, [refund(1000), refund(900, { invoice: 'other' })]), true)
  assert.equal(isEntitled(held, [refund(1, { invoicePaid: 1 })]), false)
  assert.equal(isEntitled(held, [refund(1900, { invoicePaid: null })]), true)
  assert.equal(isEntitled({ ...held, periodStartMs: null }, [refund(1900)]), true)
  assert.equal(isEntitled({ ...held, periodEndMs: null }, [refund(1900)]), true)
})

/** What comes of a message, with a provider and a ledger that know one customer. */
async function heard(event: object, more: { ageS?: number; header?: (header: string) => string } = {}) {
  const { ageS = 0, header = (text: string) => text } = more
  const stripe = new Stripe('sk_test_1')
  const records: { changes: Changes; readMs: number; createdMs: number }[] = []
  const payload = JSON.stringify({
    id: 'evt',
    type: 'x',
    created: 5,
    livemode: false,
    data: { object: {} },
    ...event,
  })
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: 'whsec',
    timestamp: Math.floor(NOW / 1000) - ageS,
  })
  const ledger = {
    isKnown: async (id: string) => id === 'known',
    ownerOf: async (customer: string) => (customer === 'cus' ? 'account:ann' : undefined),
    record: async ({ createdMs }: { createdMs: number }, changes: Changes, readMs: number) => {
      records.push({ changes, readMs, createdMs })
      return true
    },
  } as unknown as Ledger
  const { outcome, isNew } = await hear(
    {
      stripe: Object.assign(stripe, {
        subscriptions: {
          retrieve: async (id: string) => (id === 'sub' ? subscription() : Promise.reject(gone())),
        },
      }),
      ledger,
      prices: { read: async () => [{ product: 'premium' }] as never },
      secret: 'whsec',
      isLive: false,
      log: silentLog,
      now: () => NOW,
    },
    Buffer.from(payload),
    header(signature),
  )
  return { outcome, isNew, records }
}
const REFUSED = { code: 'billing.signature' }

test('a message counts within five minutes of its signature, before and after', async () => {
  for (const ageS of [300, 0, -300]) assert.equal((await heard({}, { ageS })).outcome, 'not needed')
  for (const ageS of [301, -301]) await assert.rejects(heard({}, { ageS }), REFUSED, String(ageS))
  await assert.rejects(heard({}, { header: () => '' }), REFUSED)
  await assert.rejects(heard({}, { header: text => text.replace('v1=', 'v1=0') }), REFUSED)
})

test('a message that is no event is refused, one of the other mode or known changes nothing', async () => {
  for (const event of [
    { id: 7 },
    { type: null },
    { created: 'now' },
    { data: {} },
    { data: { object: null } },
  ])
    await assert.rejects(heard(event), REFUSED, JSON.stringify(event))
  const { outcome, isNew, records } = await heard({ livemode: true })
  assert.deepEqual([outcome, isNew], ['of the other mode', true])
  assert.deepEqual(records, [{ changes: {}, readMs: NOW, createdMs: 5000 }])
  assert.deepEqual(await heard({ id: 'known' }), { outcome: 'heard before', isNew: false, records: [] })
})

test('a checkout counts for the customer that it was made for, with a subscription', async () => {
  const session = {
    mode: 'subscription',
    customer: 'cus',
    subscription: 'sub',
    client_reference_id: 'account:ann',
  }
  const outcomeOf = async (more: object, type = 'checkout.session.completed') =>
    (await heard({ type, data: { object: { ...session, ...more } } })).outcome
  assert.equal(await outcomeOf({}), 'subscription active')
  assert.equal(await outcomeOf({}, 'checkout.session.async_payment_succeeded'), 'subscription active')
  for (const more of [{ mode: 'payment' }, { customer: null }, { subscription: null }])
    assert.equal(await outcomeOf(more), 'no subscription', JSON.stringify(more))
  for (const more of [{ customer: 'cus_other' }, { client_reference_id: 'account:bob' }])
    assert.equal(await outcomeOf(more), 'not our customer', JSON.stringify(more))
  assert.equal(await outcomeOf({ subscription: 'sub_gone' }), 'gone')
})

test('every kind of message about a subscription leads to its reading', async () => {
  const kinds =
    'created updated deleted paused resumed pending_update_applied pending_update_expired trial_will_end'
  for (const kind of kinds.split(' ')) {
    const { outcome, records } = await heard({
      type: `customer.subscription.${kind}`,
      data: { object: { id: 'sub' } },
    })
    assert.equal(outcome, 'subscription active', kind)
    assert.deepEqual(records[0]?.changes.subscriptions, [readSubscription(subscription(), PRODUCTS)])
  }
  for (const type of ['invoice.paid', 'invoice.payment_failed']) {
    const both = { subscription: 'sub', lines: { data: [{ subscription: 'sub_gone' }] } }
    assert.equal((await heard({ type, data: { object: both } })).outcome, 'subscription active, gone')
    assert.equal((await heard({ type, data: { object: {} } })).outcome, 'no subscription')
  }
  const { outcome, records } = await heard({ type: 'customer.deleted', data: { object: { id: 'cus' } } })
  assert.deepEqual([outcome, records[0]?.changes], ['unlinked', { unlink: 'cus' }])
  assert.equal((await heard({ type: 'customer.deleted' })).outcome, 'gone')
})

test('subscriptions are compared a minute after the start, then once a day, and not after the end', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let looks = 0
  const billing = { reconcile: async () => ++looks }
  const keeping = keepReconciled(billing, silentLog)
  t.mock.timers.tick(59_999)
  assert.equal(looks, 0)
  t.mock.timers.tick(1)
  assert.equal(looks, 1)
  t.mock.timers.tick(86_340_000)
  assert.equal(looks, 2)
  keeping[Symbol.dispose]()
  keepReconciled(billing, silentLog)[Symbol.dispose]()
  t.mock.timers.tick(10 * 86_400_000)
  assert.equal(looks, 2)
})
