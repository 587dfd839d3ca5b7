import { type ChainFigures, RANGE } from './chainFigures.ts'
import { FINE_ORDER, type FineGrain } from './fineFigures.ts'

export type FiguresOptions = {
  /** The id under which outside figures are kept. */
  readonly metric: string
  /** What a `value` is: amounts and counts are whole numbers, amounts in wei wide ones. */
  readonly type: 'Int64' | 'Int256' | 'Float64'
  /** Figures from blocks. */
  readonly chain?: ChainFigures
  /** Sources outside that publish it, in the order of trust; a list without a name admits whoever does. */
  readonly outside?: readonly string[]
  /** Outside figures are of single days, and a longer bucket does not follow from them: distinct counts. */
  readonly isOutsideOfDays?: boolean
}

export type FiguresSql = {
  sql: string
  besideSql: string | undefined
  /** The figures by block or hour, where they have a meaning. */
  fine: { grains: readonly FineGrain[]; sql: string } | undefined
}

const CHOSEN = "state = 'whole' AND isNotNull(value) DESC, rank, as_of DESC\nLIMIT 1 BY day, key"
const ALL = 'rank, source, as_of DESC\nLIMIT 1 BY day, key, source'

/**
 * The statement of a metric: figures from blocks and from outside as candidates of a day, whole ones first, then by rank
 * of trust; the first one wins. `besideSql` returns what may have lost: outside figures and a node's statistics. Both are
 * as short as the metric allows: the engine takes most of its time to plan a statement, and each part of it counts.
 */
export function figuresSql(options: FiguresOptions): FiguresSql {
  const { chain } = options
  const sums = chain?.isRatio === true ? ', numerator, denominator' : ''
  const cast = (value: string): string => `to${options.type}(${value})`
  const ofChain = (table: string, more = ''): string =>
    `SELECT
      day, key, ${cast('value')} AS value${sums}, state, source, from_height, to_height, as_of${more}
    FROM ${table}`
  const outside = options.outside === undefined ? [] : [ofOutside(options, cast)]
  const statement = (ctes: readonly string[], parts: readonly string[], last: string): string => `WITH
  ${[...ctes, `candidates AS (\n    ${parts.join('\n    UNION ALL\n    ')}\n  )`].join(',\n  ')}
SELECT day, key, value${sums}, state, source, from_height, to_height, as_of
FROM candidates
ORDER BY day, key, ${last}`

  const chainCtes = chain === undefined ? [] : [...chain.ctes, `chain AS (\n    ${chain.select}\n  )`]
  const alone = `WITH
  ${chainCtes.join(',\n  ')}
${ofChain('chain').replaceAll('\n    ', '\n')}
ORDER BY day, key`
  const statistics = chain?.statistics
  const besides = [...(statistics === undefined ? [] : [ofChain('statistics', ', 1 AS rank')]), ...outside]
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
    sql:
      chain !== undefined && outside.length === 0
        ? alone
        : statement(
            chainCtes,
            [...(chain === undefined ? [] : [ofChain('chain', ', 0 AS rank')]), ...outside],
            CHOSEN,
          ),
    besideSql:
      besides.length === 0
        ? undefined
        : statement(
            statistics === undefined ? [] : [...chain!.ctes, `statistics AS (\n    ${statistics}\n  )`],
            besides,
            ALL,
          ),
  }
}

/** Outside figures as candidates; their rank follows blocks (0) and a node's statistics (1). */
function ofOutside(
  { metric, type, chain, outside = [], isOutsideOfDays }: FiguresOptions,
  cast: (value: string) => string,
): string {
  const kept = type === 'Float64' ? 'ifNull(o.value, toFloat64(o.amount))' : 'o.amount'
  const noSums = chain?.isRatio === true ? ', NULL AS numerator, NULL AS denominator' : ''
  const names = outside.map(source => `'${source}'`).join(', ')
  const ranks = outside.map((_, i) => i + 2).join(', ')
  const rank = outside.length < 2 ? '2' : `transform(o.source, [${names}], [${ranks}], ${outside.length + 2})`
  return `SELECT
      o.day AS day, o.breakdown AS key, ${cast(kept)} AS value${noSums},
      'whole' AS state, o.source AS source,
      CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
      o.observed_at AS as_of, ${rank} AS rank
    FROM observations AS o
    WHERE o.metric = '${metric}' AND o.entity = {entity:String} AND o.day ${RANGE}${isOutsideOfDays ? " AND {grain:String} = 'day'" : ''}`
}
