import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Members, type Metric, metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { LOWER_RULE, NO_HEIGHTS, ofPools, opportunitiesOf } from './common.ts'

/** Below it one deposit of size would be most of what is in it, US dollars. */
export const FLOOR_USD = 1_000_000
export const REALISED_KEYS = ['30 days', '90 days', '30 days, rewards kept', '90 days, rewards kept'] as const

const HOW = `If contracts return a share price, its growth over the span, scaled to the span’s length. Otherwise daily rates: (1 + base)^(1/365), multiplied over all days, plus the sum of reward yield ÷ 365, sold for bitcoin each day and set aside. Complete days only. ${LOWER_RULE}`
const MISLEADS =
  'Pools with a non-bitcoin coin have no figure, because the return depends on that coin’s price and on the range. A wrapped bitcoin counts as one bitcoin, so its discount is excluded, as are entry and exit fees. Reported rates are a pool average. A position outside the price range earned nothing.'

const OF_LARGE_POOLS = `FROM yield_realised AS g
INNER JOIN yield_days AS d ON d.entity = g.entity AND d.day = g.day
WHERE g.span = 90 AND g.growth IS NOT NULL AND d.tvl_usd >= ${FLOOR_USD} AND g.day ${RANGE}`
const ofAll = (value: string): string => `SELECT
  g.day AS day, '' AS key, ${value} AS value, 'whole' AS state, ${sourcesSql('g.source')} AS source, ${NO_HEIGHTS}, max(g.as_of) AS as_of
${OF_LARGE_POOLS}
GROUP BY g.day
ORDER BY day`
/** The best or the median of other pools is another figure. */
const largePools: Members = {
  name: 'pools',
  isSum: false,
  sql: `SELECT
  g.day AS day, g.entity AS key, g.growth AS value, 'whole' AS state, g.source AS source, ${NO_HEIGHTS}, g.as_of AS as_of
${OF_LARGE_POOLS}
ORDER BY day, key`,
}

/** What was earned, in bitcoin. */
export function realisedMetrics(catalog: Catalog): Metric[] {
  const entities = opportunitiesOf(catalog)
  if (entities.length === 0) return []
  const shared = ofPools(entities)
  const all = {
    ...shared,
    entityKind: 'chain',
    entities: ['bitcoin'],
    unit: 'ratio',
    direction: 'up',
    members: largePools,
  } as const
  return [
    metric({
      ...shared,
      id: 'yield.btc_realised',
      name: 'Actual return in bitcoin',
      watches: [{ id: 'lost', says: 'turns into a loss', when: 'below', level: 0 }],
      unit: 'ratio',
      direction: 'up',
      breakdown: { name: 'span', values: REALISED_KEYS },
      headline: '90 days',
      definition:
        'Growth of the value in bitcoin of one unit deposited, over the 30 and 90 UTC days up to the day, not annualized.',
      why: 'What was actually earned, as opposed to promised.',
      how: `${HOW} With rewards kept, each day’s rewards are counted in tokens and valued at the token’s price on the last day, if it has one.`,
      misleads: MISLEADS,
      sql: `SELECT
  day, key, value, 'whole' AS state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    g.day AS day, g.source AS source, g.as_of AS as_of,
    arrayJoin([(concat(toString(g.span), ' days'), g.growth), (concat(toString(g.span), ' days, rewards kept'), g.growth_kept)]) AS made,
    made.1 AS key, made.2 AS value
  FROM yield_realised AS g
  WHERE g.entity = {entity:String} AND g.day ${RANGE} AND g.growth IS NOT NULL
)
WHERE value IS NOT NULL
ORDER BY day, key`,
    }),
    metric({
      ...all,
      id: 'yield.best_90d',
      name: 'Best 90-day return',
      definition: `Largest growth in bitcoin over the 90 UTC days up to the day among opportunities with a TVL of at least $1M.`,
      why: 'The upper end of what was available at a usable size.',
      how: 'Maximum of yield.btc_realised over opportunities with data.',
      misleads: `Nobody could know the best choice 90 days earlier. ${MISLEADS}`,
      sql: ofAll('max(g.growth)'),
    }),
    metric({
      ...all,
      id: 'yield.median_90d',
      name: 'Median 90-day return',
      definition: `Median growth in bitcoin over the 90 UTC days up to the day among opportunities with a TVL of at least $1M.`,
      why: 'What a bitcoin earns without a lucky choice.',
      how: 'Median of yield.btc_realised over opportunities with data, each counted once regardless of size.',
      misleads: `With few opportunities it says little. See the count in the table. ${MISLEADS}`,
      sql: ofAll('quantileExactInclusive(0.5)(g.growth)'),
    }),
  ]
}
