import { z } from 'zod'
import type { TvlPart } from '#kernel/tvlParts.ts'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { protocolsBySlug } from '../recorded/names.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { slugsBy } from './layerIds.ts'
import { Usd } from './shapes.ts'

/** What these hold is no value at work on a chain. */
const NOT_AT_WORK: ReadonlySet<string> = new Set([
  'CEX',
  'Chain',
  'Bridge',
  'Canonical Bridge',
  'Cross Chain Bridge',
])

/** Of thousands of protocols those on our layers are used; the figures of the others may be of any shape. */
const Listed = z.looseObject({})
const Slug = z.string().min(1)
const ChainTvls = z.record(z.string(), z.unknown())
const Category = z.string().min(1).nullable()

/** Endings of the keys under which a protocol tells what it counts apart: `Rootstock-borrowed`. */
const PART_OF: Readonly<Record<string, TvlPart>> = {
  borrowed: 'borrowed',
  staking: 'staking',
  pool2: 'pool2',
  vesting: 'vesting',
  doublecounted: 'double counted',
}
/** Its protocols hold coins that other protocols may hold again: DefiLlama leaves them out of a chain’s total. */
const LIQUID_STAKING = 'Liquid Staking'

/** Names under which DefiLlama has a chain in this list and not in that of chains. */
const OTHER_NAMES: Readonly<Record<string, string>> = { rsk: 'rootstock' }

/** TVL by protocol and chain, as of now. */
export const defillamaProtocols: LiveSource = {
  id: 'defillama.protocols',
  name: 'DefiLlama: TVL by protocol',
  url: 'https://defillama.com/',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60,
  maxBytes: 40_000_000,
  about:
    'TVL by protocol and chain at the moment of the answer, day by day as it is asked. Exchanges, chains and bridges are left out; borrowed, staked and vesting amounts are told apart, by chain; treasuries are left out.',
  requests: () => [{ about: 'protocols', url: 'https://api.llama.fi/protocols' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Protocols of DefiLlama'
    const layers = slugsBy('defillamaChain', catalog)
    const slugOf = protocolsBySlug(catalog)
    const ours = new Set(catalog.protocols.map(({ slug }) => slug))
    const day = dayOf(seenAt)
    const observations: EntityFigure[] = []
    const reading = createParts(what)
    /** By entity and part; null where one of its values is unknown, since the rest is no sum. */
    const sums = new Map<string, number | null>()
    /** Layers of which no part can be summed. */
    const isUnknown = new Set<string>()
    const entityOf = (chain: string): string | undefined =>
      layers.get(chain.toLowerCase()) ?? layers.get(OTHER_NAMES[chain.toLowerCase()] ?? '')
    const addPart = (entity: string, part: TvlPart, value: number | undefined): void => {
      const key = `${entity} ${part}`
      const sum = sums.get(key)
      sums.set(key, value === undefined || sum === null ? null : (sum ?? 0) + value)
    }
    const list = shaped(z.array(z.unknown()), json, what)
    for (const { entry: listed, at } of reading.entries(Listed, list)) {
      const chainTvls = reading.read(ChainTvls, listed.chainTvls, `${at}.chainTvls`)
      // Where its values cannot be read, it may be a part of any sum of the chains that it lists.
      if (chainTvls === undefined)
        for (const chain of namesOf(listed.chains)) isUnknown.add(entityOf(chain) ?? '')
      const named = reading.read(Slug, listed.slug, `${at}.slug`)
      const slug = named === undefined ? undefined : slugOf(named)
      const isOurs = slug !== undefined && ours.has(slug)
      const chains = new Map<string, string>()
      for (const chain of Object.keys(chainTvls ?? {})) {
        const entity = entityOf(chain)
        if (entity !== undefined && !chains.has(entity)) chains.set(entity, chain)
      }
      const apart = Object.keys(chainTvls ?? {}).flatMap(key => partOf(key, entityOf) ?? [])
      if (chains.size === 0 && apart.length === 0 && !isOurs) continue
      const category = reading.read(Category, listed.category, `${at}.category`)
      if (category === undefined) {
        // Whether it counts is not known, nor are the sums that it may be part of.
        for (const { entity, part } of apart) addPart(entity, part, undefined)
        for (const entity of chains.keys()) addPart(entity, 'liquid staking', undefined)
        continue
      }
      if (NOT_AT_WORK.has(category ?? '')) continue
      const usdOf = (key: string) => reading.read(Usd, chainTvls?.[key], `${at}.chainTvls.${key}`)
      const figures = new Map([...chains].map(([entity, chain]) => [entity, usdOf(chain)]))
      for (const { key, entity, part } of apart) addPart(entity, part, usdOf(key))
      if (category === LIQUID_STAKING)
        for (const [entity, value] of figures) addPart(entity, 'liquid staking', value)
      if (slug === undefined) continue
      for (const [entity, value] of figures)
        if (value !== undefined)
          observations.push({ metric: 'tvl.by_protocol', entity, key: slug, day, value })
      if (isOurs) {
        const value = reading.read(Usd, listed.tvl, `${at}.tvl`)
        if (value !== undefined) observations.push({ metric: 'tvl.total', entity: slug, day, value })
      }
    }
    for (const [name, value] of sums) {
      const cut = name.indexOf(' ')
      const [entity, key] = [name.slice(0, cut), name.slice(cut + 1)]
      if (value !== null && !isUnknown.has(entity))
        observations.push({ metric: 'tvl.parts', entity, key, day, value })
    }
    return reading.answer({ observations, prices: [] })
  },
}

/** Of which layer a key of its values is which part; undefined of what is no part or of another chain. */
function partOf(
  key: string,
  entityOf: (chain: string) => string | undefined,
): { readonly key: string; readonly entity: string; readonly part: TvlPart } | undefined {
  const cut = key.lastIndexOf('-')
  const part = PART_OF[key.slice(cut + 1)]
  const entity = cut === -1 ? undefined : entityOf(key.slice(0, cut))
  return part === undefined || entity === undefined ? undefined : { key, entity, part }
}

/** The texts of a list; none of what is no list. */
const namesOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((name): name is string => typeof name === 'string') : []
