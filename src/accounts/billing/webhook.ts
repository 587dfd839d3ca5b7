import type Stripe from 'stripe'
import type { Log } from '#kernel/log.ts'
import { readDispute, readRefund } from './claims.ts'
import { BillingError } from './errors.ts'
import type { Changes, Ledger, ReadSubscription } from './ledger.ts'
import type { Prices } from './prices.ts'
import { at, idOf, missing, subscriptionsOfInvoice } from './stripeObjects.ts'

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

/** Messages signed longer ago, or further ahead, are refused (seconds): a recorded one cannot be sent again later. */
const TOLERANCE_S = 300

type Meaning = { readonly outcome: string; readonly changes: Changes }
const nothing = (outcome: string): Meaning => ({ outcome, changes: {} })

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
    demandPast(signature ?? '', now())
  } catch (cause) {
    throw new BillingError('billing.signature', 'The message is not signed by the payment provider.', {
      cause,
    })
  }
  if (!isEvent(event)) throw new BillingError('billing.signature', 'The message is not an event.')
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

/** The provider's library refuses old signatures only. The header is `t=…,v1=…`; of two times the last one is signed. */
function demandPast(signature: string, nowMs: number): void {
  const time = signature
    .split(',')
    .findLast(part => part.startsWith('t='))
    ?.slice(2)
  if (Number(time) - nowMs / 1000 > TOLERANCE_S) throw new Error('signed in the future')
}

/** Whether signed JSON has what is read of an event: endpoints of other kinds sign other things. */
const isEvent = (value: unknown): boolean =>
  typeof at(value, 'id') === 'string' &&
  typeof at(value, 'type') === 'string' &&
  typeof at(value, 'created') === 'number' &&
  typeof at(value, 'data', 'object') === 'object' &&
  at(value, 'data', 'object') !== null

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
      return ofSubscription(deps, idOf(event.data.object))
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return ofSubscriptions(deps, subscriptionsOfInvoice(event.data.object))
    case 'charge.refunded':
      return ofRefund(deps, idOf(event.data.object))
    case 'charge.refund.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return ofRefund(deps, idOf(event.data.object.charge))
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return ofDispute(deps, idOf(event.data.object))
    case 'customer.deleted':
      return ofDeletion(idOf(event.data.object))
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

async function ofSubscriptions(deps: WebhookDeps, ids: readonly string[]): Promise<Meaning> {
  if (ids.length === 0) return nothing('no subscription')
  const all = await Promise.all(ids.map(id => ofSubscription(deps, id)))
  return {
    outcome: all.map(({ outcome }) => outcome).join(', '),
    changes: { subscriptions: all.flatMap(({ changes }) => changes.subscriptions ?? []) },
  }
}

async function ofSubscription(deps: WebhookDeps, id: string | undefined): Promise<Meaning> {
  const found = id === undefined ? undefined : await deps.stripe.subscriptions.retrieve(id).catch(missing)
  if (found === undefined) return nothing('gone')
  const customer = idOf(found.customer)
  if (customer === undefined || (await deps.ledger.ownerOf(customer)) === undefined)
    return stranger(deps, customer)
  const read = readSubscription(found, await productsOf(deps.prices))
  return { outcome: `subscription ${read.status}`, changes: { subscriptions: [read] } }
}

/** What of a charge is refunded now: a refund that failed counts no more, whichever message says so. */
async function ofRefund(deps: WebhookDeps, id: string | undefined): Promise<Meaning> {
  const { stripe, ledger, log } = deps
  const charge = id === undefined ? undefined : await stripe.charges.retrieve(id).catch(missing)
  const customer = idOf(charge?.customer)
  if (charge === undefined || customer === undefined) return nothing('gone')
  if ((await ledger.ownerOf(customer)) === undefined) return stranger(deps, customer)
  const claim = await readRefund(stripe, charge)
  const outcome = claim.amount === 0 ? 'not refunded' : charge.refunded ? 'refunded' : 'refunded in part'
  log.warn('refunds of a charge changed', { charge: charge.id, customer, invoice: claim.invoice, outcome })
  return { outcome, changes: { claims: [claim] } }
}

async function ofDispute(deps: WebhookDeps, id: string | undefined): Promise<Meaning> {
  const { stripe, ledger, log } = deps
  const dispute = id === undefined ? undefined : await stripe.disputes.retrieve(id).catch(missing)
  const ofCharge = idOf(dispute?.charge)
  const charge = ofCharge === undefined ? undefined : await stripe.charges.retrieve(ofCharge).catch(missing)
  const customer = idOf(charge?.customer)
  if (dispute === undefined || charge === undefined || customer === undefined) return nothing('gone')
  if ((await ledger.ownerOf(customer)) === undefined) return stranger(deps, customer)
  const claim = await readDispute(stripe, dispute, charge)
  log.warn('a charge is disputed', { dispute: dispute.id, customer, state: claim.state })
  return { outcome: `dispute ${claim.state}`, changes: { claims: [claim] } }
}

const ofDeletion = (customer: string | undefined): Meaning =>
  customer === undefined ? nothing('gone') : { outcome: 'unlinked', changes: { unlink: customer } }

function stranger({ log }: WebhookDeps, customer: string | undefined): Meaning {
  log.warn('a message about an unknown customer', { customer })
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
    endsAtMs: endOf(subscription, ofPeriod),
  }
}

/** When a subscription ends that is cancelled: flexible billing sets `cancel_at` alone. Null for one that is renewed. */
function endOf(
  { cancel_at, cancel_at_period_end }: Stripe.Subscription,
  item: Stripe.SubscriptionItem | undefined,
): number | null {
  const end = cancel_at ?? (cancel_at_period_end ? item?.current_period_end : undefined)
  return end === undefined ? null : end * 1000
}
