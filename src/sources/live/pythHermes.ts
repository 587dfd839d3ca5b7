import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import { SourceError } from '../errors.ts'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Seconds } from './shapes.ts'

const WHAT = 'Prices of Pyth'
const Digits = z.string().regex(/^\d+$/, 'must be a whole number')
/** A price is its digits × 10^expo dollars, give or take `conf` × 10^expo. */
const Latest = z.object({
  parsed: z
    .array(
      z.object({
        id: z.string().regex(/^[0-9a-f]{64}$/, 'must be the id of a feed'),
        price: z.object({
          price: Digits,
          conf: Digits,
          expo: z.int().min(-18).max(0),
          publish_time: Seconds,
        }),
      }),
    )
    .min(1),
})

/** Beyond this share of it a price is so unsure to its own publishers that it is none. */
const MOST_CONFIDENCE = 0.02

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
  about:
    'Newest price of STX, bitcoin and USDC in US dollars from the oracle by which lenders on Stacks value collateral, as of the second at which it was published. A price is left out where its publishers are unsure of it by more than 2 %.',
  mayBeEmpty: true,
  requests: catalog => {
    const ids = [...feedsOf(catalog).keys()]
    const query = ids.map(id => `ids[]=${id}`).join('&')
    return ids.length === 0
      ? []
      : [{ about: 'feeds', url: `https://hermes.pyth.network/v2/updates/price/latest?${query}` }]
  },
  read: (_, json, { catalog, seenAt }) => {
    const feeds = feedsOf(catalog)
    const observations = shaped(Latest, json, WHAT).parsed.flatMap(({ id, price: said }, index) => {
      const entity = feeds.get(id)
      if (entity === undefined) return []
      const [digits, spread] = [Number(said.price), Number(said.conf)]
      const field = `parsed.${index}.price`
      if (said.publish_time > seenAt + 300)
        throw new SourceError('sources.shape', `${WHAT}: ${field}.publish_time: it has not come yet`, {
          facts: { field: `${field}.publish_time` },
        })
      if (digits === 0 || spread > digits * MOST_CONFIDENCE) return []
      return [
        {
          metric: 'token.price',
          entity,
          day: dayOf(said.publish_time),
          // By text, so that 7345612 × 10⁻⁸ is 0.07345612 and no neighbour of it.
          value: Number(`${said.price}e${said.expo}`),
          observedAt: Math.min(said.publish_time, seenAt),
        },
      ]
    })
    return { observations, prices: [] }
  },
}
