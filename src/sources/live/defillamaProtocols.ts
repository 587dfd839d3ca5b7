import { z } from 'zod'
import type { TvlPart } from '#kernel/tvlParts.ts'
import type { EntityFigure, LiveSource } from '../live.ts'
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
    const parts = new Map<string, number>()
    const entityOf = (chain: string): string | undefined =>
      layers.get(chain.toLowerCase()) ?? layers.get(OTHER_NAMES[chain.toLowerCase()] ?? '')
    const addPart = (entity: string, part: TvlPart, value: number): void => {
      const key = `${entity} ${part}`
      parts.set(key, (parts.get(key) ?? 0) + value)
    }
    for (const [i, listed] of shaped(z.array(Listed), json, what).entries()) {
      const slug = slugOf(listed.slug)
      const figures = new Map<string, number>()
      for (const [chain, value] of Object.entries(listed.chainTvls)) {
        const entity = entityOf(chain)
        if (entity === undefined || figures.has(entity)) continue
        figures.set(entity, shaped(Usd, value, what, `${i}.chainTvls.${chain}`))
      }
      if (figures.size === 0 && !ours.has(slug)) continue
      const category = shaped(z.string().min(1).nullable(), listed.category, what, `${i}.category`)
      if (NOT_AT_WORK.has(category ?? '')) continue
      for (const [key, value] of Object.entries(listed.chainTvls)) {
        const cut = key.lastIndexOf('-')
        const part = PART_OF[key.slice(cut + 1)]
        const entity = cut === -1 ? undefined : entityOf(key.slice(0, cut))
        if (part === undefined || entity === undefined) continue
        addPart(entity, part, shaped(Usd, value, what, `${i}.chainTvls.${key}`))
      }
      if (category === LIQUID_STAKING)
        for (const [entity, value] of figures) addPart(entity, 'liquid staking', value)
      for (const [entity, value] of figures)
        observations.push({ metric: 'tvl.by_protocol', entity, key: slug, day, value })
      if (ours.has(slug)) {
        const value = shaped(Usd, listed.tvl, what, `${i}.tvl`)
        observations.push({ metric: 'tvl.total', entity: slug, day, value })
      }
    }
    for (const [key, value] of parts) {
      const cut = key.indexOf(' ')
      observations.push({
        metric: 'tvl.parts',
        entity: key.slice(0, cut),
        key: key.slice(cut + 1),
        day,
        value,
      })
    }
    return { observations, prices: [] }
  },
}
