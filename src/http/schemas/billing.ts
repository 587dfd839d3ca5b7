import { z } from 'zod'
import { isoTime } from './common.ts'

const period = z.enum(['monthly', 'yearly'])

export const plans = z
  .strictObject({
    isOpen: z.boolean().describe('whether this server sells anything'),
    prices: z
      .array(
        z.strictObject({
          period,
          amount: z.string().describe('decimal, in the currency’s own unit'),
          currency: z.string().describe('ISO 4217'),
          interval: z.string(),
          intervalCount: z.int(),
        }),
      )
      .describe('as the payment provider has them; none while it does not answer'),
  })
  .meta({ id: 'Plans', description: 'What can be bought on this server.' })
export type Plans = z.infer<typeof plans>

export const checkoutRequest = z.strictObject({ price: period })
export const leadsTo = z.strictObject({ url: z.string().describe('page of the payment provider') })
export const heard = z.strictObject({ received: z.literal(true) })

export const ownSubscription = z
  .strictObject({
    subscription: z
      .strictObject({
        status: z.string(),
        period: period.nullable(),
        periodEnd: isoTime.nullable(),
        endsAtPeriodEnd: z.boolean(),
        isEntitled: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'OwnSubscription', description: 'The caller’s purchases; null for none.' })
export type OwnSubscription = z.infer<typeof ownSubscription>
