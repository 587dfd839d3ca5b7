import { SOURCES_BY } from '#kernel/sourceNames.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { sourceSetSql, sourcesOfRowSql } from '../sourcesSql.ts'
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

/** SQL: the sources of all days of the window. */
const SOURCES = `arrayStringConcat(${sourceSetSql('r.source', ' OVER within')}, '${SOURCES_BY}')`

/** A figure of the returns of the last days, known where enough of them are. */
const ofReturns = (
  value: string,
  days: number,
  least: number,
): string => `SELECT day, '' AS key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT r.day AS day, ${value} AS value, r.state AS state, ${SOURCES} AS source, r.as_of AS as_of, count(r.own) OVER within AS known
  FROM (
  ${returns}
  ) AS r
  WINDOW ${window(days)}
)
WHERE known >= ${least} AND day ${RANGE}
ORDER BY day`

/** The same of the index beside another. */
const beside = (value: string, key: string, asset: string): string => `SELECT
    r.day AS day, '${key}' AS key, ${value} AS value, r.state AS state, ${SOURCES} AS source, r.as_of AS as_of, count(r.both) OVER within AS known
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
  const SHORT = 'Fewer than 60 neighboring days have a level yet.'
  return [
    metric({
      ...shared,
      id: 'index.drawdown',
      name: 'Drawdown',
      watches: [{ id: 'half', says: 'goes below a half', when: 'below', level: -0.5 }],
      unit: 'ratio',
      direction: 'up',
      definition: 'Level of the index over its highest level up to the UTC day, less one.',
      why: 'Loss of a buyer at the peak.',
      how: 'By closes, since the start of the index.',
      misleads: 'Intraday drawdowns are deeper. A young index has not had time for a deep drawdown.',
      sql: `SELECT day, '' AS key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    l.day AS day, l.level / max(l.level) OVER (ORDER BY l.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - 1 AS value,
    ${stateOf('l')} AS state,
    argMax(l.price_source, l.level) OVER (ORDER BY l.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS peak_source,
    ${sourcesOfRowSql('l.price_source', 'peak_source')} AS source, l.as_of AS as_of
  FROM index_levels AS l
  WHERE l.index_id = {entity:String}
)
WHERE day ${RANGE}
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'index.volatility',
      name: 'Volatility (90d)',
      unit: 'ratio',
      direction: 'down',
      definition: 'Sample deviation of the daily log returns of the 90 days up to the UTC day × √365.',
      why: 'Typical move in a year, up or down.',
      how: 'At least 60 returns between consecutive days; crypto trades every day, so a year has 365.',
      misleads: 'It treats daily returns as independent, although crashes cluster.',
      needs: SHORT,
      sql: ofReturns('stddevSamp(r.own) OVER within * sqrt(365)', WINDOW, LEAST),
    }),
    metric({
      ...shared,
      id: 'index.sharpe',
      name: 'Sharpe ratio (1y)',
      unit: '–',
      direction: 'up',
      definition:
        'Mean of the daily log returns of the 365 days up to the UTC day × 365, over their deviation × √365, risk-free return taken as 0.',
      why: 'Return per unit of risk.',
      how: 'At least 180 returns between consecutive days.',
      misleads:
        'A risk-free return of 0 flatters it while dollars earn interest. One year says little about the next.',
      needs: 'Fewer than 180 consecutive days have a level yet.',
      sql: ofReturns(
        'avg(r.own) OVER within * 365 / (stddevSamp(r.own) OVER within * sqrt(365))',
        YEAR,
        LEAST_OF_YEAR,
      ),
    }),
    metric({
      ...shared,
      id: 'index.correlation',
      name: 'Correlation (90d)',
      unit: '–',
      breakdown: { name: 'with', values: ['btc', 'eth'] },
      headline: 'btc',
      definition:
        'Correlation of the daily log returns of the index with those of bitcoin and of ether within the 90 days up to the UTC day.',
      why: 'Whether it is more than bitcoin with extra risk.',
      how: 'Pearson; at least 60 days on which both have a return.',
      misleads: 'It rises in a crash, when low correlation matters most.',
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
      name: 'Beta to bitcoin (90d)',
      unit: '–',
      definition:
        'Covariance of the daily log returns of the index and of bitcoin within the 90 days up to the UTC day, over the variance of those of bitcoin.',
      why: 'How much it moves for a 1% move in bitcoin.',
      how: 'At least 60 days on which both have a return.',
      misleads: 'Low beta with high volatility is separate risk, not safety.',
      needs: SHORT,
      sql: known(beside('covarSamp(r.own, r.other) OVER within / varSamp(r.other) OVER within', '', 'BTC')),
    }),
  ]
}
