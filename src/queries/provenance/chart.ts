import type { Bundle, Input, MetricBundle } from './bundle.ts'
import { hashOf } from './relations.ts'

/** Provenance of a chart from the files of its metrics: each input once, and a hash of their hashes in order. */
export function chartOf(
  files: readonly MetricBundle[],
): Pick<Bundle, 'subject' | 'result' | 'tables' | 'inputs'> {
  const figures = files.map(
    ({ subject: { kind: _, ...figure }, result: { rowCount, hash, roundedHash } }) => ({
      ...figure,
      rowCount,
      hash,
      roundedHash,
    }),
  )
  const joined = (key: 'hash' | 'roundedHash') => hashOf(figures.map(figure => figure[key]).join('\n'))
  const tables = new Map(files.flatMap(file => file.tables).map(table => [table.name, table]))
  const inputs = new Map(files.flatMap(file => file.inputs).map(input => [keyOf(input), input]))
  return {
    subject: { kind: 'chart', figures },
    result: {
      columns: [],
      rowCount: figures.reduce((sum, { rowCount }) => sum + rowCount, 0),
      isTruncated: false,
      rowLimit: null,
      hash: joined('hash'),
      roundedHash: joined('roundedHash'),
    },
    tables: [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    inputs: [...inputs.values()].sort((a, b) => ORDER[a.kind] - ORDER[b.kind]),
  }
}

const ORDER = { blocks: 0, values: 1, records: 2 } as const

function keyOf(input: Input): string {
  switch (input.kind) {
    case 'blocks':
      return `${input.record} ${input.chain}`
    case 'values':
      return JSON.stringify([input.table, input.name, input.source])
    case 'records':
      return input.table
  }
}
