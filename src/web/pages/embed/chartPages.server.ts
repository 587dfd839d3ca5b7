import type { RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { ChartEvent } from '../../blocks/chart/drawing.ts'
import { APPS, isApp } from '../apps/apps.ts'
import { tabOf as appTabOf } from '../apps/specs/index.ts'
import { ENTITY as BITCOIN, tabOf as bitcoinTabOf } from '../bitcoin/tabs/index.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'
import { profileFigures } from '../l2s/specs.ts'
import { isLayer, LAYERS } from '../layers/layers.ts'
import { layerTab } from '../layers/loadLayer.server.ts'
import { memeCoins, stablecoins } from '../stacks/coins/coinSpecs.ts'
import { defi } from '../stacks/defiSpec.ts'
import { mining } from '../stacks/miningSpec.ts'
import { sbtcFigures } from '../stacks/sbtc/figures.ts'
import { sip031 } from '../stacks/sip031Spec.ts'
import { sip033 } from '../stacks/sip033Spec.ts'
import { overview, ENTITY as STACKS } from '../stacks/specs.ts'

/** A page whose charts may stand alone in a frame of another site. */
export type ChartPage = {
  name: string
  charts: FigurePage['charts']
  /** Whose figures they are where a line names nobody. */
  entity: string
  events: readonly ChartEvent[]
}

const PROFILES = 'bitcoin/l2s/'

async function profileCharts(
  entity: string,
  context: Readonly<RouterContextProvider>,
): Promise<ChartPage | undefined> {
  const { directory } = context.get(apiContext)
  const { items } = await directory.list()
  const layer = items.find(({ slug }) => slug === entity)
  if (layer === undefined) return undefined
  const [{ charts }, events] = [profileFigures(layer.name, ''), await directory.events(entity)]
  return { name: layer.name, charts, entity, events }
}

/** The page of an address, with its tab; undefined for addresses whose charts stand in no frame. */
export async function chartPageOf(
  path: string,
  query: URLSearchParams,
  context: Readonly<RouterContextProvider>,
): Promise<ChartPage | undefined> {
  const tab = query.get('tab')
  const slug = path.replace(/^\//, '')
  if (slug === BITCOIN)
    return {
      name: 'Bitcoin',
      charts: bitcoinTabOf(tab).charts,
      entity: BITCOIN,
      events: await context.get(apiContext).directory.events(BITCOIN),
    }
  if (slug === 'stacks') return { name: 'Stacks', charts: overview.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/mining')
    return { name: 'Stacks mining', charts: mining.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/sbtc') return { name: 'sBTC', charts: sbtcFigures.charts, entity: STACKS, events: [] }
  if (slug.startsWith(PROFILES)) return profileCharts(slug.slice(PROFILES.length), context)
  if (slug === 'stacks/defi')
    return { name: 'DeFi on Stacks', charts: defi.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/meme-coins')
    return { name: 'Meme coins of Stacks', charts: memeCoins.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/stablecoins')
    return { name: 'Stablecoins of Stacks', charts: stablecoins.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/sip-031') return { name: 'SIP-031', charts: sip031.charts, entity: STACKS, events: [] }
  if (slug === 'stacks/sip-033') return { name: 'SIP-033', charts: sip033.charts, entity: STACKS, events: [] }
  if (isApp(slug)) {
    const { events } = await context.get(apiContext).applications.profile(slug)
    return { name: APPS[slug], charts: appTabOf(slug, tab).charts, entity: slug, events }
  }
  if (!isLayer(slug)) return undefined
  const about = await context.get(apiContext).layer(slug).about()
  return { name: LAYERS[slug].name, charts: layerTab(slug, tab, about).charts, entity: slug, events: [] }
}
