/** A refund or a dispute would leave Premium given, or take it from someone who paid. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  billing,
  DAY_S,
  eventOf,
  featuresOf,
  nowS,
  send,
  setUpBilling,
  stripe,
  subscriber,
  updated,
} from '#tests/stripe/testBilling.ts'

type ClaimCase = {
  readonly name: string
  readonly subscriptions: Readonly<Record<string, object>>
  /** Lines: subscription, first and last day from now, amount. */
  readonly invoices: Readonly<Record<string, readonly (readonly [string, number, number, number])[]>>
  readonly charges: Readonly<Record<string, number>>
  /** The invoice that a charge pays; the one of its own name unless given. */
  readonly paysFor?: Readonly<Record<string, string>>
  readonly steps: readonly {
    readonly statuses?: Readonly<Record<string, string>>
    readonly refunded?: Readonly<Record<string, number>>
    readonly disputed?: Readonly<Record<string, string>>
    readonly events: readonly string[]
    readonly isPremium: boolean
  }[]
}

const CLAIM_CASES: readonly ClaimCase[] = JSON.parse(
  readFileSync(new URL('claims.cases.json', import.meta.url), 'utf8'),
)

/** Makes what a case begins with at the provider; each step changes it and says which messages follow. */
async function begin(who: string, { subscriptions, invoices, charges, paysFor }: ClaimCase) {
  const id = (name: string) => `${name}_${who}`
  const [first = '', ...rest] = Object.keys(subscriptions)
  const made = await subscriber(who, {
    id: `sub_${id(first)}`,
    periodStart: nowS - DAY_S,
    periodEnd: nowS + 30 * DAY_S,
  })
  for (const name of rest) stripe.subscriptions.set(`sub_${id(name)}`, { ...made, id: `sub_${id(name)}` })
  for (const [name, lines] of Object.entries(invoices))
    stripe.invoices.set(`in_${id(name)}`, {
      id: `in_${id(name)}`,
      paid: 0,
      lines: lines.map(([subscription, from, to, amount]) => ({
        subscription: `sub_${id(subscription)}`,
        start: nowS + from * DAY_S,
        end: nowS + to * DAY_S,
        amount,
      })),
    })
  for (const [name, amount] of Object.entries(charges)) {
    const invoice = stripe.invoices.get(`in_${id(paysFor?.[name] ?? name)}`)
    if (invoice !== undefined) invoice.paid += amount
    stripe.charges.set(`ch_${id(name)}`, {
      id: `ch_${id(name)}`,
      customer: made.customer,
      amount,
      refunded: 0,
      ...(invoice && { invoice: invoice.id }),
    })
  }
  for (const name of Object.keys(subscriptions)) await send(updated({ id: `sub_${id(name)}` }))
  const change = ({ statuses = {}, refunded = {}, disputed = {} }: ClaimCase['steps'][number]) => {
    for (const [name, status] of Object.entries(statuses))
      Object.assign(stripe.subscriptions.get(`sub_${id(name)}`) ?? {}, { status })
    for (const [name, amount] of Object.entries(refunded))
      Object.assign(stripe.charges.get(`ch_${id(name)}`) ?? {}, { refunded: amount })
    for (const [name, status] of Object.entries(disputed))
      stripe.disputes.set(`dp_${id(name)}`, {
        id: `dp_${id(name)}`,
        charge: `ch_${id(name)}`,
        status,
        created: nowS,
      })
  }
  const event = (text: string) => {
    const [type = '', name = ''] = text.split(' ')
    const object = type.startsWith('customer.subscription')
      ? { id: `sub_${id(name)}` }
      : type.startsWith('charge.dispute')
        ? { id: `dp_${id(name)}` }
        : type === 'charge.refunded'
          ? { id: `ch_${id(name)}`, object: 'charge' }
          : { id: `re_${id(name)}`, object: 'refund', charge: `ch_${id(name)}` }
    return eventOf(type, object)
  }
  return { change, event, isPremium: async () => (await featuresOf(who))?.dashboard === true }
}

describe('claims on payments for Premium', () => {
  setUpBilling()

  for (const [i, each] of CLAIM_CASES.entries())
    test(each.name, async () => {
      const last = each.steps.at(-1)?.isPremium
      const all = each.steps.flatMap(({ events: names }) => names)
      const inOrder = await begin(`case${i}`, each)
      assert.equal(await inOrder.isPremium(), true)
      for (const step of each.steps) {
        inOrder.change(step)
        for (const name of step.events) await send(inOrder.event(name))
        assert.equal(await inOrder.isPremium(), step.isPremium, step.events.join())
      }
      const late = await begin(`late${i}`, each)
      for (const step of each.steps) late.change(step)
      for (const name of [...all.toReversed(), ...all.toReversed()]) await send(late.event(name))
      assert.equal(await late.isPremium(), last, 'all messages late, backwards and twice')
      const lost = await begin(`lost${i}`, each)
      for (const step of each.steps) {
        lost.change(step)
        await billing.reconcile()
        assert.equal(await lost.isPremium(), step.isPremium, 'no message at all')
      }
    })

  test('the nightly check withdraws a claim that Stripe no longer has', async () => {
    const [each] = CLAIM_CASES.filter(({ name }) => name === 'a refund that failed restores access')
    assert.ok(each)
    const { change, event, isPremium } = await begin('silent', each)
    const [refunded, failed] = each.steps
    if (refunded === undefined || failed === undefined) assert.fail('the case has two steps')
    change(refunded)
    await send(event('charge.refunded a'))
    assert.equal(await isPremium(), false)
    change(failed)
    await billing.reconcile()
    assert.equal(await isPremium(), true)
  })
})
