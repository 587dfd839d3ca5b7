import type { AppRow, AppTable } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { STX_RECORD_TABLES } from '#warehouse/tables/stacksRecords.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { AsOf, StacksTableAnswer } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import type { ProblemCode } from './problems.ts'

/** Views of Stacks that hold no blocks: what contracts answered carries its own moment, records have none. */
const NOT_OF_BLOCKS: ReadonlySet<string> = new Set(['stx_reads', 'stx_token_metadata', 'stx_dex_tokens'])

/** Whether a statement rests on blocks of Stacks, so that the newest of them is its age. */
export const readsBlocks = (sql: string): boolean =>
  [...sql.matchAll(/\bstx_[a-z0-9_]+/g)].some(([name]) => !NOT_OF_BLOCKS.has(name))

const grouped = (height: number): string => height.toLocaleString('en')

/** The age of a table of which no block tells it. */
export const NO_BLOCK: AsOf = { time: new Date(0).toISOString(), height: null, state: 'recorded' }

const RECORDS: ReadonlySet<string> = new Set(STX_RECORD_TABLES.map(({ name }) => name))
/** Whether more blocks of Stacks could bring rows: records come with the bundled snapshot. */
const needsBlocks = (sql: string): boolean =>
  [...sql.matchAll(/\bstx_[a-z0-9_]+/g)].some(([name]) => !NOT_OF_BLOCKS.has(name) && !RECORDS.has(name))

/** What of Stacks is held, behind the sentence of a table without rows that rests on its blocks. */
const heldOfStacks = ({ height }: AsOf): string =>
  height === null
    ? 'No Stacks blocks are indexed yet. With internet they come from the public API, latest first.'
    : `Stacks blocks are indexed up to ${grouped(height)}. Load missing older ones with “assay backfill --chain stacks --from … --to …”.`

/** A declared table with its rows, the statement that they came from, and their age. */
export const tableAnswer = (
  id: string,
  { title, sub, empty, columns }: Omit<AppTable, 'sql'>,
  { sql, rows, asOf }: { sql: string; rows: readonly AppRow[]; asOf: AsOf },
): StacksTableAnswer => ({
  id,
  title,
  sub,
  empty: rows.length === 0 && needsBlocks(sql) ? `${empty} ${heldOfStacks(asOf)}` : empty,
  columns: columns.map(column => ({ ...column })),
  rows: rows.map(row => ({ ...row })),
  sql,
  asOf,
})

/** The table of a name among those declared. Throws the problem given, with the nearest names, where there is none. */
export function tableNamed<Table>(
  tables: Readonly<Record<string, Table>>,
  id: string,
  { code, whose }: { code: ProblemCode; whose: string },
): Table {
  const table = Object.hasOwn(tables, id) ? tables[id] : undefined
  if (table !== undefined) return table
  throw new ApiError(
    problemOf(code, `${whose} no table "${id.slice(0, 60)}".`, {
      ...didYouMean(nearestNames(id, Object.keys(tables))),
    }),
  )
}
