import type { Facts } from '#kernel/errors.ts'
import { listed } from '#kernel/listed.ts'
import { nameCost, nearestNames } from '#kernel/nearest.ts'
import { placeAt, QueryError } from './errors.ts'
import { isSymbol, type Token, tokensOf, wordOf } from './tokens.ts'
import { checkTypeNesting } from './typeNesting.ts'

/** Longest statement that is read, characters. */
const MAX_SQL_LENGTH = 100_000

/** A `{name:Type}` in a statement. */
export type Placeholder = { readonly name: string; readonly type: string; readonly start: number }

/** One statement that only reads, checked. `text` keeps every place of the text as sent; a closing `;` is cut off. */
export type Statement = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly placeholders: readonly Placeholder[]
}

const SELECTS = new Set(['select', 'with', 'from'])
const OTHERS = new Set(['explain', 'describe', 'desc'])
const SHOWN = new Set(['tables', 'columns'])
/** Other words that begin a statement of ClickHouse, and those that people know from other databases. */
const CLOSED = new Set(
  `alter analyze attach backup begin call check commit copy create delete detach drop exchange execute exists grant
  insert kill load lock merge move optimize parallel rename replace restore revoke rollback set start system truncate
  undrop unload unset update upsert use vacuum values watch`.split(/\s+/),
)

/**
 * Reads a person's SQL. Throws a QueryError with its place: `sql.empty`, `sql.too_long_text`, `sql.syntax` (something
 * does not end, or the first word is unknown), `sql.two_statements`, `sql.read_only` (a statement that is not a read),
 * `sql.format` (FORMAT or INTO OUTFILE), `sql.refused` (a parameter that stands for a name), `sql.too_complex` (types
 * nested too deeply).
 */
export function readStatement(sql: string): Statement {
  if (sql.length > MAX_SQL_LENGTH) {
    throw new QueryError('sql.too_long_text', `The statement is longer than ${MAX_SQL_LENGTH} characters.`)
  }
  const all = tokensOf(sql)
  const semicolon = all.findIndex(token => isSymbol(token, ';'))
  const tokens = semicolon < 0 ? all : all.slice(0, semicolon)
  const second = all.slice(tokens.length).find(token => !isSymbol(token, ';'))
  const first = tokens[0]
  if (first === undefined && second === undefined) throw new QueryError('sql.empty', 'There is no statement.')
  if (first === undefined || second !== undefined) {
    throw new QueryError('sql.two_statements', 'There is more than one statement.', {
      place: placeAt(sql, (second ?? first)?.start ?? 0),
      hint: 'Send one statement at a time.',
    })
  }
  checkKind(sql, tokens)
  checkOutput(sql, tokens)
  checkTypeNesting(sql, tokens)
  const text = semicolon < 0 ? sql : sql.slice(0, all[semicolon]?.start)
  return { text, tokens, placeholders: placeholdersOf(sql, tokens) }
}

/** What the connection would refuse without a place; the rest of its rules (functions, tables) it states by name. */
function checkKind(sql: string, tokens: readonly Token[]): void {
  const at = tokens.findIndex(token => !isSymbol(token, '('))
  const word = wordOf(tokens[at])
  if (SELECTS.has(word) || OTHERS.has(word)) return
  const begin = 'Begin with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES work too.'
  if (word === 'show') {
    const shown = wordOf(tokens[at + 1])
    if (SHOWN.has(shown)) return
    throw new QueryError('sql.read_only', 'Only SHOW TABLES and SHOW COLUMNS are open to queries.', {
      place: placeAt(sql, (tokens[at + 1] ?? tokens[at])?.start ?? 0),
      ...meant(shown, SHOWN),
    })
  }
  const place = placeAt(sql, tokens[at]?.start ?? 0)
  if (CLOSED.has(word))
    throw new QueryError('sql.read_only', 'Queries are read-only.', { place, hint: begin })
  const text = sql.slice(tokens[at]?.start, tokens[at]?.end)
  throw new QueryError(
    'sql.syntax',
    word === ''
      ? 'The query does not start with a word.'
      : `The query starts with an unknown word, \`${text.slice(0, 40)}\`.`,
    { place, hint: begin, ...meant(word, [...SELECTS, ...OTHERS, 'show']) },
  )
}

/** The keywords near a word, as a hint. */
function meant(word: string, keywords: Iterable<string>): { hint?: string; facts?: Facts } {
  const near = nearestNames(word, [...keywords], 1)
    .filter(keyword => nameCost(word, keyword) <= 0.5)
    .map(keyword => keyword.toUpperCase())
  return near.length === 0
    ? {}
    : { hint: `Did you mean ${listed(near)}?`, facts: { nearest: near.join(',') } }
}

function checkOutput(sql: string, tokens: readonly Token[]): void {
  const at = tokens.findIndex((token, i) => {
    const word = wordOf(token)
    const next = tokens[i + 1]
    return (
      (word === 'into' && wordOf(next) === 'outfile') ||
      // The format name can be quoted.
      (word === 'format' &&
        next !== undefined &&
        ['word', 'quoted', 'string'].includes(next.kind) &&
        (i + 2 === tokens.length || wordOf(tokens[i + 2]) === 'settings'))
    )
  })
  const clause = tokens[at]
  if (clause === undefined) return
  throw new QueryError('sql.format', 'The statement says where or how to write its answer.', {
    place: placeAt(sql, clause.start),
    hint: 'Leave FORMAT and INTO OUTFILE out, and choose `format`: json, csv, arrow or parquet.',
  })
}

function placeholdersOf(sql: string, tokens: readonly Token[]): Placeholder[] {
  const found: Placeholder[] = []
  const closes = closesOf(tokens)
  for (const [i, token] of tokens.entries()) {
    const name = tokens[i + 1]
    if (!isSymbol(token, '{') || name?.kind !== 'word' || !isSymbol(tokens[i + 2], ':')) continue
    const close = closes[i + 3] ?? -1
    const typeStart = tokens[i + 3]?.start
    const typeEnd = tokens[close]?.start
    if (typeStart === undefined || typeEnd === undefined) {
      throw new QueryError('sql.syntax', `The parameter {${name.value}:…} is not closed.`, {
        place: placeAt(sql, token.start),
      })
    }
    const type = sql.slice(typeStart, typeEnd).trim()
    if (/identifier/i.test(type)) {
      throw new QueryError('sql.refused', `The parameter \`${name.value}\` is used as an identifier.`, {
        place: placeAt(sql, token.start),
        parameter: name.value,
        hint: 'Parameters carry values: Date, String, UInt32 and so on. Write names out.',
      })
    }
    found.push({ name: name.value, type, start: token.start })
  }
  return found
}

/** For each token, the index of the next `}`; one pass, since a statement may consist of brackets. */
function closesOf(tokens: readonly Token[]): (number | undefined)[] {
  const closes: (number | undefined)[] = []
  let next: number | undefined
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (isSymbol(tokens[at], '}')) next = at
    closes[at] = next
  }
  return closes
}
