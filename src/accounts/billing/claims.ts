import type Stripe from 'stripe'
import type { Claim, PaidPeriod } from './entitled.ts'
import type { ReadClaim } from './ledger.ts'
import { idOf, missing } from './stripeObjects.ts'

/** The claim that refunds of this charge make: one of nothing where none went through, which takes back an earlier one. */
export async function readRefund(stripe: Stripe, charge: Stripe.Charge): Promise<ReadClaim> {
  return {
    id: charge.id,
    customer: idOf(charge.customer) ?? '',
    kind: 'refund',
    state: charge.amount_refunded > 0 ? 'refunded' : 'none',
    sinceMs: charge.created * 1000,
    amount: charge.amount_refunded,
    ...(await paidBy(stripe, charge)),
  }
}

/** The claim of a dispute of this charge. */
export async function readDispute(
  stripe: Stripe,
  dispute: Stripe.Dispute,
  charge: Stripe.Charge,
): Promise<ReadClaim> {
  return {
    id: dispute.id,
    customer: idOf(charge.customer) ?? '',
    kind: 'dispute',
    state: dispute.status,
    sinceMs: dispute.created * 1000,
    amount: dispute.amount,
    ...(await paidBy(stripe, charge)),
  }
}

/**
 * All claims on charges of a customer: refunds, disputes, and refunds in `known` that did not go through. Reads every
 * charge of the customer.
 */
export async function readClaims(
  stripe: Stripe,
  customer: string,
  known: ReadonlySet<string>,
): Promise<ReadClaim[]> {
  const claims: ReadClaim[] = []
  for await (const charge of stripe.charges.list({ customer, limit: PAGE })) {
    if (charge.amount_refunded > 0 || known.has(charge.id)) claims.push(await readRefund(stripe, charge))
    if (!charge.disputed) continue
    for await (const dispute of stripe.disputes.list({ charge: charge.id, limit: PAGE }))
      claims.push(await readDispute(stripe, dispute, charge))
  }
  return claims
}

const PAGE = 100
const NOTHING = { invoice: null, invoicePaid: null, periods: [] } as const

/**
 * The invoice that a charge paid, and the periods of subscriptions on it. Charges name no invoice since version
 * 2025-03-31: https://docs.stripe.com/api/invoice-payment.
 */
async function paidBy(
  stripe: Stripe,
  { payment_intent }: Stripe.Charge,
): Promise<Pick<Claim, 'invoice' | 'invoicePaid' | 'periods'>> {
  const intent = idOf(payment_intent)
  if (intent === undefined) return NOTHING
  const payments = await stripe.invoicePayments
    .list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 })
    .catch(missing)
  const id = idOf(payments?.data[0]?.invoice)
  const invoice = id === undefined ? undefined : await stripe.invoices.retrieve(id).catch(missing)
  if (invoice?.id === undefined) return NOTHING
  const periods: PaidPeriod[] = []
  for await (const line of stripe.invoices.listLineItems(invoice.id, { limit: PAGE })) {
    const subscription = subscriptionOf(line)
    // A negative line credits time that is not used.
    if (subscription !== undefined && line.amount > 0)
      periods.push({
        subscription,
        startMs: line.period.start * 1000,
        endMs: line.period.end * 1000,
      })
  }
  return { invoice: invoice.id, invoicePaid: invoice.amount_paid, periods }
}

const subscriptionOf = ({ subscription, parent }: Stripe.InvoiceLineItem): string | undefined =>
  idOf(subscription) ??
  parent?.subscription_item_details?.subscription ??
  parent?.invoice_item_details?.subscription ??
  undefined
