import type { StacksBlockPart } from '#kernel/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { stacksState } from './common.ts'

/**
 * CTE `known`: the days of Stacks up to whose end everything is held, and these parts of it were told, since a height that
 * `first` selects (one row, or none: then no day is known). A sum over all that happened is a stock on these days alone.
 */
export const knownSince = (first: string, ...parts: readonly StacksBlockPart[]): string => `run AS (
    SELECT f.height AS first, least(toInt64(c.to_height), ifNull(u.height - 1, toInt64(c.to_height))) AS last
    FROM (${first}) AS f
    INNER JOIN stx_coverage AS c ON true
    LEFT JOIN (
      SELECT minOrNull(toInt64(b.height)) AS height
      FROM stx_blocks AS b
      WHERE b.lacks != '' AND hasAny(splitByChar(',', b.lacks), [${parts.map(part => `'${part}'`).join(', ')}])
        AND b.height >= (SELECT min(height) FROM (${first}))
    ) AS u ON true
    WHERE c.from_height <= f.height AND c.to_height >= f.height
  ),
  known AS (
    SELECT
      h.bucket AS day, r.first AS from_height, h.to_height AS to_height, h.last_time AS as_of,
      ${stacksState('h.bucket')} AS state
    FROM stx_block_days AS h
    INNER JOIN run AS r ON true
    WHERE h.to_height BETWEEN r.first AND r.last
  )`

/** The height at which a contract was made, where that block is held. */
export const madeAt = (contracts: string): string =>
  `SELECT min(height) AS height FROM stx_contracts WHERE contract IN (${contracts}) HAVING count() > 0`

/** CTE `<name>`: running sums by the end of each day, of rows with `day`, `key`, `change`. */
export const totalsOf = (name: string, changes: string): string => `${name} AS (
    SELECT day, key, sum(change) OVER (PARTITION BY key ORDER BY day) AS total
    FROM (
      SELECT day, key, sum(change) AS change
      FROM (${changes})
      GROUP BY day, key
    )
  )`

/** SQL: the stock of each key on each known day of the range, 0 before its first change. */
export const stockOfKeys = (totals: string, keys: readonly string[], source: string): string => `SELECT
      k.day AS day, k.key AS key, t.total AS value, k.state AS state, '${source}' AS source,
      k.from_height AS from_height, k.to_height AS to_height, k.as_of AS as_of
    FROM (SELECT *, arrayJoin([${keys.map(key => `'${key}'`).join(', ')}]) AS key FROM known) AS k
    ASOF LEFT JOIN ${totals} AS t ON t.key = k.key AND t.day <= k.day
    WHERE k.day ${RANGE}`
