import { BASE_LEVEL } from '#warehouse/views/indices.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { NO_HEIGHTS, ofIndices, stateOf } from './common.ts'

const RULE =
  'At the last UTC day of each month every token of the universe is evaluated with data available at its close: a price at most 3 days old, 60 days of prices, a median daily volume above the floor, a circulating supply at most 45 days old. Weights take effect after that close.'
const ENDS =
  'Months that start with fewer than two eligible tokens have no level. The index is suspended and resumes from its last level.'

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
      name: 'Index level',
      watches: [{ id: 'fell', says: 'falls by a fifth within 28 days', when: 'falls', level: 0.2, days: 28 }],
      unit: 'points',
      direction: 'up',
      definition: `Value of the index holdings at the close of the UTC day, ${BASE_LEVEL.toLocaleString('en-US')} at its first rebalancing.`,
      why: 'Value of a portfolio that follows the rules, before costs.',
      how: `Level at the last rebalancing × Σ weight × price ÷ price then: the divisor is set so that a rebalancing moves nothing. ${RULE} Prices are as first published. It is a price index and excludes token yield, such as stacking STX. See pox.yield.`,
      misleads: `The universe is today’s catalog, so tokens that died before it was written are missing from its history. ${ENDS} A constituent without a price on the day uses its last one, and the day is incomplete.`,
      sql: level('level'),
    }),
    metric({
      ...shared,
      id: 'index.level_net',
      name: 'Index level after trading costs',
      unit: 'points',
      direction: 'up',
      definition: 'Index level less the cost of trades at each rebalancing.',
      why: 'Frequent trading lowers the return of following an index.',
      how: 'index.level × Π (1 − traded share × cost). The cost is in index_rules, in basis points of the amount traded. It includes the initial purchase.',
      misleads:
        'One cost for all tokens and days, although large orders in thin markets cost more. Excludes management fees and taxes.',
      sql: level('level_net'),
    }),
    metric({
      ...shared,
      id: 'index.against',
      name: 'Benchmarks',
      unit: 'points',
      breakdown: { name: 'with', values: ['btc', 'eth', 'equal'] },
      headline: 'btc',
      definition: `Bitcoin, ether, and the same constituents with equal weights, each ${BASE_LEVEL.toLocaleString('en-US')} at the close at which the index starts.`,
      why: 'Shows whether the index beat simply holding bitcoin.',
      how: 'Close of the day over the close of the index’s first day; equal weights by the same rebalancings.',
      misleads:
        'The start date decides the ranking, so another date can give another order. Benchmarks continue while the index is suspended.',
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
        name: 'Index weights',
        unit: 'ratio',
        breakdown: { name: 'token', values: tokens, isComplete: true },
        headline: SUM_OF_KEYS,
        definition: 'Share of each constituent in the value of the index at the close of the UTC day.',
        why: 'How concentrated the index is in one token.',
        how: 'Weight at the last rebalancing × growth of its price since, over the sum. On the day of a rebalancing it is the share before trading.',
        misleads:
          'Weights drift with prices between rebalancings. The maximum weight applies only on the rebalancing day.',
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
      definition: 'Tokens in the index after the close of the UTC day.',
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
      name: 'Rebalancing turnover',
      unit: 'ratio',
      direction: 'down',
      aggregate: 'sum',
      definition: 'Half of what is bought and sold at a rebalancing, as a share of the index.',
      why: 'What following the rules costs, whatever the price of a trade.',
      how: 'Σ |weight after − share before| ÷ 2. At the start or after a suspension, everything is bought, which counts as one half.',
      misleads: 'Low turnover can mean that no new tokens were added.',
      sql: `SELECT
  l.day AS day, '' AS key, l.traded / 2 AS value, 'whole' AS state, l.price_source AS source, ${NO_HEIGHTS}, l.as_of AS as_of
FROM index_levels AS l
WHERE l.index_id = {entity:String} AND l.day = l.rebalanced_day AND l.day ${RANGE}
ORDER BY day`,
    }),
  ]
}
