import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from './ddl.ts'
import { columnType } from './types.ts'

/** A public, readable relation of the database `default`: what people's SQL and every metric read. */
export type View = {
  readonly name: string
  /** One sentence: what a row is. */
  readonly doc: string
  /** SQL column name → what it holds. Columns left out carry no comment. */
  readonly columns: Readonly<Record<string, string>>
  readonly sql: string
  /** SQL column name → type, where the declaration knows them; the engine is asked otherwise. */
  readonly types?: Readonly<Record<string, string>>
}

/** Declares a view; `migrate()` creates it in `default` with its comments. */
export const view = (name: string, rest: Omit<View, 'name'>): View => ({ name, ...rest })

/**
 * The public face of a batch table: the same columns without `batch`, rows of live batches only. `isLive` is the
 * condition that tells them (`isLiveSql`).
 */
export function committedView(table: Table, isLive: string): View {
  const { batch: _, ...columns } = table.columns
  const names = Object.keys(columns).map(snake)
  return view(table.name, {
    doc: table.doc,
    columns: commentsOf(columns),
    types: typesOf(columns),
    sql: `SELECT ${names.join(', ')}
FROM ${BASE_DATABASE}.${table.name}
WHERE ${isLive}`,
  })
}

/** The public face of a table whose rows stand by themselves. */
export const plainView = (table: Table): View =>
  view(table.name, {
    doc: table.doc,
    columns: commentsOf(table.columns),
    types: typesOf(table.columns),
    sql: `SELECT ${Object.keys(table.columns).map(snake).join(', ')}\nFROM ${BASE_DATABASE}.${table.name}`,
  })

/** The public face of a table whose rows of one key are one fact, however often it came in. */
export const factView = (table: Table): View => {
  const plain = plainView(table)
  return { ...plain, sql: `${plain.sql} FINAL` }
}

export const commentsOf = (columns: Table['columns']): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([key, column]) => [snake(key), column.doc]))

const typesOf = (columns: Table['columns']): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([key, column]) => [snake(key), columnType(column)]))
