import { z } from 'zod'
import type { Catalog } from '#catalog/index.ts'
import type { EntityFigure, LiveSource, ReadContext, SourceAnswer } from '../live.ts'
import { createParts, sumOfAll } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf, isOver } from './days.ts'
import { requestsByLayer, slugsBy } from './layerIds.ts'
import { Seconds, Usd } from './shapes.ts'

const BY_TOKEN = 'tokens'

const Coins = z.object({ peggedAssets: z.array(z.unknown()) })
const Coin = z.looseObject({})
const CoinSymbol = z.string().min(1)
const Chains = z.record(z.string(), z.unknown())
const Price = Usd.nullable()
const OnChain = z.object({ current: z.record(z.string(), Usd) })

const Day = z.object({
  /** Seconds since 1970, as a text. */
  date: z
    .union([z.string().regex(/^\d+$/, 'must be seconds since 1970').transform(Number), z.int()])
    .pipe(Seconds),
  totalCirculatingUSD: z.record(z.string(), Usd),
})

const sumOf = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0)

/** Units on each layer at the price of the coin; a coin without a price has no value to give. */
function readTokens(json: unknown, { catalog, seenAt }: ReadContext): SourceAnswer {
  const what = 'Stablecoins of DefiLlama'
  const layers = slugsBy('defillamaChain', catalog)
  const sums = new Map<string, { entity: string; symbol: string; values: (number | undefined)[] }>()
  const unknownSymbols = new Set<string>()
  const unknownLayers = new Set<string>()
  const parts = createParts(what)
  for (const { entry, at } of parts.entries(Coin, shaped(Coins, json, what).peggedAssets, 'peggedAssets')) {
    const symbol = parts.read(CoinSymbol, entry.symbol, `${at}.symbol`)
    const chains = parts.read(Chains, entry.chainCirculating, `${at}.chainCirculating`)
    // Several coins may bear one symbol: without one of them the sum of the others is none.
    if (chains === undefined && symbol !== undefined) unknownSymbols.add(symbol)
    const here = Object.entries(chains ?? {}).flatMap(([chain, amounts]) => {
      const entity = layers.get(chain.toLowerCase())
      return entity === undefined ? [] : [{ entity, amounts, place: `${at}.chainCirculating.${chain}` }]
    })
    if (symbol === undefined) {
      for (const { entity } of here) unknownLayers.add(entity)
      continue
    }
    if (here.length === 0) continue
    const usd = parts.read(Price, entry.price, `${at}.price`)
    if (usd === null) continue
    for (const { entity, amounts, place } of here) {
      const current = parts.read(OnChain, amounts, place)?.current
      const value = current === undefined || usd === undefined ? undefined : sumOf(current) * usd
      const key = `${entity} ${symbol}`
      const sum = sums.get(key) ?? { entity, symbol, values: [] }
      sum.values.push(value)
      sums.set(key, sum)
    }
  }
  const observations = [...sums.values()].flatMap(({ entity, symbol, values }): EntityFigure[] => {
    const value = sumOfAll(values)
    return value === undefined || unknownSymbols.has(symbol) || unknownLayers.has(entity)
      ? []
      : [{ metric: 'stables.by_token', entity, key: symbol, day: dayOf(seenAt), value }]
  })
  return parts.answer({ observations, prices: [] })
}

function readDays(layer: string, json: unknown, { seenAt }: ReadContext): SourceAnswer {
  const what = `Stablecoins on ${layer}`
  const parts = createParts(what)
  const observations = parts
    .entries(Day, shaped(z.array(z.unknown()), json, what))
    .map(({ entry: { date, totalCirculatingUSD } }) => ({
      metric: 'stables.cap',
      entity: layer,
      day: dayOf(date),
      value: sumOf(totalCirculatingUSD),
    }))
    .filter(({ day }) => isOver(day, seenAt))
  return parts.answer({ observations, prices: [] })
}

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
  read: ({ about }, json, context) =>
    about === BY_TOKEN ? readTokens(json, context) : readDays(about, json, context),
}
