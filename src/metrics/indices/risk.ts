import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { NO_HEIGHTS, ofIndices, stateOf } from './common.ts'

const WINDOW = 90
const LEAST = 60
const YEAR = 365
const LEAST_OF_YEAR = 180

/** Daily log returns of the index beside those of bitcoin and ether; null over a gap. */
const returns = `SELECT
    l.day AS day, ${stateOf('l')} AS state, l.price_source AS source, l.as_of AS as_of, l.level AS level,
    if(lagInFrame(l.day, 1) OVER so_far = l.day - 1, toNullable(log(l.level / lagInFrame(l.level, 1) OVER so_far)), NULL) AS own
  FROM index_levels AS l
  WHERE l.index_id = {entity:String}
  WINDOW so_far AS (ORDER BY l.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`

const closes = (asset: string): string => `SELECT
    c.day AS day,
    if(lagInFrame(c.day, 1) OVER so_far = c.day - 1, toNullable(log(c.close / lagInFrame(c.close, 1) OVER so_far)), NULL) AS other
  FROM usd_closes AS c
  WHERE c.asset = '${asset}'
  WINDOW so_far AS (ORDER BY c.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`

const window = (days: number): string =>
  `within AS (ORDER BY toUInt32(r.day) RANGE BETWEEN ${days - 1} PRECEDING AND CURRENT ROW)`

/** A figure of the returns of the last days, known where enough of them are. */
const ofReturns = (
  value: string,
  days: number,
  least: number,
): string => `SELECT day, '' AS key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT r.day AS day, ${value} AS value, r.state AS state, r.source AS source, r.as_of AS as_of, count(r.own) OVER within AS known
  FROM (
  ${returns}
  ) AS r
  WINDOW ${window(days)}
)
WHERE known >= ${least} AND day ${RANGE}
ORDER BY day`

/** The same of the index beside another. */
const beside = (value: string, key: string, asset: string): string => `SELECT
    r.day AS day, '${key}' AS key, ${value} AS value, r.state AS state, r.source AS source, r.as_of AS as_of, count(r.both) OVER within AS known
  FROM (
    SELECT
      i.day AS day, i.state AS state, i.source AS source, i.as_of AS as_of, i.own + o.other AS both,
      if(both IS NULL, NULL, i.own) AS own, if(both IS NULL, NULL, o.other) AS other
    FROM (
  ${returns}
    ) AS i
    LEFT JOIN (
  ${closes(asset)}
    ) AS o ON o.day = i.day
  ) AS r
  WINDOW ${window(WINDOW)}`

const known = (statement: string): string => `SELECT day, key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  ${statement}
)
WHERE known >= ${LEAST} AND isFinite(value) AND day ${RANGE}
ORDER BY day, key`

/** Risk of an index. */
export function riskMetrics(entities: readonly string[]): Metric[] {
  const shared = { ...ofIndices, entities } as const
  const SHORT = 'Fewer than 60 neighbouring days have a level yet.'
  return [
    metric({
      ...shared,
      id: 'index.drawdown',
      name: 'Drawdown',
      watches: [{ id: 'half', says: 'goes below a half', when: 'below', level: -0.5 }],
      unit: 'ratio',
      direction: 'up',
      definition: 'Level of the index over its highest level up to the UTC day, less one.',
      why: 'What whoever bought at the worst moment has lost.',
      how: 'By closes, from the beginning of the index on.',
      misleads: 'Within a day it fell deeper. A young index has had no time for a deep fall.',
      sql: `SELECT day, '' AS key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    l.day AS day, l.level / max(l.level) OVER (ORDER BY l.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - 1 AS value,
    ${stateOf('l')} AS state, l.price_source AS source, l.as_of AS as_of
  FROM index_levels AS l
  WHERE l.index_id = {entity:String}
)
WHERE day ${RANGE}
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'index.volatility',
      name: 'Volatility, 90 days',
      unit: 'ratio',
      direction: 'down',
      definition: 'Sample deviation of the daily log returns of the 90 days up to the UTC day × √365.',
      why: 'How far it moves in a usual year, up or down.',
      how: 'At least 60 returns of neighbouring days; crypto trades every day, so a year has 365.',
      misleads: 'It takes returns as if each day began anew: crashes come in rows.',
      needs: SHORT,
      sql: ofReturns('stddevSamp(r.own) OVER within * sqrt(365)', WINDOW, LEAST),
    }),
    metric({
      ...shared,
      id: 'index.sharpe',
      name: 'Sharpe ratio, 1 year',
      unit: '–',
      direction: 'up',
      definition:
        'Mean of the daily log returns of the 365 days up to the UTC day × 365, over their deviation × √365, risk-free return taken as 0.',
      why: 'Return for each unit of risk taken.',
      how: 'At least 180 returns of neighbouring days.',
      misleads:
        'A risk-free return of 0 flatters it while dollars earn interest; of one year it says little of the next.',
      needs: 'Fewer than 180 neighbouring days have a level yet.',
      sql: ofReturns(
        'avg(r.own) OVER within * 365 / (stddevSamp(r.own) OVER within * sqrt(365))',
        YEAR,
        LEAST_OF_YEAR,
      ),
    }),
    metric({
      ...shared,
      id: 'index.correlation',
      name: 'Correlation, 90 days',
      unit: '–',
      breakdown: { name: 'with', values: ['btc', 'eth'] },
      headline: 'btc',
      definition:
        'Correlation of the daily log returns of the index with those of bitcoin and of ether within the 90 days up to the UTC day.',
      why: 'Whether it is anything else than bitcoin with more risk.',
      how: 'Pearson; at least 60 days on which both have a return.',
      misleads: 'It rises in a crash, when it would be needed low.',
      needs: SHORT,
      sql: known(
        `${beside('corr(r.own, r.other) OVER within', 'btc', 'BTC')}
  UNION ALL
  ${beside('corr(r.own, r.other) OVER within', 'eth', 'ETH')}`,
      ),
    }),
    metric({
      ...shared,
      id: 'index.beta',
      name: 'Beta to bitcoin, 90 days',
      unit: '–',
      definition:
        'Covariance of the daily log returns of the index and of bitcoin within the 90 days up to the UTC day, over the variance of those of bitcoin.',
      why: 'By how much it moved when bitcoin moved by one.',
      how: 'At least 60 days on which both have a return.',
      misleads: 'A low beta with a high volatility is risk of its own, not safety.',
      needs: SHORT,
      sql: known(beside('covarSamp(r.own, r.other) OVER within / varSamp(r.other) OVER within', '', 'BTC')),
    }),
  ]
}
