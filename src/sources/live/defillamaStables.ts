import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import type { EntityFigure, LiveSource, ReadContext } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf, isOver } from './days.ts'
import { requestsByLayer, slugsBy } from './layerIds.ts'
import { Usd } from './shapes.ts'

const BY_TOKEN = 'tokens'

const Coins = z.object({
  peggedAssets: z.array(
    z.object({
      symbol: z.string().min(1),
      price: z.unknown().optional(),
      chainCirculating: z.record(z.string(), z.unknown()),
    }),
  ),
})
const OnChain = z.object({ current: z.record(z.string(), Usd) })

const Days = z.array(
  z.object({
    /** Seconds since 1970, as a text. */
    date: z
      .union([z.string().regex(/^\d+$/, 'must be seconds since 1970'), z.int().nonnegative()])
      .transform(Number),
    totalCirculatingUSD: z.record(z.string(), Usd),
  }),
)

const sumOf = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0)

/** Units on each layer at the price of the coin; a coin without a price has no value to give. */
function readTokens(json: unknown, { catalog, seenAt }: ReadContext): EntityFigure[] {
  const what = 'Stablecoins of DefiLlama'
  const layers = slugsBy('defillamaChain', catalog)
  const sums = new Map<string, EntityFigure & { value: number }>()
  for (const [i, { symbol, price, chainCirculating }] of shaped(Coins, json, what).peggedAssets.entries()) {
    for (const [chain, amounts] of Object.entries(chainCirculating)) {
      const entity = layers.get(chain.toLowerCase())
      if (entity === undefined) continue
      const at = `peggedAssets.${i}`
      const usd = shaped(Usd.nullable(), price, what, `${at}.price`)
      if (usd === null) continue
      const { current } = shaped(OnChain, amounts, what, `${at}.chainCirculating.${chain}`)
      const key = `${entity} ${symbol}`
      const value = (sums.get(key)?.value ?? 0) + sumOf(current) * usd
      sums.set(key, { metric: 'stables.by_token', entity, key: symbol, day: dayOf(seenAt), value })
    }
  }
  return [...sums.values()]
}

const readDays = (layer: string, json: unknown, { seenAt }: ReadContext): EntityFigure[] =>
  shaped(Days, json, `Stablecoins on ${layer}`)
    .map(({ date, totalCirculatingUSD }) => ({
      metric: 'stables.cap',
      entity: layer,
      day: dayOf(date),
      value: sumOf(totalCirculatingUSD),
    }))
    .filter(({ day }) => isOver(day, seenAt))

const chartsOf = requestsByLayer(
  'defillamaChain',
  chain => `https://stablecoins.llama.fi/stablecoincharts/${encodeURIComponent(chain)}`,
)

/** Stablecoins by layer and day, and by coin as of now. */
export const defillamaStables: LiveSource = {
  id: 'defillama.stables',
  name: 'DefiLlama: stablecoins',
  url: 'https://defillama.com/stablecoins',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60,
  mayBeEmpty: true,
  about:
    'Stablecoins in circulation on a layer by UTC day, in dollars; by coin as of the moment of the answer, units at the price that it states. Coins that a bridge brought are counted under their issuer.',
  requests: (catalog: Catalog) => [
    { about: BY_TOKEN, url: 'https://stablecoins.llama.fi/stablecoins?includePrices=true' },
    ...chartsOf(catalog),
  ],
  read: ({ about }, json, context) => ({
    observations: about === BY_TOKEN ? readTokens(json, context) : readDays(about, json, context),
    prices: [],
  }),
}
