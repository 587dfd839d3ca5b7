import type { StacksBlockPart } from '#kernel/stacks.ts'
import { type ChainFigures, RANGE } from '../chainFigures.ts'

/** What entries from our own rows of Stacks share. */
export const fromStacks = {
  entityKind: 'layer',
  entities: ['stacks'],
  sources: ['stacks.chain'],
  cadence: 'block',
  since: { day: '2021-01-14' },
  direction: 'neither',
  needs:
    'Requires days with all Stacks blocks indexed. Run “assay backfill --chain stacks --from … --to …” to load blocks from the public API or a node, set STACKS_OBSERVER_PORT and let a node post to it, or load an archive of its events.',
} as const

/** Why figures of both chains may be missing, and what brings them. */
export const NEEDS_BOTH_CHAINS =
  'Needs the blocks of both chains: set BITCOIN_RPC_URL to a node, and let a Stacks node post its events to STACKS_OBSERVER_PORT.'

/** Figures that somebody published, about Stacks. */
export const recordedOfStacks = {
  entityKind: 'layer',
  entities: ['stacks'],
  cadence: 'recorded',
  calendar: 'reported',
  direction: 'neither',
  aggregate: 'last',
} as const

export const sip = (number: number, title: string) => ({
  title: `SIP-${String(number).padStart(3, '0')}: ${title}`,
  url: `https://github.com/stacksgov/sips/tree/main/sips/sip-${String(number).padStart(3, '0')}`,
})

export const eventsOfNodes = {
  title: 'Stacks nodes: event dispatcher',
  url: 'https://github.com/stacks-network/stacks-core/blob/master/docs/event-dispatcher.md',
}

/**
 * The state of a day of Stacks: whole once the run of held blocks reaches beyond both of its ends, and their sources told
 * these parts of all of them.
 */
export function stacksState(day: string, ...parts: readonly StacksBlockPart[]): string {
  const untold =
    parts.length === 0
      ? ''
      : `${day} IN (SELECT day FROM stx_untold_days WHERE part IN (${parts.map(part => `'${part}'`).join(', ')})), 'incomplete', `
  return `multiIf(${untold}${day} IN (SELECT day FROM stx_whole_days), 'whole', ${day} >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')`
}

type StacksFigures = {
  /** A rollup by day, at hand as `r`; that of blocks unless given, which is at hand as `h` in any case. */
  readonly table?: string
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
  readonly where?: string
  /** Several rows of the table make one figure. */
  readonly isSum?: boolean
  /** What the sources of the blocks have to tell for it. */
  readonly needs?: readonly StacksBlockPart[]
}

/** Figures by day from a rollup of Stacks. */
export function perStacksDay(figures: StacksFigures): ChainFigures {
  const { table, key = "''", where, numerator } = figures
  const sums =
    numerator === undefined ? '' : `\n      ${numerator} AS numerator, ${figures.denominator} AS denominator,`
  const day = table === undefined ? 'h.bucket' : 'r.bucket'
  return {
    ctes: [],
    select: `SELECT
      ${day} AS day,
      ${key} AS key,
      ${figures.value} AS value,${sums}
      ${stacksState(day, ...(figures.needs ?? []))} AS state,
      'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${table === undefined ? 'stx_block_days AS h' : `${table} AS r\n    INNER JOIN stx_block_days AS h ON h.bucket = r.bucket`}
    WHERE ${day} ${RANGE}${where === undefined ? '' : ` AND ${where}`}${
      figures.isSum ? `\n    GROUP BY ${day}, key, h.from_height, h.to_height, h.last_time` : ''
    }`,
    isRatio: numerator !== undefined,
  }
}

type HeldDays = {
  readonly ctes?: readonly string[]
  /** Rows `day`, `key`, `value` of the range. */
  readonly rows: string
  /** Parts that have a figure on every day that is held: 0 where no row says another. */
  readonly keys?: readonly string[]
  readonly needs?: readonly StacksBlockPart[]
}

/** Figures by day from base rows: 0 on a held day that none of them falls on. */
export const perHeldStacksDay = ({ ctes = [], rows, keys = [''], needs = [] }: HeldDays): ChainFigures => ({
  ctes: [...ctes, `found AS (\n    ${rows}\n  )`],
  select: `SELECT
      h.bucket AS day, h.key AS key, ifNull(f.value, 0) AS value, ${stacksState('h.bucket', ...needs)} AS state,
      'stacks.chain' AS source, h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM (
      SELECT bucket, from_height, to_height, last_time, arrayJoin([${keys.map(key => `'${key}'`).join(', ')}]) AS key
      FROM stx_block_days
      WHERE bucket ${RANGE}
    ) AS h
    LEFT JOIN (SELECT day, key, toNullable(value) AS value FROM found) AS f ON f.day = h.bucket AND f.key = h.key`,
  isRatio: false,
})
/** SQL: the first day of the bucket of `{grain:String}` that a time falls into. */
export const bucketOf = (time: string): string =>
  `multiIf({grain:String} = 'week', toMonday(${time}), {grain:String} = 'month', toStartOfMonth(${time}), toDate(${time}))`
/** SQL: days of the bucket whose first day is `bucket`. */
export const DAYS_OF_BUCKET =
  "multiIf({grain:String} = 'week', 7, {grain:String} = 'month', toDayOfMonth(toLastDayOfMonth(bucket)), 1)"

/** The state of a bucket of any length: `of` has `bucket` and `days`. */
export const stateOfStacksBucket = (of: string): string => `multiIf(
    {grain:String} = 'day', ${stacksState(`${of}.bucket`)},
    length(arrayFilter(
      whole -> whole >= ${of}.bucket AND whole < ${of}.bucket + ${of}.days, (SELECT groupArray(day) FROM stx_whole_days)
    )) = ${of}.days, 'whole',
    ${of}.bucket + ${of}.days > toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
    'incomplete'
  )`
