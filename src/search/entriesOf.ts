import type { Catalog, CatalogToken } from '#catalog/index.ts'
import type { Entry, SearchKind } from './kinds.ts'

/** A page of the site's map. */
export type NamedPage = {
  readonly path: string
  readonly label: string
  readonly kind: Extract<SearchKind, 'page' | 'layer' | 'application'>
  /** The page or menu that it belongs to. */
  readonly within?: string
  /** The chain that it is about. */
  readonly entity?: string
}

/** A metric as the registry lists it. */
export type NamedMetric = {
  readonly id: string
  readonly name: string
  readonly definition: string
  readonly entityKind: string
  readonly entities: readonly string[]
}

/** A table that people's SQL may read. */
export type NamedTable = { readonly table: string; readonly about: string }

/** All that the site knows by name. */
export type Named = {
  readonly catalog: Pick<
    Catalog,
    | 'evm'
    | 'layers'
    | 'tokens'
    | 'protocols'
    | 'treasuries'
    | 'indices'
    | 'signals'
    | 'opportunities'
    | 'ecosystems'
  >
  /** What editors wrote. */
  readonly content: {
    readonly guides: readonly { readonly name: string; readonly title: string; readonly summary: string }[]
    readonly reports: readonly {
      readonly key: string
      readonly title: string
      readonly summary: string
      readonly topic: string
    }[]
  }
  readonly pages: readonly NamedPage[]
  readonly metrics: readonly NamedMetric[]
  readonly tables: readonly NamedTable[]
}

const YIELDS = '/analyze/bitcoin-yield'
const INDICES = '/analyze/bitcoin-defi-indices'
const SIGNALS = '/analyze/alpha21'
const DEVELOPERS = '/developer-activity'
const treasuryPath = (id: string): string => `/analyze/bitcoin-treasuries/${id}`
const profilePath = (slug: string): string => `/bitcoin/l2s/${slug}`
const metricPath = (id: string): string => `/documentation/metrics/${id}`

/** Everything with a name, as entries of the search: each once, though several lists may have it. */
export function entriesOf(named: Named): Entry[] {
  const { catalog, content } = named
  const pages = new Set(named.pages.map(({ path }) => path))
  const tokens = catalog.tokens.map(token => tokenEntry(token, named, pages))
  const ofTokens = new Set(tokens.map(({ path }) => path))
  return [
    // The page of a token is that token.
    ...pageEntries(named).filter(
      ({ kind, path }) => kind !== 'page' || !ofTokens.has(path) || path === '/tokens',
    ),
    ...layerEntries(named),
    ...catalog.protocols.flatMap((protocol): Entry[] => {
      const { slug, name, category, layers, sentence = '' } = protocol
      // What has a page of its own stands among the pages.
      if (pages.has(`/${slug}`)) return []
      const layer = catalog.layers.find(known => layers.includes(known.slug))
      return layer === undefined
        ? []
        : [
            {
              kind: 'application',
              label: name,
              detail: `${category} on ${layer.name}, among its applications`,
              path: `${profilePath(layer.slug)}#applications`,
              names: [name, slug],
              of: [layer.name],
              about: sentence,
              weight: 0.9,
            },
          ]
    }),
    ...tokens,
    ...catalog.treasuries.map(
      ({ id, name, kind, ticker, country, issuer = '' }): Entry => ({
        kind: 'treasury',
        label: ticker === undefined ? name : `${name}, ${ticker}`,
        detail: `Holds bitcoin: ${TREASURIES[kind]}, ${country}`,
        path: treasuryPath(id),
        names: [name, id, ...(ticker === undefined ? [] : [ticker])],
        about: `${issuer} treasury bitcoin holdings`,
      }),
    ),
    ...catalog.indices.map(
      ({ id, name, sentence }): Entry => ({
        kind: 'index',
        label: name,
        detail: sentence,
        path: `${INDICES}?tab=${id}`,
        names: [name, id],
        about: 'index of tokens',
      }),
    ),
    ...catalog.signals.map(
      ({ id, name, family, why }): Entry => ({
        kind: 'signal',
        label: name,
        detail: `Signal of Alpha21, ${family}`,
        path: `${SIGNALS}?signal=${id}`,
        names: [name, id],
        about: why,
      }),
    ),
    ...catalog.opportunities.map(
      ({ id, name, coins, layer }): Entry => ({
        kind: 'opportunity',
        label: name,
        detail: `A way to earn with ${coins.join(' and ')} on ${nameOfLayer(catalog, layer)}`,
        path: `${YIELDS}?w1=${id}`,
        names: [name, id],
        of: [...coins, layer],
        about: 'yield',
      }),
    ),
    ...catalog.ecosystems.map(
      ({ id, name }): Entry => ({
        kind: 'ecosystem',
        label: `Developers of ${name}`,
        detail: 'Who builds it, counted from its repositories',
        path: `${DEVELOPERS}?of=${id}`,
        names: [`Developers of ${name}`, `${name} developers`],
        of: [name],
      }),
    ),
    ...content.reports.map(
      ({ key, title, summary, topic }): Entry => ({
        kind: 'report',
        label: title,
        detail: `${topic}: ${summary}`,
        path: `/reports/${key}`,
        names: [title],
        about: 'report research',
      }),
    ),
    ...content.guides.map(
      ({ name, title, summary }): Entry => ({
        kind: 'documentation',
        label: title,
        detail: summary,
        path: `/documentation/${name}`,
        names: [title, name],
        about: 'documentation guide help',
      }),
    ),
    ...metricEntries(named),
    ...named.tables.map(
      ({ table, about }): Entry => ({
        kind: 'table',
        label: table,
        detail: about || 'A table that SQL may read',
        path: `/documentation/tables/${table}`,
        names: [table],
        about: 'sql table',
      }),
    ),
  ]
}

/** What a kind of holder is called in a line. */
const TREASURIES = {
  company: 'company',
  miner: 'miner',
  etf: 'exchange-traded fund',
  government: 'government',
  private: 'private company',
  defi: 'on-chain reserve',
} as const

const nameOfLayer = ({ layers }: Pick<Catalog, 'layers'>, slug: string): string =>
  layers.find(layer => layer.slug === slug)?.name ?? slug

/** Whom most readers mean, while few letters are typed. */
const PROMINENT: Readonly<Record<string, number>> = { '/bitcoin': 1.6, '/stacks': 1.4 }

function pageEntries({ pages, catalog }: Named): Entry[] {
  return pages.map(({ path, label, kind, within, entity }): Entry => {
    const last = path.split('/').at(-1) ?? ''
    const layer = catalog.layers.find(({ slug }) => slug === entity)
    const protocol = catalog.protocols.find(({ slug }) => kind === 'application' && `/${slug}` === path)
    return {
      kind,
      label,
      detail: layer?.sentence ?? protocol?.sentence ?? (within === undefined ? path : `${within} · ${path}`),
      path,
      names: [
        label,
        last,
        ...(entity === undefined ? [] : [entity]),
        ...(protocol === undefined ? [] : [protocol.name]),
      ],
      ...(within !== undefined && { of: [within] }),
      about: `${path} ${protocol?.category ?? ''}`,
      weight: PROMINENT[path] ?? (kind === 'page' ? 1 : 1.2),
    }
  })
}

function layerEntries({ catalog: { layers }, pages }: Named): Entry[] {
  const own = new Set(pages.flatMap(({ entity }) => entity ?? []))
  return layers.map(
    ({ slug, name, kind, status, sentence }): Entry => ({
      kind: 'layer',
      label: own.has(slug) ? `${name}, whom to trust` : name,
      detail: `Bitcoin layer: ${kind}, ${status}`,
      path: profilePath(slug),
      names: [name, slug],
      about: sentence,
      weight: own.has(slug) ? 0.85 : 1,
    }),
  )
}

const TOKEN_WORDS: Readonly<Record<CatalogToken['kind'], string>> = {
  coin: 'Coin',
  governance: 'Governance token',
  btc: 'Bitcoin token',
  stable: 'Stablecoin',
  staked: 'Staked token',
  meme: 'Meme coin',
}

function tokenEntry(token: CatalogToken, named: Named, pages: ReadonlySet<string>): Entry {
  const { id, symbol, name, kind, deployments } = token
  const layers = deployments.map(({ layer }) => nameOfLayer(named.catalog, layer))
  const hasSymbol = symbol.toLowerCase() !== name.toLowerCase()
  return {
    kind: 'token',
    label: hasSymbol ? `${name}, ${symbol}` : symbol,
    detail: `${TOKEN_WORDS[kind]}${layers.length > 0 ? ` on ${[...new Set(layers)].join(', ')}` : ''}`,
    path: tokenPath(token, named, pages),
    names: [name, symbol, id],
    about: 'token coin price',
  }
}

/** Where a token opens: its page, else its contract on a chain that has pages, else its price, else the list of tokens. */
function tokenPath(
  { id, deployments }: CatalogToken,
  { catalog, metrics }: Named,
  pages: ReadonlySet<string>,
): string {
  for (const path of [`/${id}`, `/stacks/${id}`])
    if (pages.has(path) && !catalog.evm.some(layer => layer.id === id)) return path
  for (const { layer, contract } of deployments) {
    if (layer === 'stacks') return `/stacks/contract/${contract.split('::')[0]}`
    if (catalog.evm.some(known => known.id === layer) && /^0x[0-9a-f]{40}$/i.test(contract))
      return `/${layer}/contract/${contract}`
  }
  const price = metrics.find(metric => metric.id === 'token.price' && metric.entities.includes(id))
  return price === undefined ? '/tokens' : `${metricPath(price.id)}?assay=${price.id}@${id}`
}

type Subject = {
  /** What it is called. */
  readonly name: string
  /** Further names that mean it. */
  readonly also?: readonly string[]
  /** Where its figures are drawn; absent where no page is about it alone. */
  readonly path?: string
  readonly weight: number
}

function metricEntries(named: Named): Entry[] {
  const subjects = subjectsOf(named)
  const seen = new Set<string>()
  return named.metrics.flatMap(({ id, name, definition, entityKind, entities }) =>
    entities.flatMap((entity): Entry[] => {
      const ref = `${id}@${entity}`
      if (seen.has(ref)) return []
      seen.add(ref)
      const subject = subjects.get(`${entityKind} ${entity}`) ?? { name: entity, weight: 0.8 }
      return [
        {
          kind: 'metric',
          label: name,
          detail: `${subject.name} · ${definition}`,
          path: `${subject.path ?? metricPath(id)}${subject.path?.includes('?') ? '&' : '?'}assay=${ref}`,
          names: [name, id],
          of: [subject.name, entity, ...(subject.also ?? [])],
          weight: subject.weight,
        },
      ]
    }),
  )
}

/** Whom metrics are about, by kind and id. */
function subjectsOf({ catalog, pages }: Named): ReadonlyMap<string, Subject> {
  const pageOf = (path: string) => pages.find(page => page.path === path)?.path
  const chain = (kind: string, id: string, name: string, weight: number): [string, Subject] => {
    const path =
      pages.find(({ entity }) => entity === id)?.path ?? (id === 'bitcoin' ? undefined : profilePath(id))
    return [`${kind} ${id}`, { name, weight, ...(path !== undefined && { path }) }]
  }
  const list = <Item extends { name: string }>(
    kind: string,
    items: readonly Item[],
    of: (item: Item) => { id: string; path?: string | undefined; also?: readonly string[]; weight?: number },
  ): [string, Subject][] =>
    items.map(item => {
      const { id, path, also = [], weight = 0.8 } = of(item)
      return [`${kind} ${id}`, { name: item.name, also, weight, ...(path !== undefined && { path }) }]
    })
  return new Map<string, Subject>([
    chain('chain', 'bitcoin', 'Bitcoin', 1.2),
    ...catalog.layers.map(({ slug, name }) => chain('layer', slug, name, slug === 'stacks' ? 1.1 : 1)),
    ...list('protocol', catalog.protocols, ({ slug }) => ({
      id: slug,
      path: pageOf(`/${slug}`),
      weight: 0.9,
    })),
    ...list('token', catalog.tokens, ({ id, symbol }) => ({
      id,
      also: [symbol],
      path: pageOf(`/stacks/${id}`),
      weight: 0.9,
    })),
    ...list('treasury', catalog.treasuries, ({ id, ticker }) => ({
      id,
      path: treasuryPath(id),
      also: ticker === undefined ? [] : [ticker],
    })),
    ...list('index', catalog.indices, ({ id }) => ({ id, path: `${INDICES}?tab=${id}` })),
    ...list('signal', catalog.signals, ({ id }) => ({ id, path: `${SIGNALS}?signal=${id}`, weight: 0.7 })),
    ...list('ecosystem', catalog.ecosystems, ({ id }) => ({
      id,
      path: `${DEVELOPERS}?of=${id}`,
      weight: 0.7,
    })),
    ...list('pool', catalog.opportunities, ({ id }) => ({ id, path: `${YIELDS}?w1=${id}`, weight: 0.6 })),
    ['ecosystem ecosystems', { name: 'all ecosystems', path: DEVELOPERS, weight: 0.9 }],
  ])
}
