import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count } from './shapes.ts'

/** Only what a client of it computes with in base units: in which unit the rest is, caps among it, nobody says. */
const Info = z.object({
  onchain_interest_params: z.object({ open_interest: Count, total_assets: Count }),
})

/** Where the application answers for each of its markets, by the market’s name in the catalogue. */
const MARKETS = { aeUSDC: 'https://api.granite.world', USDCx: 'https://api-usdcx.granite.world' } as const

/** What the application says of its markets: beside what their contracts answer. */
export const graniteApi: LiveSource = {
  id: 'granite.api',
  name: 'Granite: market info',
  url: 'https://granite.world',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: 3600,
  requestsPerMinute: 10,
  about:
    'Assets and open interest of each market as the application’s own interface reads them from the contracts, base units. It may be behind the chain; the shape is that of a client of it (hermetica-fi/granite-liq-bot), as nobody documents it.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'granite')
      ? Object.entries(MARKETS).map(([market, origin]) => ({
          about: market,
          url: `${origin}/v1/market/info`,
        }))
      : [],
  read: ({ about: key }, json, { seenAt }) => {
    const { onchain_interest_params: held } = shaped(Info, json, `Market ${key} of Granite`)
    const of = { entity: 'granite', day: dayOf(seenAt) }
    return {
      observations: [
        { ...of, metric: 'lend.supplied', key, amount: BigInt(held.total_assets) },
        { ...of, metric: 'lend.borrowed', key, amount: BigInt(held.open_interest) },
        ...(held.total_assets === 0
          ? []
          : [{ ...of, metric: 'lend.utilisation', key, value: held.open_interest / held.total_assets }]),
      ],
      prices: [],
    }
  },
}
