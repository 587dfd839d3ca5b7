import { z } from 'zod'
import { dayOf, isOver } from './live/days.ts'
import { requestsByLayer } from './live/layerIds.ts'
import { Seconds, Usd } from './live/shapes.ts'
import type { LiveSource } from './live.ts'
import { createParts } from './parts.ts'
import { shaped } from './shaped.ts'

const Day = z.object({ date: Seconds, tvl: Usd })

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
    'TVL by chain and UTC day; staking, pool2, borrowed, vesting, liquid staking and what is counted twice are left out. A figure is that of 00:00 of its day.',
  requests: requestsByLayer(
    'defillamaChain',
    chain => `https://api.llama.fi/v2/historicalChainTvl/${encodeURIComponent(chain)}`,
  ),
  read: ({ about }, json, { seenAt }) => {
    const what = `TVL of ${about}`
    const parts = createParts(what)
    const observations = parts
      .entries(Day, shaped(z.array(z.unknown()), json, what))
      .map(({ entry: { date, tvl } }) => ({
        metric: 'tvl.total',
        entity: about,
        day: dayOf(date),
        value: tvl,
      }))
      .filter(({ day }) => isOver(day, seenAt))
    return parts.answer({ observations, prices: [] })
  },
}
