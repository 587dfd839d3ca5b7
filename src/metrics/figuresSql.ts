import { type ChainFigures, RANGE } from './chainFigures.ts'
import { FINE_ORDER, type FineGrain } from './fineFigures.ts'

export type FiguresOptions = {
  /** The id under which outside figures are kept. */
  readonly metric: string
  /** What a `value` is: amounts and counts are whole numbers. */
  readonly type: 'Int64' | 'Float64'
  /** Figures from blocks. */
  readonly chain?: ChainFigures
  /** Whether outside sources publish it, and how the figure is kept. */
  readonly outside?: boolean
}

export type FiguresSql = {
  sql: string
  besideSql: string | undefined
  /** The figures by block or hour, where they have a meaning. */
  fine: { grains: readonly FineGrain[]; sql: string } | undefined
}

/**
 * The statement of a metric: figures from blocks and from outside as candidates of a day, whole ones first, then by rank
 * of trust; the first one wins. `besideSql` returns what may have lost: outside figures and a node's statistics.
 */
export function figuresSql(options: FiguresOptions): FiguresSql {
  const { chain } = options
  const isRatio = chain?.isRatio ?? false
  const sums = isRatio ? ', numerator, denominator' : ''
  const cast = (value: string): string =>
    options.type === 'Int64' ? `toInt64(${value})` : `toFloat64(${value})`
  const ofChain = (table: string, rank: number): string =>
    `SELECT
      day, key, ${cast('value')} AS value${sums}, state, source,
      toNullable(from_height) AS from_height, toNullable(to_height) AS to_height, as_of, ${rank} AS rank
    FROM ${table}`
  const kept = options.type === 'Int64' ? 'o.amount' : 'ifNull(o.value, toFloat64(o.amount))'
  const ofOutside = `SELECT
      o.day AS day, o.breakdown AS key, ${cast(kept)} AS value${isRatio ? ', NULL AS numerator, NULL AS denominator' : ''},
      'whole' AS state, o.source AS source,
      NULL AS from_height, NULL AS to_height, o.observed_at AS as_of, toInt64(s.rank) AS rank
    FROM observations AS o
    INNER JOIN sources AS s ON s.id = o.source
    WHERE o.metric = '${options.metric}' AND o.entity = {entity:String} AND o.day ${RANGE}`
  const statement = (ctes: readonly string[], parts: readonly string[], last: string): string => `WITH
  ${[...ctes, `candidates AS (\n    ${parts.join('\n    UNION ALL\n    ')}\n  )`].join(',\n  ')}
SELECT day, key, value${sums}, state, source, from_height, to_height, as_of
FROM candidates
ORDER BY day, key, ${last}`

  const outside = options.outside ? [ofOutside] : []
  const besides = [...(chain?.statistics === undefined ? [] : [ofChain('statistics', 1)]), ...outside]
  const fine = chain?.fine
  return {
    fine: fine && {
      grains: fine.grains,
      sql: `WITH
  ${[...fine.ctes, `figures AS (\n    ${fine.select}\n  )`].join(',\n  ')}
SELECT time, height, key, ${cast('value')} AS value${sums}, state, source, from_height, to_height, as_of
FROM figures
ORDER BY ${FINE_ORDER}`,
    },
    sql: statement(
      chain === undefined ? [] : [...chain.ctes, `chain AS (\n    ${chain.select}\n  )`],
      [...(chain === undefined ? [] : [ofChain('chain', 0)]), ...outside],
      "state = 'whole' AND isNotNull(value) DESC, rank, as_of DESC\nLIMIT 1 BY day, key",
    ),
    besideSql:
      besides.length === 0
        ? undefined
        : statement(
            chain?.statistics === undefined
              ? []
              : [...chain.ctes, `statistics AS (\n    ${chain.statistics}\n  )`],
            besides,
            'rank, source, as_of DESC\nLIMIT 1 BY day, key, source',
          ),
  }
}
