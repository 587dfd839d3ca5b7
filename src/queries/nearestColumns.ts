import { listed } from '#kernel/listed.ts'
import { nameCost } from '#kernel/nearest.ts'
import { type TableInScope, tablesInScope } from './columnsInScope.ts'
import { indexAt, QueryError } from './errors.ts'
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
      : columnList(known.find(({ table }) => table.name === written.qualifier) ?? known[0])
  return new QueryError(error.code, error.message, {
    place: error.place,
    hint: hint ?? error.hint,
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
      columns.map(name => {
        const cost = costOf(column, name)
        // Of other tables only the column itself: its qualifier is what is wrong.
        const isOther = qualifier !== undefined && qualifier !== table.name && cost > 0
        const text = sqlName(name)
        return {
          text: qualifier === undefined ? text : `${sqlName(table.name)}.${text}`,
          cost: isOther ? 1 : cost,
        }
      }),
    )
    .filter(({ text, cost }) => cost <= MOST_COST && !text.includes(','))
    .sort((a, b) => a.cost - b.cost)
    .map(({ text }) => text)
}

/** Farther names have nothing to do with the one written. */
const MOST_COST = 0.5

/** What two names share: most of their letters, or a word, such as `fees` and `fee_sat`. */
function costOf(written: string, name: string): number {
  const [ours, theirs] = [wordsOf(written), wordsOf(name)]
  const isShared = ours.some(word => theirs.some(other => areAlike(word, other)))
  const cost = nameCost(written, name)
  return isShared ? Math.min(cost, 0.3 + cost / 10) : cost
}

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 80)
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

function areAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short) && (short.length > 2 || long.length - short.length < 2)
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
