import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Seconds } from './shapes.ts'

const WHAT = 'Prices of Pyth'
const Digits = z.string().regex(/^\d+$/, 'must be a whole number')
/** A price is its digits × 10^expo dollars, give or take `conf` × 10^expo. */
const Feed = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/, 'must be the id of a feed'),
  price: z.object({
    price: Digits,
    conf: Digits,
    expo: z.int().min(-18).max(0),
    publish_time: Seconds,
  }),
})
/** Feeds that the publisher has retired are left out of it: all of them may be. */
const Latest = z.object({ parsed: z.array(z.unknown()) })

/** Beyond this share of it a price is so unsure to its own publishers that it is none. */
const MOST_CONFIDENCE = 0.02
/** Clocks differ. */
const MOST_AHEAD_S = 300

const feedsOf = ({ tokens }: Catalog): ReadonlyMap<string, string> =>
  new Map(tokens.flatMap(({ id, ids }) => (ids.pyth === undefined ? [] : [[ids.pyth, id]])))

/** What the oracle says whose prices liquidate loans on Stacks. */
export const pythHermes: LiveSource = {
  id: 'pyth.hermes',
  name: 'Pyth: newest prices',
  url: 'https://www.pyth.network',
  licence: 'data of Pyth’s publishers, terms of use of Pyth',
  rank: 15,
  cadenceSeconds: 3600,
  requestsPerMinute: 10,
  key: { variable: 'PYTH_API_KEY', header: 'authorization', scheme: 'Bearer', isDemanded: true },
  about:
    'Newest price of STX, bitcoin and USDC in US dollars from the oracle by which lenders on Stacks value collateral, as of the second at which it was published. A price is left out where its publishers are unsure of it by more than 2 %. Since 26 August 2026 Pyth answers requests with a key only.',
  mayBeEmpty: true,
  requests: catalog => {
    const ids = [...feedsOf(catalog).keys()]
    const query = ids.map(id => `ids[]=${id}`).join('&')
    // A feed that was retired would otherwise refuse the request for all others.
    const path = `/v2/updates/price/latest?${query}&ignore_invalid_price_ids=true`
    return ids.length === 0
      ? []
      : [
          {
            about: 'feeds',
            url: `https://hermes.pyth.network${path}`,
            otherwise: [`https://pyth.dourolabs.app/hermes${path}`],
          },
        ]
  },
  read: (_, json, { catalog, seenAt }) => {
    const feeds = feedsOf(catalog)
    const parts = createParts(WHAT)
    const observations = parts
      .entries(Feed, shaped(Latest, json, WHAT).parsed, 'parsed')
      .flatMap(({ entry: { id, price: latest }, at }): EntityFigure[] => {
        const entity = feeds.get(id)
        if (entity === undefined) return []
        const [digits, spread] = [Number(latest.price), Number(latest.conf)]
        if (latest.publish_time > seenAt + MOST_AHEAD_S) {
          parts.refuse(`${at}.price.publish_time`, 'it is in the future')
          return []
        }
        if (digits === 0 || spread > digits * MOST_CONFIDENCE) return []
        return [
          {
            metric: 'token.price',
            entity,
            day: dayOf(latest.publish_time),
            // By text, so that 7345612 × 10⁻⁸ is 0.07345612 and no neighbor of it.
            value: Number(`${latest.price}e${latest.expo}`),
            observedAt: Math.min(latest.publish_time, seenAt),
          },
        ]
      })
    return parts.answer({ observations, prices: [] })
  },
}
