type Chain = {
  /** CTEs that the figures rest on. */
  readonly with?: readonly string[]
  /** Select list of `key`, `value` and, for a ratio, `numerator` and `denominator`; then FROM and the rest. */
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
}

export type FiguresOptions = {
  /** The id under which outside figures are kept. */
  readonly metric: string
  /** What a `value` is: amounts and counts are whole numbers. */
  readonly type: 'Int64' | 'Float64'
  /** A figure from blocks: `facts` or `rows` below build it. */
  readonly chain?: ChainFigures
  /** Whether outside sources publish it, and how the figure is kept. */
  readonly outside?: boolean
}

/** CTEs and a select that yields `day`, `key`, `value`, (`numerator`, `denominator`,) `state`, `source`, heights, `as_of`. */
export type ChainFigures = {
  readonly ctes: readonly string[]
  readonly select: string
  /** The same figures from a node's statistics alone, where the chain's may come from rows. */
  readonly statistics?: string
  readonly isRatio: boolean
}

const RANGE = 'BETWEEN {from:Date} AND {to:Date}'

/** A day that is over by the clock and still lacks blocks has a gap; before that it is under way. */
const openState = (day: string): string =>
  `if(${day} >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')`

const stateOf = (day: string, basis: 'facts' | 'rows'): string =>
  `if(${day} IN (SELECT day FROM btc_whole_days WHERE basis = '${basis}'), 'whole', ${openState(day)})`

type BlockFigures = Chain & { readonly where?: string; readonly groupKey?: boolean }

const columnsOf = (figures: Pick<Chain, 'key' | 'value' | 'numerator' | 'denominator'>): string =>
  [
    `${figures.key ?? "''"} AS key`,
    `${figures.value} AS value`,
    ...(figures.numerator === undefined
      ? []
      : [`${figures.numerator} AS numerator`, `${figures.denominator} AS denominator`]),
  ].join(',\n      ')

/** Figures by day from one row a block, whoever tells it: \`btc_block_facts\`. */
export function perBlock(figures: BlockFigures): ChainFigures {
  const select = (table: string): string => `SELECT
      day,
      ${columnsOf(figures)},
      ${stateOf('day', 'facts')} AS state,
      if(countIf(origin = 'statistics') = 0, 'bitcoin.chain', 'bitcoin.getblockstats') AS source,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
    FROM ${table}
    WHERE day ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}
    GROUP BY day${figures.groupKey ? ', key' : ''}`
  return {
    ctes: figures.with ?? [],
    select: select('btc_block_facts'),
    statistics: select('btc_statistics_facts'),
    isRatio: figures.numerator !== undefined,
  }
}

/** Figures by day from blocks that are held: \`btc_blocks\`. */
export function perHeldBlock(figures: BlockFigures): ChainFigures {
  return {
    ctes: figures.with ?? [],
    select: `SELECT
      toDate(block_time) AS day,
      ${columnsOf(figures)},
      ${stateOf('day', 'rows')} AS state,
      'bitcoin.chain' AS source,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
    FROM btc_blocks
    WHERE day ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}
    GROUP BY day${figures.groupKey ? ', key' : ''}`,
    isRatio: figures.numerator !== undefined,
  }
}

type RollupFigures = {
  /** Public table of the rollup; its columns are at hand in the expressions. */
  readonly table: string
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
  readonly where?: string
  /** Several rows of the table make one figure. */
  readonly isSum?: boolean
  readonly join?: string
}

/** Figures by day from a rollup of what the held blocks contain. */
export function perDay(figures: RollupFigures): ChainFigures {
  const group = figures.isSum ? '\n    GROUP BY r.bucket, key, h.from_height, h.to_height, h.last_time' : ''
  return {
    ctes: [],
    select: `SELECT
      r.bucket AS day,
      ${columnsOf(figures)},
      ${stateOf('r.bucket', 'rows')} AS state,
      'bitcoin.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${figures.table} AS r
    INNER JOIN btc_held_buckets AS h ON h.grain = 'day' AND h.bucket = r.bucket${figures.join ?? ''}
    WHERE r.bucket ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}${group}`,
    isRatio: figures.numerator !== undefined,
  }
}

/** Figures by bucket that only base rows give (medians, distinct counts): the rollup keeps each grain, \`{grain:String}\` picks. */
export function perBucket(figures: Omit<RollupFigures, 'isSum'>): ChainFigures {
  return {
    ctes: [
      `whole AS (
    SELECT multiIf({grain:String} = 'week', toMonday(day), {grain:String} = 'month', toStartOfMonth(day), day) AS bucket, count() AS days
    FROM btc_whole_days
    WHERE basis = 'rows'
    GROUP BY bucket
  )`,
    ],
    select: `SELECT
      r.bucket AS day,
      ${columnsOf(figures)},
      multiIf(
        w.days = multiIf({grain:String} = 'week', 7, {grain:String} = 'month', toDayOfMonth(toLastDayOfMonth(r.bucket)), 1), 'whole',
        toLastDayOfMonth(r.bucket) >= toDate(now('UTC')) AND toDate(h.last_time) >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
        'incomplete'
      ) AS state,
      'bitcoin.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${figures.table} AS r
    INNER JOIN btc_held_buckets AS h ON h.grain = {grain:String} AND h.bucket = r.bucket
    LEFT JOIN whole AS w ON w.bucket = r.bucket${figures.join ?? ''}
    WHERE r.grain = {grain:String} AND r.bucket ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`,
    isRatio: figures.numerator !== undefined,
  }
}

/**
 * Running sums over flow rollups. `events` is a CTE body that yields `day`, `key`, `change`; days without an event keep the
 * sum, and after the first gap since genesis there is none.
 */
export function runningSum(figures: {
  readonly with?: readonly string[]
  readonly events: string
  readonly keys: readonly string[]
  /** The figure, from `total`, the running sum. */
  readonly value?: string
  readonly join?: string
}): ChainFigures {
  const keys = `[${figures.keys.map(key => `'${key}'`).join(', ')}]`
  return {
    ctes: [
      `days AS (
    SELECT
      d.day AS day, d.is_whole AS is_whole,
      max(h.to_height) OVER (ORDER BY d.day) AS to_height, max(h.last_time) OVER (ORDER BY d.day) AS as_of
    FROM btc_days_since_genesis AS d
    LEFT JOIN btc_held_buckets AS h ON h.grain = 'day' AND h.bucket = d.day
  )`,
      ...(figures.with ?? []),
      `events AS (
    ${figures.events}
  )`,
      `stocks AS (
    SELECT
      day, key,
      sum(sum(change)) OVER (PARTITION BY key ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS total,
      max(is_known) AS is_known
    FROM (
      SELECT day, key, change, 0 AS is_known FROM events
      UNION ALL
      SELECT day, arrayJoin(${keys}) AS key, 0 AS change, 1 AS is_known FROM days
    )
    GROUP BY day, key
  )`,
    ],
    select: `SELECT
      d.day AS day, s.key AS key,
      ${figures.value ?? 'toInt64(s.total)'} AS value,
      if(d.is_whole, 'whole', ${openState('d.day')}) AS state,
      'bitcoin.chain' AS source,
      toUInt32(0) AS from_height, d.to_height AS to_height, d.as_of AS as_of
    FROM days AS d
    INNER JOIN stocks AS s ON s.day = d.day${figures.join ?? ''}
    WHERE s.is_known = 1 AND d.day ${RANGE}`,
    isRatio: false,
  }
}

/**
 * The statement of a metric: figures from blocks and from outside as candidates of a day, whole ones first, then by rank
 * of trust; the first one wins. `besideSql` returns what may have lost: outside figures and a node's statistics.
 */
export function figuresSql(options: FiguresOptions): { sql: string; besideSql: string | undefined } {
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
      o.day AS day, o.key AS key, ${cast(kept)} AS value${isRatio ? ', NULL AS numerator, NULL AS denominator' : ''},
      'whole' AS state, o.source AS source,
      NULL AS from_height, NULL AS to_height, o.observed_at AS as_of, toInt64(s.rank) AS rank
    FROM latest_observations AS o
    INNER JOIN sources AS s ON s.id = o.source
    WHERE o.metric = '${options.metric}' AND o.entity = {entity:String} AND o.day ${RANGE}`
  const statement = (ctes: readonly string[], parts: readonly string[], last: string): string => `WITH
  ${[...ctes, `candidates AS (\n    ${parts.join('\n    UNION ALL\n    ')}\n  )`].join(',\n  ')}
SELECT day, key, value${sums}, state, source, from_height, to_height, as_of
FROM candidates
ORDER BY day, key, ${last}`

  const outside = options.outside ? [ofOutside] : []
  const besides = [...(chain?.statistics === undefined ? [] : [ofChain('statistics', 1)]), ...outside]
  return {
    sql: statement(
      chain === undefined ? [] : [...chain.ctes, `chain AS (\n    ${chain.select}\n  )`],
      [...(chain === undefined ? [] : [ofChain('chain', 0)]), ...outside],
      "state = 'whole' DESC, rank\nLIMIT 1 BY day, key",
    ),
    besideSql:
      besides.length === 0
        ? undefined
        : statement(
            chain?.statistics === undefined
              ? []
              : [...chain.ctes, `statistics AS (\n    ${chain.statistics}\n  )`],
            besides,
            'rank',
          ),
  }
}
