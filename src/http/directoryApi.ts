import type { Catalog, CatalogLayer } from '#catalog/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { Part } from './cache/parts.ts'
import type {
  AsOf,
  DirectoryApi,
  DirectoryLayer,
  Figure,
  LayerDirectory,
  LayerProfile,
  MetricEntry,
} from './contract.ts'
import { didYouMean } from './didYouMean.ts'

type Deps = {
  readonly catalog: Catalog
  readonly metrics: () => Promise<readonly MetricEntry[]>
  readonly figure: (query: { id: string; entity: string; changeRange: '30d' }) => Promise<Figure>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const BTC = 'btc.bridged'
const TVL = 'tvl.total'
const PARTS = [`of.${BTC}`, `of.${TVL}`] as const satisfies readonly Part[]
/** Layers that people can put bitcoin on today. */
const ON_MAIN: readonly CatalogLayer['status'][] = ['mainnet', 'beta']

/** Facts of the catalogue's layers, each with its newest figures. */
export function createDirectoryApi({ catalog, metrics, figure, ask }: Deps): DirectoryApi {
  const { layers, protocols } = catalog
  const protocolNames = Object.fromEntries(
    protocols.flatMap(({ slug, name, ids }) =>
      [slug, ids.defillama ?? slug].map((key): [string, string] => [key, name]),
    ),
  )

  /** The newest figure of a layer; null where no metric has it or nothing is known yet. */
  async function newest(id: string, entity: string): Promise<DirectoryLayer['figures']['btc']> {
    const isKnown = (await metrics()).some(entry => entry.id === id && entry.entities.includes(entity))
    if (!isKnown) return null
    const { point, unit, asOf } = await figure({ id, entity, changeRange: '30d' })
    return point && { metric: id, unit, value: point.value, day: point.day, source: point.source, asOf }
  }

  async function itemOf(layer: CatalogLayer): Promise<DirectoryLayer> {
    const [btc, tvl] = await Promise.all([newest(BTC, layer.slug), newest(TVL, layer.slug)])
    const graded = newestAssessment(layer)
    return {
      slug: layer.slug,
      name: layer.name,
      family: layer.family,
      kind: layer.kind,
      status: layer.status,
      statusAsOf: layer.statusAsOf,
      sentence: layer.sentence,
      launchedOn: layer.launch?.day ?? null,
      btcAsset: layer.btcAsset,
      isReviewed: layer.assessments.some(({ isReviewed }) => isReviewed),
      gradesAsOf: graded?.day ?? null,
      grades: gradesOf(graded),
      figures: { btc, tvl },
      links: layer.links,
    }
  }

  const list = (): Promise<LayerDirectory> =>
    ask(['layers'], PARTS, async () => {
      const items = await Promise.all(layers.map(itemOf))
      return { items, totals: totalsOf(items), asOf: asOfItems(items) }
    })

  return {
    list,
    layer: slug =>
      ask(['layers', slug], PARTS, async () => {
        const layer = layers.find(known => known.slug === slug)
        if (layer === undefined) throw unknownLayer(slug, catalog)
        const item = await itemOf(layer)
        return { ...item, ...profileOf(layer, catalog), asOf: asOfItems([item]) }
      }),
    events: async entity =>
      (catalog.events[entity] ?? []).map(({ day, label, note }) => ({ day, label, note })),
    protocolNames: async () => protocolNames,
  }
}

/** The newest assessment that grades anything. */
const newestAssessment = ({ assessments }: CatalogLayer) =>
  assessments
    .filter(({ grades }) => Object.keys(grades).length > 0)
    .toSorted((a, b) => b.day.localeCompare(a.day))[0]

const gradesOf = (assessment: CatalogLayer['assessments'][number] | undefined): DirectoryLayer['grades'] => {
  const { custody = null, data = null, operators = null, finality = null } = assessment?.grades ?? {}
  return { custody, data, operators, finality }
}

/** What is known of whole layers added up: each of its own day, so the days are told with it. */
function totalsOf(items: readonly DirectoryLayer[]): LayerDirectory['totals'] {
  const known = items.flatMap(({ figures }) => (figures.btc?.value == null ? [] : [figures.btc]))
  const days = known.map(({ day }) => day).sort()
  return {
    btcSat:
      known.length === 0 ? null : String(known.reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n)),
    covers: known.length,
    of: items.filter(({ status }) => ON_MAIN.includes(status)).length,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
  }
}

/** How old the newest figure is; without one, how old the newest fact. */
function asOfItems(items: readonly DirectoryLayer[]): AsOf {
  const marks = items.flatMap(({ figures }) => [figures.btc, figures.tvl].flatMap(found => found?.asOf ?? []))
  const newest = marks.toSorted((a, b) => b.time.localeCompare(a.time))[0]
  if (newest !== undefined) return newest
  const day =
    items
      .flatMap(item => [item.statusAsOf, item.gradesAsOf ?? ''])
      .sort()
      .at(-1) ?? ''
  return { time: `${day}T00:00:00Z`, height: null, state: 'recorded' }
}

function profileOf(layer: CatalogLayer, { tokens, protocols, events, rules }: Catalog) {
  const { slug, trust } = layer
  return {
    statusNote: layer.statusNote ?? null,
    chainId: layer.chainId ?? null,
    bridge: layer.bridge,
    launch: layer.launch ?? null,
    trust: trust && {
      custody: trust.custody ?? null,
      data: trust.data ?? null,
      operators: trust.operators ?? null,
      finality: trust.finality ?? null,
    },
    assessments: layer.assessments.map(assessment => ({
      by: assessment.by,
      url: assessment.url,
      day: assessment.day,
      isReviewed: assessment.isReviewed,
      category: assessment.category ?? null,
      grades: gradesOf(assessment),
      pegs: assessment.pegs,
    })),
    paths: layer.paths.map(({ steps, note = null, ...path }) => ({
      ...path,
      note,
      steps: steps.map(({ place = null, ...step }) => ({ ...step, place })),
    })),
    addresses: layer.addresses,
    tokens: tokens.flatMap(({ id, symbol, name, kind, custody = null, claimOn = null, deployments }) =>
      deployments
        .filter(deployment => deployment.layer === slug)
        .map(({ contract, decimals }) => ({ id, symbol, name, kind, custody, claimOn, contract, decimals })),
    ),
    protocols: protocols
      .filter(protocol => protocol.layers.includes(slug))
      .map(protocol => ({
        slug: protocol.slug,
        name: protocol.name,
        category: protocol.category,
        contracts: protocol.contracts
          .filter(contract => contract.layer === slug)
          .map(({ address, role }) => ({ address, role })),
        links: protocol.links,
      })),
    incidents: [
      ...layer.incidents.map(incident => ({ ...incident, protocol: null })),
      ...protocols
        .filter(protocol => protocol.layers.includes(slug))
        .flatMap(({ name, incidents }) => incidents.map(incident => ({ ...incident, protocol: name }))),
    ]
      .map(({ lossUsd = null, ...incident }) => ({ ...incident, lossUsd }))
      .sort((a, b) => a.day.localeCompare(b.day)),
    rules: rules
      .filter(rule => rule.layer === slug)
      .map(({ id, name, tag, place, recognises, metrics, positive, negative, notCovered, origin }) => ({
        id,
        name,
        tag,
        place,
        recognises,
        metrics,
        positive: positive.what,
        negative: negative.what,
        notCovered,
        origin,
      })),
    events: (events[slug] ?? []).map(({ height = null, ...event }) => ({ ...event, height })),
    changes: layer.changes.map(({ origin = null, ...change }) => ({ ...change, origin })),
    fromMemory: layer.fromMemory,
    origin: layer.origin,
  } satisfies Omit<LayerProfile, keyof DirectoryLayer | 'asOf'>
}

function unknownLayer(slug: string, { layers }: Catalog): ApiError {
  const nearest = nearestNames(
    slug,
    layers.map(layer => layer.slug),
  )
  return new ApiError(
    problemOf('http.layer', `The catalog has no layer "${slug.slice(0, 60)}".`, didYouMean(nearest)),
  )
}
