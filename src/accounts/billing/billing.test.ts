/** Someone who paid would get no Premium, or someone who did not pay would get it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MadeSubscription } from '#tests/stripe/fakeStripe.ts'
import {
  billing,
  DAY_S,
  eventOf,
  featuresOf,
  nowS,
  person,
  send,
  setUpBilling,
  stripe,
  subscriber,
  updated,
} from '#tests/stripe/testBilling.ts'
import { BillingError } from './errors.ts'

const ALL = { dashboard: true, query: true, bitcoin: true }

describe('buying Premium', () => {
  setUpBilling()

  const refused = async (made: Promise<unknown>, code: string) =>
    assert.rejects(made, (thrown: Error) => {
      assert.ok(thrown instanceof BillingError, String(thrown))
      assert.equal(thrown.code, code)
      return true
    })

  test('prices are those of the provider', async () => {
    assert.deepEqual(
      (await billing.prices()).map(({ period, amount, currency, interval }) => [
        period,
        amount,
        currency,
        interval,
      ]),
      [
        ['monthly', '19.00', 'USD', 'month'],
        ['yearly', '190.00', 'USD', 'year'],
      ],
    )
  })

  test('a double click makes one customer and one session; another person gets their own', async () => {
    const urls = await Promise.all([
      billing.checkout(person('twice'), 'monthly'),
      billing.checkout(person('twice'), 'monthly'),
    ])
    assert.equal(urls[0].url, urls[1].url)
    const of = (id: string) =>
      [...stripe.customers].filter(([, form]) => form['metadata[owner]'] === `account:${id}`)
    assert.equal(of('twice').length, 1)
    const other = await billing.checkout(person('other'), 'yearly')
    assert.notEqual(other.url, urls[0].url)
    const session = [...stripe.sessions.values()].at(-1)?.form
    assert.equal(session?.client_reference_id, 'account:other')
    assert.equal(
      session?.success_url,
      'https://assay.example/subscription-success?session_id={CHECKOUT_SESSION_ID}',
    )
    assert.equal(session?.['line_items[0][price]'], 'price_year')
  })

  test('nothing is given by a checkout alone; what the provider says of the subscription gives it', async () => {
    const made = await subscriber('ann')
    assert.equal(await billing.subscriptionOf(person('ann')), undefined)
    assert.equal(await billing.planOf(person('ann')), undefined)
    await send(
      eventOf('checkout.session.completed', {
        id: 'cs_1',
        mode: 'subscription',
        customer: made.customer,
        subscription: made.id,
        client_reference_id: 'account:ann',
      }),
    )
    const found = await billing.subscriptionOf(person('ann'))
    assert.deepEqual([found?.status, found?.period, found?.features], ['active', 'monthly', ALL])
    assert.deepEqual(await billing.planOf(person('ann')), { name: 'Premium', features: Object.keys(ALL) })
    await refused(billing.checkout(person('ann'), 'yearly'), 'billing.subscribed')
    assert.match((await billing.portal(person('ann'))).url, /\/hosted\/portal\/cus_/)
    await refused(billing.portal(person('nobody')), 'billing.no_customer')
  })

  test('messages in any order, and again, end with what is true now', async () => {
    const made = await subscriber('bea', { status: 'canceled' })
    const created = eventOf('customer.subscription.created', { ...made, status: 'active' })
    const deleted = eventOf('customer.subscription.deleted', made)
    for (const event of [deleted, created, deleted, created]) await send(event)
    // A late message of a time when it was active changes nothing.
    assert.deepEqual(await featuresOf('bea'), {})
    stripe.asked.length = 0
    assert.deepEqual(await send(created), { outcome: 'heard before', isNew: false })
    assert.deepEqual(stripe.asked, [])
  })

  test('many of the same message at once are heard once', async () => {
    const made = await subscriber('cleo')
    const event = updated(made)
    const all = await Promise.all(Array.from({ length: 8 }, () => send(event)))
    assert.equal(all.filter(({ isNew }) => isNew).length, 1)
    assert.deepEqual(await featuresOf('cleo'), ALL)
  })

  test('a subscription with an end date is told to end then, and one that is kept to be renewed', async () => {
    const made = await subscriber('una')
    const told = async () => {
      await send(updated(made))
      const { periodEnd, endsAtPeriodEnd, features } = (await billing.subscriptionOf(person('una'))) ?? {}
      return [Date.parse(periodEnd ?? '') / 1000, endsAtPeriodEnd, features]
    }
    assert.deepEqual(await told(), [made.periodEnd, false, ALL])
    made.cancelAt = made.periodEnd
    assert.deepEqual(await told(), [made.periodEnd, true, ALL])
    made.cancelAt = made.periodEnd + 60 * DAY_S
    assert.deepEqual(await told(), [made.periodEnd + 60 * DAY_S, true, ALL])
    delete made.cancelAt
    made.endsAtPeriodEnd = true
    assert.deepEqual(await told(), [made.periodEnd, true, ALL])
    made.endsAtPeriodEnd = false
    assert.deepEqual(await told(), [made.periodEnd, false, ALL])
  })

  test('an invoice names its subscriptions in the form of every version', async () => {
    const forms: readonly ((id: string) => object)[] = [
      id => ({ subscription: id }),
      id => ({ subscription: { id, object: 'subscription' } }),
      id => ({ parent: { type: 'subscription_details', subscription_details: { subscription: id } } }),
      id => ({ lines: { data: [{ subscription: null }, { subscription: id }] } }),
      id => ({ lines: { data: [{ parent: { subscription_item_details: { subscription: id } } }] } }),
      id => ({ lines: { data: [{ parent: { invoice_item_details: { subscription: id } } }] } }),
    ]
    for (const [i, form] of forms.entries()) {
      const made = await subscriber(`form${i}`)
      await send(eventOf('invoice.paid', { id: 'in_1', object: 'invoice', ...form(made.id) }))
      assert.deepEqual(await featuresOf(`form${i}`), ALL, JSON.stringify(form('sub')))
    }
  })

  test('a customer that is deleted is nobody’s, and the person may begin anew', async () => {
    const made = await subscriber('fay')
    await send(updated(made))
    await send(eventOf('customer.deleted', { id: made.customer }))
    assert.equal(await featuresOf('fay'), undefined)
    await refused(billing.portal(person('fay')), 'billing.no_customer')
  })

  test('another product of the same account gives nothing, an older price of ours does', async () => {
    const made = await subscriber('gil', { price: 'price_mug', product: 'prod_mug' })
    await send(updated(made))
    assert.deepEqual(await featuresOf('gil'), {})
    Object.assign(made, { price: 'price_of_last_year', product: 'prod_premium' })
    await send(updated(made))
    assert.deepEqual(await featuresOf('gil'), ALL)
  })

  test('the nightly look finds what no message told', async () => {
    const made = await subscriber('hal')
    await send(updated(made))
    made.status = 'canceled'
    assert.deepEqual(await featuresOf('hal'), ALL)
    assert.ok((await billing.reconcile()) >= 1)
    assert.deepEqual(await featuresOf('hal'), {})
  })

  test('a provider that fails is asked again, and a message that could not be understood is not noted', async () => {
    const made = await subscriber('ida')
    const event = updated(made)
    stripe.failNext(500, 9)
    await refused(send(event), 'billing.unavailable')
    stripe.failNext(500, 0)
    assert.equal(await featuresOf('ida'), undefined)
    assert.equal((await send(event)).isNew, true)
    assert.deepEqual(await featuresOf('ida'), ALL)
    stripe.failNext(500, 2)
    assert.ok((await billing.portal(person('ida'))).url)
  })

  test('forgetting a person ends what they pay for', async () => {
    const made = await subscriber('joan')
    await send(updated(made))
    await billing.kept.delete(person('joan'))
    assert.equal(stripe.customers.has(made.customer), false)
    assert.equal(made.status, 'canceled')
    assert.equal(await billing.subscriptionOf(person('joan')), undefined)
    await billing.kept.delete(person('joan'))
  })

  test('hostile messages change nothing', async t => {
    const made = await subscriber('victim')
    const sound = updated(made)
    const { body, signature } = stripe.sign(sound)
    const [stamp = '', mark = ''] = signature.split(',')
    const old = (ageS: number) => stripe.sign(sound, { timestamp: nowS - ageS })
    const bytes = (text: string) => Buffer.from(text)
    const flipped = (at: number) => {
      const changed = bytes(body)
      changed[at] = (changed[at] ?? 0) ^ 1
      return changed
    }
    const unsigned: [string, Buffer, string | undefined][] = [
      ['no header', bytes(body), undefined],
      ['an empty header', bytes(body), ''],
      ['a header of words', bytes(body), 'stripe'],
      ['a header of another scheme', bytes(body), signature.replace('v1=', 'v0=')],
      ['no time', bytes(body), mark],
      ['no mark', bytes(body), stamp],
      ['a time that is none', bytes(body), `t=soon,${mark}`],
      ['another time', bytes(body), `t=${nowS + 1000},${mark}`],
      ['an empty mark', bytes(body), `${stamp},v1=`],
      ['a mark cut short', bytes(body), signature.slice(0, -2)],
      ['a mark with more', bytes(body), `${signature}00`],
      ['a mark in capitals', bytes(body), `${stamp},v1=${mark.slice(3).toUpperCase()}`],
      ['many wrong marks', bytes(body), `${stamp},${Array.from({ length: 50 }, () => 'v1=00').join()}`],
      ['another secret', bytes(body), stripe.sign(sound, { secret: 'whsec_other' }).signature],
      ['an empty secret', bytes(body), stripe.sign(sound, { secret: ' ' }).signature],
      ['the key as secret', bytes(body), stripe.sign(sound, { secret: 'sk_test_1' }).signature],
      ['the first byte changed', flipped(0), signature],
      ['a byte in the middle changed', flipped(40), signature],
      ['the last byte changed', flipped(body.length - 1), signature],
      ['a byte more', bytes(`${body} `), signature],
      ['a byte less', bytes(body.slice(0, -1)), signature],
      ['a mark before it', bytes(`\uFEFF${body}`), signature],
      ['written in another order', bytes(JSON.stringify(JSON.parse(body), undefined, 1)), signature],
      ['nothing', bytes(''), signature],
      ['the signature of another message', bytes(body), stripe.sign(eventOf('x', {})).signature],
      ['six minutes old', bytes(old(360).body), old(360).signature],
      ['a day old', bytes(old(86_400).body), old(86_400).signature],
      ['of 1970', bytes(old(nowS - 1).body), old(nowS - 1).signature],
      ...'null true 7 "evt_1" [] [null] {} {"id":"evt_1"}'
        .split(' ')
        .map((text): [string, Buffer, string] => [`${text}, signed`, bytes(text), stripe.signText(text)]),
      ...[null, undefined, 'sub_1', 7, { object: null }, { object: 'sub_1' }].map(
        (data): [string, Buffer, string] => {
          const text = JSON.stringify({ ...sound, id: 'evt_shape', data })
          return [`data of ${JSON.stringify(data)}, signed`, bytes(text), stripe.signText(text)]
        },
      ),
      ['six minutes ahead', bytes(old(-360).body), old(-360).signature],
      ['a year ahead', bytes(old(-365 * DAY_S).body), old(-365 * DAY_S).signature],
      ['no JSON, signed', bytes('{'), stripe.signText('{')],
      ['an event without a name, signed', bytes('{"object":"event"}'), stripe.signText('{"object":"event"}')],
      [
        'an event whose name is a list, signed',
        bytes('{"object":"event","id":[]}'),
        stripe.signText('{"object":"event","id":[]}'),
      ],
    ]
    for (const [name, message, header] of unsigned)
      await t.test(name, () => refused(billing.webhook(message, header), 'billing.signature'))

    const other = await subscriber('attacker')
    const sessionOf = (more: object) => ({
      id: 'cs_x',
      mode: 'subscription',
      customer: made.customer,
      subscription: made.id,
      client_reference_id: 'account:victim',
      ...more,
    })
    const signed: [string, object][] = [
      [
        'a session that names somebody else',
        eventOf('checkout.session.completed', sessionOf({ client_reference_id: 'account:attacker' })),
      ],
      [
        'a session of a customer who is none of ours',
        eventOf('checkout.session.completed', sessionOf({ customer: 'cus_strange' })),
      ],
      ['a session without a customer', eventOf('checkout.session.completed', sessionOf({ customer: null }))],
      ['a session for one payment', eventOf('checkout.session.completed', sessionOf({ mode: 'payment' }))],
      [
        'a session without a person',
        eventOf('checkout.session.completed', sessionOf({ client_reference_id: null })),
      ],
      [
        'a subscription that is not there',
        eventOf('customer.subscription.created', { id: 'sub_none', status: 'active' }),
      ],
      [
        'a message that says active of what is not',
        eventOf('customer.subscription.updated', { ...unpaid(), status: 'active' }),
      ],
      ['an event of the other mode', { ...updated(made), livemode: true }],
      ['an event that nobody knows', eventOf('coupon.created', { id: made.id })],
      ['an event of the future', eventOf('v9.everything.free', { id: made.id })],
      ['an invoice without a subscription', eventOf('invoice.paid', { parent: null })],
      ['a refund of a charge that is not there', eventOf('charge.refunded', { id: 'ch_none' })],
      ['a dispute that is not there', eventOf('charge.dispute.created', { id: 'dp_none' })],
      ...[
        'customer.subscription.updated',
        'charge.refunded',
        'refund.failed',
        'charge.dispute.created',
      ].flatMap((type): [string, object][] =>
        [null, 7, [], { id: made.id }, ''].map(id => [
          `${type} whose id is ${JSON.stringify(id)}`,
          eventOf(type, { id, charge: id }),
        ]),
      ),
      ['a deletion whose id is a list', eventOf('customer.deleted', { id: [made.customer] })],
      ['the deletion of a stranger', eventOf('customer.deleted', { id: 'cus_strange' })],
    ]
    function unpaid(): MadeSubscription {
      const found = { ...other, id: 'sub_unpaid', status: 'incomplete' }
      stripe.subscriptions.set(found.id, found)
      return found
    }
    for (const [name, event] of signed)
      await t.test(name, async () => {
        await send(event)
        assert.notDeepEqual(await featuresOf('attacker'), ALL)
        assert.notDeepEqual(await featuresOf('victim'), ALL)
      })
    await t.test('and the true one is heard', async () => {
      await send(sound)
      assert.deepEqual(await featuresOf('victim'), ALL)
    })
  })
})
