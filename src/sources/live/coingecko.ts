import { z } from 'zod'
import type { AssetPrice, EntityFigure, LiveSource } from '../live.ts'
import { tokensByCoingecko } from '../recorded/names.ts'
import { shaped } from '../shaped.ts'
import { dayEndingAt, dayOf, isOver } from './days.ts'
import { Usd } from './shapes.ts'

const API = 'https://api.coingecko.com/api/v3'

const publisher = {
  licence: 'data of CoinGecko, attribution asked',
  // Without a key as few as five to fifteen a minute are let through.
  requestsPerMinute: 5,
  key: { variable: 'COINGECKO_API_KEY', header: 'x-cg-demo-api-key', isDemanded: false },
} as const

const Market = z.object({
  id: z.string().min(1),
  current_price: Usd.nullable(),
  market_cap: Usd.nullable(),
  fully_diluted_valuation: Usd.nullable(),
  total_volume: Usd.nullable(),
  circulating_supply: Usd.nullable(),
})

/** Which field of a market is which figure; where a value of nothing says that it is not known. */
const FIELDS = [
  { metric: 'token.price', field: 'current_price', isZeroKnown: false },
  { metric: 'token.mcap', field: 'market_cap', isZeroKnown: false },
  { metric: 'token.fdv', field: 'fully_diluted_valuation', isZeroKnown: false },
  { metric: 'token.volume', field: 'total_volume', isZeroKnown: true },
  { metric: 'token.supply', field: 'circulating_supply', isZeroKnown: false },
] as const

/** Price, market values, volume and supply of all tokens, as of now. */
export const coingeckoMarkets: LiveSource = {
  ...publisher,
  id: 'coingecko.markets',
  name: 'CoinGecko: markets',
  url: 'https://www.coingecko.com',
  rank: 10,
  cadenceSeconds: 900,
  about:
    'At the moment of the answer: price, market value of the circulating supply and of all that will be, volume of 24 hours on the markets that CoinGecko follows, circulating supply as the project states it.',
  requests: catalog => {
    const ids = [...tokensByCoingecko(catalog).keys()]
    const query = new URLSearchParams({ vs_currency: 'usd', per_page: '250', page: '1', ids: ids.join(',') })
    return ids.length === 0 ? [] : [{ about: 'tokens', url: `${API}/coins/markets?${query}` }]
  },
  read: (_, json, { catalog, seenAt }) => {
    const tokens = tokensByCoingecko(catalog)
    const observations: EntityFigure[] = []
    for (const market of shaped(z.array(Market), json, 'Markets of CoinGecko')) {
      const token = tokens.get(market.id)
      if (token === undefined) continue
      for (const { metric, field, isZeroKnown } of FIELDS) {
        const value = market[field]
        if (value !== null && (value > 0 || isZeroKnown))
          observations.push({ metric, entity: token.id, day: dayOf(seenAt), value })
      }
    }
    return { observations, prices: [] }
  },
}

/** A moment of which it has no price is null. */
const Chart = z.object({ prices: z.array(z.tuple([z.number().nonnegative(), Usd.nullable()])) })
/** A chart of more than 90 days is daily: points of 00:00 UTC, the last one of now. */
const WITHIN_S = 600

/** Daily closes of each token that has a price here. */
export const coingeckoChart: LiveSource = {
  ...publisher,
  id: 'coingecko.chart',
  name: 'CoinGecko: prices by day',
  url: 'https://www.coingecko.com',
  rank: 12,
  cadenceSeconds: 21_600,
  about: 'The price at 00:00 UTC as the close of the day that ended, up to 365 days back.',
  requests: ({ tokens }) =>
    tokens.flatMap(({ id, ids, priceAsset }) =>
      ids.coingecko === undefined || priceAsset === undefined
        ? []
        : [
            {
              about: id,
              url: `${API}/coins/${encodeURIComponent(ids.coingecko)}/market_chart?vs_currency=usd&days=365`,
            },
          ],
    ),
  read: ({ about }, json, { catalog, seenAt }) => {
    const asset = catalog.tokens.find(({ id }) => id === about)?.priceAsset
    const prices = new Map<string, AssetPrice>()
    for (const [atMs, close] of shaped(Chart, json, `Prices of ${about}`).prices) {
      const day = dayEndingAt(atMs / 1000, WITHIN_S)
      if (asset === undefined || day === undefined || !isOver(day, seenAt) || !close) continue
      if (!prices.has(day))
        prices.set(day, { asset, quote: 'USD', day, open: null, high: null, low: null, close })
    }
    return { observations: [], prices: [...prices.values()] }
  },
}
