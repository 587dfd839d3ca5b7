import type { Cell } from '#kernel/sqlCells.ts'
import type { TableCoverage } from '../contract.ts'

type Column = { readonly name: string; readonly type: string }

/** Above so many rows to read, rows are estimated: a count would cost more than the reader expects of a name they open. */
const COUNTED_ROWS = 20_000_000

export type CoverageDeps = {
  /** Rows that a read of the table takes at most; null if the engine cannot tell. */
  estimate(sql: string): Promise<number | null>
  rowsOf(sql: string): Promise<Cell[][]>
}

/** How many rows a table has, and from which day and height to which. `table` is one of our own names. */
export async function tableCoverage(
  table: string,
  columns: readonly Column[],
  { estimate, rowsOf }: CoverageDeps,
): Promise<TableCoverage> {
  const ranged = rangesOf(columns)
  const most = await estimate(`SELECT ${ranged[0]?.column ?? '*'} FROM ${table}`)
  if (most !== null && most > COUNTED_ROWS) return { ...NOTHING, rows: most, isEstimate: true }
  const selected = ranged.flatMap(({ value }) => [`min(${value})`, `max(${value})`])
  const [found] = await rowsOf(`SELECT ${['count()', ...selected].join(', ')} FROM ${table}`)
  const [count, ...ends] = found ?? []
  const rows = Number(count ?? 0)
  if (rows === 0) return { ...NOTHING, rows }
  const endOf = (kind: 'day' | 'height', place: 0 | 1): Cell => {
    const at = ranged.findIndex(each => each.kind === kind)
    return at === -1 ? null : (ends[2 * at + place] ?? null)
  }
  return {
    rows,
    isEstimate: false,
    firstDay: textOf(endOf('day', 0)),
    lastDay: textOf(endOf('day', 1)),
    firstHeight: numberOf(endOf('height', 0)),
    lastHeight: numberOf(endOf('height', 1)),
  }
}

const NOTHING = {
  rows: 0,
  isEstimate: false,
  firstDay: null,
  lastDay: null,
  firstHeight: null,
  lastHeight: null,
} as const

const textOf = (cell: Cell): string | null => (cell === null ? null : String(cell))
const numberOf = (cell: Cell): number | null => (cell === null ? null : Number(cell))

const DAY_COLUMNS = ['day', 'block_time', 'time', 'burn_time', 'from_day']
/** Heights of several chains side by side have no common range. */
const CHAIN_COLUMNS = ['chain', 'layer', 'network']

function rangesOf(columns: readonly Column[]): { kind: 'day' | 'height'; column: string; value: string }[] {
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]))
  const day = DAY_COLUMNS.find(name => /^(?:Nullable\()?Date/.test(typeOf.get(name) ?? ''))
  const hasHeight = /^UInt/.test(typeOf.get('height') ?? '') && !CHAIN_COLUMNS.some(name => typeOf.has(name))
  return [
    ...(day === undefined ? [] : [{ kind: 'day' as const, column: day, value: `toDate(${day})` }]),
    ...(hasHeight ? [{ kind: 'height' as const, column: 'height', value: 'height' }] : []),
  ]
}
