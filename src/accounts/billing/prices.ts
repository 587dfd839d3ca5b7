import type Stripe from 'stripe'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { decimalOf } from './money.ts'

export const PERIODS = ['monthly', 'yearly'] as const
export type Period = (typeof PERIODS)[number]

/** A price as the provider has it. */
export type Price = {
  readonly period: Period
  readonly id: string
  readonly product: string
  /** Decimal, in the currency’s own unit. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly interval: string
  readonly intervalCount: number
}

export type Prices = {
  /** Those of the configuration that can be bought now. Throws what the provider said where none was ever read. */
  read(): Promise<readonly Price[]>
}

/** How long a price is believed. */
const KEPT_MS = 600_000

type Deps = {
  readonly stripe: Stripe
  readonly ids: Readonly<Record<Period, string | undefined>>
  readonly log: Log
  readonly now: () => number
}

/** Reads the configured prices and keeps them for ten minutes; while the provider is away, the last ones stand. */
export function createPrices({ stripe, ids, log, now }: Deps): Prices {
  let kept: { readonly prices: readonly Price[]; readonly untilMs: number } | undefined
  let reading: Promise<readonly Price[]> | undefined

  async function ask(): Promise<readonly Price[]> {
    const found = await Promise.all(
      PERIODS.map(async (period): Promise<Price[]> => {
        const id = ids[period]
        if (id === undefined) return []
        const price = await stripe.prices.retrieve(id)
        // Amounts by tier or usage are no single number, so there is none to show.
        if (!price.active || price.unit_amount === null || price.recurring === null) {
          log.warn('a price of the configuration cannot be sold', {
            variable: `STRIPE_PRICE_${period.toUpperCase()}`,
          })
          return []
        }
        return [
          {
            period,
            id,
            product: typeof price.product === 'string' ? price.product : price.product.id,
            amount: decimalOf(price.unit_amount, price.currency),
            currency: price.currency.toUpperCase(),
            interval: price.recurring.interval,
            intervalCount: price.recurring.interval_count,
          },
        ]
      }),
    )
    return found.flat()
  }

  return {
    async read() {
      if (kept !== undefined && now() < kept.untilMs) return kept.prices
      reading ??= ask()
        .then(prices => {
          kept = { prices, untilMs: now() + KEPT_MS }
          return prices
        })
        .finally(() => {
          reading = undefined
        })
      try {
        return await reading
      } catch (cause) {
        if (kept === undefined) throw cause
        log.warn('couldn’t refresh prices', { cause: sentenceOf(cause) })
        return kept.prices
      }
    },
  }
}
