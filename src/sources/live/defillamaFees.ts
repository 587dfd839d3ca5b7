import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, type Parts, sumOfAll } from '../parts.ts'
import { protocolsByName } from '../recorded/names.ts'
import { shaped } from '../shaped.ts'
import { requestsByLayer } from './layerIds.ts'
import { breakdownsOver, FeesOverview, Result, totalsOver, WITH_CHARTS } from './overview.ts'

const DATA_TYPES = ['dailyFees', 'dailyRevenue', 'dailyHoldersRevenue'] as const
type DataType = (typeof DATA_TYPES)[number]

/** What the chain's own part of an answer is, and that of the protocols on it. */
const METRICS: Readonly<
  Record<DataType, { readonly chain?: string; readonly apps?: string; readonly all?: string }>
> = {
  dailyFees: { chain: 'fees.chain_usd' },
  dailyRevenue: { chain: 'revenue.chain', apps: 'revenue.apps' },
  dailyHoldersRevenue: { all: 'revenue.holders' },
}

const chainRequests = requestsByLayer(
  'defillamaChain',
  chain => `https://api.llama.fi/overview/fees/${encodeURIComponent(chain)}?${WITH_CHARTS}`,
)

/** Fees and revenue by layer and day: of the chain itself and of the protocols on it; revenue of those also one by one. */
export const defillamaFees: LiveSource = {
  id: 'defillama.fees',
  name: 'DefiLlama: fees and revenue',
  url: 'https://defillama.com/fees/chains',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60,
  mayBeEmpty: true,
  about:
    'Dollars by UTC day, days that are not over or were a loss in all left out: fees paid for transactions of a chain; what of them the chain keeps or burns; what the protocols on it keep, also of each that lives on one layer alone; what holders of their tokens get.',
  requests: catalog =>
    chainRequests(catalog).flatMap(({ about, url }) =>
      DATA_TYPES.map(dataType => ({ about: `${about} ${dataType}`, url: `${url}&dataType=${dataType}` })),
    ),
  read: ({ about }, json, { catalog, seenAt }) => {
    const [layer = '', dataType] = about.split(' ')
    const metrics = METRICS[DATA_TYPES.find(known => known === dataType) ?? 'dailyFees']
    const what = `Fees of ${about}`
    const overview = shaped(FeesOverview, json, what)
    const reading = createParts(what)
    const own = catalog.layers.find(({ slug }) => slug === layer)?.ids.defillamaChain
    const kindOf = readKinds(reading, overview.protocols, own)
    const slugOf = protocolsByName(catalog)
    const onlyHere = new Set(
      catalog.protocols
        .filter(({ layers }) => layers.length === 1 && layers[0] === layer)
        .map(({ slug }) => slug),
    )
    const observations: EntityFigure[] = []
    const add = (
      metric: string | undefined,
      day: string,
      values: readonly (number | undefined)[],
      entity = layer,
    ) => {
      const value = sumOfAll(values)
      // A day that was a loss in all has no place among figures that are never less than zero.
      if (metric === undefined || values.length === 0 || value === undefined || value < 0) return
      observations.push({ metric, entity, day, value })
    }
    for (const { day, value } of totalsOver(reading, overview, Result, seenAt)) add(metrics.all, day, [value])
    for (const { day, byName: parts } of breakdownsOver(reading, overview, Result, seenAt)) {
      // What may be either leaves both sums unknown.
      const valuesOf = (kind: Kind) =>
        parts.flatMap(([name, value]) => {
          const known = kindOf(name)
          return known === undefined ? [undefined] : known === kind ? [value] : []
        })
      add(metrics.chain, day, valuesOf('chain'))
      add(metrics.apps, day, valuesOf('app'))
      if (metrics.apps === undefined) continue
      // The publisher lists generations of one protocol apart.
      const bySlug = Map.groupBy(parts, ([name]) => slugOf(name.replace(/ v\d+$/i, '')))
      for (const [slug, own] of bySlug)
        if (onlyHere.has(slug))
          add(
            metrics.apps,
            day,
            own.map(([, value]) => value),
            slug,
          )
    }
    return reading.answer({ observations, prices: [] })
  },
}

type Kind = 'chain' | 'app'
const Listed = z.looseObject({})
const Name = z.string().min(1)
const DisplayName = Name.nullish()
const Category = z.string().min(1).nullable()

/**
 * What a name of the breakdown is: the chain itself, or a protocol on it, as one that is not listed is. Undefined where the
 * entry that would say so cannot be read.
 */
function readKinds(
  parts: Parts,
  protocols: readonly unknown[],
  own: string | undefined,
): (name: string) => Kind | undefined {
  const kinds = new Map<string, Kind | undefined>()
  let isListRead = true
  for (const [i, json] of protocols.entries()) {
    const at = `protocols.${i}`
    const before = parts.count
    const entry = parts.read(Listed, json, at)
    const name = entry && parts.read(Name, entry.name, `${at}.name`)
    const shown = entry && parts.read(DisplayName, entry.displayName, `${at}.displayName`)
    // A name that cannot be read may be any of the breakdown.
    if (parts.count > before) isListRead = false
    const category = entry && parts.read(Category, entry.category, `${at}.category`)
    const names = [name, shown].filter(known => known !== undefined && known !== null)
    const isChain = category === 'Chain' || entry?.protocolType === 'chain'
    const isApp = category !== undefined || entry?.protocolType === 'protocol'
    for (const known of names) kinds.set(known, isChain ? 'chain' : isApp ? 'app' : undefined)
  }
  if (own !== undefined) kinds.set(own, 'chain')
  return name => (kinds.has(name) ? kinds.get(name) : isListRead ? 'app' : undefined)
}
