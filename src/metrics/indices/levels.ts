import { BASE_LEVEL } from '#warehouse/views/indices.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { NO_HEIGHTS, ofIndices, stateOf } from './common.ts'

const RULE =
  'At the last UTC day of each month every token of the universe is judged by what was known at its close: a price of at most 3 days, 60 days of prices, a median daily volume above the floor, a circulating supply of at most 45 days. Weights take effect after that close.'
const ENDS =
  'A month at whose beginning fewer than two tokens were eligible has no level: the index is suspended and goes on from where it stopped.'

/** Level of an index, and what it holds. */
export function levelMetrics(
  indices: readonly { readonly id: string; readonly tokens: readonly string[] }[],
): Metric[] {
  const shared = { ...ofIndices, entities: indices.map(({ id }) => id) } as const
  const level = (column: string): string => `SELECT
  l.day AS day, '' AS key, l.${column} AS value, ${stateOf('l')} AS state, l.price_source AS source, ${NO_HEIGHTS},
  l.as_of AS as_of
FROM index_levels AS l
WHERE l.index_id = {entity:String} AND l.day ${RANGE}
ORDER BY day`
  return [
    metric({
      ...shared,
      id: 'index.level',
      name: 'Level of the index',
      watches: [{ id: 'fell', says: 'falls by a fifth within 28 days', when: 'falls', level: 0.2, days: 28 }],
      unit: 'points',
      direction: 'up',
      definition: `Value of what the index holds at the close of the UTC day, ${BASE_LEVEL.toLocaleString('en-US')} at its first rebalancing.`,
      why: 'What a portfolio that followed the rules would have become, before any cost.',
      how: `Level at the last rebalancing × Σ weight × price ÷ price then: the divisor is set so that a rebalancing moves nothing. ${RULE} Prices are as they were first known. It is a price index: what a token pays, as stacking STX does, is not in it; pox.yield tells that.`,
      misleads: `The universe is today’s catalogue: tokens that died before it was written are not in its past. ${ENDS} A constituent without a price of the day stands at its last one, and the day is incomplete.`,
      sql: level('level'),
    }),
    metric({
      ...shared,
      id: 'index.level_net',
      name: 'Level less costs of trading',
      unit: 'points',
      direction: 'up',
      definition: 'Level of the index with what it costs to buy and sell at each rebalancing taken off.',
      why: 'An index that trades much is worth less to whoever follows it.',
      how: 'index.level × Π (1 − traded share × cost). The cost stands in index_rules, in hundredths of a percent of the amount traded; buying in at the beginning is counted.',
      misleads:
        'One cost for all tokens and days: in thin markets a large order costs more. No fee of a manager and no tax is in it.',
      sql: level('level_net'),
    }),
    metric({
      ...shared,
      id: 'index.against',
      name: 'What else the money could have been in',
      unit: 'points',
      breakdown: { name: 'with', values: ['btc', 'eth', 'equal'] },
      headline: 'btc',
      definition: `Bitcoin, ether, and the same constituents with equal weights, each ${BASE_LEVEL.toLocaleString('en-US')} at the close at which the index begins.`,
      why: 'An index that lost to bitcoin was paid in a coin that its holders gave up.',
      how: 'Close of the day over the close of the index’s first day; equal weights by the same rebalancings.',
      misleads:
        'Where the index begins decides who wins: from another day the order may be another. While the index is suspended the others go on.',
      sql: `SELECT day, key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    l.day AS day, 'equal' AS key, l.level_equal AS value, ${stateOf('l')} AS state, l.price_source AS source, l.as_of AS as_of
  FROM index_levels AS l
  WHERE l.index_id = {entity:String}
  UNION ALL
  SELECT
    c.day, lower(c.asset), ${BASE_LEVEL} * c.close / first_value(c.close) OVER (PARTITION BY c.asset ORDER BY c.day),
    'whole', c.source, toDateTime(c.day + 1, 'UTC')
  FROM usd_closes AS c
  WHERE c.asset IN ('BTC', 'ETH') AND c.day >= (SELECT min(f.day) FROM index_levels AS f WHERE f.index_id = {entity:String})
    AND c.day <= (SELECT max(n.day) FROM index_levels AS n WHERE n.index_id = {entity:String})
)
WHERE day ${RANGE}
ORDER BY day, key`,
    }),
    ...indices.map(({ id, tokens }) =>
      metric({
        ...shared,
        entities: [id],
        id: 'index.weights',
        name: 'What the index holds',
        unit: 'ratio',
        breakdown: { name: 'token', values: tokens, isComplete: true },
        headline: SUM_OF_KEYS,
        definition: 'Share of each constituent in the value of the index at the close of the UTC day.',
        why: 'How much of the figure is one token.',
        how: 'Weight at the last rebalancing × growth of its price since, over the sum. On the day of a rebalancing it is the share before trading.',
        misleads:
          'Between rebalancings shares drift with prices: the largest weight is a rule for the day of the rebalancing alone.',
        sql: `SELECT
  s.day AS day, s.token AS key, s.share AS value, ${stateOf('l')} AS state, l.price_source AS source, ${NO_HEIGHTS},
  l.as_of AS as_of
FROM index_shares AS s
INNER JOIN index_levels AS l ON l.index_id = s.index_id AND l.day = s.day
WHERE s.index_id = {entity:String} AND s.day ${RANGE}
ORDER BY day, key`,
      }),
    ),
    metric({
      ...shared,
      id: 'index.constituents',
      name: 'Constituents',
      watches: [{ id: 'changed', says: 'become more or fewer', when: 'changes' }],
      unit: 'tokens',
      definition: 'Tokens that the index holds after the close of the UTC day.',
      why: 'An index of two tokens is a bet on two tokens.',
      how: 'Those that were eligible at the last rebalancing.',
      misleads: 'Many constituents at small weights are not diversification.',
      sql: `SELECT
  l.day AS day, '' AS key, toInt64(l.constituents) AS value, ${stateOf('l')} AS state, l.price_source AS source, ${NO_HEIGHTS},
  l.as_of AS as_of
FROM index_levels AS l
WHERE l.index_id = {entity:String} AND l.day ${RANGE}
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'index.turnover',
      name: 'Turnover of rebalancings',
      unit: 'ratio',
      direction: 'down',
      aggregate: 'sum',
      definition: 'Half of what is bought and sold at a rebalancing, as a share of the index.',
      why: 'What following the rules costs, whatever the price of a trade.',
      how: 'Σ |weight after − share before| ÷ 2. Where it begins or goes on after a suspension, all is bought: one half.',
      misleads: 'A low turnover may mean that nothing new was let in.',
      sql: `SELECT
  l.day AS day, '' AS key, l.traded / 2 AS value, 'whole' AS state, l.price_source AS source, ${NO_HEIGHTS}, l.as_of AS as_of
FROM index_levels AS l
WHERE l.index_id = {entity:String} AND l.day = l.rebalanced_day AND l.day ${RANGE}
ORDER BY day`,
    }),
  ]
}
