import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { UsdText } from './shapes.ts'

const Pools = z.object({
  data: z
    .array(z.object({ poolId: z.string().min(1), tvlUsd: UsdText, volumeUsd1d: UsdText, feesUsd1d: UsdText }))
    .min(1),
})

/** Its pools of bins are named so; others that the list may come to hold are in the ticker. */
const BINS = 'dlmm_'

/** What Bitflow says of its pools of bins: of the other pools it tells no fees. */
export const bitflowPools: LiveSource = {
  id: 'bitflow.pools',
  name: 'Bitflow: pools of bins',
  url: 'https://www.bitflow.finance',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about:
    'Value in Bitflow’s pools of bins (DLMM) at the moment of the answer, what was swapped in them in the 24 hours up to it and the fees of that, by the exchange’s own prices. Its ticker tells value and volume of all its pools and no fees.',
  mayBeEmpty: true,
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'bitflow')
      ? [{ about: 'bitflow', url: 'https://bff.bitflowapis.finance/api/app/v1/pools' }]
      : [],
  read: ({ about: entity }, json, { seenAt }) => {
    const pools = [
      ...new Map(
        shaped(Pools, json, 'Pools of Bitflow')
          .data.filter(({ poolId }) => poolId.startsWith(BINS))
          .map(pool => [pool.poolId, pool]),
      ).values(),
    ]
    const sum = (read: (pool: (typeof pools)[number]) => number): number =>
      pools.reduce((all, pool) => all + read(pool), 0)
    const said = { entity, day: dayOf(seenAt) }
    return {
      observations:
        pools.length === 0
          ? []
          : [
              { ...said, metric: 'dex.bins_liquidity', value: sum(({ tvlUsd }) => tvlUsd) },
              { ...said, metric: 'dex.bins_volume_24h', value: sum(({ volumeUsd1d }) => volumeUsd1d) },
              { ...said, metric: 'dex.bins_fees_24h', value: sum(({ feesUsd1d }) => feesUsd1d) },
            ],
      prices: [],
    }
  },
}
