import { stxDexPoolDays } from '#warehouse/tables/stacksDex.ts'
import type { Rollup } from './rollup.ts'

const SWAP = "kind = 'swap' AND is_read"
const sumOf = (amount: string, where: string): string => `sumIf(ifNull(${amount}, 0), ${where})`
const lastOf = (column: string, where: string): string =>
  `argMaxIf(tuple(${column}), (height, event_index), ${where}).1`
const latest = (column: string): string => `argMaxIf(tuple(${column}), hour, isNotNull(${column})).1`

/**
 * The price of an event in base units: of a bin its own; of a constant-product pool that prints reserves in base units their ratio; else
 * what the swap gave for what it put in after fees, which the pool's own curve decides.
 */
export const EVENT_PRICE = `multiIf(
        NOT is_read, NULL,
        curve = 'bins' AND bin_price > 0, toFloat64(bin_price) / 1e8,
        curve = 'product' AND reserve_decimals IS NULL AND reserve_x > 0 AND reserve_y > 0,
          toFloat64(reserve_y) / toFloat64(reserve_x),
        kind != 'swap', NULL,
        side = 'x', toFloat64(amount_y) / nullIf(toFloat64(amount_x) - toFloat64(lp_fee) - toFloat64(protocol_fee), 0),
        (toFloat64(amount_y) - toFloat64(lp_fee) - toFloat64(protocol_fee)) / nullIf(toFloat64(amount_x), 0)
      )`

/** How each pool stood and what it did, by day: small enough that figures over years read it at once. */
export const dexPoolDays: Rollup = {
  table: stxDexPoolDays,
  grains: ['day'],
  scope: 'stacks',
  select: () => `WITH
  events AS (
    SELECT
      bucket, protocol, pool, source, curve, kind, side, is_read, is_route_start, toStartOfHour(block_time) AS hour,
      height, event_index, trader, token_x, token_y, amount_x, amount_y, lp_fee, protocol_fee, reserve_x, reserve_y,
      reserve_decimals, shares, amplification,
      factor, midpoint_over, midpoint_under, minted, burned,
      ${EVENT_PRICE} AS price
    FROM stx_dex_events
    WHERE bucket IN {buckets:Array(Date)}
  ),
  hours AS (
    SELECT
      bucket, protocol, pool, hour, any(source) AS source, any(curve) AS curve,
      ${lastOf('token_x', "token_x != ''")} AS token_x, ${lastOf('token_y', "token_y != ''")} AS token_y,
      countIf(${SWAP}) AS swaps, countIf(NOT is_read) AS unread, groupUniqArrayIf(trader, ${SWAP}) AS traders,
      ${sumOf('amount_x', SWAP)} AS swapped_x, ${sumOf('amount_y', SWAP)} AS swapped_y,
      ${sumOf('amount_x', `${SWAP} AND is_route_start`)} AS routed_x,
      ${sumOf('amount_y', `${SWAP} AND is_route_start`)} AS routed_y,
      ${sumOf('lp_fee', `${SWAP} AND side = 'x'`)} AS lp_fee_x, ${sumOf('lp_fee', `${SWAP} AND side = 'y'`)} AS lp_fee_y,
      ${sumOf('protocol_fee', `${SWAP} AND side = 'x'`)} AS protocol_fee_x,
      ${sumOf('protocol_fee', `${SWAP} AND side = 'y'`)} AS protocol_fee_y,
      ${sumOf('amount_x', `is_read AND (kind IN ('add', 'create') OR side = 'x')`)} AS came_x,
      ${sumOf('amount_x', `is_read AND (kind = 'remove' OR side = 'y')`)} AS left_x,
      ${sumOf('amount_y', `is_read AND (kind IN ('add', 'create') OR side = 'y')`)} AS came_y,
      ${sumOf('amount_y', `is_read AND (kind = 'remove' OR side = 'x')`)} AS left_y,
      max(kind = 'create') AS created,
      ${lastOf('reserve_x', 'isNotNull(reserve_x)')} AS reserve_x, ${lastOf('reserve_y', 'isNotNull(reserve_y)')} AS reserve_y,
      any(reserve_decimals) AS reserve_decimals,
      ${lastOf('shares', 'isNotNull(shares)')} AS shares,
      ${lastOf('amplification', 'isNotNull(amplification)')} AS amplification,
      ${lastOf('price', 'isNotNull(price) AND isFinite(price) AND price > 0')} AS price,
      ${['factor', 'midpoint_over', 'midpoint_under'].map(of => `${lastOf(of, `isNotNull(${of})`)} AS ${of}`).join(', ')},
      ${sumOf('minted', 'is_read')} AS minted, ${sumOf('burned', 'is_read')} AS burned
    FROM events
    WHERE pool != ''
    GROUP BY bucket, protocol, pool, hour
  )
SELECT
  {run:UInt64}, bucket, protocol, pool, any(source), any(curve),
  argMaxIf(token_x, hour, token_x != ''), argMaxIf(token_y, hour, token_y != ''),
  sum(swaps), sum(unread), length(arrayDistinct(arrayFlatten(groupArray(traders)))),
  sum(swapped_x), sum(swapped_y), sum(routed_x), sum(routed_y),
  sum(lp_fee_x), sum(lp_fee_y), sum(protocol_fee_x), sum(protocol_fee_y),
  sum(came_x) - sum(protocol_fee_x), sum(left_x), sum(came_y) - sum(protocol_fee_y), sum(left_y),
  max(created),
  ${latest('reserve_x')}, ${latest('reserve_y')}, any(reserve_decimals), ${latest('shares')}, ${latest('amplification')},
  quantileExactInclusiveOrNull(0.5)(price),
  ${latest('factor')}, ${latest('midpoint_over')}, ${latest('midpoint_under')}, sum(minted), sum(burned)
FROM hours
GROUP BY bucket, protocol, pool`,
}
