import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd } from './shapes.ts'

const Pools = z.object({ data: z.array(z.object({ liquidity: Usd, volume_24h: Usd })).min(1) })

/** Its numbers were seen as dollars and as whole numbers of 10⁻¹⁸ dollars: no exchange holds so many dollars. */
const NO_DOLLARS = 1e12

/** What ALEX says of its own pools. */
export const alexPools: LiveSource = {
  id: 'alex.pools',
  name: 'ALEX: pools',
  url: 'https://alexlab.co',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 6,
  about:
    'Value in the pools of ALEX and their volume of the 24 hours up to the answer, by the exchange’s own prices.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'alex')
      ? [
          {
            about: 'alex',
            url: 'https://api.alexlab.co/v2/public/pools',
            otherwise: ['https://api.alexgo.io/v2/public/pools'],
          },
        ]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const { data } = shaped(Pools, json, 'Pools of ALEX')
    const isScaled = data.some(pool => pool.liquidity > NO_DOLLARS || pool.volume_24h > NO_DOLLARS)
    const sum = (of: 'liquidity' | 'volume_24h') =>
      data.reduce((all, pool) => all + pool[of], 0) / (isScaled ? 1e18 : 1)
    const said = { entity: about, day: dayOf(seenAt) }
    return {
      observations: [
        { ...said, metric: 'dex.liquidity', value: sum('liquidity') },
        { ...said, metric: 'dex.volume_24h', value: sum('volume_24h') },
      ],
      prices: [],
    }
  },
}
