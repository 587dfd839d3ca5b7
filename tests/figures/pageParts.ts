import type { ChainHeldView } from '#http/contract.ts'
import type { PlotData } from '../../src/web/blocks/chart/plotData.ts'
import type { WholeData } from '../../src/web/blocks/chart/wholeData.ts'
import type { KpiFigure } from '../../src/web/blocks/Kpi.tsx'
import type { Sum } from '../../src/web/pages/compare/sums.ts'
import type { Cell } from '../../src/web/pages/compare/tableOf.ts'
import type { PageAnswer } from './openPages.ts'

/** Where a part stands in what the loaders of a page answered. */
export type Found<Part> = {
  readonly address: string
  /** Route and keys, joined by slashes. */
  readonly path: string
  readonly part: Part
}

/** A figure of the strip that is known. */
export type KnownKpi = KpiFigure & { readonly value: number | string; readonly day: string }

/** Rows of chains, and which blocks of each are indexed. */
export type ChainRows = {
  readonly items: readonly (Readonly<Record<string, unknown>> & { readonly chain: string })[]
  readonly held: readonly (Pick<ChainHeldView, 'time' | 'since' | 'isSinceGenesis'> & {
    readonly chain: string
  })[]
}

/** What rules look at, recognized by its shape wherever a loader put it. */
export type PageParts = {
  readonly address: string
  readonly kpis: readonly Found<KnownKpi>[]
  readonly plots: readonly Found<PlotData>[]
  readonly wholes: readonly Found<WholeData>[]
  readonly chainRows: readonly Found<ChainRows>[]
  /** Sums of one metric over entities. */
  readonly sums: readonly Found<Sum>[]
  /** Cells of a row of a comparison, by column. */
  readonly cells: readonly Found<Readonly<Record<string, Cell>>>[]
  /** Every text, labels and sentences alike. */
  readonly texts: readonly Found<string>[]
  /** The answers as they are, for rules about one page. */
  readonly data: PageAnswer['data']
}

/** Takes the answer of a page apart. */
export function pageParts({ address, data }: PageAnswer): PageParts {
  const kpis: Found<KnownKpi>[] = []
  const plots: Found<PlotData>[] = []
  const wholes: Found<WholeData>[] = []
  const chainRows: Found<ChainRows>[] = []
  const sums: Found<Sum>[] = []
  const cells: Found<Readonly<Record<string, Cell>>>[] = []
  const texts: Found<string>[] = []
  const walk = (part: unknown, path: string): void => {
    if (typeof part === 'string') texts.push({ address, path, part })
    if (typeof part !== 'object' || part === null) return
    if (isKpi(part)) kpis.push({ address, path, part })
    if (isPlot(part)) plots.push({ address, path, part })
    if (isWhole(part)) wholes.push({ address, path, part })
    if (isChainRows(part)) chainRows.push({ address, path, part })
    if (isSum(part)) sums.push({ address, path, part })
    if (isCompared(part)) cells.push({ address, path, part: part.cells })
    for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
  }
  walk(data, '')
  return { address, kpis, plots, wholes, chainRows, sums, cells, texts, data }
}

const has = <Key extends string>(part: object, ...keys: Key[]): part is Record<Key, unknown> =>
  keys.every(key => key in part)

const isKpi = (part: object): part is KnownKpi =>
  has(part, 'assay', 'label', 'value', 'unit', 'day', 'spark') && part.value !== null && part.day !== null
const isPlot = (part: object): part is PlotData => has(part, 'start', 'grain', 'count', 'lines', 'unit')
const isSum = (part: object): part is Sum => has(part, 'addends', 'value', 'unit', 'from', 'to')
const isChainRows = (part: object): part is ChainRows =>
  has(part, 'items', 'held') &&
  [part.items, part.held].every(
    rows =>
      Array.isArray(rows) && rows.every(row => typeof row === 'object' && row !== null && has(row, 'chain')),
  )
const isCompared = (part: object): part is { cells: Record<string, Cell> } =>
  has(part, 'entity', 'cells', 'absent')
const isWhole = (part: object): part is WholeData => has(part, 'parts', 'span', 'to', 'unit')

/** Keys of the further tabs of a page: each has figures of its own. */
export function tabsOf({ data }: PageAnswer): string[] {
  const keys: string[] = []
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (has(part, 'tabs') && Array.isArray(part.tabs))
      for (const tab of part.tabs.slice(1)) if (typeof tab?.key === 'string') keys.push(tab.key)
    for (const value of Object.values(part)) walk(value)
  }
  walk(data)
  return keys
}
