import { data, type RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { answering } from './answering.server.ts'
import type { Failure } from './failure.ts'

export type ReadableTable = { table: string; about: string; columns: number }
export type ReadableColumn = { name: string; type: string; comment: string }

const TABLES = `SELECT t.table_name AS table, t.table_comment AS about, count() AS columns
FROM information_schema.tables AS t
INNER JOIN system.columns AS c ON c.table = t.table_name
WHERE t.table_schema = 'default' AND c.database = 'default'
GROUP BY t.table_name, t.table_comment
ORDER BY table`

const COLUMNS = `SELECT name, type, comment
FROM system.columns
WHERE database = 'default' AND table = {table:String}
ORDER BY position`

/** Every table that people’s SQL may read: the engine’s own word, as people ask it. */
export async function loadTables(context: Readonly<RouterContextProvider>): Promise<ReadableTable[]> {
  const { rows } = await answering('The list of tables', () => context.get(apiContext).sql({ sql: TABLES }))
  return rows.map(([table, about, columns]) => ({
    table: String(table),
    about: String(about),
    columns: Number(columns),
  }))
}

/** Columns of an example: what is read at a glance. */
const IN_EXAMPLE = 6

/** A statement that shows what is in a table. */
const exampleOf = (table: string, columns: readonly ReadableColumn[]): string =>
  `SELECT ${columns
    .slice(0, IN_EXAMPLE)
    .map(({ name }) => name)
    .join(', ')}\nFROM ${table}\nLIMIT 10`

/** One of them with its columns; a name that is none is a 404 with the nearest. */
export async function loadTable(name: string, context: Readonly<RouterContextProvider>) {
  const tables = await loadTables(context)
  const found = tables.find(({ table }) => table === name)
  if (found === undefined) {
    const failure: Failure = {
      title: 'Page not found',
      detail: `SQL can read no table ${name.slice(0, 80)}.`,
      hint: undefined,
      code: undefined,
      nearest: [
        ...nearestNames(
          name,
          tables.map(({ table }) => table),
        ).map(near => ({ path: `/documentation/tables/${near}`, label: near })),
        { path: '/documentation/tables', label: 'All tables' },
      ],
    }
    throw data(failure, { status: 404 })
  }
  const { rows } = await answering(name, () =>
    context.get(apiContext).sql({ sql: COLUMNS, parameters: { table: name } }),
  )
  const columns = rows.map(
    ([column, type, comment]): ReadableColumn => ({
      name: String(column),
      type: String(type),
      comment: String(comment),
    }),
  )
  return { ...found, columns, example: exampleOf(found.table, columns) }
}
