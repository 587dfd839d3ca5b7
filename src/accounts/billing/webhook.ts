import Stripe from 'stripe'
import type { Log } from '#kernel/log.ts'
import { BillingError } from './errors.ts'
import type { Changes, Ledger, ReadClaim, ReadSubscription } from './ledger.ts'
import type { Prices } from './prices.ts'

/** What came of a message, in a word. */
export type Heard = { readonly outcome: string; readonly isNew: boolean }

export type WebhookDeps = {
  readonly stripe: Stripe
  readonly ledger: Ledger
  readonly prices: Prices
  readonly secret: string
  /** Whether the key is one for real money: messages of the other kind are not ours. */
  readonly isLive: boolean
  readonly log: Log
  readonly now: () => number
}

/** Older messages are not believed (seconds): who has once heard one cannot send it again later. */
const TOLERANCE_S = 300

type Meaning = { readonly outcome: string; readonly changes: Changes }
const nothing = (outcome: string): Meaning => ({ outcome, changes: {} })
const idOf = (of: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof of === 'string' ? of : of?.id

/**
 * Hears a message of the payment provider. Nothing of it is believed but which subscription, charge or dispute it is about:
 * what that is now is asked of the provider, so the order of messages has no say. Throws `billing.signature` for bytes that
 * the provider did not sign, and what the provider or the store said where they do not answer: then it is sent again.
 */
export async function hear(deps: WebhookDeps, bytes: Buffer, signature: string | undefined): Promise<Heard> {
  const { stripe, ledger, secret, isLive, log, now } = deps
  let event: Stripe.Event
  try {
    // As text that keeps a byte order mark: the library’s own reading of bytes drops it, and would take other bytes for these.
    event = stripe.webhooks.constructEvent(
      bytes.toString('utf8'),
      signature ?? '',
      secret,
      TOLERANCE_S,
      undefined,
      now(),
    )
  } catch (cause) {
    throw new BillingError('billing.signature', 'The message is not signed by the payment provider.', {
      cause,
    })
  }
  if (typeof event.id !== 'string' || typeof event.type !== 'string' || typeof event.created !== 'number')
    throw new BillingError('billing.signature', 'The message is no event.')
  if (await ledger.isKnown(event.id)) return { outcome: 'heard before', isNew: false }
  // Before anything is asked: what is read afterwards is at least as new.
  const readMs = now()
  const { outcome, changes } =
    event.livemode === isLive ? await meaningOf(deps, event) : nothing('of the other mode')
  const isNew = await ledger.record(
    { id: event.id, type: event.type, createdMs: event.created * 1000, outcome },
    changes,
    readMs,
  )
  if (isNew) log.info('a message of the payment provider', { event: event.id, type: event.type, outcome })
  return { outcome: isNew ? outcome : 'heard before', isNew }
}

async function meaningOf(deps: WebhookDeps, event: Stripe.Event): Promise<Meaning> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return ofCheckout(deps, event.data.object)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired':
    case 'customer.subscription.trial_will_end':
      return ofSubscription(deps, event.data.object.id)
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const subscription = idOf(event.data.object.parent?.subscription_details?.subscription)
      return subscription === undefined ? nothing('no subscription') : ofSubscription(deps, subscription)
    }
    case 'charge.refunded':
      return ofRefund(deps, event.data.object.id, event.created * 1000)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return ofDispute(deps, event.data.object.id)
    case 'customer.deleted':
      return { outcome: 'unlinked', changes: { unlink: event.data.object.id } }
    default:
      return nothing('not needed')
  }
}

/** The customer belongs to whom we made it for. A session that names somebody else changes nothing. */
async function ofCheckout(deps: WebhookDeps, session: Stripe.Checkout.Session): Promise<Meaning> {
  const customer = idOf(session.customer)
  const subscription = idOf(session.subscription)
  if (session.mode !== 'subscription' || customer === undefined || subscription === undefined)
    return nothing('no subscription')
  const owner = await deps.ledger.ownerOf(customer)
  if (owner === undefined || owner !== session.client_reference_id) return stranger(deps, customer)
  return ofSubscription(deps, subscription)
}

async function ofSubscription(deps: WebhookDeps, id: string): Promise<Meaning> {
  const found = await deps.stripe.subscriptions.retrieve(id).catch(missing)
  if (found === undefined) return nothing('gone')
  const customer = idOf(found.customer)
  if (customer === undefined || (await deps.ledger.ownerOf(customer)) === undefined)
    return stranger(deps, customer)
  const read = readSubscription(found, await productsOf(deps.prices))
  return { outcome: `subscription ${read.status}`, changes: { subscriptions: [read] } }
}

/** Only a charge that was given back whole ends what it paid for. */
async function ofRefund(deps: WebhookDeps, id: string, heardMs: number): Promise<Meaning> {
  const charge = await deps.stripe.charges.retrieve(id).catch(missing)
  const customer = idOf(charge?.customer)
  if (charge === undefined || customer === undefined) return nothing('gone')
  if ((await deps.ledger.ownerOf(customer)) === undefined) return stranger(deps, customer)
  deps.log.warn('a charge was refunded', { charge: id, customer, isWhole: charge.refunded })
  if (!charge.refunded) return nothing('refunded in part')
  const claim: ReadClaim = { id, customer, kind: 'refund', state: 'refunded', sinceMs: heardMs }
  return { outcome: 'refunded', changes: { claims: [claim] } }
}

async function ofDispute(deps: WebhookDeps, id: string): Promise<Meaning> {
  const dispute = await deps.stripe.disputes.retrieve(id, { expand: ['charge'] }).catch(missing)
  if (dispute === undefined) return nothing('gone')
  const charge =
    typeof dispute.charge === 'string'
      ? await deps.stripe.charges.retrieve(dispute.charge).catch(missing)
      : dispute.charge
  const customer = idOf(charge?.customer)
  if (customer === undefined) return nothing('gone')
  if ((await deps.ledger.ownerOf(customer)) === undefined) return stranger(deps, customer)
  deps.log.warn('a charge is disputed', { dispute: id, customer, state: dispute.status })
  const claim: ReadClaim = {
    id,
    customer,
    kind: 'dispute',
    state: dispute.status,
    sinceMs: dispute.created * 1000,
  }
  return { outcome: `dispute ${dispute.status}`, changes: { claims: [claim] } }
}

function stranger({ log }: WebhookDeps, customer: string | undefined): Meaning {
  log.warn('a message about a customer who is none of ours', { customer })
  return nothing('not our customer')
}

/** Products of the configured prices: older prices of the same product count as well. */
export const productsOf = async (prices: Prices): Promise<ReadonlySet<string>> =>
  new Set((await prices.read()).map(({ product }) => product))

/** What the provider says of a subscription, as we keep it. The period stands with its item. */
export function readSubscription(
  subscription: Stripe.Subscription,
  products: ReadonlySet<string>,
): ReadSubscription {
  const items = subscription.items.data
  const item = items.find(({ price }) => products.has(idOf(price.product) ?? ''))
  const ofPeriod = item ?? items[0]
  return {
    id: subscription.id,
    customer: idOf(subscription.customer) ?? '',
    status: subscription.status,
    plan: item === undefined ? null : 'premium',
    price: item?.price.id ?? null,
    periodStartMs: ofPeriod === undefined ? null : ofPeriod.current_period_start * 1000,
    periodEndMs: ofPeriod === undefined ? null : ofPeriod.current_period_end * 1000,
    endsAtPeriodEnd: subscription.cancel_at_period_end,
  }
}

/** What is there no more is no failure. */
export function missing(cause: unknown): undefined {
  if (cause instanceof Stripe.errors.StripeInvalidRequestError && cause.code === 'resource_missing')
    return undefined
  throw cause
}
