import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd, UsdText } from './shapes.ts'

/** What each pool holds in dollars is no longer in it. */
const Pools = z.object({ data: z.array(z.object({ volume_24h: Usd, fee_24h: Usd.optional() })).min(1) })
const Tvl = z.object({ tvl: UsdText })

/** Its numbers were seen as dollars and as whole numbers of 10⁻¹⁸ dollars: no exchange holds so many dollars. */
const NO_DOLLARS = 1e12

const VALUE = 'value'
const asked = (about: string, path: string) => ({
  about,
  url: `https://api.alexlab.co${path}`,
  otherwise: [`https://api.alexgo.io${path}`],
})

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
    'Value in the pools of ALEX, and their volume and fees of the 24 hours up to the answer, by the exchange’s own prices.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'alex')
      ? [asked('alex', '/v2/public/pools'), asked(`alex ${VALUE}`, '/v1/stats/tvl')]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const said = { entity: 'alex', day: dayOf(seenAt) }
    if (about.endsWith(VALUE)) {
      const { tvl } = shaped(Tvl, json, 'Value in ALEX')
      return { observations: [{ ...said, metric: 'dex.liquidity', value: tvl }], prices: [] }
    }
    const { data } = shaped(Pools, json, 'Pools of ALEX')
    const isScaled = data.some(pool => pool.volume_24h > NO_DOLLARS)
    const volume = data.reduce((all, pool) => all + pool.volume_24h, 0) / (isScaled ? 1e18 : 1)
    const fees = data.flatMap(({ fee_24h: fee }) => fee ?? [])
    return {
      observations: [
        { ...said, metric: 'dex.volume_24h', value: volume },
        // A sum over some of the pools would be no figure of the exchange.
        ...(fees.length < data.length
          ? []
          : [
              {
                ...said,
                metric: 'dex.fees_24h',
                value: fees.reduce((all, fee) => all + fee, 0) / (isScaled ? 1e18 : 1),
              },
            ]),
      ],
      prices: [],
    }
  },
}
