import { z } from 'zod'
import { type EvmLayerFacts, readEvmLayers } from './evmLayer.ts'
import { Day, Words } from './facts.ts'
import { filesIn, readFacts, readFolder, unknownName } from './file.ts'
import { type CatalogLayer, Layer } from './layer.ts'
import { type CatalogProtocol, Protocol } from './protocol.ts'
import { type CatalogRule, Rule } from './rule.ts'
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
export type Catalog = {
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
  /** By which tokens on Stacks are judged. */
  readonly tokenRules: TokenRules
  /** Holders of bitcoin, in the order of their ids. */
  readonly treasuries: readonly CatalogTreasury[]
}

/** Chains that tokens and protocols may name and that are no Bitcoin layer. */
const OTHER_CHAINS: readonly string[] = ['bitcoin', 'ethereum']

/** The facts of `catalog/` that the site is made of. Throws `catalog.invalid` with file, field and reason of the first fault. */
export async function readCatalog(dir: string): Promise<Catalog> {
  const [bitcoin, evm, events, layers, tokens, protocols, rules, tokenRules, stacksApps, treasuries] =
    await Promise.all([
      readFacts(dir, 'chains/bitcoin.json', Chain),
      readEvmLayers(dir),
      readEvents(dir),
      readFolder(dir, 'layers', Layer, { field: 'slug', read: ({ slug }) => slug }),
      readFolder(dir, 'tokens', Token, { field: 'id', read: ({ id }) => id }),
      readFolder(dir, 'protocols', Protocol, { field: 'slug', read: ({ slug }) => slug }),
      readFolder(dir, 'rules', Rule, { field: 'id', read: ({ id }) => id }),
      readFacts(dir, 'stacks/token-rules.json', TokenRules),
      readFolder(dir, 'stacks/apps', StacksApp, { field: 'protocol', read: ({ protocol }) => protocol }),
      readFolder(dir, 'treasuries', Treasury, { field: 'id', read: ({ id }) => id }),
    ])
  const catalog = {
    chains: [bitcoin],
    evm,
    events,
    layers,
    tokens,
    protocols,
    rules,
    tokenRules,
    stacksApps,
    treasuries,
  }
  checkNames(catalog)
  return catalog
}

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
function checkNames({ evm, layers, tokens, protocols, events, rules, stacksApps }: Catalog): void {
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
  const slugs = new Set(protocols.map(({ slug }) => slug))
  for (const app of stacksApps) {
    demand(slugs, 'the protocol', `stacks/apps/${app.protocol}.json`, 'protocol', app.protocol)
    checkNamesOfApp(app, demand)
  }
  for (const { id, layer } of rules) demand(layerNames, 'the layer', `rules/${id}.json`, 'layer', layer)
  for (const { id, claimOn, deployments } of tokens) {
    demand(tokenNames, 'the token', `tokens/${id}.json`, 'claimOn', claimOn)
    for (const [index, { layer }] of deployments.entries())
      demand(layerNames, 'the layer', `tokens/${id}.json`, `deployments.${index}.layer`, layer)
  }
  for (const { slug, layers: named, token, contracts } of protocols) {
    for (const [index, { layer }] of contracts.entries())
      demand(layerNames, 'the layer', `protocols/${slug}.json`, `contracts.${index}.layer`, layer)
    demand(tokenNames, 'the token', `protocols/${slug}.json`, 'token', token)
    for (const [index, layer] of named.entries())
      demand(layerNames, 'the layer', `protocols/${slug}.json`, `layers.${index}`, layer)
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
