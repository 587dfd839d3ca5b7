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
const Listed = z.object({
  slug: z.string().min(1),
  category: z.unknown().optional(),
  tvl: z.unknown().optional(),
  chainTvls: z.record(z.string(), z.unknown()),
})

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
    'Value locked by protocol and chain at the moment of the answer, day by day as it is asked. Exchanges, chains and bridges are left out; borrowed, staked and vesting amounts are told apart, by chain; treasuries are left out.',
  requests: () => [{ about: 'protocols', url: 'https://api.llama.fi/protocols' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Protocols of DefiLlama'
    const layers = slugsBy('defillamaChain', catalog)
    const slugOf = protocolsBySlug(catalog)
    const ours = new Set(catalog.protocols.map(({ slug }) => slug))
    const day = dayOf(seenAt)
    const observations: EntityFigure[] = []
    const reading = createParts(what)
    /** By entity and part; null where one of its values was refused, since the rest is no sum. */
    const sums = new Map<string, number | null>()
    /** Layers whose parts cannot be summed. */
    const isUnknown = new Set<string>()
    const entityOf = (chain: string): string | undefined =>
      layers.get(chain.toLowerCase()) ?? layers.get(OTHER_NAMES[chain.toLowerCase()] ?? '')
    const addPart = (entity: string, part: TvlPart, value: number | undefined): void => {
      const key = `${entity} ${part}`
      const sum = sums.get(key)
      sums.set(key, value === undefined || sum === null ? null : (sum ?? 0) + value)
    }
    const list = shaped(z.array(z.unknown()), json, what)
    const entries = reading.entries(Listed, list)
    for (const { entry: listed, at } of entries) {
      const slug = slugOf(listed.slug)
      const chains = new Map<string, string>()
      for (const chain of Object.keys(listed.chainTvls)) {
        const entity = entityOf(chain)
        if (entity !== undefined && !chains.has(entity)) chains.set(entity, chain)
      }
      if (chains.size === 0 && !ours.has(slug)) continue
      const category = reading.read(Category, listed.category, `${at}.category`)
      if (category === undefined) {
        // Whether it counts is not known, nor are the sums that it may be part of.
        for (const entity of entitiesOf(listed.chainTvls, entityOf)) isUnknown.add(entity)
        continue
      }
      if (NOT_AT_WORK.has(category ?? '')) continue
      const figures = new Map(
        [...chains].map(([entity, chain]) => [
          entity,
          reading.read(Usd, listed.chainTvls[chain], `${at}.chainTvls.${chain}`),
        ]),
      )
      for (const [key, value] of Object.entries(listed.chainTvls)) {
        const cut = key.lastIndexOf('-')
        const part = PART_OF[key.slice(cut + 1)]
        const entity = cut === -1 ? undefined : entityOf(key.slice(0, cut))
        if (part === undefined || entity === undefined) continue
        addPart(entity, part, reading.read(Usd, value, `${at}.chainTvls.${key}`))
      }
      if (category === LIQUID_STAKING)
        for (const [entity, value] of figures) addPart(entity, 'liquid staking', value)
      for (const [entity, value] of figures)
        if (value !== undefined)
          observations.push({ metric: 'tvl.by_protocol', entity, key: slug, day, value })
      if (ours.has(slug)) {
        const value = reading.read(Usd, listed.tvl, `${at}.tvl`)
        if (value !== undefined) observations.push({ metric: 'tvl.total', entity: slug, day, value })
      }
    }
    for (const [name, value] of sums) {
      const cut = name.indexOf(' ')
      const [entity, key] = [name.slice(0, cut), name.slice(cut + 1)]
      if (value !== null && !isUnknown.has(entity) && entries.length === list.length)
        observations.push({ metric: 'tvl.parts', entity, key, day, value })
    }
    return reading.answer({ observations, prices: [] })
  },
}

/** Layers of which a protocol has a value or a part. */
const entitiesOf = (
  chainTvls: Readonly<Record<string, unknown>>,
  entityOf: (chain: string) => string | undefined,
): string[] =>
  Object.keys(chainTvls).flatMap(
    chain => entityOf(chain) ?? entityOf(chain.slice(0, chain.lastIndexOf('-'))) ?? [],
  )
