import { SOURCES_BY } from '#kernel/sourceNames.ts'
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

const stateOfBucket = (bucket: string, basis: DayBasis, lastTime: string): string => `multiIf(
        ${bucket} IN (
          SELECT ${bucketOf('day')} AS bucket
          FROM btc_whole_days
          WHERE basis = '${basis}'
          GROUP BY bucket
          HAVING count() = ${bucketDays('bucket')}
        ), 'whole',
        ${bucket} + ${bucketDays(bucket)} > toDate(now('UTC') - INTERVAL 3 HOUR)
          AND toDate(${lastTime}) >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
        'incomplete'
      )`

/** SQL aggregate: the sources of rows of `btc_block_facts`: our rows, a node's statistics, or both. */
export const FACTS_SOURCE = `multiIf(
        countIf(origin = 'statistics') = 0, 'bitcoin.chain',
        countIf(origin != 'statistics') = 0, 'bitcoin.getblockstats',
        'bitcoin.chain${SOURCES_BY}bitcoin.getblockstats'
      )`

type Given = { table: string; day: string; basis: DayBasis; source: string }

const daysAsked = (figures: BlockFigures, given: Given): string =>
  `${given.day} ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`

function selectBlocks(figures: BlockFigures, given: Given): string {
  const group = figures.groupKey ? ', key' : ''
  return `SELECT
      ${figures.takesGrain ? bucketOf(given.day) : given.day} AS day,
      ${columnsOf(figures)},
      ${figures.takesGrain ? stateOfBucket('day', given.basis, 'max(block_time)') : stateOf('day', given.basis)} AS state,
      ${given.source} AS source,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
    FROM ${given.table}
    WHERE ${daysAsked(figures, given)}
    GROUP BY day${group}`
}

const figuresOf = (figures: BlockFigures, given: Given): ChainFigures => ({
  ctes: figures.with ?? [],
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
    // The column `day` would be taken for the bucket of the same name.
    day: figures.takesGrain ? 'toDate(block_time)' : 'day',
    basis: 'facts',
    source: FACTS_SOURCE,
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
    ctes: [],
    select: `SELECT
      r.bucket AS day,
      ${columnsOf(figures)},
      ${stateOfBucket('r.bucket', 'rows', 'h.last_time')} AS state,
      'bitcoin.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${figures.table} AS r
    INNER JOIN btc_held_buckets AS h ON h.grain = {grain:String} AND h.bucket = r.bucket${figures.join ?? ''}
    WHERE r.grain = {grain:String} AND r.bucket ${RANGE}${figures.where === undefined ? '' : ` AND ${figures.where}`}`,
    isRatio: figures.numerator !== undefined,
    fine: figures.fine,
  }
}

/** Stocks that a rollup has worked out for each day since genesis; after the first gap there is none. */
export function perStockDay(figures: {
  /** Public table of the rollup, at hand as `r`. */
  readonly table: string
  readonly key?: string
  readonly value: string
  /** Several rows of the table make one figure. */
  readonly isSum?: boolean
  readonly join?: string
}): ChainFigures {
  return {
    ctes: [],
    select: `SELECT
      d.day AS day, ${figures.key ?? "''"} AS key,
      ${figures.value} AS value,
      if(d.is_whole, 'whole', ${openState('d.day')}) AS state,
      'bitcoin.chain' AS source,
      toUInt32(0) AS from_height, d.to_height AS to_height, d.as_of AS as_of
    FROM btc_days_since_genesis AS d
    INNER JOIN ${figures.table} AS r ON r.bucket = d.day${figures.join ?? ''}
    WHERE d.day ${RANGE}${figures.isSum ? '\n    GROUP BY d.day, key, d.is_whole, d.to_height, d.as_of' : ''}`,
    isRatio: false,
  }
}

/**
 * Running sums over flow rollups. `events` is a CTE body that yields `day`, `key`, `change`, one row of each; days without
 * an event keep the sum, and after the first gap since genesis there is none.
 */
export function runningSum(figures: {
  readonly with?: readonly string[]
  readonly events: string
  /** Values of the breakdown; one sum unless given. */
  readonly keys?: readonly string[]
  /** Further columns of `stocks`, over `e`, the events, and the window `so_far`. */
  readonly also?: string
  /** The figure, from `s.total`, the running sum. */
  readonly value?: string
  readonly join?: string
}): ChainFigures {
  const { keys } = figures
  const days =
    keys === undefined
      ? 'btc_days_since_genesis'
      : `(
      SELECT day, is_whole, to_height, as_of, arrayJoin([${keys.map(key => `'${key}'`).join(', ')}]) AS key
      FROM btc_days_since_genesis
    )`
  const key = keys === undefined ? "''" : 'd.key'
  return {
    ctes: [
      ...(figures.with ?? []),
      `events AS (
    ${figures.events}
  )`,
      `stocks AS (
    SELECT
      d.day AS day, ${key} AS key, d.is_whole AS is_whole, d.to_height AS to_height, d.as_of AS as_of,
      sum(e.change) OVER so_far AS total${figures.also === undefined ? '' : `,\n      ${figures.also}`}
    FROM ${days} AS d
    LEFT JOIN events AS e ON e.day = d.day${keys === undefined ? '' : ' AND e.key = d.key'}
    WINDOW so_far AS (${keys === undefined ? '' : 'PARTITION BY d.key '}ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )`,
    ],
    select: `SELECT
      s.day AS day, s.key AS key,
      ${figures.value ?? 's.total'} AS value,
      if(s.is_whole, 'whole', ${openState('s.day')}) AS state,
      'bitcoin.chain' AS source,
      toUInt32(0) AS from_height, s.to_height AS to_height, s.as_of AS as_of
    FROM stocks AS s${figures.join ?? ''}
    WHERE s.day ${RANGE}`,
    isRatio: false,
  }
}
