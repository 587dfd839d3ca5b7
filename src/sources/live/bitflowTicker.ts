import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { UsdText } from './shapes.ts'

/** Its documentation shows rows without the name of their pool: one that is the same again counts once. */
const Ticker = z
  .array(
    z.object({
      pool_id: z.string().min(1).optional(),
      ticker_id: z.string().min(1),
      liquidity_in_usd: UsdText,
    }),
  )
  .min(1)

/** What Bitflow says of its own pools; a pool that stands in the answer twice counts once. */
export const bitflowTicker: LiveSource = {
  id: 'bitflow.ticker',
  name: 'Bitflow: ticker',
  url: 'https://www.bitflow.finance',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about: 'Value in the pools of Bitflow at the moment of the answer, by the exchange’s own prices.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'bitflow')
      ? [
          {
            about: 'bitflow',
            url: 'https://api.bitflowapis.finance/ticker',
            otherwise: ['https://bitflow-sdk-api-gateway-7owjsmt8.uc.gateway.dev/ticker'],
          },
        ]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const pools = new Map(
      shaped(Ticker, json, 'Ticker of Bitflow').map(({ pool_id, ticker_id, liquidity_in_usd }) => [
        pool_id ?? `${ticker_id} ${liquidity_in_usd}`,
        liquidity_in_usd,
      ]),
    )
    const value = [...pools.values()].reduce((all, liquidity) => all + liquidity, 0)
    return {
      observations: [{ metric: 'dex.liquidity', entity: about, day: dayOf(seenAt), value }],
      prices: [],
    }
  },
}
