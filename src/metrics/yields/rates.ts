import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { NO_HEIGHTS, ofPools, opportunitiesOf, perDay, rateState, ZERO_RULE } from './common.ts'

/** What is promised, day by day, and how much of it is a subsidy. */
export function rateMetrics(catalog: Catalog): Metric[] {
  const entities = opportunitiesOf(catalog)
  if (entities.length === 0) return []
  const shared = ofPools(entities)
  return [
    metric({
      ...shared,
      id: 'yield.apy_base',
      name: 'Base yield',
      unit: 'ratio',
      direction: 'up',
      definition: 'Annual yield of fees and interest as it was printed for the UTC day.',
      why: 'What users pay for the bitcoin at work: it lasts as long as they do.',
      how: `As DefiLlama prints it, the chart of whole days before the list of a moment, or as the contract answers. ${ZERO_RULE}`,
      misleads:
        'Of an exchange it is fees of the day over its value: one busy day makes a great year. What the prices of its coins did is not in it.',
      sql: perDay('yield_days', 'd.apy_base', rateState('d.apy_base')),
    }),
    metric({
      ...shared,
      id: 'yield.apy_reward',
      name: 'Reward yield',
      watches: [{ id: 'ended', says: 'ends', when: 'below', level: 0.0001 }],
      unit: 'ratio',
      direction: 'neither',
      definition:
        'Annual yield of reward tokens as it was printed for the UTC day, the tokens at their price of that day.',
      why: 'What somebody adds so that money comes: it ends with his budget.',
      how: `As DefiLlama prints it; 0 where fees or interest are told and no reward is printed. ${ZERO_RULE}`,
      misleads:
        'It is told in the price of the day: a token that falls to nothing takes what is kept of it along, and the printed rate with it.',
      sql: perDay('yield_days', 'd.apy_reward', rateState('d.apy_reward')),
    }),
    metric({
      ...shared,
      id: 'yield.apy_total',
      name: 'Yield as promised',
      unit: 'ratio',
      direction: 'up',
      definition: 'Base and reward yield together, as they were printed for the UTC day.',
      why: 'The figure that others show first: beside yield.btc_realised it tells what a promise was worth.',
      how: `Sum of both; the part that is not told counts as nothing. ${ZERO_RULE}`,
      misleads: 'A promise of one day, drawn out over a year.',
      sql: perDay(
        'yield_days',
        "if(d.state = 'told', toNullable(ifNull(d.apy_base, 0) + ifNull(d.apy_reward, 0)), NULL)",
        rateState("if(d.state = 'told', toNullable(1), NULL)"),
      ),
    }),
    metric({
      ...shared,
      id: 'yield.mean_30d',
      name: 'Yield as promised, 30-day mean',
      unit: 'ratio',
      direction: 'up',
      definition: 'Mean of base and reward yield together over the 30 UTC days up to the day.',
      why: 'One day says little of an exchange.',
      how: 'Over days with data, at least twenty of the thirty.',
      misleads: 'A mean of rates, not what a deposit made: see yield.btc_realised.',
      sql: perDay('yield_standings', 'd.mean', "if(d.mean IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.sigma',
      name: 'Swing of the yield',
      unit: 'ratio',
      direction: 'down',
      definition: 'Sample deviation of base and reward yield together over the 30 UTC days up to the day.',
      why: 'Whether the mean may be counted on.',
      how: 'Over the days that are told, twenty of the thirty at least. Against the mean: below half of it steady, above twice of it a lottery.',
      misleads: 'A rate that stands still because nobody reads it anew has no swing.',
      sql: perDay('yield_standings', 'd.sigma', "if(d.sigma IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.subsidy_share',
      name: 'Subsidy share',
      unit: 'ratio',
      direction: 'down',
      definition:
        'Part of reward tokens in the sum of base and reward yield over the 30 UTC days up to the day.',
      why: 'How much of the yield is somebody’s budget.',
      how: 'Mean of reward yields over the mean of both, for days with data.',
      misleads:
        'Incentives that are paid elsewhere, in points or after the fact, are in nobody’s list and not in it.',
      sql: perDay('yield_standings', 'd.reward_share', "if(d.reward_share IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.tvl',
      name: 'Value in it',
      watches: [
        { id: 'leaving', says: 'falls by three tenths within a week', when: 'falls', level: 0.3, days: 7 },
      ],
      unit: 'USD',
      direction: 'up',
      definition: 'Value in US dollars of what lies in it on the UTC day.',
      why: 'What can still be put in or taken out without moving it, and how many trust it.',
      how: 'As the list prints it; of lenders, vaults and bonds on Stacks bitcoin × its newest close.',
      misleads: 'Bitcoin that earns in one place may be collateral of a loan that earns in another.',
      sql: perDay(
        'yield_days',
        'd.tvl_usd',
        "multiIf(d.tvl_usd IS NULL, 'incomplete', d.is_over, 'whole', 'partial')",
      ),
    }),
    metric({
      ...shared,
      entityKind: 'chain',
      entities: ['bitcoin'],
      id: 'yield.tvl',
      name: 'TVL tracked',
      unit: 'USD',
      direction: 'neither',
      definition: 'Value in US dollars of all bitcoin yield opportunities in the catalog on the UTC day.',
      why: 'Of how much the page speaks.',
      how: 'Sum over those of which the day is told; pools with another coin count with both coins. A day that tells of less than nine tenths of the most that any day up to it told of has a gap.',
      misleads:
        'How many are told differs from day to day: growth is partly growth of the list. Bitcoin that is lent and put into a pool counts twice.',
      sql: `SELECT day, key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    d.day AS day, '' AS key, sum(d.tvl_usd) AS value,
    multiIf(count() < 0.9 * max(count()) OVER (ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 'incomplete', min(d.is_over), 'whole', 'partial') AS state,
    ${sourcesSql('d.source')} AS source, max(d.as_of) AS as_of
  FROM yield_days AS d
  WHERE d.day <= {to:Date} AND d.tvl_usd IS NOT NULL
  GROUP BY d.day
)
WHERE day ${RANGE}
ORDER BY day`,
      members: {
        name: 'pools',
        isSum: true,
        sql: `SELECT
  d.day AS day, d.entity AS key, d.tvl_usd AS value, if(d.is_over, 'whole', 'partial') AS state, d.source AS source,
  ${NO_HEIGHTS}, d.as_of AS as_of
FROM yield_days AS d
WHERE d.day ${RANGE} AND d.tvl_usd IS NOT NULL
ORDER BY day, key`,
      },
    }),
  ]
}
