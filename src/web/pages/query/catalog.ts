import type { MetricEntry, QueryExample, QuerySchema } from '#http/contract.ts'

/** What a query can be made of: tables with their columns, metrics, examples, and saved queries. */
export type Catalog = {
  readonly tables: QuerySchema['tables']
  readonly metrics: readonly Pick<MetricEntry, 'id' | 'name' | 'definition' | 'sql' | 'parameters'>[]
  readonly examples: readonly QueryExample[]
  readonly saved: readonly {
    readonly id: string
    readonly name: string
    readonly about: string
    readonly folder: string
  }[]
}

export type Entry = {
  readonly kind: 'table' | 'column' | 'metric' | 'example' | 'saved'
  /** Id within its kind; of a column, `table.column`. */
  readonly id: string
  readonly name: string
  /** Type of a column, topic of an example, table of a column and the like. */
  readonly beside: string
  readonly about: string
  readonly lowerName: string
  readonly lowerText: string
}

/** Prefix of metric tables. */
export const METRICS = 'metrics'

/** A metric as a table: `metrics.fees_total` for `fees.total`. */
export const metricTable = (id: string): string => `${METRICS}.${id.replaceAll('.', '_')}`

const entry = (of: Omit<Entry, 'lowerName' | 'lowerText'>): Entry => ({
  ...of,
  lowerName: of.name.toLowerCase(),
  lowerText: `${of.id} ${of.name} ${of.beside} ${of.about}`.toLowerCase(),
})

/** All that can be found, made once for a catalog. */
export const entriesOf = ({ tables, metrics, examples, saved }: Catalog): Entry[] => [
  ...tables.map(({ name, about }) => entry({ kind: 'table', id: name, name, beside: '', about })),
  // Several metrics can share an id for different entities. They form one table.
  ...[...new Map(metrics.toReversed().map(metric => [metric.id, metric])).values()]
    .reverse()
    .map(({ id, name, definition }) =>
      entry({ kind: 'metric', id, name, beside: metricTable(id), about: definition }),
    ),
  ...examples.map(({ id, title, topic, about }) =>
    entry({ kind: 'example', id, name: title, beside: topic, about }),
  ),
  ...saved.map(({ id, name, folder, about }) => entry({ kind: 'saved', id, name, beside: folder, about })),
  ...tables.flatMap(table =>
    table.columns.map(({ name, type, about }) =>
      entry({ kind: 'column', id: `${table.name}.${name}`, name, beside: type, about }),
    ),
  ),
]

/** Entries with all words of a text, the best first: exact name, name that begins so, name, description. */
export function findEntries(
  entries: readonly Entry[],
  text: string,
  most: number,
): { readonly found: readonly Entry[]; readonly total: number } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return { found: [], total: 0 }
  const ranks: Entry[][] = [[], [], [], []]
  let total = 0
  for (const each of entries) {
    if (!words.every(word => each.lowerText.includes(word))) continue
    total += 1
    const rank =
      each.lowerName === first
        ? 0
        : each.lowerName.startsWith(first)
          ? 1
          : each.lowerName.includes(first)
            ? 2
            : 3
    ranks[rank]?.push(each)
  }
  return { found: ranks.flat().slice(0, most), total }
}
