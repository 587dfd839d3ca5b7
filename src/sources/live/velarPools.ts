import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count, UsdText } from './shapes.ts'

const Value = z.object({ value: UsdText })
const Pools = z.object({
  message: z
    .array(z.object({ stats: z.object({ volume: Value, tvl: Value.optional(), fees: Value.optional() }) }))
    .min(1),
})
/** The newer interface answers by pages: a page that does not hold all of them is no sum. */
const Paged = z
  .object({
    total: Count,
    data: z
      .array(z.object({ stats: z.object({ volume_usd: Value, tvl_usd: Value, fees_usd: Value.optional() }) }))
      .min(1),
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
    const pools =
      url === NEWER
        ? shaped(Paged, json, 'Pools of Velar').data.map(({ stats }) => ({
            volume: stats.volume_usd.value,
            liquidity: stats.tvl_usd.value,
            fees: stats.fees_usd?.value,
          }))
        : shaped(Pools, json, 'Pools of Velar').message.map(({ stats }) => ({
            volume: stats.volume.value,
            liquidity: stats.tvl?.value,
            fees: stats.fees?.value,
          }))
    const said = { entity: about, day: dayOf(seenAt) }
    const figure = (metric: string, values: readonly (number | undefined)[]): EntityFigure[] => {
      const known = values.filter(value => value !== undefined)
      // A sum over some of the pools would be no figure of the exchange.
      if (known.length < values.length) return []
      return [{ ...said, metric, value: known.reduce((all, value) => all + value, 0) }]
    }
    return {
      observations: [
        ...figure(
          'dex.liquidity',
          pools.map(({ liquidity }) => liquidity),
        ),
        ...figure(
          'dex.volume_24h',
          pools.map(({ volume }) => volume),
        ),
        ...figure(
          'dex.fees_24h',
          pools.map(({ fees }) => fees),
        ),
      ],
      prices: [],
    }
  },
}
