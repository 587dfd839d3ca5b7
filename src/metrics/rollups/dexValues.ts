import type { ClickHouseClient } from '@clickhouse/client'
import type { CatalogDexTokens } from '#catalog/index.ts'
import { LIQUIDITY_FLOOR_USD } from '#kernel/stacks.ts'
import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { stxPoolReserves, stxPoolValues, stxTokenPrices } from '#warehouse/tables/stacksDex.ts'
import { ask } from '../ask.ts'
import type { Exchanges } from '../deps.ts'
import { ONE_8, SWITCH_THRESHOLD } from '../dex/curves/power.ts'
import { refreshDexDepths } from './dexDepths.ts'
import { quoted } from './sqlText.ts'

/** Days for which a pool in which nothing happens still tells a price: who disagreed would trade there. */
export const POOL_STANDS_DAYS = 7
/** Days for which a price stands where no pool tells a newer one. */
export const PRICE_STANDS_DAYS = 30

/** Held days from the first event of a pool on. */
const DAYS_SQL = `SELECT bucket AS day FROM stx_block_days
    WHERE bucket >= {from:Date} AND bucket >= (SELECT min(day) FROM stx_pool_reserves)`

/** The marginal price of a pool of ALEX without a swap of the day, in base units: `powerPrice` in SQL. */
const POWER_PRICE = `exp10(dy.decimals) / exp10(dx.decimals) * if(
      factor >= ${SWITCH_THRESHOLD},
      (1 - least(factor, ${ONE_8}) / ${ONE_8} + least(factor, ${ONE_8}) / ${ONE_8} * toFloat64(reserve_y) / exp10(dy.decimals))
        / (1 - least(factor, ${ONE_8}) / ${ONE_8} + least(factor, ${ONE_8}) / ${ONE_8} * toFloat64(reserve_x) / exp10(dx.decimals)),
      pow(toFloat64(reserve_y) / exp10(dy.decimals) / (toFloat64(reserve_x) / exp10(dx.decimals)), factor / ${ONE_8})
    )`

/** How each pool stood at the end of a day with events: as its prints say, else as its bins do, else by all that came and left since it was created. */
const RESERVES = `SELECT
  day, pool, protocol, curve, token_x, token_y,
  multiIf(
    isNotNull(printed_x), if(isNull(reserve_decimals), toUInt256(printed_x),
      if(isNull(dx.decimals), NULL, intDiv(toUInt256(printed_x) * toUInt256(exp10(dx.decimals)), toUInt256(exp10(reserve_decimals))))),
    is_summed AND curve = 'bins', toUInt256(greatest(binned_x, 0)),
    is_summed AND summed_x >= 0, toUInt256(summed_x),
    NULL
  ) AS reserve_x,
  multiIf(
    isNotNull(printed_y), if(isNull(reserve_decimals), toUInt256(printed_y),
      if(isNull(dy.decimals), NULL, intDiv(toUInt256(printed_y) * toUInt256(exp10(dy.decimals)), toUInt256(exp10(reserve_decimals))))),
    is_summed AND curve = 'bins', toUInt256(greatest(binned_y, 0)),
    is_summed AND summed_y >= 0, toUInt256(summed_y),
    NULL
  ) AS reserve_y,
  multiIf(
    isNotNull(p.price), p.price,
    NOT (reserve_x > 0 AND reserve_y > 0), NULL,
    curve = 'product', toFloat64(reserve_y) / toFloat64(reserve_x),
    curve = 'power' AND isNotNull(factor), ${POWER_PRICE},
    NULL
  ) AS price,
  multiIf(isNotNull(p.shares), p.shares, is_summed AND summed_shares > 0, toUInt128(summed_shares), NULL) AS shares,
  p.amplification AS amplification, p.factor AS factor, p.midpoint_over AS midpoint_over, p.midpoint_under AS midpoint_under
FROM (
  SELECT
    d.bucket AS day, d.pool AS pool, d.protocol AS protocol, d.curve AS curve,
    d.reserve_x AS printed_x, d.reserve_y AS printed_y, d.reserve_decimals AS reserve_decimals,
    d.price AS price, d.shares AS shares,
    anyLast(d.amplification) OVER since AS amplification, anyLast(d.midpoint_over) OVER since AS midpoint_over,
    anyLast(d.midpoint_under) OVER since AS midpoint_under,
    -- The factor is part of what a pool is: whenever it is told, it held before and after.
    max(d.factor) OVER (PARTITION BY d.pool) AS factor,
    sum(toInt256(d.minted) - toInt256(d.burned)) OVER since AS summed_shares,
    sum(b.x) OVER since AS binned_x, sum(b.y) OVER since AS binned_y,
    if(d.token_x = '', max(d.token_x) OVER (PARTITION BY d.pool), d.token_x) AS token_x,
    if(d.token_y = '', max(d.token_y) OVER (PARTITION BY d.pool), d.token_y) AS token_y,
    sum(toInt256(d.came_x) - toInt256(d.left_x)) OVER since AS summed_x,
    sum(toInt256(d.came_y) - toInt256(d.left_y)) OVER since AS summed_y,
    minIf(d.bucket, d.is_created) OVER (PARTITION BY d.pool) AS created_on,
    max(d.is_created) OVER since AND sum(d.unread_count) OVER since = 0
      AND min(d.bucket) OVER (PARTITION BY d.pool) = created_on
      -- Nothing between is missing.
      AND arrayCount(whole -> whole > created_on AND whole < d.bucket, (SELECT groupArray(day) FROM stx_whole_days))
        = greatest(toInt64(d.bucket) - toInt64(created_on) - 1, 0) AS is_summed
  FROM stx_dex_pool_days AS d
  LEFT JOIN (
    SELECT bucket, pool, sum(by_x) AS x, sum(by_y) AS y
    FROM (
      SELECT
        bucket, pool,
        toInt256(x) - lagInFrame(toInt256(x), 1, toInt256(0)) OVER of_bin AS by_x,
        toInt256(y) - lagInFrame(toInt256(y), 1, toInt256(0)) OVER of_bin AS by_y
      FROM stx_dex_bin_days
      WINDOW of_bin AS (PARTITION BY pool, bin ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    )
    GROUP BY bucket, pool
  ) AS b ON b.bucket = d.bucket AND b.pool = d.pool
  WINDOW since AS (PARTITION BY d.pool ORDER BY d.bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
) AS p
LEFT JOIN stx_dex_tokens AS dx ON dx.token = p.token_x
LEFT JOIN stx_dex_tokens AS dy ON dy.token = p.token_y
WHERE token_x != '' AND token_y != '' AND day >= {from:Date}`

const decimalsOf = ({ tokens }: CatalogDexTokens): string =>
  `transform(a.token, [${tokens.map(({ token }) => quoted(token)).join(', ')}], [${tokens.map(({ decimals }) => decimals).join(', ')}], 0)`

/** Tokens whose price publishers say. */
const anchorsOf = (tokens: CatalogDexTokens): string => `SELECT
  a.day AS day, a.token AS token,
  if(a.asset = 'USD', 1, c.close) / exp10(${decimalsOf(tokens)}) AS usd,
  CAST(${decimalsOf(tokens)} AS Nullable(UInt8)) AS decimals,
  0. AS liquidity_usd, '' AS pool, 0 AS steps
FROM (
  SELECT day, pair.1 AS token, pair.2 AS asset
  FROM (${DAYS_SQL})
  ARRAY JOIN [${tokens.anchors.map(({ token, asset }) => `(${quoted(token)}, ${quoted(asset)})`).join(', ')}] AS pair
) AS a
LEFT JOIN (
  SELECT asset, day, close FROM usd_closes WHERE asset = 'STX'
  UNION ALL
  SELECT 'BTC', day, close FROM btc_usd_daily
) AS c ON c.asset = a.asset AND c.day = a.day
WHERE a.asset = 'USD' OR c.close > 0`

/**
 * Prices by pools: of those whose other side holds enough of a token that has a price, the one whose other side is worth
 * most. What was swapped there does not enter, only the median over the hours of what the pool’s curve gave.
 */
const pricedBy = (steps: 1 | 2): string => `SELECT
  day, token, argMax(p.usd, (p.liquidity, p.pool)) AS usd, any(k.decimals) AS decimals, max(p.liquidity) AS liquidity_usd,
  argMax(p.pool, (p.liquidity, p.pool)) AS pool, ${steps} AS steps
FROM (
  SELECT
    s.day AS day, s.pool AS pool, s.token AS token, s.rate * a.usd AS usd, s.other_reserve * a.usd AS liquidity
  FROM (
    SELECT
      day, pool, side.1 AS token, side.2 AS other, side.3 AS rate, side.4 AS other_reserve
    FROM (
      SELECT
        g.day AS day, g.pool AS pool, r.token_x AS token_x, r.token_y AS token_y, r.price AS price,
        r.reserve_x AS reserve_x, r.reserve_y AS reserve_y
      FROM (
        SELECT d.day AS day, p.pool AS pool
        FROM (${DAYS_SQL}) AS d
        CROSS JOIN (SELECT DISTINCT pool FROM stx_pool_reserves) AS p
      ) AS g
      ASOF INNER JOIN (
        SELECT pool, day, token_x, token_y, price, reserve_x, reserve_y FROM stx_pool_reserves WHERE isNotNull(price)
      ) AS r ON r.pool = g.pool AND r.day <= g.day
      WHERE g.day - r.day <= ${POOL_STANDS_DAYS}
    )
    ARRAY JOIN [
      (token_x, token_y, price, toFloat64(reserve_y)),
      (token_y, token_x, 1 / nullIf(price, 0), toFloat64(reserve_x))
    ] AS side
  ) AS s
  INNER JOIN stx_token_prices AS a ON a.day = s.day AND a.token = s.other
  WHERE a.steps = ${steps - 1} AND isNotNull(s.other_reserve) AND s.rate > 0
) AS p
LEFT JOIN stx_dex_tokens AS k ON k.token = p.token
WHERE p.liquidity >= ${LIQUIDITY_FLOOR_USD}
  AND (day, token) NOT IN (SELECT day, token FROM stx_token_prices WHERE day >= {from:Date} AND steps < ${steps})
GROUP BY day, token`

/** The price of a token as it stood on a day: the newest one, unless it is too old. */
const standing = (of: string): string =>
  `if(${of}.usd > 0 AND v.day - ${of}.day <= ${PRICE_STANDS_DAYS}, ${of}.usd, NULL)`
/** How far a price may be trusted: anchors first, then by the value behind it. */
const trust = (of: string): string => `if(${of}.steps = 0, 1e18, ${of}.liquidity_usd)`

/**
 * What was swapped, earned and held in dollars. A swap counts by the side whose price has most behind it, so that a token
 * of no worth lends its own price to nothing.
 */
const VALUES = `SELECT
  v.day AS day, v.protocol AS protocol, v.pool AS pool, r.curve AS curve, r.token_x AS token_x, r.token_y AS token_y,
  d.swap_count AS swap_count, d.unread_count AS unread_count, d.trader_count AS trader_count,
  ${standing('px')} AS usd_x, ${standing('py')} AS usd_y,
  isNotNull(usd_x) AND (isNull(usd_y) OR ${trust('px')} >= ${trust('py')}) AS by_x,
  multiIf(d.swap_count = 0, 0, by_x, toFloat64(d.swapped_x) * usd_x, toFloat64(d.swapped_y) * usd_y) AS volume_usd,
  multiIf(d.swap_count = 0, 0, by_x, toFloat64(d.routed_x) * usd_x, toFloat64(d.routed_y) * usd_y) AS routed_usd,
  -- A fee in a token without a price of its own is valued by what the pool gives for it.
  ifNull(usd_x, usd_y * r.price) AS fee_x, ifNull(usd_y, usd_x / nullIf(r.price, 0)) AS fee_y,
  if(d.swap_count = 0, 0, toFloat64(d.lp_fee_x) * fee_x + toFloat64(d.lp_fee_y) * fee_y) AS lp_fee_usd,
  if(d.swap_count = 0, 0, toFloat64(d.protocol_fee_x) * fee_x + toFloat64(d.protocol_fee_y) * fee_y) AS protocol_fee_usd,
  -- Decimals are known also of a token that has no price yet.
  toFloat64(r.reserve_x) / exp10(ifNull(kx.decimals, 0)) AS reserve_x,
  toFloat64(r.reserve_y) / exp10(ifNull(ky.decimals, 0)) AS reserve_y,
  toFloat64(r.reserve_x) * usd_x AS value_x, toFloat64(r.reserve_y) * usd_y AS value_y,
  multiIf(
    isNotNull(value_x) AND isNotNull(value_y), value_x + value_y,
    r.curve = 'product', 2 * ifNull(value_x, value_y),
    ifNull(value_x, value_y)
  ) AS tvl_usd,
  r.price AS price, r.shares AS shares, r.amplification AS amplification
FROM (
  SELECT b.bucket AS day, f.pool AS pool, f.protocol AS protocol
  FROM stx_block_days AS b
  CROSS JOIN (SELECT pool, any(protocol) AS protocol, min(day) AS first_day FROM stx_pool_reserves GROUP BY pool) AS f
  WHERE b.bucket >= f.first_day AND b.bucket >= {from:Date}
) AS v
ASOF LEFT JOIN stx_pool_reserves AS r ON r.pool = v.pool AND r.day <= v.day
LEFT JOIN stx_dex_pool_days AS d ON d.pool = v.pool AND d.bucket = v.day
ASOF LEFT JOIN stx_token_prices AS px ON px.token = r.token_x AND px.day <= v.day
ASOF LEFT JOIN stx_token_prices AS py ON py.token = r.token_y AND py.day <= v.day
LEFT JOIN stx_dex_tokens AS kx ON kx.token = r.token_x
LEFT JOIN stx_dex_tokens AS ky ON ky.token = r.token_y`

/** The first day whose prices of publishers, or whose tokens' decimals, are known otherwise than when it was written down. */
const knownBetter = (tokens: CatalogDexTokens): string => `SELECT toString(min(day)) AS day, count() AS days
FROM (
  SELECT day FROM (${anchorsOf(tokens)}) WHERE (day, token, toString(usd)) NOT IN (
    SELECT day, token, toString(usd) FROM stx_token_prices WHERE steps = 0
  )
  UNION ALL
  SELECT day FROM stx_pool_reserves
  WHERE pool IN (SELECT pool FROM stx_dex_pool_days WHERE isNotNull(reserve_decimals) AND isNotNull(reserve_x))
    AND (
      isNull(reserve_x) AND token_x IN (SELECT token FROM stx_dex_tokens WHERE isNotNull(decimals))
      OR isNull(reserve_y) AND token_y IN (SELECT token FROM stx_dex_tokens WHERE isNotNull(decimals))
    )
)`

/**
 * Writes down what has changed: reserves, prices of tokens, values of pools and their depths, each from the ones before. They rest on days
 * before theirs, so a change of a day is followed to the newest. `stale` is the first day whose rows were computed anew.
 */
export async function refreshDexValues(
  writer: ClickHouseClient,
  { exchanges, dexTokens }: Exchanges,
  stale: string | undefined,
): Promise<void> {
  const [known] = await ask<{ day: string; days: string }>(writer, knownBetter(dexTokens), {
    from: '1970-01-01',
  })
  const days = [stale ?? [], known !== undefined && Number(known.days) > 0 ? known.day : []].flat().sort()
  const [from] = days
  if (from === undefined) return
  const run = BigInt(Date.now()) * 1000n
  await restate(writer, stxPoolReserves, { select: RESERVES, from, run })
  await restate(writer, stxTokenPrices, {
    select: anchorsOf(dexTokens),
    from,
    run: run + 1n,
    where: 'steps = 0',
  })
  await restate(writer, stxTokenPrices, { select: pricedBy(1), from, run: run + 2n, where: 'steps = 1' })
  await restate(writer, stxTokenPrices, { select: pricedBy(2), from, run: run + 3n, where: 'steps = 2' })
  await restate(writer, stxPoolValues, { select: VALUES, from, run: run + 4n })
  await refreshDexDepths(writer, exchanges, from, run + 5n)
}

type Restated = {
  readonly select: string
  readonly from: string
  readonly run: bigint
  /** The part of the table that the statement is about. */
  readonly where?: string
}

/** Inserts the rows of a statement that differ from those held, and says of the ones that are gone that they are. */
async function restate(
  writer: ClickHouseClient,
  table: Table,
  { select, from, run, where = 'true' }: Restated,
): Promise<void> {
  const { run: _, isHeld: __, ...columns } = table.columns
  const names = Object.keys(columns).map(snake)
  const keys = table.orderBy.join(', ')
  const list = names.join(', ')
  const facts = names.map(name => `toString(tuple(${name}))`).join(', ')
  await writer.command({
    query: `INSERT INTO ${BASE_DATABASE}.${table.name} (run, is_held, ${list})
WITH
  fresh AS (SELECT ${list} FROM (${select})),
  known AS (SELECT ${list} FROM ${BASE_DATABASE}.${table.name} FINAL WHERE is_held AND day >= {from:Date} AND ${where})
SELECT {run:UInt64}, true, ${list} FROM fresh WHERE (${facts}) NOT IN (SELECT ${facts} FROM known)
UNION ALL
SELECT {run:UInt64}, false, ${list} FROM known WHERE (${keys}) NOT IN (SELECT ${keys} FROM fresh)`,
    query_params: { run: run.toString(), from },
  })
}
