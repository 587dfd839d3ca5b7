import { z } from 'zod'
import { type CatalogDexTokens, type CatalogExchange, DexTokens, withTokensOf } from './dex.ts'
import { type BotRule, BotRules, type CatalogEcosystem, Ecosystem } from './ecosystem.ts'
import { type EvmLayerFacts, readEvmLayers } from './evmLayer.ts'
import { Day, Words } from './facts.ts'
import { filesIn, readFacts, readFolder, unknownName, wrongFact } from './file.ts'
import { type CatalogLayer, Layer } from './layer.ts'
import { type CatalogIndex, MarketIndex } from './marketIndex.ts'
import { type CatalogCollection, NftCollections } from './nftCollections.ts'
import { Bitcoin, Opportunity, type YieldFacts, YieldProject } from './opportunity.ts'
import { type CatalogProtocol, Protocol } from './protocol.ts'
import { type CatalogRule, Rule } from './rule.ts'
import { type CatalogSignal, Signal } from './signal.ts'
import { operandsOf, StacksApp } from './stacksApps.ts'
import { type CatalogToken, Token } from './token.ts'
import { TokenRules } from './tokenRules.ts'
import { type CatalogTreasury, Treasury } from './treasury.ts'

const Chain = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: Words,
  kind: z.literal('chain'),
  network: z.literal('mainnet'),
  coin: z.strictObject({
    symbol: Words,
    name: Words,
    unit: Words,
    unitsPerCoin: z.int().positive(),
  }),
  genesis: z.strictObject({ day: Day, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  blockSeconds: z.int().positive(),
  links: z.array(z.strictObject({ label: Words, url: z.url() })),
  sources: z.array(Words).min(1),
})

export const EVENT_KINDS = ['halving', 'launch', 'upgrade', 'protocol', 'incident'] as const

const Event = z.strictObject({
  day: Day,
  /** Height of Bitcoin where that is what begins it, else of the chain itself; absent where the day alone is known. */
  height: z.int().nonnegative().optional(),
  kind: z.enum(EVENT_KINDS),
  label: Words,
  note: Words,
  source: Words,
})
const Events = z
  .array(Event)
  .refine(
    events => events.every(({ day }, index) => index === 0 || day >= (events[index - 1]?.day ?? '')),
    'must stand in the order of their days',
  )

export type CatalogChain = z.infer<typeof Chain>
export type CatalogEvent = z.infer<typeof Event>
export type Catalog = YieldFacts & {
  readonly chains: readonly CatalogChain[]
  /** EVM layers that can be followed, in the order in which lists have them. */
  readonly evm: readonly EvmLayerFacts[]
  /** Upgrades, incidents and the like by entity: Bitcoin, a layer, a protocol. In the order of their days. */
  readonly events: Readonly<Record<string, readonly CatalogEvent[]>>
  /** In the order of their slugs. */
  readonly layers: readonly CatalogLayer[]
  readonly tokens: readonly CatalogToken[]
  readonly protocols: readonly CatalogProtocol[]
  /** How layers are recognised on Bitcoin. */
  readonly rules: readonly CatalogRule[]
  /** What applications on Stacks print and answer, in the order of their slugs. */
  readonly stacksApps: readonly StacksApp[]
  /** Those of them that are exchanges whose prints are read. */
  readonly exchanges: readonly CatalogExchange[]
  /** Wrappers, anchors of prices and decimals of tokens in pools. */
  readonly dexTokens: CatalogDexTokens
  /** Collections of NFTs on Stacks that have a name here. */
  readonly collections: readonly CatalogCollection[]
  /** By which tokens on Stacks are judged. */
  readonly tokenRules: TokenRules
  /** Holders of bitcoin, in the order of their ids. */
  readonly treasuries: readonly CatalogTreasury[]
  /** Indices of tokens, in the order of their ids. */
  readonly indices: readonly CatalogIndex[]
  /** Signals of Alpha21, in the order of their ids. */
  readonly signals: readonly CatalogSignal[]
  /** Whoever builds together, with the repositories of each, in the order of their ids. */
  readonly ecosystems: readonly CatalogEcosystem[]
  /** How commits of programs are told. */
  readonly bots: readonly BotRule[]
}

/** Chains that tokens and protocols may name and that are no Bitcoin layer. */
const OTHER_CHAINS: readonly string[] = ['bitcoin', 'ethereum']

/** The facts of `catalog/` that the site is made of. Throws `catalog.invalid` with file, field and reason of the first fault. */
export async function readCatalog(dir: string): Promise<Catalog> {
  const byId = { field: 'id', read: ({ id }: { id: string }) => id }
  const bySlug = { field: 'slug', read: ({ slug }: { slug: string }) => slug }
  const [
    bitcoin,
    evm,
    events,
    layers,
    tokens,
    listed,
    rules,
    tokenRules,
    nfts,
    dexTokens,
    stacksApps,
    treasuries,
    indices,
    opportunities,
    yieldProjects,
    bitcoins,
    signals,
    ecosystems,
    bots,
  ] = await Promise.all([
    readFacts(dir, 'chains/bitcoin.json', Chain),
    readEvmLayers(dir),
    readEvents(dir),
    readFolder(dir, 'layers', Layer, bySlug),
    readFolder(dir, 'tokens', Token, byId),
    readFolder(dir, 'protocols', Protocol, bySlug),
    readFolder(dir, 'rules', Rule, byId),
    readFacts(dir, 'stacks/token-rules.json', TokenRules),
    readFacts(dir, 'stacks/collections.json', NftCollections),
    readFacts(dir, 'stacks/dex-tokens.json', DexTokens),
    readStacksApps(dir),
    readFolder(dir, 'treasuries', Treasury, byId),
    readFolder(dir, 'indices', MarketIndex, byId),
    readFolder(dir, 'opportunities', Opportunity, byId),
    readFolder(dir, 'yield-projects', YieldProject, byId),
    readFolder(dir, 'bitcoins', Bitcoin, byId),
    readFolder(dir, 'signals', Signal, byId),
    readFolder(dir, 'developers', Ecosystem, byId),
    readFacts(dir, 'bots.json', BotRules),
  ])
  const exchanges = stacksApps.flatMap(({ protocol, exchange }) =>
    exchange === undefined ? [] : [{ protocol, ...exchange }],
  )
  const catalog = {
    chains: [bitcoin],
    evm,
    events,
    layers,
    tokens,
    protocols: withProfiles(listed, stacksApps),
    rules,
    tokenRules,
    collections: nfts.collections,
    stacksApps,
    exchanges,
    dexTokens: withTokensOf(exchanges, dexTokens),
    treasuries,
    indices,
    opportunities,
    yieldProjects,
    bitcoins,
    signals,
    ecosystems,
    bots: bots.rules,
  }
  checkNames(catalog)
  return catalog
}

/** What applications on Stacks print and answer. Throws `catalog.invalid`. */
export const readStacksApps = (dir: string): Promise<StacksApp[]> =>
  readFolder(dir, 'stacks/apps', StacksApp, { field: 'protocol', read: ({ protocol }) => protocol })

/** The applications of `catalog/protocols` and those that are told by their file of Stacks alone. Throws `catalog.invalid`. */
function withProfiles(listed: readonly CatalogProtocol[], apps: readonly StacksApp[]): CatalogProtocol[] {
  const names = new Set(listed.map(({ slug }) => slug))
  const own = apps.flatMap(app => {
    const { protocol, profile } = app
    if (profile === undefined) return []
    if (names.has(protocol))
      throw wrongFact(
        `stacks/apps/${protocol}.json`,
        'profile',
        `is told by protocols/${protocol}.json already`,
      )
    const told = new Set(profile.contracts.map(({ address }) => address))
    const further = contractsOf(app).filter(({ address }) => !told.has(address))
    return [{ slug: protocol, ...profile, contracts: [...profile.contracts, ...further] }]
  })
  // As files are read: by their names.
  const fileOf = ({ slug }: CatalogProtocol): string => `${slug}.json`
  return [...listed, ...own].sort((a, b) => (fileOf(a) < fileOf(b) ? -1 : 1))
}

/** Contracts whose prints an application's file reads, with which generation each is of. */
const contractsOf = ({ exchange, events }: StacksApp): CatalogProtocol['contracts'] =>
  [
    ...(exchange?.sources ?? []).flatMap(({ contracts, name }) =>
      contracts.map(address => ({ address, role: name })),
    ),
    ...events.flatMap(({ contracts, version }) => contracts.map(address => ({ address, role: version }))),
  ].map(contract => ({ layer: 'stacks', ...contract }))

/** The events of each entity that has a file. Throws `catalog.invalid`. */
async function readEvents(dir: string): Promise<Record<string, readonly CatalogEvent[]>> {
  const names = await filesIn(dir, 'events')
  const events = await Promise.all(
    names.map(
      async name => [name.replace(/\.json$/, ''), await readFacts(dir, `events/${name}`, Events)] as const,
    ),
  )
  return Object.fromEntries(events)
}

/** Files name each other: a name that leads nowhere is a fault of the file that uses it. */
function checkNames(catalog: Catalog): void {
  const { evm, layers, tokens, protocols, events, rules, stacksApps, indices } = catalog
  const layerNames = new Set([...layers.map(({ slug }) => slug), ...evm.map(({ id }) => id), ...OTHER_CHAINS])
  const tokenNames = new Set(tokens.map(({ id }) => id))
  const demand: Demand = (names, kind, file, field, name) => {
    if (name !== undefined && !names.has(name)) throw unknownName(file, field, name, kind)
  }
  const eventful = new Set([...layerNames, ...protocols.map(({ slug }) => slug)])
  for (const entity of Object.keys(events))
    demand(eventful, 'the chain or protocol', `events/${entity}.json`, '', entity)
  for (const { slug, gasToken, token } of layers) {
    demand(tokenNames, 'the token', `layers/${slug}.json`, 'gasToken', gasToken)
    demand(tokenNames, 'the token', `layers/${slug}.json`, 'token', token)
  }
  checkRepositories(catalog.ecosystems)
  const slugs = new Set(protocols.map(({ slug }) => slug))
  for (const app of stacksApps) {
    demand(slugs, 'the protocol', `stacks/apps/${app.protocol}.json`, 'protocol', app.protocol)
    checkNamesOfApp(app, demand)
  }
  checkContractsOfExchanges(stacksApps)
  for (const { id, layer } of rules) demand(layerNames, 'the layer', `rules/${id}.json`, 'layer', layer)
  for (const { id, claimOn, deployments } of tokens) {
    demand(tokenNames, 'the token', `tokens/${id}.json`, 'claimOn', claimOn)
    for (const [index, { layer }] of deployments.entries())
      demand(layerNames, 'the layer', `tokens/${id}.json`, `deployments.${index}.layer`, layer)
  }
  for (const { id, members } of indices) {
    for (const [index, { token, feesOf }] of members.entries()) {
      demand(tokenNames, 'the token', `indices/${id}.json`, `members.${index}.token`, token)
      demand(layerNames, 'the layer', `indices/${id}.json`, `members.${index}.feesOf`, feesOf)
    }
  }
  for (const { slug, layers: named, token, contracts } of protocols) {
    for (const [index, { layer }] of contracts.entries())
      demand(layerNames, 'the layer', `protocols/${slug}.json`, `contracts.${index}.layer`, layer)
    demand(tokenNames, 'the token', `protocols/${slug}.json`, 'token', token)
    for (const [index, layer] of named.entries())
      demand(layerNames, 'the layer', `protocols/${slug}.json`, `layers.${index}`, layer)
  }
  const projects = new Set(catalog.yieldProjects.map(({ id }) => id))
  for (const { id, project } of catalog.opportunities)
    demand(projects, 'the project', `opportunities/${id}.json`, 'project', project)
  for (const { id, protocol } of catalog.yieldProjects)
    demand(slugs, 'the protocol', `yield-projects/${id}.json`, 'protocol', protocol)
  for (const { id, token } of catalog.bitcoins)
    demand(tokenNames, 'the token', `bitcoins/${id}.json`, 'token', token)
}

/** A print is of one generation of one exchange. */
function checkContractsOfExchanges(apps: readonly StacksApp[]): void {
  const claims: { name: string; isStart: boolean; by: string }[] = []
  const claim = (name: string, isStart: boolean, file: string, field: string): void => {
    const other = claims.find(
      one =>
        one.name === name ||
        (one.isStart && name.startsWith(one.name)) ||
        (isStart && one.name.startsWith(name)),
    )
    if (other !== undefined)
      throw wrongFact(`${file}.json`, field, `prints of ${name} are read by ${other.by} already`)
    claims.push({ name, isStart, by: `${file}.json, ${field}` })
  }
  for (const { protocol, exchange } of apps)
    for (const [index, { contracts, begins }] of (exchange?.sources ?? []).entries()) {
      const [file, of] = [`stacks/apps/${protocol}`, `exchange.sources.${index}`]
      for (const [nth, name] of contracts.entries()) claim(name, false, file, `${of}.contracts.${nth}`)
      for (const [nth, name] of begins.entries()) claim(name, true, file, `${of}.begins.${nth}`)
    }
}

/** A repository may build several ecosystems; what its files say of it must be one thing. */
function checkRepositories(ecosystems: Catalog['ecosystems']): void {
  const known = new Map<string, string>()
  for (const { id, repositories } of ecosystems)
    for (const [index, repository] of repositories.entries()) {
      const said = JSON.stringify(repository)
      const before = known.get(repository.name)
      if (before !== undefined && before !== said)
        throw wrongFact(
          `developers/${id}.json`,
          `repositories.${index}`,
          `says otherwise of ${repository.name} than another ecosystem does`,
        )
      known.set(repository.name, said)
    }
}

type Demand = (names: ReadonlySet<string>, kind: string, file: string, field: string, name?: string) => void

/** Names that the parts of an application's file have for each other. */
function checkNamesOfApp(
  { protocol, assets, markets, events, positions, reads, figures }: StacksApp,
  demand: Demand,
) {
  const file = `stacks/apps/${protocol}.json`
  const assetNames = new Set(Object.keys(assets))
  const marketNames = new Set(markets.map(({ id }) => id))
  const readNames = new Set(reads.map(({ name }) => name))
  for (const [index, { asset, collateral }] of markets.entries()) {
    demand(assetNames, 'the asset', file, `markets.${index}.asset`, asset)
    demand(assetNames, 'the asset', file, `markets.${index}.collateral`, collateral)
  }
  for (const [index, { assets: ofContracts = {} }] of events.entries())
    for (const [contract, asset] of Object.entries(ofContracts))
      demand(assetNames, 'the asset', file, `events.${index}.assets.${contract}`, asset)
  if (positions?.kind === 'shares') {
    demand(marketNames, 'the market', file, 'positions.market', positions.market)
    demand(assetNames, 'the asset', file, 'positions.collateral', positions.collateral)
  }
  if (positions?.kind === 'groups') {
    demand(readNames, 'the read', file, 'positions.read', positions.read)
    for (const [index, { market }] of positions.assets.entries())
      demand(marketNames, 'the market', file, `positions.assets.${index}.market`, market)
  }
  for (const [index, figure] of figures.entries())
    for (const operand of operandsOf(figure))
      demand(readNames, 'the read', file, `figures.${index}`, operand.replace(/^-/, '').split('.')[0])
}
