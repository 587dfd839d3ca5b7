import { type FineGrain, type FineSelect, selectFine } from './fineFigures.ts'

type Columns = {
  /** CTEs that the expressions rest on. */
  readonly with?: readonly string[]
  /** Value of the breakdown; '' unless given. */
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
}

/** CTEs and a select that yields `day`, `key`, `value`, (`numerator`, `denominator`,) `state`, `source`, heights, `as_of`. */
export type ChainFigures = {
  readonly ctes: readonly string[]
  readonly select: string
  /** The same figures from a node's statistics alone, where the chain's may come from rows. */
  readonly statistics?: string
  readonly isRatio: boolean
  /** The same figures by block or hour. */
  readonly fine?: FineFigures | undefined
}

export type FineFigures = {
  readonly grains: readonly FineGrain[]
  readonly ctes: readonly string[]
  readonly select: string
}

/** Figures by block or hour that are not made like those of a day. */
export const fineFrom = (grains: readonly FineGrain[], select: FineSelect): FineFigures => ({
  grains,
  ctes: [],
  select: selectFine(select),
})

/** The days asked for. */
export const RANGE = 'BETWEEN {from:Date} AND {to:Date}'

/** A day that is over by the clock and still lacks blocks has a gap; before that it is under way. */
const openState = (day: string): string =>
  `if(${day} >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')`

const columnsOf = (figures: Columns): string =>
  [
    `${figures.key ?? "''"} AS key`,
    `${figures.value} AS value`,
    ...(figures.numerator === undefined
      ? []
      : [`${figures.numerator} AS numerator`, `${figures.denominator} AS denominator`]),
  ].join(',\n      ')

type DayBasis = 'facts' | 'rows' | 'statistics'

const stateOf = (day: string, basis: DayBasis): string =>
  `if(${day} IN (SELECT day FROM btc_whole_days WHERE basis = '${basis}'), 'whole', ${openState(day)})`

type BlockFigures = Columns & {
  readonly where?: string
  readonly groupKey?: boolean
  /** The relation that the expressions read: `btc_block_facts`, or a CTE of the same columns. */
  readonly from?: string
  /** The statement lengthens its buckets itself, by `{grain:String}`: for medians and shares of a bucket. */
  readonly takesGrain?: boolean
  /** Grains below a day at which the same expressions make sense. */
  readonly fine?: readonly FineGrain[]
}

const bucketOf = (day: string): string =>
  `multiIf({grain:String} = 'week', toMonday(${day}), {grain:String} = 'month', toStartOfMonth(${day}), ${day})`

const bucketDays = (bucket: string): string =>
  `multiIf({grain:String} = 'week', 7, {grain:String} = 'month', toDayOfMonth(toLastDayOfMonth(${bucket})), 1)`

/** CTE `whole`: how many days of a bucket are whole. */
const wholeDaysOfBuckets = (basis: DayBasis): string => `whole AS (
    SELECT ${bucketOf('day')} AS bucket, count() AS days
    FROM btc_whole_days
    WHERE basis = '${basis}'
    GROUP BY bucket
  )`

const stateOfBucket = (bucket: string, lastTime: string): string => `multiIf(
        w.days = ${bucketDays(bucket)}, 'whole',
        ${bucket} + ${bucketDays(bucket)} > toDate(now('UTC') - INTERVAL 3 HOUR)
          AND toDate(${lastTime}) >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
        'incomplete'
      )`

type Given = { table: string; day: string; basis: DayBasis; source: string }

const daysAsked = (figures: BlockFigures, given: Given): string =>
  `${given.day} ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`

function selectBlocks(figures: BlockFigures, given: Given): string {
  const where = `WHERE ${daysAsked(figures, given)}`
  const group = figures.groupKey ? ', key' : ''
  const heights = 'min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of'
  if (!figures.takesGrain) {
    return `SELECT
      ${given.day} AS day,
      ${columnsOf(figures)},
      ${stateOf('day', given.basis)} AS state,
      ${given.source} AS source,
      ${heights}
    FROM ${given.table}
    ${where}
    GROUP BY day${group}`
  }
  return `SELECT
      b.bucket AS day, b.key AS key, b.value AS value${figures.numerator === undefined ? '' : ', b.numerator AS numerator, b.denominator AS denominator'},
      ${stateOfBucket('b.bucket', 'b.as_of')} AS state,
      b.source AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
    FROM (
      SELECT
      ${bucketOf(given.day)} AS bucket,
      ${columnsOf(figures)},
      ${given.source} AS source,
      ${heights}
      FROM ${given.table}
      ${where}
      GROUP BY bucket${group}
    ) AS b
    LEFT JOIN whole AS w ON w.bucket = b.bucket`
}

const figuresOf = (figures: BlockFigures, given: Given): ChainFigures => ({
  ctes: [...(figures.takesGrain ? [wholeDaysOfBuckets(given.basis)] : []), ...(figures.with ?? [])],
  select: selectBlocks(figures, given),
  isRatio: figures.numerator !== undefined,
  fine: figures.fine && {
    grains: figures.fine,
    ctes: figures.with ?? [],
    select: selectFine({
      from: given.table,
      where: daysAsked(figures, given),
      key: figures.key ?? "''",
      value: figures.value,
      numerator: figures.numerator,
      denominator: figures.denominator,
      source: given.source,
      groupKey: figures.groupKey,
      basis: given.basis,
    }),
  },
})

/** Figures by day from one row a block, whoever tells it: `btc_block_facts`. */
export function perBlock(figures: BlockFigures): ChainFigures {
  const given = {
    day: 'day',
    basis: 'facts',
    source: "if(countIf(origin = 'statistics') = 0, 'bitcoin.chain', 'bitcoin.getblockstats')",
  } as const
  const chain = figuresOf(figures, { ...given, table: figures.from ?? 'btc_block_facts' })
  if (figures.from !== undefined || figures.takesGrain) return chain
  return {
    ...chain,
    statistics: selectBlocks(figures, { ...given, basis: 'statistics', table: 'btc_statistics_facts' }),
  }
}

/** Figures by day from blocks that are held: `btc_blocks`. */
export function perHeldBlock(figures: BlockFigures): ChainFigures {
  const given = {
    table: figures.from ?? 'btc_blocks',
    day: 'toDate(block_time)',
    basis: 'rows',
    source: "'bitcoin.chain'",
  } as const
  return figuresOf(figures, given)
}

/** Figures by day from a node's statistics, where they say what rows do not. */
export function perStatistics(figures: BlockFigures): ChainFigures {
  const given = {
    table: figures.from ?? 'btc_block_stats',
    day: 'toDate(block_time)',
    basis: 'statistics',
    source: "'bitcoin.getblockstats'",
  } as const
  return figuresOf(figures, given)
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
  readonly fine?: FineFigures
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
    fine: figures.fine,
  }
}

/** Figures by bucket that only base rows give (medians, distinct counts): the rollup keeps each grain, \`{grain:String}\` picks. */
export function perBucket(figures: Omit<RollupFigures, 'isSum'>): ChainFigures {
  return {
    ctes: [wholeDaysOfBuckets('rows')],
    select: `SELECT
      r.bucket AS day,
      ${columnsOf(figures)},
      ${stateOfBucket('r.bucket', 'h.last_time')} AS state,
      'bitcoin.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${figures.table} AS r
    INNER JOIN btc_held_buckets AS h ON h.grain = {grain:String} AND h.bucket = r.bucket
    LEFT JOIN whole AS w ON w.bucket = r.bucket${figures.join ?? ''}
    WHERE r.grain = {grain:String} AND r.bucket ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`,
    isRatio: figures.numerator !== undefined,
    fine: figures.fine,
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
  readonly key?: string
  readonly join?: string
  readonly where?: string
}): ChainFigures {
  const keys = `[${figures.keys.map(key => `'${key}'`).join(', ')}]`
  return {
    ctes: [
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
      SELECT day, arrayJoin(${keys}) AS key, 0 AS change, 1 AS is_known FROM btc_days_since_genesis
    )
    GROUP BY day, key
  )`,
    ],
    select: `SELECT
      d.day AS day, ${figures.key ?? 's.key'} AS key,
      ${figures.value ?? 'toInt64(s.total)'} AS value,
      if(d.is_whole, 'whole', ${openState('d.day')}) AS state,
      'bitcoin.chain' AS source,
      toUInt32(0) AS from_height, d.to_height AS to_height, d.as_of AS as_of
    FROM btc_days_since_genesis AS d
    INNER JOIN stocks AS s ON s.day = d.day${figures.join ?? ''}
    WHERE s.is_known = 1 AND d.day ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`,
    isRatio: false,
  }
}
