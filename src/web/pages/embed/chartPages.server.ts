import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ChartEvent } from '../../blocks/chart/drawing.ts'
import { appAt } from '../apps/apps.ts'
import { tabOf as appTabOf } from '../apps/specs/index.ts'
import { ENTITY as BITCOIN, tabOf as bitcoinTabOf } from '../bitcoin/tabs/index.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'
import { developerCharts } from '../developers/loadDevelopers.server.ts'
import { PATH as DEVELOPERS_PATH } from '../developers/specs.ts'
import { indexShown } from '../indices/loadIndices.server.ts'
import { PATH as INDICES_PATH, indexFigures } from '../indices/specs.ts'
import { profileFigures } from '../l2s/specs.ts'
import { layerTab } from '../layers/loadLayer.server.ts'
import { memeCoins, stablecoins } from '../stacks/coins/coinSpecs.ts'
import { defiOf } from '../stacks/defiSpec.ts'
import { mining } from '../stacks/miningSpec.ts'
import { sbtcFigures } from '../stacks/sbtc/figures.ts'
import { sip031 } from '../stacks/sip031Spec.ts'
import { sip033 } from '../stacks/sip033Spec.ts'
import { overview, ENTITY as STACKS } from '../stacks/specs.ts'
import { stacking } from '../stacks/stackingSpec.ts'
import { PATH as TREASURIES_PATH, treasuries } from '../treasuries/specs.ts'
import { yieldFigures } from '../yields/loadYields.server.ts'
import { PATH as YIELDS_PATH } from '../yields/specs.ts'

type Figures = Pick<FigurePage, 'kpis' | 'charts'>

/** A page whose charts may stand alone in a frame of another site. */
export type ChartPage = {
  name: string
  /** All figures of the page: its newest day ends the time axis of each of its charts. */
  figures: Figures
  /** Whose figures they are where a line names nobody. */
  entity: string
  events: readonly ChartEvent[]
}

/** Pages about Stacks: what a frame calls them, and their charts. */
const STACKS_PAGES: Readonly<Record<string, readonly [name: string, figures: Figures]>> = {
  '/stacks': ['Stacks', overview],
  '/stacks/stablecoins': ['Stablecoins of Stacks', stablecoins],
  '/stacks/meme-coins': ['Meme coins of Stacks', memeCoins],
  '/stacks/mining': ['Stacks mining', mining],
  '/stacks/stacking': ['Stacking', stacking],
  '/stacks/sbtc': ['sBTC', sbtcFigures],
  '/stacks/sip-031': ['SIP-031', sip031],
  '/stacks/sip-033': ['SIP-033', sip033],
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
  return {
    name: layer.name,
    figures: profileFigures(layer.name, ''),
    entity,
    events: await directory.events(entity),
  }
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
      figures: bitcoinTabOf(tab),
      entity: BITCOIN,
      events: await context.get(apiContext).directory.events(BITCOIN),
    }
  const ofStacks = Object.hasOwn(STACKS_PAGES, path)
    ? STACKS_PAGES[path]
    : path === '/stacks/defi'
      ? (['DeFi on Stacks', defiOf(context.get(siteContext).applications)] as const)
      : undefined
  if (ofStacks !== undefined) {
    const [name, figures] = ofStacks
    return { name, figures, entity: STACKS, events: await context.get(apiContext).directory.events(STACKS) }
  }
  if (path === TREASURIES_PATH)
    return { name: 'Bitcoin Treasuries', figures: treasuries, entity: BITCOIN, events: [] }
  if (path === INDICES_PATH) {
    const { items } = await context.get(apiContext).indices.list()
    const index = indexShown(items, tab)
    return index && { name: index.name, figures: indexFigures(index), entity: index.id, events: [] }
  }
  if (path === DEVELOPERS_PATH) return developerCharts(query, context)
  if (path === YIELDS_PATH)
    return {
      name: 'Bitcoin Yield',
      figures: await yieldFigures(query, context),
      entity: BITCOIN,
      events: [],
    }
  if (slug.startsWith(PROFILES)) return profileCharts(slug.slice(PROFILES.length), context)
  const app = appAt({ pathname: path }, context.get(siteContext).applications)
  if (app !== undefined) {
    const { events } = await context.get(apiContext).applications.profile(slug)
    return { name: app.name, figures: appTabOf(app, tab), entity: slug, events }
  }
  const layer = context.get(siteContext).layers.find(({ id }) => id === slug)
  if (layer === undefined) return undefined
  const api = context.get(apiContext)
  const [about, events] = await Promise.all([api.layer(slug).about(), api.directory.events(slug)])
  return { name: layer.name, figures: layerTab(layer, tab, about), entity: slug, events }
}
