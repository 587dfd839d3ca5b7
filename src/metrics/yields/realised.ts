import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Members, type Metric, metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { LOWER_RULE, NO_HEIGHTS, ofPools, opportunitiesOf } from './common.ts'

/** Below it one deposit of size would be most of what is in it, US dollars. */
export const FLOOR_USD = 1_000_000
export const REALISED_KEYS = ['30 days', '90 days', '30 days, rewards kept', '90 days, rewards kept'] as const

const HOW = `Where contracts tell the price of a share: its growth over the span, brought to the span’s length. Else the rates of each day: (1 + base) to the power of a day’s part of a year, all days multiplied, plus each day’s part of the reward yield, which is sold for bitcoin on its day and set aside. Days that are over alone. ${LOWER_RULE}`
const MISLEADS =
  'Of pools with a coin that is no bitcoin there is none: what a position made depends on its price and range. A wrapped bitcoin counts as a bitcoin: what it trades below is not in it, nor are fees in and out. Rates that were printed are an average over a pool, and a position outside the price earned nothing.'

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
      name: 'Earned, in bitcoin',
      watches: [{ id: 'lost', says: 'turns into a loss', when: 'below', level: 0 }],
      unit: 'ratio',
      direction: 'up',
      breakdown: { name: 'span', values: REALISED_KEYS },
      headline: '90 days',
      definition:
        'How the value in bitcoin of one unit put in grew over the 30 and 90 UTC days up to the day, not drawn out to a year.',
      why: 'The one figure of a yield that was there and not promised.',
      how: `${HOW} With rewards kept, those of each day are counted in tokens and worth the token’s price on the last day, if it has a price.`,
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
      name: 'Most earned in 90 days',
      definition: `Largest growth in bitcoin over the 90 UTC days up to the day among opportunities with at least a million US dollars in them.`,
      why: 'The upper end of what was there to be had, at a size at which it could be had.',
      how: 'Maximum of yield.btc_realised over opportunities with data.',
      misleads: `Who chose it 90 days before could not know it. ${MISLEADS}`,
      sql: ofAll('max(g.growth)'),
    }),
    metric({
      ...all,
      id: 'yield.median_90d',
      name: 'Median earned in 90 days',
      definition: `Median growth in bitcoin over the 90 UTC days up to the day among opportunities with at least a million US dollars in them.`,
      why: 'What a bitcoin earns without luck in choosing.',
      how: 'Median of yield.btc_realised over opportunities with data, each counted once regardless of size.',
      misleads: `Of a few it says little: see how many the table has. ${MISLEADS}`,
      sql: ofAll('quantileExactInclusive(0.5)(g.growth)'),
    }),
  ]
}
