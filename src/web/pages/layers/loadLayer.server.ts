import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerAbout } from '#http/contract.ts'
import { type ChartSpec, shownPart } from '../../blocks/chart/chartSpec.ts'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { loadHoldings } from '../chain/loadHoldings.server.ts'
import { trustMarksOf } from '../l2s/words.ts'
import { layerOf } from './layerOf.server.ts'
import { type LayerTab, type Panel, tabOf, tabsOf } from './specs.ts'

const BLOCKS = 20

/** Everything that one tab of a layer’s page shows, asked for side by side. */
export async function loadLayer(url: URL, context: Readonly<RouterContextProvider>) {
  const layer = layerOf(url, context)
  const api = context.get(apiContext).layer(layer.id)
  const about = await answering(layer.name, () => api.about())
  const tab = layerTab(layer, url.searchParams.get('tab'), about)
  const text = url.searchParams.get('before') ?? ''
  const before = /^\d{1,9}$/.test(text) ? { before: Number(text) } : {}
  const shows = (...panels: Panel[]) => panels.some(panel => tab.panels.includes(panel))
  const ofParts = (panel: Panel, metric: string) =>
    shows(panel) ? loadHoldings(context.get(apiContext), metric, layer.id) : []
  const [figures, blocks, headers, contracts, profile, tokens, protocols, stables, events] = await answering(
    layer.name,
    () =>
      Promise.all([
        // What is known of another time than today's, such as a day of 2009, is told so and not drawn.
        loadFigures(tab, layer.id, url, context, { now: [{ metric: 'price.close', entity: 'bitcoin' }] }),
        shows('blocks', 'headers') ? api.blocks({ limit: BLOCKS, ...before }) : undefined,
        shows('headers') ? api.headers({ limit: BLOCKS }) : undefined,
        shows('hot', 'newest') ? api.contracts() : undefined,
        layer.hasProfile ? context.get(apiContext).directory.layer(layer.id) : undefined,
        ofParts('custody', 'btc.by_token'),
        ofParts('protocols', 'tvl.by_protocol'),
        ofParts('stables', 'stables.by_token'),
        context.get(apiContext).directory.events(layer.id),
      ]),
  )
  const shown = shows('trust', 'custody', 'keys', 'incidents') ? profile : undefined
  const names = (profile?.protocols ?? [])
    .filter(({ slug }) => protocols.some(({ key }) => key === slug))
    .map(({ slug, name }): [slug: string, name: string] => [slug, name])
  return {
    ...figures,
    layer,
    tab: shownPartOf(tab),
    tabs: tabsOf(layer).map(({ key, label }) => ({ key, label })),
    about,
    events,
    blocks: blocks?.items ?? [],
    olderBlocks: blocks?.next ?? null,
    isLater: before.before !== undefined,
    headers: headers?.items ?? [],
    contracts,
    trust: profile && trustMarksOf(profile.grades),
    profile: shown,
    holdings: { tokens, protocols, stables, names },
    publicUrl: context.get(siteContext).publicUrl,
    mark: figures.mark ?? chainMark(blocks?.items.length ? blocks.asOf : shown?.asOf, url),
  }
}

/** A tab, with the catalogue's names for the addresses that its charts break down by. */
export function layerTab(layer: SiteLayer, key: string | null, about: LayerAbout): LayerTab {
  const tab = tabOf(layer, key)
  const names: [address: string, name: string][] = [
    ...about.dapps.flatMap(({ name, contracts }) =>
      contracts.map((contract): [string, string] => [contract.address, `${name}: ${contract.name}`]),
    ),
    ...about.bridges.flatMap(({ name, addresses }) =>
      addresses.map((address): [string, string] => [address, name]),
    ),
    ...about.systemContracts.map(({ name, address }): [string, string] => [address, name]),
    ...about.tokens.map(({ symbol, address }): [string, string] => [address, symbol]),
  ]
  const labels = Object.fromEntries(names.map(([address, name]) => [address.toLowerCase(), name]))
  const isByAddress = (metric: string) => metric === 'tokens.transfers' || metric === 'calls.by_contract'
  return {
    ...tab,
    charts: tab.charts.map(chart => {
      const lines = chart.lines.map(line => (isByAddress(line.metric) ? { ...line, labels } : line))
      // Each line keeps its form, which the union of kinds cannot say.
      return { ...chart, lines } as ChartSpec
    }),
  }
}

/** What the browser needs of a tab. */
const shownPartOf = ({ key, label, question, charts, panels }: LayerTab) => ({
  key,
  label,
  question,
  panels,
  charts: charts.map(shownPart),
})

export type LoadedLayer = Awaited<ReturnType<typeof loadLayer>>
