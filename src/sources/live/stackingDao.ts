import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd, UsdText } from './shapes.ts'

/** Percent a year; zero is a cycle that paid nothing. */
const Percent = z.number().nonnegative()
/** The rate and the two younger yields came with a later version of the interface. */
const Stats = z.looseObject({})
const LaterPercent = Percent.optional()
const Ratio = Usd.optional()

const YIELDS = [
  ['stSTX', 'apy_ststx', Percent],
  ['stSTXbtc', 'apy_ststxbtc', Percent],
  ['stBTC', 'apy_stbtc', LaterPercent],
  ['native', 'apy_native', LaterPercent],
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
    const what = 'Stats of StackingDAO'
    const stats = shaped(Stats, json, what)
    const parts = createParts(what)
    const said = { entity: about, day: dayOf(seenAt) }
    const observations: EntityFigure[] = []
    const tvl = parts.read(UsdText, stats.stackingdao_tvl, 'stackingdao_tvl')
    if (tvl !== undefined) observations.push({ ...said, metric: 'tvl.total', value: tvl })
    const ratio = parts.read(Ratio, stats.ratio, 'ratio')
    if (ratio !== undefined)
      observations.push({ ...said, metric: 'lst.exchange_rate', key: 'stSTX', value: ratio })
    for (const [key, field, schema] of YIELDS) {
      const percent = parts.read(schema, stats[field], field)
      if (percent !== undefined)
        observations.push({ ...said, metric: 'lst.apy_stated', key, value: percent / 100 })
    }
    return parts.answer({ observations, prices: [] })
  },
}
