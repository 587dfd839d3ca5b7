import { z } from 'zod'
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
    'Value locked by protocol and chain at the moment of the answer, day by day as it is asked. Exchanges, chains and bridges are left out; borrowed, staked, vesting and treasury amounts are no part of it.',
  requests: () => [{ about: 'protocols', url: 'https://api.llama.fi/protocols' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Protocols of DefiLlama'
    const layers = slugsBy('defillamaChain', catalog)
    const slugOf = protocolsBySlug(catalog)
    const ours = new Set(catalog.protocols.map(({ slug }) => slug))
    const day = dayOf(seenAt)
    const observations: EntityFigure[] = []
    for (const [i, listed] of shaped(z.array(Listed), json, what).entries()) {
      const slug = slugOf(listed.slug)
      const figures = new Map<string, number>()
      for (const [chain, value] of Object.entries(listed.chainTvls)) {
        const name = chain.toLowerCase()
        const entity = layers.get(name) ?? layers.get(OTHER_NAMES[name] ?? '')
        if (entity === undefined || figures.has(entity)) continue
        figures.set(entity, shaped(Usd, value, what, `${i}.chainTvls.${chain}`))
      }
      if (figures.size === 0 && !ours.has(slug)) continue
      const category = shaped(z.string().min(1).nullable(), listed.category, what, `${i}.category`)
      if (NOT_AT_WORK.has(category ?? '')) continue
      for (const [entity, value] of figures)
        observations.push({ metric: 'tvl.by_protocol', entity, key: slug, day, value })
      if (ours.has(slug)) {
        const value = shaped(Usd, listed.tvl, what, `${i}.tvl`)
        observations.push({ metric: 'tvl.total', entity: slug, day, value })
      }
    }
    return { observations, prices: [] }
  },
}
