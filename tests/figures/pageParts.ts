import type { ChainHeldView } from '#http/contract.ts'
import type { PlotData } from '../../src/web/blocks/chart/plotData.ts'
import type { WholeData } from '../../src/web/blocks/chart/wholeData.ts'
import type { KpiFigure } from '../../src/web/blocks/Kpi.tsx'
import type { Sum } from '../../src/web/pages/compare/sums.ts'
import type { Cell, Total } from '../../src/web/pages/compare/tableOf.ts'
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

/** A change of a metric over a range up to a day. */
export type Changed = Pick<KpiFigure, 'assay' | 'unit' | 'changeRange'> & {
  readonly change: number
  readonly day: string
}

/** A change and the course beside it; `isOfSome`: it leaves out members that the course has. */
export type Course = {
  readonly change: number
  readonly spark: readonly (number | null)[]
  readonly isOfSome: boolean
}

/** Rows of chains, and which blocks of each are indexed; `span` is that of counts without a window in their names. */
export type ChainRows = {
  readonly span?: '1h' | '24h' | '7d'
  readonly nested?: ChainRows['items']
  readonly items: readonly (Readonly<Record<string, unknown>> & { readonly chain: string })[]
  readonly held: readonly (Pick<ChainHeldView, 'time' | 'since' | 'isSinceGenesis'> & {
    readonly chain: string
  })[]
}

/** A row of a table by the keys of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** How many rows a list has, and what is counted beside it. */
export type Counted = { readonly items: number } & Readonly<Record<string, unknown>>

/** What the heading of a page says of its age: the newest day, how old it is, and the newest block. */
export type Mark = { readonly day: string; readonly state: string; readonly block: number | null }

/** What rules look at, recognized by its shape wherever a loader put it. */
export type PageParts = {
  readonly address: string
  readonly marks: readonly Found<Mark>[]
  readonly kpis: readonly Found<KnownKpi>[]
  /** Changes of key figures, of cells of a comparison, and of its news. */
  readonly changes: readonly Found<Changed>[]
  /** Changes with the sparkline that stands beside them. */
  readonly courses: readonly Found<Course>[]
  /** Rows of tables, one for each table. */
  readonly tables: readonly Found<readonly Row[]>[]
  readonly lists: readonly Found<Counted>[]
  readonly comparisons: readonly Found<Compared>[]
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
  const marks: Found<Mark>[] = []
  const kpis: Found<KnownKpi>[] = []
  const changes: Found<Changed>[] = []
  const courses: Found<Course>[] = []
  const tables: Found<readonly Row[]>[] = []
  const lists: Found<Counted>[] = []
  const comparisons: Found<Compared>[] = []
  const plots: Found<PlotData>[] = []
  const wholes: Found<WholeData>[] = []
  const chainRows: Found<ChainRows>[] = []
  const sums: Found<Sum>[] = []
  const cells: Found<Readonly<Record<string, Cell>>>[] = []
  const texts: Found<string>[] = []
  const walk = (part: unknown, path: string): void => {
    if (typeof part === 'string') texts.push({ address, path, part })
    if (typeof part !== 'object' || part === null) return
    for (const mark of marksOf(part)) marks.push({ address, path, part: mark })
    if (isKpi(part)) kpis.push({ address, path, part })
    for (const change of changesOf(part)) changes.push({ address, path, part: change })
    for (const course of coursesOf(part)) courses.push({ address, path, part: course })
    if (isTable(part)) tables.push({ address, path, part: part.rows })
    if (has(part, 'items') && Array.isArray(part.items))
      lists.push({ address, path, part: { ...part, items: part.items.length } })
    if (isComparison(part)) comparisons.push({ address, path, part })
    if (isPlot(part)) plots.push({ address, path, part })
    if (isWhole(part)) wholes.push({ address, path, part })
    if (isChainRows(part)) chainRows.push({ address, path, part })
    if (isSum(part)) sums.push({ address, path, part })
    if (isCompared(part)) cells.push({ address, path, part: part.cells })
    for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
  }
  walk(data, '')
  return {
    address,
    marks,
    kpis,
    changes,
    courses,
    tables,
    lists,
    comparisons,
    plots,
    wholes,
    chainRows,
    sums,
    cells,
    texts,
    data,
  }
}

const has = <Key extends string>(part: object, ...keys: Key[]): part is Record<Key, unknown> =>
  keys.every(key => key in part)

const isKpi = (part: object): part is KnownKpi =>
  has(part, 'assay', 'label', 'value', 'unit', 'day', 'spark') && part.value !== null && part.day !== null
/** The table of a comparison. */
export type Compared = {
  readonly changeRange: KpiFigure['changeRange']
  readonly lead: string
  readonly columns: readonly { readonly key: string; readonly sum?: Total | null }[]
  readonly rows: readonly {
    readonly entity: string
    readonly cells: Readonly<Record<string, Cell>>
    readonly spark: readonly (number | null)[]
  }[]
}
const isComparison = (part: object): part is Compared =>
  has(part, 'changeRange', 'lead', 'columns', 'rows') &&
  Array.isArray(part.rows) &&
  part.rows.every(row => has(row, 'cells', 'spark'))

const isTable = (part: object): part is { rows: readonly Row[] } =>
  has(part, 'rows', 'columns') &&
  Array.isArray(part.rows) &&
  part.rows.every(row => typeof row === 'object' && row !== null && !('cells' in row))

/** The mark beside a part. */
function marksOf(part: object): Mark[] {
  type AsOf = { state?: string; time?: string; height?: number | null }
  const { mark } = part as { mark?: { asOf?: AsOf; day?: string; blocks?: AsOf } | null }
  if (mark?.asOf === undefined) return []
  const { day = mark.asOf.time?.slice(0, 10), blocks = mark.asOf } = mark
  return [{ day: day ?? '', state: mark.asOf.state ?? '', block: blocks.height ?? null }]
}

/** Figures of a week or month change between buckets: a cell of one has its grain in its key. */
const WEEK_DAYS = '7d'

/** The changes that a part states by itself; those of cells come with the range of their table. */
function changesOf(part: object): Changed[] {
  if (isKpi(part)) return part.change === null ? [] : [{ ...part, change: part.change }]
  if (isComparison(part))
    return part.rows.flatMap(({ cells }) =>
      Object.entries(cells).flatMap(([key, { assay, change, day, unit }]) =>
        change === null || key.includes(':')
          ? []
          : [{ assay, unit, day, change, changeRange: part.changeRange }],
      ),
    )
  const isNews = has(part, 'assay', 'change', 'day', 'grain', 'unit') && part.grain === 'day'
  return isNews && typeof part.change === 'number'
    ? [{ ...(part as Omit<Changed, 'changeRange'>), changeRange: WEEK_DAYS }]
    : []
}

/** What a part says of a change beside a sparkline; an index has changes over several spans, its course is that of a year. */
function coursesOf(part: object): Course[] {
  const courseOf = (change: unknown, spark: unknown, changeOver: unknown): Course[] =>
    typeof change === 'number' && Array.isArray(spark) && spark.length > 0
      ? [{ change, spark, isOfSome: changeOver != null }]
      : []
  if (isComparison(part))
    return part.rows.flatMap(({ cells: { [part.lead]: cell }, spark }) =>
      courseOf(cell?.change, spark, cell?.changeOver),
    )
  if (!has(part, 'change', 'spark')) return []
  const { change, spark, changeOver } = part as Record<string, unknown>
  const ofYear = typeof change === 'object' && change !== null && 'year' in change ? change.year : change
  return courseOf(ofYear, spark, changeOver)
}

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

/** Addresses of the first contract of each chain that a list of the page has: each has figures of its own. */
export function contractsOf({ data }: PageAnswer): string[] {
  const paths = new Map<string, string>()
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (has(part, 'chain', 'contract', 'callCount') && !paths.has(String(part.chain)))
      paths.set(String(part.chain), `/${part.chain}/contract/${part.contract}`)
    for (const value of Object.values(part)) walk(value)
  }
  walk(data)
  return [...paths.values()]
}

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
