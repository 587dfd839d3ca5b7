import { REWARD_CYCLES } from '#kernel/stacks.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES

/** Headers at both ends of the cycle of `row`: `f` of its first Bitcoin block, `l` of the first one after it. */
export const headersOfCycle = (row: string): string =>
  `INNER JOIN btc_block_facts AS f ON f.height = ${FIRST} + ${LENGTH} * ${row}.cycle
    INNER JOIN btc_block_facts AS l ON l.height = ${FIRST} + ${LENGTH} * (${row}.cycle + 1)`

/**
 * `priced`: each of `spans` (a row a cycle: `sat` earned, `ustx` stacked, its `start` and `end`, its heights) with the mean
 * closes of the UTC days that it touches. `key` tells the spans apart, `others` are columns of theirs to carry along.
 */
export const pricedSpans = (key: string, ...others: readonly string[]): string => `priced AS (
    SELECT
      s.${key} AS ${key}, any(s.ustx) AS ustx, any(s.sat) AS sat, any(s.from_height) AS from_height,
      any(s.to_height) AS to_height, any(s.start) AS start, any(s.end) AS end,
      ${others.map(other => `any(s.${other}) AS ${other}, `).join('')}avg(b.close) AS btc_usd, avg(x.close) AS stx_usd,
      count() = toDate(any(s.end)) - toDate(any(s.start)) + 1 AS is_priced
    FROM spans AS s
    INNER JOIN btc_usd_daily AS b ON true
    INNER JOIN (SELECT day, close FROM usd_closes WHERE asset = 'STX') AS x ON x.day = b.day
    WHERE b.day BETWEEN toDate(s.start) AND toDate(s.end)
    GROUP BY s.${key}
  )`

/** Columns `key` and `value` over `priced AS p`: of the cycle, and of a simple year by the cycle's measured days. Null without all closes. */
export const YIELD = `arrayJoin(['cycle', 'year']) AS key,
  if(p.is_priced, p.sat / 100000000 * p.btc_usd / (toFloat64(p.ustx) / 1000000 * p.stx_usd), NULL)
    * if(key = 'cycle', 1, 365 / ((toInt64(p.end) - toInt64(p.start)) / 86400)) AS value`
