import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count } from './shapes.ts'

/** Only what a client of it computes with in base units: in which unit the rest is, caps among it, nobody says. */
const Info = z.object({
  onchain_interest_params: z.looseObject({}),
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
    const what = `Market ${key} of Granite`
    const { onchain_interest_params: market } = shaped(Info, json, what)
    const parts = createParts(what)
    const read = (field: string) => parts.read(Count, market[field], `onchain_interest_params.${field}`)
    const [assets, borrowed] = [read('total_assets'), read('open_interest')]
    const of = { entity: 'granite', day: dayOf(seenAt) }
    const amountOf = (metric: string, count: number | undefined): EntityFigure[] =>
      count === undefined ? [] : [{ ...of, metric, key, amount: BigInt(count) }]
    return parts.answer({
      observations: [
        ...amountOf('lend.supplied', assets),
        ...amountOf('lend.borrowed', borrowed),
        ...(assets === undefined || assets === 0 || borrowed === undefined
          ? []
          : [{ ...of, metric: 'lend.utilisation', key, value: borrowed / assets }]),
      ],
      prices: [],
    })
  },
}
