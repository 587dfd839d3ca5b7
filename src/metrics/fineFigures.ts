/** Grains below a day: what is known of a block or of an hour by itself, straight from base rows. */
export const FINE_GRAINS = ['block', 'hour'] as const
export type FineGrain = (typeof FINE_GRAINS)[number]

/** Most days that one answer by block or by hour covers: about as many points as a history by day has. */
export const MOST_FINE_DAYS: Readonly<Record<FineGrain, number>> = { block: 31, hour: 366 }

/** Columns that a statement by block or hour returns besides those of a day's, in its order. */
export const FINE_ORDER = 'height, time, key'

export type FineSelect = {
  /** Rows with `height` and `block_time`. */
  readonly from: string
  readonly where: string
  readonly key: string
  /** An aggregate over the rows of a block or an hour; with `spread` an array of one value a key. */
  readonly value: string
  readonly numerator?: string | undefined
  readonly denominator?: string | undefined
  readonly source: string
  /** Keys that the array of values stands for, in place of `key`. */
  readonly spread?: readonly string[]
  readonly groupKey?: boolean | undefined
  /** Which blocks count as neighbours: `basis` of `btc_block_runs`. */
  readonly basis: 'facts' | 'rows' | 'statistics'
}

const IS_HOUR = "{grain:String} = 'hour'"

/**
 * A select that yields `time`, `height` (of a block), `key`, `value`, … for `{grain:String}` = block or hour. A block is
 * whole. An hour is whole once the last median time past of its run of blocks lies behind its end: no later block can
 * fall into it (BIP-113).
 */
export function selectFine(given: FineSelect): string {
  const sums = given.numerator === undefined ? [] : ['numerator', 'denominator']
  const spread = given.spread?.map(key => `'${key}'`).join(', ')
  const [key, value] = spread === undefined ? ['f.key', 'f.value'] : ['part.1', 'part.2']
  return `SELECT
      if(${IS_HOUR}, toStartOfHour(f.first_time), f.first_time) AS time,
      if(${IS_HOUR}, NULL, toNullable(f.from_height)) AS height,
      ${key} AS key, ${value} AS value,${sums.map(sum => ` f.${sum} AS ${sum},`).join('')}
      multiIf(
        NOT ${IS_HOUR}, 'whole',
        arrayExists(
          run -> f.from_height >= run.1 AND f.to_height <= run.2 AND toDate(time) >= run.3 AND time + 3600 <= run.4,
          (
            SELECT groupArray((r.from_height, r.to_height, r.first_whole_day, ifNull(b.median_time, toDateTime(0, 'UTC'))))
            FROM btc_block_runs AS r
            INNER JOIN btc_block_facts AS b ON b.height = r.to_height
            WHERE r.basis = '${given.basis}'
          )
        ), 'whole',
        time >= now('UTC') - INTERVAL 3 HOUR, 'partial',
        'incomplete'
      ) AS state,
      f.source AS source, f.from_height AS from_height, f.to_height AS to_height, f.as_of AS as_of
    FROM (
      SELECT
        if(${IS_HOUR}, toUnixTimestamp(toStartOfHour(block_time)), height) AS slot,
        ${given.key} AS key, ${given.value} AS value,${
          given.numerator === undefined
            ? ''
            : `\n        ${given.numerator} AS numerator, ${given.denominator} AS denominator,`
        }
        ${given.source} AS source,
        min(block_time) AS first_time, min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
      FROM ${given.from}
      WHERE ${given.where}
      GROUP BY slot${given.groupKey ? ', key' : ''}
    ) AS f${spread === undefined ? '' : `\n    ARRAY JOIN arrayZip([${spread}], f.value) AS part`}`
}

/** Transactions of the days asked for, coinbases left out; `height` and `block_time` come with them. */
export const fineTxs = {
  from: 'btc_txs',
  where: `NOT is_coinbase AND toDate(block_time) BETWEEN {from:Date} AND {to:Date}
        AND height BETWEEN (SELECT min(height) FROM btc_blocks WHERE toDate(block_time) BETWEEN {from:Date} AND {to:Date})
          AND (SELECT max(height) FROM btc_blocks WHERE toDate(block_time) BETWEEN {from:Date} AND {to:Date})`,
  key: "''",
  source: "'bitcoin.chain'",
  basis: 'rows',
} as const satisfies Partial<FineSelect>
