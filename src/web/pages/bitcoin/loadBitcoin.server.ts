import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { BlockSummary } from '#http/contract.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadCalculator } from '../../blocks/load/loadCalculator.server.ts'
import { readPageView } from '../../blocks/view.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { loadLayerRows } from './loadLayerRows.server.ts'
import { ENTITY, TABS, type Tab, tabOf } from './tabs/index.ts'

const BLOCKS_ON_OVERVIEW = 10
const BLOCKS_ON_TAB = 50

/** Everything that one tab of `/bitcoin` shows, asked for side by side. */
export async function loadBitcoin(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const query = url.searchParams
  const tab = tabOf(query.get('tab'))
  const before = /^\d{1,9}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : undefined
  const isDecoded = tab.panels.includes('decoded')
  const limit = tab.key === 'blocks' || isDecoded ? BLOCKS_ON_TAB : BLOCKS_ON_OVERVIEW
  const reader = createFigureReader(api, { ...readPageView(query), unit: 'native' })
  const [figures, page, calculators, layers, events] = await answering('Bitcoin', () =>
    Promise.all([
      loadFigures(tab, ENTITY, url, context, { now: [{ metric: 'price.close', entity: ENTITY }] }),
      tab.panels.some(panel => panel !== 'lightning')
        ? api.blocks({ limit, ...(before !== undefined && { before }), ...(isDecoded && { origin: 'rows' }) })
        : undefined,
      Promise.all((tab.calculators ?? []).map(calculator => loadCalculator(reader, calculator))),
      tab.panels.includes('layers') ? loadLayerRows(api) : [],
      api.directory.events(ENTITY),
    ]),
  )
  return {
    ...figures,
    calculators,
    tab: shownPartOf(tab),
    tabs: TABS.map(({ key, label }) => ({ key, label })),
    publicUrl: context.get(siteContext).publicUrl,
    layers,
    events,
    isLater: before !== undefined,
    blocks: page?.items ?? [],
    olderBlocks: page?.next ?? null,
    blockGaps: page?.gaps ?? [],
    tip: tipOf(page?.items ?? []),
    mark: figures.mark ?? chainMark(page?.items.length ? page.asOf : undefined, url),
  }
}

/** What the browser needs of a tab. */
const shownPartOf = ({ key, label, question, charts, panels }: Tab) => ({
  key,
  label,
  question,
  panels,
  charts: charts.map(shownPart),
})

export type LoadedBitcoin = Awaited<ReturnType<typeof loadBitcoin>>

function tipOf(blocks: readonly BlockSummary[]): { height: number; time: string } | undefined {
  const tip = blocks.reduce<BlockSummary | undefined>(
    (a, block) => (!a || block.height > a.height ? block : a),
    undefined,
  )
  return tip && { height: tip.height, time: tip.time }
}
