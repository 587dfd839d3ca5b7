import type { Catalog, CatalogToken } from '#catalog/index.ts'

/** Names that publishers used for a chain besides the one of their newest lists. */
const OTHER_NAMES: Readonly<Record<string, string>> = { rsk: 'rootstock', 'map protocol': 'map-protocol' }

/** Slug of the layer that a publisher calls by this name, or `bitcoin`; undefined for a chain that the catalogue does not have. */
export function entitiesByChain({ layers }: Catalog): (chain: string) => string | undefined {
  const slugs = new Map<string, string>([['bitcoin', 'bitcoin']])
  const known = new Set(layers.map(({ slug }) => slug))
  for (const [name, slug] of Object.entries(OTHER_NAMES)) if (known.has(slug)) slugs.set(name, slug)
  for (const { slug, ids } of layers)
    if (ids.defillamaChain !== undefined) slugs.set(ids.defillamaChain.toLowerCase(), slug)
  return chain => slugs.get(chain.toLowerCase())
}

/** The token that CoinGecko knows by this id. */
export function tokensByCoingecko({ tokens }: Catalog): ReadonlyMap<string, CatalogToken> {
  return new Map(tokens.flatMap(token => (token.ids.coingecko ? [[token.ids.coingecko, token]] : [])))
}

/** Slug of a protocol by DefiLlama’s slug: ours where the catalogue has it. */
export function protocolsBySlug({ protocols }: Catalog): (slug: string) => string {
  const ours = new Map(
    protocols.flatMap(({ slug, ids }) => (ids.defillama === undefined ? [] : [[ids.defillama, slug]])),
  )
  return slug => ours.get(slug) ?? slug
}

/** Slug of a protocol by its name in DefiLlama’s lists: ours where the catalogue has it, else the name in lower case with hyphens. */
export function protocolsByName({ protocols }: Catalog): (name: string) => string {
  const ours = new Map(
    protocols.map(({ slug, name, ids }) => [(ids.defillamaName ?? name).toLowerCase(), slug]),
  )
  return name => ours.get(name.toLowerCase()) ?? slugOf(name)
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll("'", '').replaceAll(/\s+/g, '-')
