/** Statuses under which the plan is had; `past_due` is the time in which the provider tries the card again. */
const ENTITLED: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])

/** A subscription as the provider last told of it. */
export type HeldSubscription = {
  readonly status: string
  /** Null for another product of the same account at the provider. */
  readonly plan: 'premium' | null
  readonly periodStartMs: number | null
}

/** Money that is asked back, or was given back. */
export type Claim = {
  readonly kind: 'refund' | 'dispute'
  /** Of a dispute; `refunded` of a refund. */
  readonly state: string
  readonly sinceMs: number
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
 * Whether this subscription gives its plan now. Money that went back ends the period that it paid for: the next period,
 * paid anew, counts again. The order in which messages arrived has no say.
 */
export const isEntitled = (
  { status, plan, periodStartMs }: HeldSubscription,
  claims: readonly Claim[],
): boolean =>
  plan !== null &&
  ENTITLED.has(status) &&
  !claims.some(({ state, sinceMs }) => !HARMLESS.has(state) && sinceMs >= (periodStartMs ?? 0))
