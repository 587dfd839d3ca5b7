import {
  aliasAt,
  type Edit,
  edited,
  isName,
  isSymbol,
  type Token,
  tokensOf,
  UPLOADS_WORD,
  wordOf,
} from '#queries/index.ts'
import { sqlString } from '#warehouse/index.ts'
import { type Catalog, isCatalogTable, serverFunctions } from './catalogSql.ts'
import { REFUSALS } from './failure.ts'
import { PROTOCOL_VERSION } from './nativeFrames.ts'

/** What a statement asks for. `format` is that of its FORMAT clause. */
export type Command =
  | { readonly kind: 'query'; readonly sql: string; readonly format: string | undefined }
  | { readonly kind: 'kill'; readonly queryId: string; readonly format: string | undefined }
  | { readonly kind: 'nothing' }

/** Longer statements are refused when they run. */
const MAX_READ = 110_000

const FUNCTIONS = serverFunctions(PROTOCOL_VERSION)

/**
 * Reads a statement of a ClickHouse client: takes its FORMAT clause off, and replaces what asks for the catalog and the server
 * by queries that user queries may send. Everything else is left as it is, for the gate to judge. Throws PortFailure, QueryError.
 */
export function readCommand(
  sql: string,
  parameters: Readonly<Record<string, string>>,
  catalog: Catalog,
): Command {
  if (sql.length > MAX_READ) return { kind: 'query', sql, format: undefined }
  const all = tokensOf(sql)
  const semicolon = all.findIndex(token => isSymbol(token, ';'))
  if (semicolon >= 0 && all.slice(semicolon).some(token => !isSymbol(token, ';')))
    return { kind: 'query', sql, format: undefined }
  const whole = semicolon < 0 ? all : all.slice(0, semicolon)
  const format = formatOf(whole)
  const tokens = format === undefined ? whole : whole.slice(0, -2)
  const end = format === undefined ? (all[semicolon]?.start ?? sql.length) : (whole.at(-2)?.start ?? 0)
  const text = sql.slice(0, end)
  const query = (rewritten: string): Command => ({ kind: 'query', sql: rewritten, format })
  switch (wordOf(tokens[0])) {
    case 'kill': {
      const queryId = killedId(tokens, parameters)
      return queryId === undefined ? query(text) : { kind: 'kill', queryId, format }
    }
    case 'use':
      if (tokens.length !== 2) return query(text)
      checkDatabase(tokens[1])
      return { kind: 'nothing' }
    case 'show':
      return query(shown(text, tokens, catalog) ?? text)
    case 'exists':
      return query(existence(tokens, catalog) ?? text)
    default:
      return query(withCatalog(text, tokens, catalog))
  }
}

/** Whether a statement might list databases, tables or columns. */
export const mayReadCatalog = (sql: string): boolean =>
  /\b(?:system|information_schema|show|exists)\b/i.test(sql)

/** The statement that answers `KILL QUERY`. */
export const killedSql = (queryId: string, isKilled: boolean): string =>
  `SELECT 'waiting' AS kill_status, ${sqlString(queryId)} AS query_id, 'default' AS user, '' AS query WHERE ${isKilled ? 1 : 0}`

function formatOf(tokens: readonly Token[]): string | undefined {
  const [before, word, name] = [tokens.at(-3), tokens.at(-2), tokens.at(-1)]
  if (tokens.length < 3 || wordOf(word) !== 'format' || name?.kind !== 'word') return undefined
  return wordOf(before) === 'as' || isSymbol(before, '.') ? undefined : name.value
}

/** `KILL QUERY WHERE query_id = '…'`, with SYNC, ASYNC or TEST behind it: the one form that is for queries of one's own. */
function killedId(
  tokens: readonly Token[],
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  const head = tokens
    .slice(0, 5)
    .map(token => (token.kind === 'word' ? token.value.toLowerCase() : token.value))
  if (head.join(' ') !== 'kill query where query_id =') return undefined
  const value = tokens[5]
  const isParameter = isSymbol(value, '{')
  const behind = tokens.slice(isParameter ? 10 : 6)
  if (behind.length > 1 || (behind.length === 1 && !/^(?:a?sync|test)$/.test(wordOf(behind[0]))))
    return undefined
  if (!isParameter) return value?.kind === 'string' ? value.value : undefined
  return isSymbol(tokens[9], '}') ? parameters[tokens[6]?.value ?? ''] : undefined
}

/** SHOW DATABASES, SHOW TABLES and SHOW COLUMNS as queries; undefined for other forms. */
function shown(text: string, tokens: readonly Token[], catalog: Catalog): string | undefined {
  let at = 1
  const isFull = wordOf(tokens[at]) === 'full'
  while (/^(?:full|extended|temporary)$/.test(wordOf(tokens[at]))) at++
  const what = wordOf(tokens[at++])
  const takeName = (): Token | undefined => {
    if (!/^(?:from|in)$/.test(wordOf(tokens[at]))) return undefined
    const name = tokens[at + 1]
    at += 2
    return name
  }
  /** LIKE, WHERE and LIMIT behind it. */
  const rest = (column: string): string => {
    const first = tokens[at]
    if (first === undefined) return ''
    const clauses = text.slice(first.start)
    return /^(?:i?like|not)$/.test(wordOf(first)) ? ` WHERE ${column} ${clauses}` : ` ${clauses}`
  }
  switch (what) {
    case 'databases':
    case 'schemas':
      return `SELECT name FROM (${catalog.databases})${rest('name')}`
    case 'tables': {
      const database = databaseOf(takeName(), catalog)
      const columns = isFull ? 'name, engine AS table_type' : 'name'
      return `SELECT ${columns} FROM (SELECT * FROM (${catalog.tables}) WHERE database = ${sqlString(database)} ORDER BY name)${rest('name')}`
    }
    case 'columns':
    case 'fields': {
      let table = takeName()
      let database = 'default'
      if (table !== undefined && isSymbol(tokens[at], '.')) {
        database = databaseOf(table, catalog)
        table = tokens[at + 1]
        at += 2
      } else database = databaseOf(takeName(), catalog)
      if (table === undefined) return undefined
      const full = isFull ? ", '' AS collation, comment, '' AS privileges" : ''
      const listed = `SELECT name AS field, type, if(startsWith(type, 'Nullable'), 'YES', 'NO') AS \`null\`, '' AS key, CAST(NULL, 'Nullable(String)') AS \`default\`, '' AS extra${full} FROM (SELECT * FROM (${catalog.columns}) WHERE database = ${sqlString(database)} AND table = ${sqlString(table.value)} ORDER BY position)`
      return `SELECT * FROM (${listed})${rest('field')}`
    }
    default:
      return undefined
  }
}

/** EXISTS TABLE and EXISTS DATABASE as queries. */
function existence(tokens: readonly Token[], catalog: Catalog): string | undefined {
  const kind = wordOf(tokens[1])
  const names = tokens.slice(/^(?:table|view|database)$/.test(kind) ? 2 : 1)
  const name = names.at(-1)
  if (name === undefined || !isName(name)) return undefined
  if (kind === 'database')
    return names.length === 1
      ? `SELECT toUInt8(count() > 0) AS result FROM (${catalog.databases}) WHERE name = ${sqlString(name.value)}`
      : undefined
  const isNamed = names.length === 1 || (names.length === 3 && isSymbol(names[1], '.'))
  if (!isNamed || names[0] === undefined) return undefined
  const database = names.length === 1 ? 'default' : names[0].value
  return `SELECT toUInt8(count() > 0) AS result FROM (${catalog.tables}) WHERE database = ${sqlString(database)} AND name = ${sqlString(name.value)}`
}

/** The text with tables of the catalog and functions about the server replaced. */
function withCatalog(text: string, tokens: readonly Token[], catalog: Catalog): string {
  const edits: Edit[] = []
  const aliases = new Map<string, string>()
  const qualifiers: { readonly table: string; readonly edit: Omit<Edit, 'text'> }[] = []
  for (const [at, token] of tokens.entries()) {
    if (isSymbol(tokens[at - 1], '.')) continue
    const call = callAt(tokens, at)
    if (call !== undefined) edits.push(call)
    const table = catalogTableAt(tokens, at)
    const last = tokens[at + 2]
    if (table === undefined || last === undefined) continue
    const edit = { start: token.start, end: last.end }
    if (isSymbol(tokens[at + 3], '.')) qualifiers.push({ table, edit })
    else if (
      /^(?:from|join|table|describe|desc)$/.test(wordOf(tokens[at - 1])) ||
      isSymbol(tokens[at - 1], ',')
    ) {
      const given = aliasAt(tokens, at + 3)
      const alias = given ?? `\`${table.slice(table.indexOf('.') + 1)}\``
      if (!aliases.has(table)) aliases.set(table, alias)
      const isDescribed = /^desc(?:ribe)?$/.test(wordOf(tokens[0]))
      const named = given === undefined && !isDescribed ? ` AS ${alias}` : ''
      edits.push({ ...edit, text: `(${catalog.named.get(table)})${named}` })
    }
  }
  for (const { table, edit } of qualifiers) {
    const alias = aliases.get(table)
    if (alias !== undefined) edits.push({ ...edit, text: alias })
  }
  return edited(text, edits)
}

/** A call of a function about the server; a column of the result keeps the name that ClickHouse gives it. */
function callAt(tokens: readonly Token[], at: number): Edit | undefined {
  const [token, open, close, next] = tokens.slice(at, at + 4)
  if (token?.kind !== 'word' || !isSymbol(open, '(') || !isSymbol(close, ')') || close === undefined)
    return undefined
  const value = FUNCTIONS.get(token.value.toLowerCase())
  if (value === undefined) return undefined
  const isColumn =
    (wordOf(tokens[at - 1]) === 'select' || isSymbol(tokens[at - 1], ',')) &&
    (next === undefined || isSymbol(next, ',') || /^(?:from|limit|format)$/.test(wordOf(next)))
  return {
    start: token.start,
    end: close.end,
    text: isColumn ? `${value} AS \`${token.value}()\`` : value,
  }
}

function catalogTableAt(tokens: readonly Token[], at: number): string | undefined {
  const [database, dot, table] = tokens.slice(at, at + 3)
  if (!isName(database) || !isSymbol(dot, '.') || !isName(table)) return undefined
  const name =
    database.value === 'system' ? `system.${table.value}` : `${database.value}.${table.value}`.toLowerCase()
  return isCatalogTable(name) ? name : undefined
}

/** The database of a SHOW statement, `default` unless it names one. */
function databaseOf(name: Token | undefined, { hasUploads }: Catalog): string {
  if (hasUploads && name?.value === UPLOADS_WORD) return UPLOADS_WORD
  if (name !== undefined) checkDatabase(name)
  return 'default'
}

function checkDatabase(name: Token | undefined): void {
  if (name?.value !== 'default') throw REFUSALS.unknownDatabase((name?.value ?? '').slice(0, 64))
}
