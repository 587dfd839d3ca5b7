import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { createParts, sumOfAll } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { UsdText } from './shapes.ts'

const Pools = z.object({
  data: z.array(z.looseObject({ poolId: z.string().min(1) })).min(1),
})
const FIELDS = [
  ['dex.bins_liquidity', 'tvlUsd'],
  ['dex.bins_volume_24h', 'volumeUsd1d'],
  ['dex.bins_fees_24h', 'feesUsd1d'],
] as const

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
    const what = 'Pools of Bitflow'
    const parts = createParts(what)
    const listed = shaped(Pools, json, what).data.map(
      (pool, i) =>
        [
          pool.poolId,
          FIELDS.map(([, field]) => parts.read(UsdText, pool[field], `data.${i}.${field}`)),
        ] as const,
    )
    const pools = [...new Map(listed)].filter(([id]) => id.startsWith(BINS))
    const of = { entity, day: dayOf(seenAt) }
    const observations = FIELDS.flatMap(([metric], column) => {
      // A sum over some of the pools would be no figure of the exchange.
      const value = sumOfAll(pools.map(([, values]) => values[column]))
      return value === undefined || pools.length === 0 ? [] : [{ ...of, metric, value }]
    })
    return parts.answer({ observations, prices: [] })
  },
}
