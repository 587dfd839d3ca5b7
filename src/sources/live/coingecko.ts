import { z } from 'zod'
import type { AssetPrice, EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { tokensByCoingecko } from '../recorded/names.ts'
import { shaped } from '../shaped.ts'
import { dayEndingAt, dayOf, isOver } from './days.ts'
import { Milliseconds, Usd } from './shapes.ts'

const API = 'https://api.coingecko.com/api/v3'

const publisher = {
  licence: 'data of CoinGecko, attribution asked',
  // Without a key as few as five to fifteen a minute are let through.
  requestsPerMinute: 5,
  key: { variable: 'COINGECKO_API_KEY', header: 'x-cg-demo-api-key', isDemanded: false },
} as const

/** Figures of a market are of its last trade, which may be months ago; null where there never was one. */
const Market = z.looseObject({ id: z.string().min(1), last_updated: z.iso.datetime().nullable() })
const Figure = Usd.nullable()
/** Clocks differ. */
const MOST_AHEAD_S = 300

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
    'As of the last trade that CoinGecko knows of, on the day of that trade: price, market value of the circulating supply and of all that will be, volume of 24 hours on the markets that CoinGecko follows, circulating supply as the project states it.',
  requests: catalog => {
    const ids = [...tokensByCoingecko(catalog).keys()]
    const query = new URLSearchParams({ vs_currency: 'usd', per_page: '250', page: '1', ids: ids.join(',') })
    return ids.length === 0 ? [] : [{ about: 'tokens', url: `${API}/coins/markets?${query}` }]
  },
  read: (_, json, { catalog, seenAt }) => {
    const tokens = tokensByCoingecko(catalog)
    const observations: EntityFigure[] = []
    const what = 'Markets of CoinGecko'
    const parts = createParts(what)
    for (const { entry: market, at } of parts.entries(Market, shaped(z.array(z.unknown()), json, what))) {
      const token = tokens.get(market.id)
      if (token === undefined || market.last_updated === null) continue
      const updatedAt = Date.parse(market.last_updated) / 1000
      if (updatedAt > seenAt + MOST_AHEAD_S) {
        parts.refuse(`${at}.last_updated`, 'it is in the future')
        continue
      }
      const day = dayOf(Math.min(updatedAt, seenAt))
      for (const { metric, field, isZeroKnown } of FIELDS) {
        const value = parts.read(Figure, market[field], `${at}.${field}`)
        if (value !== undefined && value !== null && (value > 0 || isZeroKnown))
          observations.push({ metric, entity: token.id, day, value })
      }
    }
    return parts.answer({ observations, prices: [] })
  },
}

/** A moment of which it has no price is null. */
const Chart = z.object({ prices: z.array(z.unknown()) })
const ChartPoint = z.tuple([Milliseconds, Usd.nullable()])
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
    const what = `Prices of ${about}`
    const parts = createParts(what)
    for (const { entry } of parts.entries(ChartPoint, shaped(Chart, json, what).prices, 'prices')) {
      const [atMs, close] = entry
      const day = dayEndingAt(atMs / 1000, WITHIN_S)
      if (asset === undefined || day === undefined || !isOver(day, seenAt) || !close) continue
      if (!prices.has(day))
        prices.set(day, { asset, quote: 'USD', day, open: null, high: null, low: null, close })
    }
    return parts.answer({ observations: [], prices: [...prices.values()] })
  },
}
