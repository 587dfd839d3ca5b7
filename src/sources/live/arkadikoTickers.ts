import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { UsdText } from './shapes.ts'

const Tickers = z
  .array(
    z.object({
      pool_id: z.union([z.string().min(1), z.int()]),
      liquidity_in_usd: UsdText,
    }),
  )
  .min(1)

/** What Arkadiko says of the pools of its exchange. */
export const arkadikoTickers: LiveSource = {
  id: 'arkadiko.tickers',
  name: 'Arkadiko: tickers',
  url: 'https://docs.arkadiko.finance/additional-resources/amm-api-docs',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 6,
  about:
    'Value in the pools of Arkadiko’s exchange at the moment of the answer, by its own prices; its vaults are not in it.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'arkadiko')
      ? [{ about: 'arkadiko', url: 'https://arkadiko-api.herokuapp.com/api/v1/tickers' }]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const pools = new Map(
      shaped(Tickers, json, 'Tickers of Arkadiko').map(({ pool_id, liquidity_in_usd }) => [
        String(pool_id),
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
