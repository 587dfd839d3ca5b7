import { z } from 'zod'
import type { LiveSource } from './live.ts'
import { shaped } from './shaped.ts'

const Day = z.object({ date: z.int().nonnegative(), tvl: z.number().nonnegative() })

/** TVL by chain and day, as DefiLlama shows it: without double counting and liquid staking. */
export const defillamaTvl: LiveSource = {
  id: 'defillama.tvl',
  name: 'DefiLlama: TVL by chain',
  url: 'https://defillama.com/chains',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60,
  about:
    'Value locked by chain and UTC day; staking, pool2, borrowed, vesting, liquid staking and what is counted twice are left out.',
  requests: ({ layers }) =>
    layers.flatMap(({ slug, ids }) =>
      ids.defillamaChain === undefined
        ? []
        : [
            {
              about: slug,
              url: `https://api.llama.fi/v2/historicalChainTvl/${encodeURIComponent(ids.defillamaChain)}`,
            },
          ],
    ),
  read: ({ about }, json) => ({
    observations: shaped(z.array(Day), json, `TVL of ${about}`).map(({ date, tvl }) => ({
      metric: 'tvl.total',
      entity: about,
      day: new Date(date * 1000).toISOString().slice(0, 10),
      value: tvl,
    })),
    prices: [],
  }),
}
