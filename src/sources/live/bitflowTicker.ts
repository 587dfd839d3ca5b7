import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import type { LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Usd, UsdText } from './shapes.ts'

/** Numbers that may come as texts; what is none is null. */
const Price = z
  .union([Usd, z.string().regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i, 'must be a number'), z.null()])
  .transform(value => (value === null ? null : Number(value)))

/** Its documentation shows rows without the name of their pool: one that is the same again counts once. */
const Ticker = z
  .array(
    z.looseObject({
      pool_id: z.string().min(1).optional(),
      ticker_id: z.string().min(1),
      liquidity_in_usd: UsdText,
    }),
  )
  .min(1)
/** What the volume of a pool and the prices of its tokens are read from. */
const Trades = z.object({
  base_currency: z.string().min(1),
  target_currency: z.string().min(1),
  last_price: Price,
  base_volume: UsdText,
  target_volume: UsdText,
})
type Pool = z.infer<typeof Trades> & { readonly liquidity_in_usd: number }

/** Tokens that stand for a dollar in the catalogue. */
const dollarsOf = ({ dexTokens }: Catalog): readonly string[] =>
  dexTokens.anchors.filter(({ asset }) => asset === 'USD').map(({ token }) => token)
/** A pool with less in it tells no price. */
const LEAST_LIQUIDITY_USD = 1_000

/**
 * US dollars of whole tokens by the ticker's own prices (`last_price`: target for one base), from the tokens that stand for a
 * dollar on through its pools, the deepest first.
 */
function pricesOf(pools: readonly Pool[], dollars: readonly string[]): ReadonlyMap<string, number> {
  const prices = new Map(dollars.map(token => [token, 1]))
  const telling = pools
    .filter(({ liquidity_in_usd, last_price }) => liquidity_in_usd >= LEAST_LIQUIDITY_USD && !!last_price)
    .toSorted((a, b) => b.liquidity_in_usd - a.liquidity_in_usd)
  for (;;) {
    const next = telling.find(
      ({ base_currency, target_currency }) => prices.has(base_currency) !== prices.has(target_currency),
    )
    if (next === undefined) return prices
    const { base_currency: base, target_currency: target, last_price: price } = next
    const known = prices.get(target)
    if (known === undefined) prices.set(target, prices.get(base)! / price!)
    else prices.set(base, known * price!)
  }
}

/** Value of one side of what was swapped; of a pool without a token that has a price nothing. */
function volumeOf(pools: readonly Pool[], dollars: readonly string[]): number | null {
  const prices = pricesOf(pools, dollars)
  const values = pools.flatMap(({ base_currency, target_currency, base_volume, target_volume }) => {
    const [base, target] = [prices.get(base_currency), prices.get(target_currency)]
    if (dollars.includes(target_currency)) return target_volume * target!
    return base !== undefined ? base_volume * base : target !== undefined ? target_volume * target : []
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

/** What Bitflow says of its own pools; a pool that stands in the answer twice counts once. */
export const bitflowTicker: LiveSource = {
  id: 'bitflow.ticker',
  name: 'Bitflow: ticker',
  url: 'https://www.bitflow.finance',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about:
    'Value in the pools of Bitflow at the moment of the answer, and what was swapped in the 24 hours up to it, by the exchange’s own prices: amounts of tokens, valued from USDCx and aeUSDC on through the pools of the answer.',
  requests: ({ protocols }) =>
    protocols.some(({ slug }) => slug === 'bitflow')
      ? [
          {
            about: 'bitflow',
            url: 'https://api.bitflowapis.finance/ticker',
            // The newest address of it lists the same, and the oldest what was there before its own host.
            otherwise: [
              'https://bff.bitflowapis.finance/api/app/v1/tickers',
              'https://bitflow-sdk-api-gateway-7owjsmt8.uc.gateway.dev/ticker',
            ],
          },
        ]
      : [],
  read: ({ about }, json, { catalog, seenAt }) => {
    const what = 'Ticker of Bitflow'
    const parts = createParts(what)
    const rows = shaped(Ticker, json, what).map((pool, i) => ({
      id: pool.pool_id ?? `${pool.ticker_id} ${pool.liquidity_in_usd}`,
      liquidity: pool.liquidity_in_usd,
      trades: parts.read(Trades, pool, String(i)),
    }))
    const pools = [...new Map(rows.map(row => [row.id, row])).values()]
    const traded = pools.flatMap(({ liquidity, trades }): Pool[] =>
      trades === undefined ? [] : [{ ...trades, liquidity_in_usd: liquidity }],
    )
    const day = dayOf(seenAt)
    // Without one pool the volume lacks it, and prices may be derived through others.
    const volume = rows.some(({ trades }) => trades === undefined)
      ? null
      : volumeOf(traded, dollarsOf(catalog))
    const value = pools.reduce((all, { liquidity }) => all + liquidity, 0)
    return parts.answer({
      observations: [
        { metric: 'dex.liquidity', entity: about, day, value },
        ...(volume === null ? [] : [{ metric: 'dex.volume_24h', entity: about, day, value: volume }]),
      ],
      prices: [],
    })
  },
}
