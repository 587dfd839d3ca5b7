import { listed } from '#kernel/listed.ts'
import { type TableInScope, tablesInScope } from './columnsInScope.ts'
import { indexAt, QueryError } from './errors.ts'
import { costOf } from './nearName.ts'
import type { Statement } from './statement.ts'
import { isName, isSymbol, type Token } from './tokens.ts'

/** Tables whose columns are read for a suggestion. */
const MOST_TABLES = 4
const MOST_NAMES = 3
/** Columns that a hint lists if none is near. */
const MOST_LISTED = 12

type TableColumns = { readonly table: TableInScope; readonly columns: readonly string[] }

/**
 * An error about an unknown column, with the nearest columns of the tables that its SELECT reads. `columnsOf` reads the columns
 * of a table with the rights of the caller; a table that it fails for is left out.
 */
export async function withNearestColumns(
  error: QueryError,
  statement: Statement,
  columnsOf: (table: string) => Promise<readonly string[]>,
): Promise<QueryError> {
  if (error.code !== 'sql.unknown_column' || error.place === undefined) return error
  const start = indexAt(statement.text, error.place)
  const at = statement.tokens.findIndex(token => token.start === start)
  const written = nameAt(statement.tokens, at)
  if (written === undefined) return error
  const tables = await Promise.all(
    tablesInScope(statement, at)
      .slice(0, MOST_TABLES)
      .map(
        async (table): Promise<TableColumns> => ({
          table,
          columns: await columnsOf(table.text).catch(() => []),
        }),
      ),
  )
  const known = tables.filter(({ columns }) => columns.length > 0)
  const own = String(error.facts.nearest ?? '')
    .split(',')
    .filter(name => name !== '')
  const nearest = [...new Set([...own, ...near(written, known)])].slice(0, MOST_NAMES)
  const hint =
    nearest.length > 0
      ? `Did you mean ${listed(nearest)}?`
      : (error.hint ?? columnList(known.find(({ table }) => table.name === written.qualifier) ?? known[0]))
  return new QueryError(error.code, error.message, {
    place: error.place,
    hint,
    facts: { ...error.facts, ...(nearest.length > 0 && { nearest: nearest.join(',') }) },
    cause: error.cause,
  })
}

/** The qualifier and the last part of the name at a token. */
function nameAt(
  tokens: readonly Token[],
  at: number,
): { qualifier: string | undefined; column: string } | undefined {
  const parts: string[] = []
  for (let index = at; isName(tokens[index]); index += 2) {
    parts.push(tokens[index]?.value ?? '')
    if (!isSymbol(tokens[index + 1], '.')) break
  }
  const column = parts.pop()
  return column === undefined ? undefined : { qualifier: parts.pop(), column }
}

function near(
  { qualifier, column }: { qualifier: string | undefined; column: string },
  tables: readonly TableColumns[],
): string[] {
  return tables
    .flatMap(({ table, columns }) =>
      columns.flatMap(name => {
        const cost = costOf(column, name)
        if (cost === undefined) return []
        // Of other tables only the column itself: its qualifier is what is wrong.
        if (qualifier !== undefined && qualifier !== table.name && cost > 0) return []
        const text = sqlName(name)
        return [{ text: qualifier === undefined ? text : `${sqlName(table.name)}.${text}`, cost }]
      }),
    )
    .filter(({ text }) => !text.includes(','))
    .sort((a, b) => a.cost - b.cost)
    .map(({ text }) => text)
}

const sqlName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** `btc_blocks has the columns height, hash and 12 more.` */
function columnList(from: TableColumns | undefined): string | undefined {
  if (from === undefined) return undefined
  const shown = from.columns.slice(0, MOST_LISTED).map(sqlName)
  const more = from.columns.length - shown.length
  return `${from.table.text} has the columns ${listed(more > 0 ? [...shown, `${more} more`] : shown, 'and')}.`
}
