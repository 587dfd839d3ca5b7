import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, sumOfAll } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd, UsdText } from './shapes.ts'

/** What each pool holds in dollars is no longer in it. */
const Pools = z.object({ data: z.array(z.looseObject({})).min(1) })
const Fee = Usd.optional()
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
    const what = 'Pools of ALEX'
    const parts = createParts(what)
    const pools = shaped(Pools, json, what).data.map((pool, i) => {
      const read = (schema: z.ZodType<number | undefined>, field: string) =>
        parts.read(schema, pool[field], `data.${i}.${field}`)
      return { volume: read(Usd, 'volume_24h'), fee: read(Fee, 'fee_24h') }
    })
    const isScaled = pools.some(({ volume = 0 }) => volume > NO_DOLLARS)
    const figure = (metric: string, values: readonly (number | undefined)[]): EntityFigure[] => {
      // A sum over some of the pools would be no figure of the exchange.
      const sum = sumOfAll(values)
      return sum === undefined ? [] : [{ ...said, metric, value: sum / (isScaled ? 1e18 : 1) }]
    }
    return parts.answer({
      observations: [
        ...figure(
          'dex.volume_24h',
          pools.map(({ volume }) => volume),
        ),
        ...figure(
          'dex.fees_24h',
          pools.map(({ fee }) => fee),
        ),
      ],
      prices: [],
    })
  },
}
