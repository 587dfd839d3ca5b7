import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, sumOfAll } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count, UsdText } from './shapes.ts'

const Value = z.object({ value: UsdText })
const MaybeValue = Value.optional()
const Pool = z.object({ stats: z.looseObject({}) })
const Pools = z.object({ message: z.array(Pool).min(1) })
/** The newer interface answers by pages: a page that does not hold all of them is no sum. */
const Paged = z
  .object({
    total: Count,
    data: z.array(Pool).min(1),
  })
  .refine(({ total, data }) => data.length >= total, {
    path: ['data'],
    message: 'must hold as many pools as `total` says',
  })

const NEWER = 'https://api.velar.co/pools?skip=0&limit=1000'

/** What Velar says of its own pools. */
export const velarPools: LiveSource = {
  id: 'velar.pools',
  name: 'Velar: pools',
  url: 'https://www.velar.com',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 6,
  about:
    'Value in the pools of Velar, and their volume and fees of the 24 hours up to the answer, by the exchange’s own prices. Its older interface lists all pools in one answer and is asked first; the newer one where that is gone.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'velar')
      ? [{ about: 'velar', url: 'https://gateway.velar.network/watcherapp/pool', otherwise: [NEWER] }]
      : [],
  read: ({ about, url }, json, { seenAt }) => {
    const what = 'Pools of Velar'
    const parts = createParts(what)
    const isNewer = url === NEWER
    const [pools, list] = isNewer
      ? [shaped(Paged, json, what).data, 'data']
      : [shaped(Pools, json, what).message, 'message']
    const of = { entity: about, day: dayOf(seenAt) }
    const figure = (
      metric: string,
      field: string,
      schema: typeof Value | typeof MaybeValue,
    ): EntityFigure[] => {
      const values = pools.map(
        ({ stats }, i) => parts.read(schema, stats[field], `${list}.${i}.stats.${field}`)?.value,
      )
      // A sum over some of the pools would be no figure of the exchange.
      const value = sumOfAll(values)
      return value === undefined ? [] : [{ ...of, metric, value }]
    }
    return parts.answer({
      observations: isNewer
        ? [
            ...figure('dex.liquidity', 'tvl_usd', Value),
            ...figure('dex.volume_24h', 'volume_usd', Value),
            ...figure('dex.fees_24h', 'fees_usd', MaybeValue),
          ]
        : [
            ...figure('dex.liquidity', 'tvl', MaybeValue),
            ...figure('dex.volume_24h', 'volume', Value),
            ...figure('dex.fees_24h', 'fees', MaybeValue),
          ],
      prices: [],
    })
  },
}
