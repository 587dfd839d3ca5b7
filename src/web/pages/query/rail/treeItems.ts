import type { TableCoverage } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { dayText } from '../../../format/day.ts'
import { figureText, grouped } from '../../../format/figure.ts'
import { type Catalog, type Entry, metricTable } from '../catalog.ts'
import { groupKey, tableKey } from './keys.ts'
import { metricGroups } from './metricGroups.ts'
import type { TreeItem } from './Tree.tsx'
import { tableGroups } from './tableGroups.ts'
import type { Coverage } from './useCoverage.ts'

type Open = ReadonlySet<string>
type Table = { readonly name: string; readonly about: string }
type TableWays = {
  readonly open: Open
  readonly coverage: Coverage
  readonly onInsert: (text: string) => void
  readonly onSample: (table: string) => void
}
type OnOpen = (kind: 'metric' | 'example' | 'saved', id: string) => void

/** Tables by subject, each with its columns once it is open. */
export function tableItems(tables: readonly Table[], catalog: Catalog, ways: TableWays): TreeItem[] {
  const columns = columnsOf(catalog)
  return tableGroups(tables).flatMap(({ title, tables: members }) =>
    groupItems(title, members.length, ways.open, () =>
      members.flatMap(table => oneTable(table, columns.get(table.name), 2, ways)),
    ),
  )
}

const columnsOf = ({ tables }: Catalog) => new Map(tables.map(({ name, columns }) => [name, columns]))

function groupItems(
  title: string,
  count: number,
  open: Open,
  items: () => readonly TreeItem[],
  key = groupKey(title),
): readonly TreeItem[] {
  const isOpen = open.has(key)
  const line = { key, level: 1, isOpen, name: title, count, look: 'group' } as const
  return [line, ...(isOpen ? items() : [])]
}

type Columns = Catalog['tables'][number]['columns']

function oneTable(
  { name, about }: Table,
  columns: Columns | undefined,
  level: number,
  { open, coverage, onInsert, onSample }: TableWays,
): TreeItem[] {
  const key = tableKey(name)
  const isOpen = open.has(key)
  const line = { key, level, isOpen, name, title: about, look: 'table' } as const
  if (!isOpen) return [line]
  return [
    { ...line, note: about, extent: extentText(coverage.get(name)) },
    ...waysOf(key, level + 1, {
      'Sample rows': { onPick: () => onSample(name) },
      'Insert name': { onPick: () => onInsert(name) },
      Reference: { href: `/documentation/tables/${name}` },
    }),
    ...(columns ?? []).map(
      (column): TreeItem => ({
        key: `${key} column ${column.name}`,
        level: level + 1,
        name: column.name,
        beside: column.type,
        note: column.about,
        title: `${column.name} ${column.type}\n${column.about}`,
        look: 'column',
        onPick: () => onInsert(column.name),
      }),
    ),
  ]
}

/** What a table covers, in a line. Undefined until it is known; empty where it cannot be told. */
export function extentText(coverage: TableCoverage | null | undefined): string | undefined {
  if (coverage === undefined) return 'Loading coverage…'
  if (coverage === null) return undefined
  const { rows, isEstimate, firstDay, lastDay, firstHeight, lastHeight } = coverage
  if (isEstimate) return `Up to ${figureText(rows, 'n').text} rows`
  if (rows === 0) return 'No data yet'
  return [
    counted(rows, 'row'),
    firstDay !== null && lastDay !== null && rangeText(dayText(firstDay), dayText(lastDay)),
    firstHeight !== null &&
      lastHeight !== null &&
      `height ${rangeText(grouped(String(firstHeight)), grouped(String(lastHeight)))}`,
  ]
    .filter(part => part !== false)
    .join(' · ')
}

const rangeText = (first: string, last: string): string => (first === last ? first : `${first} to ${last}`)

type MetricWays = Omit<TableWays, 'coverage'> & { readonly onOpen: OnOpen }

/** Metrics by subject. Several entries can share an id for different entities. */
export function metricItems(metrics: Catalog['metrics'], ways: MetricWays): TreeItem[] {
  const ids = new Map(metrics.toReversed().map(metric => [metric.id, metric]))
  return metricGroups([...ids.values()].reverse()).flatMap(({ title, metrics: members }) =>
    groupItems(
      title,
      members.length,
      ways.open,
      () =>
        members.flatMap(({ id, name, definition }) => oneMetric({ id, name, about: definition }, 2, ways)),
      // Tables have groups of the same names.
      groupKey(`metrics ${title}`),
    ),
  )
}

function oneMetric(
  { id, name, about }: Table & { readonly id: string },
  level: number,
  { open, onInsert, onSample, onOpen }: MetricWays,
): TreeItem[] {
  const key = `metric ${id}`
  const table = metricTable(id)
  const isOpen = open.has(key)
  // Search results have no groups, and several metrics share a name.
  const beside = level === 1 && { beside: table }
  const line = { key, level, isOpen, name, ...beside, title: about, look: 'table' } as const
  return isOpen
    ? [
        { ...line, note: about, extent: table },
        ...waysOf(key, level + 1, {
          'Sample rows': { onPick: () => onSample(table) },
          'Insert name': { onPick: () => onInsert(table) },
          'Open its SQL': { onPick: () => onOpen('metric', id) },
        }),
      ]
    : [line]
}

const waysOf = (
  key: string,
  level: number,
  ways: Readonly<Record<string, Pick<TreeItem, 'onPick' | 'href'>>>,
): TreeItem[] =>
  Object.entries(ways).map(([name, does]) => ({
    key: `${key} ${name}`,
    level,
    name,
    look: 'action',
    ...does,
  }))

export function exampleItems(examples: Catalog['examples'], open: Open, onOpen: OnOpen): TreeItem[] {
  return [...Map.groupBy(examples, ({ topic }) => topic)].flatMap(([topic, members]) =>
    groupItems(topic, members.length, open, () =>
      members.map(({ id, title, about }) =>
        choice(`example ${id}`, 2, { name: title, note: about, onPick: () => onOpen('example', id) }),
      ),
    ),
  )
}

const choice = (
  key: string,
  level: number,
  more: Pick<TreeItem, 'name' | 'beside' | 'note' | 'onPick'>,
): TreeItem => ({ key, level, title: more.note, look: 'choice', ...more })

const KIND = { example: 'example', saved: 'saved query' } as const

/** What a search has found, the best first. */
export function foundItems(
  found: readonly Entry[],
  catalog: Catalog,
  { onOpen, ...ways }: TableWays & { readonly onOpen: OnOpen },
): TreeItem[] {
  const columns = columnsOf(catalog)
  return found.flatMap(({ kind, id, name, beside, about }): TreeItem[] => {
    switch (kind) {
      case 'table':
        return oneTable({ name, about }, columns.get(id), 1, ways)
      case 'metric':
        return oneMetric({ id, name, about }, 1, { ...ways, onOpen })
      case 'column':
        return [
          {
            key: `column ${id}`,
            level: 1,
            name,
            beside: id.slice(0, -name.length - 1),
            note: about,
            title: `${id} ${beside}\n${about}`,
            look: 'column',
            onPick: () => ways.onInsert(name),
          },
        ]
      default:
        return [
          choice(`${kind} ${id}`, 1, {
            name,
            beside: KIND[kind],
            note: about,
            onPick: () => onOpen(kind, id),
          }),
        ]
    }
  })
}
