import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

/** A subscription as tests set it. */
export type MadeSubscription = {
  id: string
  customer: string
  status: string
  price: string
  product?: string
  /** Seconds since 1970. */
  periodStart: number
  periodEnd: number
  endsAtPeriodEnd?: boolean
  /** Seconds since 1970. */
  cancelAt?: number
}

/** A payment: of an invoice, or of nothing that is known. Amounts in cents, times in seconds since 1970. */
export type MadeCharge = { id: string; customer: string; amount: number; refunded: number; invoice?: string }
type Dispute = { id: string; charge: string; status: string; created: number }
/** An invoice with what it charges for; negative amounts credit. */
export type MadeInvoice = {
  id: string
  paid: number
  lines: { subscription: string; start: number; end: number; amount: number }[]
}
type Session = { id: string; form: Readonly<Record<string, string>>; status: 'open' | 'complete' }

export type FakeStripe = AsyncDisposable & {
  readonly url: string
  readonly secret: string
  readonly subscriptions: Map<string, MadeSubscription>
  readonly charges: Map<string, MadeCharge>
  readonly invoices: Map<string, MadeInvoice>
  readonly disputes: Map<string, Dispute>
  readonly customers: Map<string, Readonly<Record<string, string>>>
  readonly sessions: Map<string, Session>
  /** Requests that it has had, as `METHOD /path`. */
  readonly asked: string[]
  /** The next requests are answered with this status. */
  failNext(status: number, times: number): void
  /** A signed message, as the provider would send it. */
  sign(event: unknown, more?: { secret?: string; timestamp?: number }): { body: string; signature: string }
  /** The signature of these very bytes. */
  signText(text: string, more?: { secret?: string; timestamp?: number }): string
  /** Where messages go when somebody pays on its page. */
  webhookUrl: string | undefined
}

export const PRICES = {
  price_month: { unit_amount: 1900, currency: 'usd', interval: 'month', product: 'prod_premium' },
  price_year: { unit_amount: 19_000, currency: 'usd', interval: 'year', product: 'prod_premium' },
} as const
const OTHER_PRODUCT = 'prod_other'
const DAY_S = 86_400

/**
 * A server that speaks Stripe’s REST: forms in, JSON out, keys of idempotency, pages to pay on that lead back. What is
 * sold, who pays and what is disputed, tests say.
 */
export async function openFakeStripe(): Promise<FakeStripe> {
  const secret = 'whsec_test_of_assay'
  const { webhooks } = new Stripe('sk_test_none')
  const subscriptions = new Map<string, MadeSubscription>()
  const charges = new Map<string, MadeCharge>()
  const invoices = new Map<string, MadeInvoice>()
  const disputes = new Map<string, Dispute>()
  const customers = new Map<string, Readonly<Record<string, string>>>()
  const sessions = new Map<string, Session>()
  const answers = new Map<string, { form: string; body: unknown }>()
  const asked: string[] = []
  let failing = { status: 500, times: 0 }
  let count = 0
  const nextId = (kind: string): string => `${kind}_${String(count++)}`
  const nowS = (): number => Math.floor(Date.now() / 1000)

  const server = createServer((request, response) => {
    void handle(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', url)
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': nextId('req') })
      response.end(JSON.stringify(body))
    }
    if (path.startsWith('/hosted/')) return hosted(request, response, path)
    // Browsers ask for it by themselves beside its pages.
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    asked.push(`${request.method} ${path}`)
    if (!/^Bearer sk_test_/.test(request.headers.authorization ?? ''))
      return send(401, { error: { type: 'invalid_request_error', message: 'no key' } })
    if (failing.times > 0) {
      failing.times -= 1
      return send(failing.status, { error: { type: 'api_error', message: 'a made failure' } })
    }
    const key = request.headers['idempotency-key']
    const before = typeof key === 'string' ? answers.get(key) : undefined
    if (before !== undefined && before.form !== text)
      return send(400, { error: { type: 'idempotency_error', message: 'same key, other body' } })
    if (before !== undefined) return send(200, before.body)
    const body = answerTo(request.method ?? 'GET', path, new URLSearchParams(text), searchParams)
    if (body === undefined)
      return send(404, {
        error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${path}` },
      })
    if (typeof key === 'string') answers.set(key, { form: text, body })
    send(200, body)
  }

  function answerTo(method: string, path: string, form: URLSearchParams, query: URLSearchParams): unknown {
    const [, , kind = '', id = '', third = ''] = path.split('/')
    if (method === 'POST' && kind === 'customers' && id === '') {
      const made = nextId('cus')
      customers.set(made, Object.fromEntries(form))
      return { id: made, object: 'customer', email: form.get('email') }
    }
    if (method === 'DELETE' && kind === 'customers') {
      if (!customers.delete(id)) return undefined
      for (const each of subscriptions.values()) if (each.customer === id) each.status = 'canceled'
      return { id, object: 'customer', deleted: true }
    }
    if (method === 'POST' && kind === 'checkout' && id === 'sessions' && third === '') {
      if (!customers.has(form.get('customer') ?? '')) return undefined
      const made = nextId('cs_test')
      sessions.set(made, { id: made, form: Object.fromEntries(form), status: 'open' })
      return { id: made, object: 'checkout.session', status: 'open', url: `${url}/hosted/pay/${made}` }
    }
    if (method === 'POST' && kind === 'billing_portal') {
      const customer = form.get('customer') ?? ''
      if (!customers.has(customer)) return undefined
      return { id: nextId('bps'), object: 'billing_portal.session', url: `${url}/hosted/portal/${customer}` }
    }
    if (kind === 'prices') {
      const price = PRICES[id as keyof typeof PRICES]
      return price === undefined ? undefined : priceOf(id, price.product)
    }
    if (kind === 'subscriptions' && id !== '') {
      const found = subscriptions.get(id)
      return found === undefined ? undefined : subscriptionOf(found)
    }
    if (kind === 'subscriptions') {
      const data = [...subscriptions.values()].filter(each => each.customer === query.get('customer'))
      return { object: 'list', has_more: false, url: '/v1/subscriptions', data: data.map(subscriptionOf) }
    }
    if (kind === 'charges' && id !== '') {
      const found = charges.get(id)
      return found === undefined ? undefined : chargeOf(found)
    }
    if (kind === 'charges')
      return listOf(
        [...charges.values()].filter(each => each.customer === query.get('customer')).map(chargeOf),
        query,
      )
    if (kind === 'invoice_payments') {
      const intent = query.get('payment[payment_intent]')
      const found = [...charges.values()].find(each => intentOf(each) === intent)
      if (found === undefined) return undefined
      const { invoice } = found
      return listOf(
        invoice === undefined ? [] : [{ id: `inpay_${found.id}`, object: 'invoice_payment', invoice }],
        query,
      )
    }
    if (kind === 'invoices') {
      const found = invoices.get(id)
      if (found === undefined) return undefined
      if (third === 'lines') return listOf(found.lines.map(lineOf), query)
      return { id, object: 'invoice', amount_paid: found.paid }
    }
    if (kind === 'disputes' && id !== '') {
      const found = disputes.get(id)
      return found === undefined ? undefined : disputeOf(found)
    }
    if (kind === 'disputes')
      return listOf(
        [...disputes.values()].filter(({ charge }) => charge === query.get('charge')).map(disputeOf),
        query,
      )
    return undefined
  }

  /** Pages of one: what reads lists has to turn them. */
  const listOf = <Item extends { readonly id: string }>(all: readonly Item[], query: URLSearchParams) => {
    const after = query.get('starting_after')
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
    return {
      object: 'list',
      url: '/v1/list',
      has_more: from + 1 < all.length,
      data: all.slice(from, from + 1),
    }
  }

  const intentOf = ({ id }: MadeCharge): string => id.replace(/^ch_/, 'pi_')
  const chargeOf = (made: MadeCharge) => ({
    id: made.id,
    object: 'charge',
    customer: made.customer,
    created: nowS(),
    amount: made.amount,
    amount_refunded: made.refunded,
    refunded: made.refunded >= made.amount,
    disputed: [...disputes.values()].some(({ charge }) => charge === made.id),
    payment_intent: intentOf(made),
  })
  const disputeOf = ({ id, charge, status, created }: Dispute) => ({
    id,
    object: 'dispute',
    amount: charges.get(charge)?.amount ?? 0,
    charge,
    status,
    created,
  })
  const lineOf = ({ subscription, start, end, amount }: MadeInvoice['lines'][number], i: number) => ({
    id: `il_${String(i)}`,
    object: 'line_item',
    amount,
    period: { start, end },
    subscription: null,
    parent: { type: 'subscription_item_details', subscription_item_details: { subscription } },
  })

  const priceOf = (id: string, product: string) => {
    const { unit_amount, currency, interval } = PRICES[id as keyof typeof PRICES] ?? PRICES.price_month
    return {
      id,
      object: 'price',
      active: true,
      currency,
      unit_amount,
      product,
      recurring: { interval, interval_count: 1 },
    }
  }

  const subscriptionOf = (made: MadeSubscription) => ({
    id: made.id,
    object: 'subscription',
    customer: made.customer,
    status: made.status,
    cancel_at_period_end: made.endsAtPeriodEnd ?? false,
    cancel_at: made.cancelAt ?? null,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${made.id}`,
          object: 'subscription_item',
          current_period_start: made.periodStart,
          current_period_end: made.periodEnd,
          price: priceOf(
            made.price,
            made.product ?? PRICES[made.price as keyof typeof PRICES]?.product ?? OTHER_PRODUCT,
          ),
        },
      ],
    },
  })

  /** Pages of the provider: one to pay on, one to manage. */
  async function hosted(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [, , kind, id = ''] = path.split('/')
    const page = (words: string) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><title>Payment</title><body>${words}</body>`)
    }
    const session = sessions.get(id)
    if (kind === 'portal') return page(`<h1>Portal</h1><p id="customer">${id}</p>`)
    if (session === undefined) return page('<h1>Gone</h1>')
    if (request.method !== 'POST')
      return page(`<h1>Pay</h1><form method="post"><button>Subscribe</button></form>`)
    session.status = 'complete'
    const { form } = session
    const made: MadeSubscription = {
      id: nextId('sub'),
      customer: form.customer ?? '',
      status: 'active',
      price: form['line_items[0][price]'] ?? '',
      periodStart: nowS(),
      periodEnd: nowS() + 30 * DAY_S,
    }
    subscriptions.set(made.id, made)
    response.writeHead(303, {
      location: (form.success_url ?? '/').replace('{CHECKOUT_SESSION_ID}', session.id),
    })
    response.end()
    await deliver({
      id: nextId('evt'),
      object: 'event',
      type: 'checkout.session.completed',
      created: nowS(),
      livemode: false,
      data: {
        object: {
          id: session.id,
          object: 'checkout.session',
          mode: 'subscription',
          customer: made.customer,
          subscription: made.id,
          client_reference_id: form.client_reference_id,
        },
      },
    })
  }

  const signText: FakeStripe['signText'] = (payload, more = {}) =>
    webhooks.generateTestHeaderString({ payload, secret, ...more })
  const sign: FakeStripe['sign'] = (event, more) => {
    const body = JSON.stringify(event)
    return { body, signature: signText(body, more) }
  }

  async function deliver(event: unknown): Promise<void> {
    if (fake.webhookUrl === undefined) return
    const { body, signature } = sign(event)
    await fetch(fake.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
  }

  const fake: FakeStripe = {
    url,
    secret,
    subscriptions,
    charges,
    invoices,
    disputes,
    customers,
    sessions,
    asked,
    failNext(status, times) {
      failing = { status, times }
    },
    sign,
    signText,
    webhookUrl: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return fake
}
