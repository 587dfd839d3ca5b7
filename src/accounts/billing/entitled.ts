/** Statuses under which the plan is had; `past_due` is the time in which the provider tries the card again. */
const ENTITLED: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])

/** A subscription as the provider last told of it. */
export type HeldSubscription = {
  readonly id: string
  readonly status: string
  /** Null for another product of the same account at the provider. */
  readonly plan: 'premium' | null
  readonly periodStartMs: number | null
  readonly periodEndMs: number | null
}

/** A period of a subscription that an invoice charged for. */
export type PaidPeriod = { readonly subscription: string; readonly startMs: number; readonly endMs: number }

/** Money of one charge that went back, or that a bank asks back. */
export type Claim = {
  readonly kind: 'refund' | 'dispute'
  /** Of a dispute, as the provider names it; `refunded` or `none` of a refund. */
  readonly state: string
  /** Refunded or disputed, in the smallest unit of the currency. */
  readonly amount: number
  /** The invoice that the charge paid; null for a payment without one. */
  readonly invoice: string | null
  /** What was paid on that invoice, in the smallest unit; null without one. */
  readonly invoicePaid: number | null
  readonly periods: readonly PaidPeriod[]
}

/** Disputes that are over in our favour, and inquiries, which move no money. */
const HARMLESS: ReadonlySet<string> = new Set([
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])

/**
 * Whether this subscription gives its plan now. A dispute ends the period that its charge paid for, and so do refunds that
 * together give back all that was paid on an invoice. Other subscriptions and other periods stay as they are, and so does
 * a period that a proration charged in part.
 */
export const isEntitled = (subscription: HeldSubscription, claims: readonly Claim[]): boolean =>
  subscription.plan !== null &&
  ENTITLED.has(subscription.status) &&
  !isPaidBack(claims.filter(({ periods }) => periods.some(period => isWhole(period, subscription))))

/** Whether the invoice charged for the whole current period of this subscription. */
const isWhole = (
  { subscription, startMs, endMs }: PaidPeriod,
  { id, periodStartMs, periodEndMs }: HeldSubscription,
): boolean =>
  subscription === id &&
  periodStartMs !== null &&
  periodEndMs !== null &&
  startMs <= periodStartMs &&
  endMs >= periodEndMs

function isPaidBack(claims: readonly Claim[]): boolean {
  if (claims.some(({ kind, state }) => kind === 'dispute' && !HARMLESS.has(state))) return true
  const refunds = claims.filter(({ kind, invoicePaid }) => kind === 'refund' && (invoicePaid ?? 0) > 0)
  return [...Map.groupBy(refunds, ({ invoice }) => invoice).values()].some(
    ofInvoice =>
      ofInvoice.reduce((sum, { amount }) => sum + amount, 0) >= (ofInvoice[0]?.invoicePaid ?? Infinity),
  )
}
