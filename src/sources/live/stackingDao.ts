import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd, UsdText } from './shapes.ts'

/** Percent a year; zero is a cycle that paid nothing. */
const Percent = z.number().nonnegative()
/** The rate and the two younger yields came with a later version of the interface. */
const Stats = z.object({
  apy_ststx: Percent,
  apy_ststxbtc: Percent,
  apy_stbtc: Percent.optional(),
  apy_native: Percent.optional(),
  stackingdao_tvl: UsdText,
  ratio: Usd.optional(),
})

const YIELDS = [
  ['stSTX', 'apy_ststx'],
  ['stSTXbtc', 'apy_ststxbtc'],
  ['stBTC', 'apy_stbtc'],
  ['native', 'apy_native'],
] as const

/** What StackingDAO says of itself: beside what its contracts answer. */
export const stackingDaoStats: LiveSource = {
  id: 'stackingdao.stats',
  name: 'StackingDAO: stats',
  url: 'https://app.stackingdao.com',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: 3600,
  requestsPerMinute: 6,
  about:
    'Yields that StackingDAO states for its tokens and for stacking without them, the STX per stSTX, and the value of all that it holds, as its own site shows them. How the yields are counted is not documented.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'stacking-dao')
      ? [{ about: 'stacking-dao', url: 'https://app.stackingdao.com/api/stats' }]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const stats = shaped(Stats, json, 'Stats of StackingDAO')
    const said = { entity: about, day: dayOf(seenAt) }
    const observations: EntityFigure[] = [{ ...said, metric: 'tvl.total', value: stats.stackingdao_tvl }]
    if (stats.ratio !== undefined)
      observations.push({ ...said, metric: 'lst.exchange_rate', key: 'stSTX', value: stats.ratio })
    for (const [key, field] of YIELDS) {
      const percent = stats[field]
      if (percent !== undefined)
        observations.push({ ...said, metric: 'lst.apy_stated', key, value: percent / 100 })
    }
    return { observations, prices: [] }
  },
}
