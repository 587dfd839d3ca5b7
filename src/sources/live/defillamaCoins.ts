import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import type { AssetPrice, EntityFigure, LiveSource } from '../live.ts'
import { createParts, pathOf } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayEndingAt, isOver } from './days.ts'
import { Seconds, Usd } from './shapes.ts'

const Answer = z.object({ coins: z.record(z.string(), z.unknown()) })
const Coin = z.object({ prices: z.array(z.unknown()) })
const Price = z.object({ timestamp: Seconds, price: Usd })

const DAY_S = 86_400
/** An answer has at most 500 points; windows begin on fixed days and overlap, so that one has the newest closes for 100 days on. */
const SPAN = 500
const WINDOW_S = 400 * DAY_S
const FIRST_S = Date.UTC(2021, 0, 1) / 1000
/** A price this near to midnight is the close. */
const WITHIN_S = 3600

/** Daily closes of tokens. */
export const defillamaCoins: LiveSource = {
  id: 'defillama.coins',
  name: 'DefiLlama: prices of coins',
  url: 'https://defillama.com/docs/api',
  licence: 'none stated',
  rank: 15,
  cadenceSeconds: 21_600,
  requestsPerMinute: 30,
  about:
    'Price within an hour of 00:00 UTC as the close of the day that ended; days without such a price are left out. DefiLlama takes prices of coins from CoinGecko in part, so the two are not fully independent.',
  requests: ({ tokens }: Catalog, nowS = Date.now() / 1000) => {
    const start = FIRST_S + Math.floor((nowS - FIRST_S) / WINDOW_S) * WINDOW_S
    return tokens.flatMap(({ id, ids }) =>
      ids.defillama === undefined
        ? []
        : [
            {
              about: id,
              url: `https://coins.llama.fi/chart/${encodeURI(ids.defillama)}?start=${start}&span=${SPAN}&period=1d`,
            },
          ],
    )
  },
  read: ({ about }, json, { catalog, seenAt }) => {
    const what = `Prices of ${about}`
    const token = catalog.tokens.find(({ id }) => id === about)
    const name = token?.ids.defillama ?? ''
    const { coins } = shaped(Answer, json, what)
    const { prices: points } = shaped(Coin, coins[name], what, `coins.${name}`)
    const observations: EntityFigure[] = []
    const prices = new Map<string, AssetPrice>()
    const parts = createParts(what)
    for (const { entry } of parts.entries(Price, points, pathOf('coins', name, 'prices'))) {
      const { timestamp, price } = entry
      const day = dayEndingAt(timestamp, WITHIN_S)
      if (day === undefined || !isOver(day, seenAt) || price === 0 || prices.has(day)) continue
      observations.push({ metric: 'token.price', entity: about, day, value: price })
      const asset = token?.priceAsset ?? about
      prices.set(day, { asset, quote: 'USD', day, open: null, high: null, low: null, close: price })
    }
    return parts.answer({ observations, prices: token?.priceAsset === undefined ? [] : [...prices.values()] })
  },
}
