import type { CatalogProtocol } from '#catalog/index.ts'
import { COVERS_WEEK } from '../coversWeek.ts'
import { type AppTable, quoted } from './table.ts'

/** Tables on the pages of exchanges, from the swaps and pools that their prints tell. */

const OF = ({ slug }: CatalogProtocol): string => `protocol = ${quoted(slug)}`
const empty = (what: string): string => `No indexed ${what} in its pools.`

/** SQL: the symbol of a token; its contract’s name where nobody says one. */
const symbol = (token: string): string =>
  `ifNull(nullIf(transform(${token}, (SELECT groupArray(token) FROM stx_dex_tokens), (SELECT groupArray(symbol) FROM stx_dex_tokens), ''), ''), splitByChar('.', ${token})[-1])`

/** Input that moves the price of a constant-product pool by one and by two hundredths, as a share of the side that comes in. */
const DEPTH_1 = '(1 / sqrt(0.99) - 1)'
const DEPTH_2 = '(1 / sqrt(0.98) - 1)'

export const poolsTable: AppTable = {
  title: 'Pools',
  sub: 'At the end of the latest indexed day, with volume and fees for the seven days to then. Depth excludes the fee',
  empty: empty('event'),
  columns: [
    { key: 'pair', label: 'Pool', form: 'text' },
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'tvl_usd', label: 'Value', form: 'figure', unit: 'USD' },
    { key: 'volume_usd', label: 'Volume, 7 days', form: 'figure', unit: 'USD' },
    {
      key: 'fee_apr',
      label: 'Fee APR',
      form: 'figure',
      unit: 'ratio',
      title: 'What stayed with providers in seven days × 365 ÷ 7 ÷ mean value; before the price has moved',
    },
    {
      key: 'vs_hold',
      label: 'Against holding, 30 days',
      form: 'figure',
      unit: 'ratio',
      title:
        'Value of a share over that of the tokens it stood for 30 days before, at today’s prices, less one',
    },
    {
      key: 'depth_1',
      label: 'Depth at 1%',
      form: 'figure',
      unit: 'USD',
      title:
        'Amount swapped in that moves the price by 1% on the pool’s own curve. Empty if a term of the curve is missing',
    },
    { key: 'depth_2', label: 'Depth at 2%', form: 'figure', unit: 'USD', isOptional: true },
    { key: 'reserve_x', label: 'First reserve', form: 'figure', unit: 'n' },
    { key: 'reserve_y', label: 'Second reserve', form: 'figure', unit: 'n' },
    { key: 'swaps', label: 'Swaps, 7 days', form: 'count' },
    {
      key: 'unread',
      label: 'Not read, 7 days',
      form: 'count',
      title: 'Prints that no rule reads: their swaps are in no figure',
    },
    {
      key: 'newest',
      label: 'Newest event',
      form: 'day',
      title: 'Day of the latest indexed print of the pool. An idle pool does not change its reserves',
    },
    { key: 'curve', label: 'Curve', form: 'text', isOptional: true },
  ],
  sql: app => `SELECT
  concat(${symbol('n.token_x')}, ' / ', ${symbol('n.token_y')}) AS pair, splitByChar('#', n.pool)[1] AS contract,
  n.pool AS pool, toString(n.curve) AS curve, n.tvl_usd AS tvl_usd,
  if(w.swaps > 0 OR w.is_covered, w.volume_usd, NULL) AS volume_usd,
  if(w.days = 7 AND w.is_covered AND w.mean_tvl > 0, w.lp_fee_usd * 365 / 7 / w.mean_tvl, NULL) AS fee_apr,
  multiIf(
    n.curve = 'bins', p.against30,
    n.shares > 0 AND o.shares > 0 AND n.reserve_x > 0 AND n.reserve_y > 0,
    ((n.value_x + n.value_y) / toFloat64(n.shares))
      / ((o.reserve_x * n.value_x / n.reserve_x + o.reserve_y * n.value_y / n.reserve_y) / toFloat64(o.shares)) - 1,
    NULL
  ) AS vs_hold,
  if(n.curve = 'product', ifNull((n.value_x + n.value_y) / 2, ifNull(n.value_x, n.value_y)) * ${DEPTH_1}, p.depth1_usd) AS depth_1,
  if(n.curve = 'product', ifNull((n.value_x + n.value_y) / 2, ifNull(n.value_x, n.value_y)) * ${DEPTH_2}, p.depth2_usd) AS depth_2,
  n.reserve_x AS reserve_x, n.reserve_y AS reserve_y, if(w.swaps > 0 OR w.is_covered, w.swaps, NULL) AS swaps,
  if(w.unread > 0 OR w.is_covered, w.unread, NULL) AS unread,
  toString(e.newest) AS newest
FROM stx_pool_values AS n
INNER JOIN (SELECT pool, max(bucket) AS newest FROM stx_dex_pool_days GROUP BY pool) AS e ON e.pool = n.pool
INNER JOIN (
  SELECT
    pool, sum(volume_usd) AS volume_usd, sum(lp_fee_usd) AS lp_fee_usd, avg(tvl_usd) AS mean_tvl, count(tvl_usd) AS days,
    ${COVERS_WEEK} AS is_covered, sum(swap_count) AS swaps, sum(unread_count) AS unread
  FROM stx_pool_values
  WHERE ${OF(app)} AND day > (SELECT max(day) FROM stx_pool_values) - 7
  GROUP BY pool
) AS w ON w.pool = n.pool
LEFT JOIN (
  SELECT pool, reserve_x, reserve_y, shares
  FROM stx_pool_values
  WHERE ${OF(app)} AND day = (SELECT max(day) FROM stx_pool_values) - 30
) AS o ON o.pool = n.pool
LEFT JOIN stx_pool_depths AS p ON p.pool = n.pool AND p.day = n.day
WHERE n.${OF(app)} AND n.day = (SELECT max(day) FROM stx_pool_values)
ORDER BY tvl_usd DESC NULLS LAST, volume_usd DESC NULLS LAST, pool
LIMIT 200`,
}

/** SQL: swaps of the newest thirty days, each with its value by the side that has the more trusted price. */
const valued = (app: CatalogProtocol): string => `(
    SELECT
      s.txid AS txid, s.event_index AS event_index, s.height AS height, s.block_time AS block_time, s.pool AS pool,
      s.trader AS trader, s.token_in AS token_in, s.token_out AS token_out, s.amount_in AS amount_in,
      s.amount_out AS amount_out, s.hop AS hop, s.is_route_start AS is_route_start,
      multiIf(
        i.usd > 0 AND (o.usd = 0 OR i.steps <= o.steps), toFloat64(s.amount_in) * i.usd,
        o.usd > 0, toFloat64(s.amount_out) * o.usd,
        NULL
      ) AS usd
    FROM stx_dex_swaps AS s
    LEFT JOIN stx_token_prices AS i ON i.day = toDate(s.block_time) AND i.token = s.token_in
    LEFT JOIN stx_token_prices AS o ON o.day = toDate(s.block_time) AND o.token = s.token_out
    WHERE s.${OF(app)} AND toDate(s.block_time) > (SELECT max(bucket) FROM stx_block_days) - 30
  )`

export const routesTable: AppTable = {
  title: 'Routes',
  sub: 'Routes through its pools over the latest 30 days with blocks. A transaction is a route if each swap uses the output of the previous one',
  empty: empty('swap'),
  columns: [
    { key: 'route', label: 'Route', form: 'text' },
    { key: 'hops', label: 'Pools', form: 'count' },
    { key: 'times', label: 'Times', form: 'count' },
    { key: 'traders', label: 'Traders', form: 'count' },
    {
      key: 'usd',
      label: 'Put in',
      form: 'figure',
      unit: 'USD',
      title: 'Value of what the first swap of each took in',
    },
  ],
  sql: app => `SELECT
  arrayStringConcat(arrayConcat([r.start], r.through), ' → ') AS route, length(r.through) AS hops, count() AS times,
  uniqExact(r.trader) AS traders, sum(r.usd) AS usd
FROM (
  SELECT
    w.txid AS txid, w.leg AS leg, any(w.trader) AS trader, argMin(w.usd, w.hop) AS usd,
    argMin(${symbol('w.token_in')}, w.hop) AS start,
    arrayMap(step -> step.2, arraySort(groupArray((w.hop, ${symbol('w.token_out')})))) AS through
  FROM (
    SELECT *, sum(is_route_start) OVER (PARTITION BY txid ORDER BY hop ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS leg
    FROM ${valued(app)}
  ) AS w
  GROUP BY w.txid, w.leg
) AS r
GROUP BY route, hops
ORDER BY usd DESC NULLS LAST, times DESC, route
LIMIT 100`,
}

export const tradersTable: AppTable = {
  title: 'Traders',
  sub: 'Top traders over the latest 30 days with blocks. Back-and-forth swaps within a day only add volume',
  empty: empty('swap'),
  columns: [
    { key: 'trader', label: 'Trader', form: 'principal' },
    { key: 'usd', label: 'Volume', form: 'figure', unit: 'USD' },
    { key: 'share', label: 'Of the volume', form: 'figure', unit: 'ratio' },
    {
      key: 'back_share',
      label: 'To and fro',
      form: 'figure',
      unit: 'ratio',
      title:
        'Part of the volume that was swapped back in the same pool on the same day: arbitrage, market making, or trades with oneself',
    },
    { key: 'swaps', label: 'Swaps', form: 'count' },
    { key: 'pools', label: 'Pools', form: 'count' },
    { key: 'newest', label: 'Newest', form: 'day' },
  ],
  sql: app => `SELECT
  t.trader AS trader, t.volume AS usd, t.volume / sum(t.volume) OVER () AS share,
  t.to_and_fro / nullIf(t.volume, 0) AS back_share, t.swaps AS swaps, t.pools AS pools, t.newest AS newest
FROM (
  SELECT
    d.trader AS trader, sum(d.volume) AS volume, sum(2 * least(ifNull(d.there, 0), ifNull(d.back, 0))) AS to_and_fro,
    sum(d.swaps) AS swaps, uniqExact(d.pool) AS pools, max(d.day) AS newest
  FROM (
    SELECT
      v.trader AS trader, v.pool AS pool, toDate(v.block_time) AS day, sum(v.usd) AS volume, count() AS swaps,
      sumIf(v.usd, v.token_in < v.token_out) AS there, sumIf(v.usd, v.token_in > v.token_out) AS back
    FROM ${valued(app)} AS v
    GROUP BY trader, pool, day
  ) AS d
  GROUP BY trader
) AS t
ORDER BY usd DESC NULLS LAST, swaps DESC, trader
LIMIT 100`,
}

export const swapsTable: AppTable = {
  title: 'Newest swaps',
  sub: 'Latest 100 in its pools',
  empty: empty('swap'),
  columns: [
    { key: 'time', label: 'Time', form: 'time' },
    { key: 'amount_in', label: 'In', form: 'amount' },
    { key: 'amount_out', label: 'Out', form: 'amount' },
    { key: 'usd', label: 'Value', form: 'figure', unit: 'USD' },
    { key: 'trader', label: 'Trader', form: 'principal' },
    { key: 'hop', label: 'Hop', form: 'count', isOptional: true },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: app => `SELECT
  formatDateTime(v.block_time, '%Y-%m-%dT%H:%i:%SZ') AS time,
  v.amount_in AS amount_in, a.decimals AS amount_in_decimals, ${symbol('v.token_in')} AS amount_in_symbol,
  v.amount_out AS amount_out, b.decimals AS amount_out_decimals, ${symbol('v.token_out')} AS amount_out_symbol,
  v.usd AS usd, v.trader AS trader, v.hop AS hop, lower(hex(v.txid)) AS txid
FROM ${valued(app)} AS v
LEFT JOIN stx_dex_tokens AS a ON a.token = v.token_in
LEFT JOIN stx_dex_tokens AS b ON b.token = v.token_out
ORDER BY v.height DESC, v.event_index DESC
LIMIT 100`,
}
