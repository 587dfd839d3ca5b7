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
      definition: 'Annual yield from fees and interest, as reported for the UTC day.',
      why: 'What users pay for the bitcoin at work. It lasts as long as they do.',
      how: `As reported by DefiLlama, from the daily chart if available, else from the current list, or as returned by the contract. ${ZERO_RULE}`,
      misleads:
        'For an exchange it is the day’s fees over TVL, so one busy day looks like a great year. Excludes price changes of its coins.',
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
        'Annual yield from reward tokens, as reported for the UTC day, with tokens at that day’s price.',
      why: 'Incentives paid to attract deposits. They end with the payer’s budget.',
      how: `As reported by DefiLlama, or 0 if only fees or interest are reported. ${ZERO_RULE}`,
      misleads:
        'Uses the token price of the day. If the token loses its value, so do the rewards held and the reported rate.',
      sql: perDay('yield_days', 'd.apy_reward', rateState('d.apy_reward')),
    }),
    metric({
      ...shared,
      id: 'yield.apy_total',
      name: 'Reported yield',
      unit: 'ratio',
      direction: 'up',
      definition: 'Base plus reward yield, as reported for the UTC day.',
      why: 'The figure that others show first. Compare it with yield.btc_realised, the actual return.',
      how: `Sum of both. A missing part counts as zero. ${ZERO_RULE}`,
      misleads: 'One day’s rate, extrapolated to a year.',
      sql: perDay(
        'yield_days',
        "if(d.state = 'told', toNullable(ifNull(d.apy_base, 0) + ifNull(d.apy_reward, 0)), NULL)",
        rateState("if(d.state = 'told', toNullable(1), NULL)"),
      ),
    }),
    metric({
      ...shared,
      id: 'yield.mean_30d',
      name: 'Reported yield, 30-day mean',
      unit: 'ratio',
      direction: 'up',
      definition: 'Mean of base plus reward yield over the 30 UTC days up to the day.',
      why: 'A single day says little about an exchange.',
      how: 'Over days with data, at least twenty of the thirty.',
      misleads: 'A mean of rates, not the return on a deposit. See yield.btc_realised.',
      sql: perDay('yield_standings', 'd.mean', "if(d.mean IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.sigma',
      name: 'Yield volatility',
      unit: 'ratio',
      direction: 'down',
      definition: 'Sample standard deviation of base plus reward yield over the 30 UTC days up to the day.',
      why: 'Whether the mean is reliable.',
      how: 'Over days with data, at least twenty of the thirty. Below half the mean is steady, above twice the mean is a lottery.',
      misleads: 'A rate that its source stopped updating shows no volatility.',
      sql: perDay('yield_standings', 'd.sigma', "if(d.sigma IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.subsidy_share',
      name: 'Subsidy share',
      unit: 'ratio',
      direction: 'down',
      definition: 'Share of reward tokens in base plus reward yield over the 30 UTC days up to the day.',
      why: 'How much of the yield is an incentive budget.',
      how: 'Mean of reward yields over the mean of both, for days with data.',
      misleads: 'Excludes incentives paid elsewhere, in points or retroactively, which no source lists.',
      sql: perDay('yield_standings', 'd.reward_share', "if(d.reward_share IS NULL, 'incomplete', 'whole')"),
    }),
    metric({
      ...shared,
      id: 'yield.tvl',
      name: 'TVL',
      watches: [
        { id: 'leaving', says: 'falls by three tenths within a week', when: 'falls', level: 0.3, days: 7 },
      ],
      unit: 'USD',
      direction: 'up',
      definition: 'TVL of the opportunity on the UTC day, in US dollars.',
      why: 'How much can move in or out without affecting it, and how far it is trusted.',
      how: 'As reported by DefiLlama. For lenders, vaults and bonds on Stacks, bitcoin × its latest close.',
      misleads: 'Bitcoin that earns in one place may be collateral for a loan that earns in another.',
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
      why: 'How much bitcoin these figures cover.',
      how: 'Sum over opportunities with data for the day. Pools with another coin count with both coins. A day is incomplete if it has fewer than 90% of the most opportunities of any day so far.',
      misleads:
        'Coverage varies from day to day, so growth is partly growth of the list. Bitcoin that is lent and then added to a pool counts twice.',
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
