import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd } from './shapes.ts'

const Pools = z.object({
  message: z.array(z.object({ stats: z.object({ volume: z.object({ value: Usd }) }) })).min(1),
})

/** What Velar says of its own pools. */
export const velarPools: LiveSource = {
  id: 'velar.pools',
  name: 'Velar: pools',
  url: 'https://www.velar.com',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 6,
  about: 'Volume of the pools of Velar of the 24 hours up to the answer, by the exchange’s own prices.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'velar')
      ? [{ about: 'velar', url: 'https://gateway.velar.network/watcherapp/pool' }]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const { message } = shaped(Pools, json, 'Pools of Velar')
    const value = message.reduce((all, { stats }) => all + stats.volume.value, 0)
    return {
      observations: [{ metric: 'dex.volume_24h', entity: about, day: dayOf(seenAt), value }],
      prices: [],
    }
  },
}
