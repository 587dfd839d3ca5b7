import { createHash, randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import type { Log } from '#kernel/log.ts'
import { type Features, type Person, PREMIUM } from '#kernel/people.ts'
import type { Store } from '#store/index.ts'
import { type KeptOfPeople, type Plan, personKey } from '../config.ts'
import { readClaims } from './claims.ts'
import { isEntitled } from './entitled.ts'
import { BillingError } from './errors.ts'
import { openLedger } from './ledger.ts'
import { openStripe } from './openStripe.ts'
import { createPrices, type Period, type Price } from './prices.ts'
import { missing } from './stripeObjects.ts'
import { type Heard, hear, productsOf, readSubscription } from './webhook.ts'

export type BillingConfig = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly prices: Readonly<Record<Period, string | undefined>>
  /** In place of the provider’s own address. */
  readonly apiUrl: string | undefined
  /** The one origin, without a closing slash. */
  readonly publicUrl: string
}

/** What a person has bought. */
export type PersonSubscription = {
  readonly status: string
  readonly period: Period | null
  /** ISO-8601: when it is renewed, or ends if it is cancelled. */
  readonly periodEnd: string | null
  readonly endsAtPeriodEnd: boolean
  /** What it gives now: empty where it gives nothing. */
  readonly features: Features
}

/** Selling of the plan Premium. What somebody may use follows from what the provider says of their subscription alone. */
export type Billing = {
  /** Prices as the provider has them. */
  prices(): Promise<readonly Price[]>
  /** Where the person pays. Throws `billing.subscribed`, `billing.no_price`, `billing.unavailable`. */
  checkout(person: Person, period: Period): Promise<{ url: string }>
  /** Where a subscriber manages it: made anew for each click. Throws `billing.no_customer`, `billing.unavailable`. */
  portal(person: Person): Promise<{ url: string }>
  /** Throws `billing.signature` for what the provider did not sign, `billing.unavailable` where it must be sent again. */
  webhook(bytes: Buffer, signature: string | undefined): Promise<Heard>
  /** The best of what a person has; undefined for who never bought. */
  subscriptionOf(person: Person): Promise<PersonSubscription | undefined>
  /** The plan that a person pays for now; undefined for none. */
  planOf(person: Person): Promise<Plan | undefined>
  /** Reads all subscriptions, refunds and disputes of our customers: what a lost message would have said. Returns how many subscriptions. */
  reconcile(): Promise<number>
  /** What is kept of buyers. Deletion ends what they pay for at once, at the provider too. */
  readonly kept: KeptOfPeople
}

export type BillingDeps = {
  readonly config: BillingConfig
  /** Opened with the first question for it. */
  readonly store: () => Promise<Pick<Store, 'query'>>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A second click within this time leads to the same page of the provider. */
const ATTEMPT_MS = 60_000

export function openBilling({ config, store, log, now }: BillingDeps): Billing {
  const stripe = openStripe(config)
  const ledger = openLedger(store)
  const prices = createPrices({ stripe, ids: config.prices, log, now })
  const { publicUrl, webhookSecret: secret } = config
  const isLive = /^(sk|rk)_live_/.test(config.secretKey)

  /** What the provider cannot do now is no fault of who asked. Its own words are for the log: they may name the key. */
  async function asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (cause) {
      if (!(cause instanceof Stripe.errors.StripeError)) throw cause
      log.warn('the payment provider refused', {
        type: cause.type,
        code: cause.code,
        parameter: cause.param,
        request: cause.requestId,
      })
      throw new BillingError('billing.unavailable', 'The payment provider does not answer as it should.', {
        hint: 'Nothing was charged. Try again in a moment.',
      })
    }
  }

  /** One customer for a person; equal questions at once give the same one. */
  async function customerFor(person: Person): Promise<string> {
    const { email } = person
    const id = personKey(person)
    const known = await ledger.customerOf(id)
    if (known !== undefined) return known
    const made = await stripe.customers.create(
      { ...(email !== null && { email }), metadata: { owner: id } },
      { idempotencyKey: `customer:${digest(`${id} ${email ?? ''}`)}` },
    )
    return ledger.link(id, made.id)
  }

  async function subscriptionOf(person: Person): Promise<PersonSubscription | undefined> {
    const held = await ledger.subscriptionsOf(personKey(person))
    const told = held.map(
      ({ claims, price, endsAtMs, ...subscription }): PersonSubscription => ({
        status: subscription.status,
        period:
          price === config.prices.monthly ? 'monthly' : price === config.prices.yearly ? 'yearly' : null,
        periodEnd: isoOf(endsAtMs ?? subscription.periodEndMs),
        endsAtPeriodEnd: endsAtMs !== null,
        features: isEntitled(subscription, claims) ? PREMIUM : {},
      }),
    )
    return told.find(({ features }) => features.dashboard === true) ?? told[0]
  }

  return {
    prices: () => asking(() => prices.read()),
    subscriptionOf,
    async checkout(person, period) {
      const has = await subscriptionOf(person)
      if (has?.features.dashboard === true)
        throw new BillingError('billing.subscribed', 'You have a subscription already.', {
          hint: 'Manage Subscription leads to it.',
        })
      return asking(async () => {
        const price = (await prices.read()).find(each => each.period === period)
        if (price === undefined)
          throw new BillingError('billing.no_price', `This server sells no ${period} subscription.`)
        const customer = await customerFor(person)
        const begin = (attempt: string) =>
          stripe.checkout.sessions.create(
            {
              mode: 'subscription',
              customer,
              client_reference_id: personKey(person),
              line_items: [{ price: price.id, quantity: 1 }],
              subscription_data: { metadata: { owner: personKey(person) } },
              success_url: `${publicUrl}/subscription-success?session_id={CHECKOUT_SESSION_ID}`,
              cancel_url: `${publicUrl}/pricing`,
            },
            { idempotencyKey: `checkout:${digest(`${customer} ${price.id} ${attempt}`)}` },
          )
        const first = await begin(String(Math.floor(now() / ATTEMPT_MS)))
        // One that was paid or left within the same minute leads nowhere any more.
        const session = first.status === 'open' && first.url ? first : await begin(randomUUID())
        if (!session.url)
          throw new BillingError('billing.unavailable', 'The payment provider gave no page to pay on.')
        return { url: session.url }
      })
    },
    async portal(person) {
      const customer = await ledger.customerOf(personKey(person))
      if (customer === undefined)
        throw new BillingError('billing.no_customer', 'You have bought nothing here yet.', {
          hint: '/pricing says what there is.',
        })
      return asking(async () => {
        const session = await stripe.billingPortal.sessions.create({
          customer,
          return_url: `${publicUrl}/pricing`,
        })
        return { url: session.url }
      })
    },
    webhook: (bytes, signature) =>
      asking(() => hear({ stripe, ledger, prices, secret, isLive, log, now }, bytes, signature)),
    reconcile: () =>
      asking(async () => {
        const products = await productsOf(prices)
        let count = 0
        for (const { customer } of await ledger.customers()) {
          const readMs = now()
          const subscriptions = []
          for await (const found of stripe.subscriptions.list({ customer, status: 'all' }))
            subscriptions.push(readSubscription(found, products))
          const claims = await readClaims(stripe, customer, await ledger.claimsOf(customer))
          await ledger.apply({ subscriptions, claims }, readMs)
          count += subscriptions.length
        }
        return count
      }),
    async planOf(person) {
      const found = await subscriptionOf(person)
      const names = Object.keys(found?.features ?? {})
      return names.length === 0 ? undefined : { name: 'Premium', features: names }
    },
    kept: {
      name: 'billing',
      async export(person) {
        const owner = personKey(person)
        const [customer, subscriptions] = await Promise.all([
          ledger.customerOf(owner),
          ledger.subscriptionsOf(owner),
        ])
        return { customer: customer ?? null, subscriptions }
      },
      async delete(person) {
        const customer = await ledger.customerOf(personKey(person))
        if (customer === undefined) return
        await asking(async () => {
          // The provider ends all subscriptions of a customer with it.
          await stripe.customers.del(customer).catch(missing)
        })
        await ledger.apply({ unlink: customer }, now())
      },
    },
  }
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** What keys of idempotency are made of has no say in their length. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
