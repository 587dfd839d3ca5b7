import type { Store } from '#store/index.ts'
import type { Claim, HeldSubscription } from './entitled.ts'

/** A subscription as it was read from the provider. */
export type ReadSubscription = HeldSubscription & {
  readonly customer: string
  readonly price: string | null
  /** When a cancelled one ends; null for one that is renewed. */
  readonly endsAtMs: number | null
}

export type ReadClaim = Claim & {
  readonly id: string
  readonly customer: string
  readonly sinceMs: number
}

/** What a message changes, besides that it was heard. */
export type Changes = {
  readonly link?: { readonly customer: string; readonly owner: string }
  readonly unlink?: string
  readonly subscriptions?: readonly ReadSubscription[]
  readonly claims?: readonly ReadClaim[]
}

export type EventRecord = {
  readonly id: string
  readonly type: string
  readonly createdMs: number
  /** In a word, for operators. */
  readonly outcome: string
}

/** A subscription of a person, with what speaks against it. */
export type OwnSubscription = Omit<ReadSubscription, 'customer'> & {
  readonly claims: readonly Claim[]
}

export type Ledger = {
  customerOf(owner: string): Promise<string | undefined>
  ownerOf(customer: string): Promise<string | undefined>
  /** The customer of this person: the one that was there first. */
  link(owner: string, customer: string): Promise<string>
  customers(): Promise<{ readonly customer: string; readonly owner: string }[]>
  isKnown(eventId: string): Promise<boolean>
  /** Notes the message and what it changes, both or neither; false where it was noted before. */
  record(event: EventRecord, changes: Changes, readMs: number): Promise<boolean>
  /** What the nightly look found. */
  apply(changes: Changes, readMs: number): Promise<void>
  /** Ids of the charges and disputes of a customer that claims were read of. */
  claimsOf(customer: string): Promise<ReadonlySet<string>>
  subscriptionsOf(owner: string): Promise<OwnSubscription[]>
}

const date = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/**
 * One statement, so that it holds whole or not at all. What was read later is the truth, whichever message came first: a
 * row is replaced only by one that was read after it.
 */
const WRITE = `WITH heard AS (
  INSERT INTO assay.stripe_events (id, type, created, outcome)
  SELECT $1, $2, $3, $4 WHERE $1::text IS NOT NULL
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), go AS (
  SELECT 1 AS one WHERE $1::text IS NULL OR EXISTS (SELECT 1 FROM heard)
), linked AS (
  INSERT INTO assay.billing_customers (customer, owner)
  SELECT link.customer, link.owner FROM go, jsonb_to_recordset($5::jsonb) AS link(customer text, owner text)
  ON CONFLICT DO NOTHING
), unlinked AS (
  DELETE FROM assay.billing_customers USING go WHERE customer = $6
), held AS (
  INSERT INTO assay.billing_subscriptions
    (id, customer, status, plan, price, period_start, period_end, ends_at, read_at)
  SELECT s.id, s.customer, s.status, s.plan, s.price, s.period_start, s.period_end, s.ends_at, $9
  FROM go, jsonb_to_recordset($7::jsonb) AS s(id text, customer text, status text, plan text, price text,
    period_start timestamptz, period_end timestamptz, ends_at timestamptz)
  ON CONFLICT (id) DO UPDATE SET customer = excluded.customer, status = excluded.status, plan = excluded.plan,
    price = excluded.price, period_start = excluded.period_start, period_end = excluded.period_end,
    ends_at = excluded.ends_at, read_at = excluded.read_at
  WHERE assay.billing_subscriptions.read_at <= excluded.read_at
), claimed AS (
  INSERT INTO assay.billing_claims
    (id, customer, kind, state, since, amount, invoice, invoice_paid, periods, read_at)
  SELECT c.id, c.customer, c.kind, c.state, c.since, c.amount, c.invoice, c.invoice_paid, c.periods, $9
  FROM go, jsonb_to_recordset($8::jsonb) AS c(id text, customer text, kind text, state text, since timestamptz,
    amount bigint, invoice text, invoice_paid bigint, periods jsonb)
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, since = excluded.since, amount = excluded.amount,
    invoice = excluded.invoice, invoice_paid = excluded.invoice_paid, periods = excluded.periods,
    read_at = excluded.read_at
  WHERE assay.billing_claims.read_at <= excluded.read_at
)
SELECT one FROM go`

/** What is held of customers, subscriptions and messages of the payment provider. No card, no address, no name. */
export function openLedger(store: () => Promise<Pick<Store, 'query'>>): Ledger {
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await store()).query<Row>(text, values)

  const write = async (event: EventRecord | undefined, changes: Changes, readMs: number): Promise<boolean> =>
    (
      await query(WRITE, [
        event?.id ?? null,
        event?.type ?? null,
        date(event?.createdMs ?? null),
        event?.outcome ?? null,
        JSON.stringify(changes.link === undefined ? [] : [changes.link]),
        changes.unlink ?? null,
        JSON.stringify(
          (changes.subscriptions ?? []).map(each => ({
            id: each.id,
            customer: each.customer,
            status: each.status,
            plan: each.plan,
            price: each.price,
            period_start: date(each.periodStartMs),
            period_end: date(each.periodEndMs),
            ends_at: date(each.endsAtMs),
          })),
        ),
        JSON.stringify(
          (changes.claims ?? []).map(({ sinceMs, invoicePaid, ...claim }) => ({
            ...claim,
            since: date(sinceMs),
            invoice_paid: invoicePaid,
          })),
        ),
        date(readMs),
      ])
    ).length > 0

  return {
    async customerOf(owner) {
      const [row] = await query<{ customer: string }>(
        'SELECT customer FROM assay.billing_customers WHERE owner = $1',
        [owner],
      )
      return row?.customer
    },
    async ownerOf(customer) {
      const [row] = await query<{ owner: string }>(
        'SELECT owner FROM assay.billing_customers WHERE customer = $1',
        [customer],
      )
      return row?.owner
    },
    async link(owner, customer) {
      await query(
        'INSERT INTO assay.billing_customers (customer, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [customer, owner],
      )
      const [row] = await query<{ customer: string }>(
        'SELECT customer FROM assay.billing_customers WHERE owner = $1',
        [owner],
      )
      return row?.customer ?? customer
    },
    customers: () => query('SELECT customer, owner FROM assay.billing_customers ORDER BY customer'),
    async isKnown(eventId) {
      return (await query('SELECT 1 FROM assay.stripe_events WHERE id = $1', [eventId])).length > 0
    },
    record: write,
    async apply(changes, readMs) {
      await write(undefined, changes, readMs)
    },
    async claimsOf(customer) {
      const rows = await query<{ id: string }>('SELECT id FROM assay.billing_claims WHERE customer = $1', [
        customer,
      ])
      return new Set(rows.map(({ id }) => id))
    },
    async subscriptionsOf(owner) {
      const rows = await query<{
        id: string
        status: string
        plan: 'premium' | null
        price: string | null
        period_start: Date | null
        period_end: Date | null
        ends_at: Date | null
        claims: Claim[]
      }>(
        `SELECT s.id, s.status, s.plan, s.price, s.period_start, s.period_end, s.ends_at,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'amount', amount, 'invoice', invoice,
      'invoicePaid', invoice_paid, 'periods', periods))
    FROM assay.billing_claims c WHERE c.customer = s.customer
  ), '[]') AS claims
FROM assay.billing_subscriptions s JOIN assay.billing_customers o USING (customer)
WHERE o.owner = $1 ORDER BY s.period_end DESC NULLS LAST, s.id`,
        [owner],
      )
      return rows.map(row => ({
        id: row.id,
        status: row.status,
        plan: row.plan,
        price: row.price,
        periodStartMs: row.period_start?.getTime() ?? null,
        periodEndMs: row.period_end?.getTime() ?? null,
        endsAtMs: row.ends_at?.getTime() ?? null,
        claims: row.claims,
      }))
    },
  }
}
