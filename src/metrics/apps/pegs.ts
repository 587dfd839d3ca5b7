import { RANGE } from '../chainFigures.ts'
import { FINE_ORDER } from '../fineFigures.ts'
import type { Metric } from '../metric.ts'
import { EVENT_PRICE } from '../rollups/dexPoolDays.ts'
import { stacksState } from '../stacks/common.ts'

/** Whose prices of a dollar coin count where no pool tells one. */
export const PEG_PUBLISHERS = ['coingecko.markets', 'defillama.coins']

/** Prices of pools before those of publishers, less a dollar. */
export function pegSql(contract: string, scale: string): Pick<Metric, 'sql' | 'besideSql'> {
  const ranks = `indexOf([${PEG_PUBLISHERS.map(source => `'${source}'`).join(', ')}], o.source)`
  const statement = (by: string): string => `SELECT
  c.day AS day, '' AS key, c.value AS value, c.state AS state, c.source AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, c.as_of AS as_of
FROM (
  SELECT
    p.day AS day, p.usd * ${scale} - 1 AS value, ${stacksState('p.day', 'events')} AS state, 'stacks.chain' AS source,
    toDateTime(p.day, 'UTC') AS as_of, 0 AS rank
  FROM stx_token_prices AS p
  WHERE p.token = '${contract}' AND p.steps > 0 AND p.day BETWEEN {from:Date} AND {to:Date}
  UNION ALL
  SELECT o.day, assumeNotNull(o.value) - 1, 'whole', o.source, o.observed_at, ${ranks}
  FROM latest_observations AS o
  WHERE o.metric = 'token.price' AND o.entity = {entity:String} AND o.day BETWEEN {from:Date} AND {to:Date}
    AND o.value > 0 AND ${ranks} > 0
) AS c
ORDER BY c.day, c.state = 'whole' DESC, c.rank, c.as_of DESC
LIMIT 1 BY ${by}`
  return { sql: statement('day'), besideSql: statement('day, source') }
}

const WORST_DAYS = 30

/** Of the figures of a window of days the farthest from nothing. */
export function worstPegSql(contract: string, scale: string): string {
  const before = pegSql(contract, scale).sql.replaceAll('{from:Date}', `({from:Date} - ${WORST_DAYS - 1})`)
  return `WITH pegs AS MATERIALIZED (
${before}
  )
SELECT
  d.day AS day, '' AS key, argMax(w.value, abs(w.value)) AS value, any(d.state) AS state, argMax(w.source, abs(w.value)) AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, any(d.as_of) AS as_of
FROM pegs AS d
CROSS JOIN pegs AS w
WHERE d.day ${RANGE} AND w.state = 'whole' AND w.day > d.day - ${WORST_DAYS} AND w.day <= d.day
GROUP BY d.day
ORDER BY day`
}

/** By block and hour: the median of the prices after the events of the pool that prices the coin on that day. */
export function finePegSql(contract: string, scale: string): string {
  const isHour = "{grain:String} = 'hour'"
  const range = (column: string): string => `${column} BETWEEN {from:Date} AND {to:Date}`
  return `SELECT
  if(${isHour}, toStartOfHour(f.first_time), f.first_time) AS time, if(${isHour}, NULL, toNullable(f.from_height)) AS height,
  '' AS key, f.value AS value,
  multiIf(
    NOT ${isHour}, 'whole', toDate(time) IN (SELECT day FROM stx_whole_days), 'whole',
    time >= now('UTC') - INTERVAL 3 HOUR, 'partial', 'incomplete'
  ) AS state,
  'stacks.chain' AS source, f.from_height AS from_height, f.to_height AS to_height, f.as_of AS as_of
FROM (
  SELECT
    if(${isHour}, toUnixTimestamp(toStartOfHour(e.block_time)), e.height) AS slot,
    median(if(e.token_x = '${contract}', e.price * o.usd, o.usd / e.price) * ${scale}) - 1 AS value,
    min(e.block_time) AS first_time, min(e.height) AS from_height, max(e.height) AS to_height, max(e.block_time) AS as_of
  FROM (
    SELECT bucket, pool, height, block_time, token_x, token_y, ${EVENT_PRICE} AS price
    FROM stx_dex_events
    WHERE ${range('bucket')} AND (token_x = '${contract}' OR token_y = '${contract}')
  ) AS e
  INNER JOIN (
    SELECT day, pool FROM stx_token_prices WHERE token = '${contract}' AND steps > 0 AND ${range('day')}
  ) AS p ON p.day = e.bucket AND p.pool = e.pool
  INNER JOIN (SELECT day, token, usd FROM stx_token_prices WHERE ${range('day')}) AS o
    ON o.day = e.bucket AND o.token = if(e.token_x = '${contract}', e.token_y, e.token_x)
  WHERE e.price > 0 AND isFinite(e.price)
  GROUP BY slot
) AS f
ORDER BY ${FINE_ORDER}`
}
