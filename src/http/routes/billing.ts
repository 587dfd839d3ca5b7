import type { Billing } from '#accounts/billing/index.ts'
import { demandPerson } from '#accounts/index.ts'
import { ApiError, problemOf } from '../apiError.ts'
import type { OwnSubscription, Plans } from '../contract.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { checkoutRequest, heard, leadsTo, ownSubscription, plans } from '../schemas/billing.ts'

/** Longest message of the payment provider, bytes. */
const MESSAGE_BYTES = 512 * 1024

/** What can be bought; nothing where the server sells nothing, no prices while the provider does not answer. */
export async function readPlans(billing: Billing | undefined): Promise<Plans> {
  if (billing === undefined) return { isOpen: false, prices: [] }
  const prices = await billing.prices().catch(() => [])
  return { isOpen: true, prices: prices.map(({ id: _id, product: _product, ...price }) => price) }
}

/** Buying and managing a subscription. Where no key is configured nothing is sold, and nothing of this answers but the plans. */
export const billingRoutes = (billing: Billing | undefined): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/billing/plans',
    id: 'listPlans',
    summary: 'What can be bought on this server, at the prices of the payment provider',
    answer: { schema: plans },
    kept: 'never',
    handle: async () => json(await readPlans(billing)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/billing/subscription',
    id: 'readSubscription',
    summary: 'The caller’s purchases',
    who: 'person',
    answer: { schema: ownSubscription },
    problems: [401],
    kept: 'never',
    handle: async ({ person }) => {
      const found = person === undefined ? undefined : await billing?.subscriptionOf(person)
      return json({
        subscription:
          found === undefined
            ? null
            : {
                status: found.status,
                period: found.period,
                periodEnd: found.periodEnd,
                endsAtPeriodEnd: found.endsAtPeriodEnd,
                isEntitled: Object.values(found.features).includes(true),
              },
      } satisfies OwnSubscription)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/billing/checkout',
    id: 'beginCheckout',
    summary: 'Checkout page for Premium',
    who: 'person',
    body: checkoutRequest,
    answer: { schema: leadsTo },
    problems: [401, 404, 409],
    kept: 'never',
    handle: async ({ person, body }) => json(await open(billing).checkout(demandPerson(person), body.price)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/billing/portal',
    id: 'openPortal',
    summary: 'Page to manage the caller’s subscription; valid for a few minutes',
    who: 'person',
    answer: { schema: leadsTo },
    problems: [401, 404],
    kept: 'never',
    handle: async ({ person }) => json(await open(billing).portal(demandPerson(person))),
  }),
  route({
    method: 'POST',
    path: '/api/v1/billing/webhook',
    id: 'hearPayment',
    summary: 'Signed messages of the payment provider',
    takesBytes: MESSAGE_BYTES,
    answer: { schema: heard },
    problems: [404, 413],
    kept: 'never',
    handle: async ({ bytes, headers }) => {
      const signature = headers['stripe-signature']
      await open(billing).webhook(bytes, typeof signature === 'string' ? signature : undefined)
      return json({ received: true })
    },
  }),
]

function open(billing: Billing | undefined): Billing {
  if (billing !== undefined) return billing
  throw new ApiError(problemOf('billing.closed', 'This server sells nothing: no payment is configured.'))
}
