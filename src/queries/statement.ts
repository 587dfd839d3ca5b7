import { placeAt, QueryError } from './errors.ts'
import { HIDDEN_DATABASES, isClosedFunction, OPEN_TABLE_FUNCTIONS } from './forbidden.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Longest statement that is read, characters. */
export const MAX_SQL_LENGTH = 100_000

/** A `{name:Type}` in a statement. */
export type Placeholder = { readonly name: string; readonly type: string; readonly start: number }

/** One statement that only reads, checked. `text` keeps every place of the text as sent; a closing `;` is cut off. */
export type Statement = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly placeholders: readonly Placeholder[]
  /** A SELECT in any form, as opposed to EXPLAIN, DESCRIBE or SHOW. */
  readonly isSelect: boolean
}

const SELECTS = new Set(['select', 'with', 'from'])
const OTHERS = new Set(['explain', 'describe', 'desc', 'show'])
const SHOWN = new Set(['tables', 'columns', 'fields', 'functions'])

/**
 * Reads a person's SQL. Throws a QueryError with its place: `sql.empty`, `sql.too_long_text`, `sql.syntax` (something
 * does not end), `sql.two_statements`, `sql.read_only` (not a reading statement), `sql.format` (FORMAT or INTO OUTFILE),
 * `sql.hidden` (a database that readers do not see), `sql.refused` (a function that reaches outside).
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
  const isSelect = checkKind(sql, tokens)
  checkNames(sql, tokens, isSelect)
  const text = semicolon < 0 ? sql : sql.slice(0, all[semicolon]?.start)
  return { text, tokens, placeholders: placeholdersOf(sql, tokens), isSelect }
}

/** True for SELECT, false for the other reading statements; throws for all else. */
function checkKind(sql: string, tokens: readonly Token[]): boolean {
  const first = tokens.find(token => !isSymbol(token, '('))
  const word = first?.kind === 'word' ? first.value.toLowerCase() : ''
  const after = lower(tokens[tokens.indexOf(first as Token) + 1])
  if (SELECTS.has(word)) return true
  if (OTHERS.has(word) && (word !== 'show' || SHOWN.has(after))) return false
  throw new QueryError('sql.read_only', 'Only reading is possible here.', {
    place: placeAt(sql, first?.start ?? 0),
    hint: 'Begin with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES work too.',
  })
}

function checkNames(sql: string, tokens: readonly Token[], isSelect: boolean): void {
  for (const [i, token] of tokens.entries()) {
    const place = () => placeAt(sql, token.start)
    const next = tokens[i + 1]
    const previous = lower(tokens[i - 1])
    if (isSymbol(token, '@@')) {
      throw new QueryError('sql.refused', 'Server variables cannot be read.', { place: place() })
    }
    if (token.kind !== 'word' && token.kind !== 'quoted') continue
    const name = token.value.toLowerCase()
    const isQualifier = isSymbol(next, '.') || !isSelect
    if (HIDDEN_DATABASES.has(name) && isQualifier && !isSymbol(tokens[i - 1], '.')) {
      throw new QueryError('sql.hidden', `The database \`${token.value}\` is not open to readers.`, {
        place: place(),
        hint:
          name === 'base'
            ? 'Read the view of the same name without `base.`: it shows committed blocks alone.'
            : 'SHOW TABLES lists what can be read. If the name is an alias of yours, choose another one.',
      })
    }
    if (name === 'with' && previous === 'parallel') {
      throw new QueryError('sql.two_statements', 'PARALLEL WITH runs several statements.', {
        place: place(),
        hint: 'Send one statement at a time.',
      })
    }
    if (name === 'outfile' && previous === 'into') {
      throw new QueryError('sql.format', 'INTO OUTFILE writes a file.', {
        place: place(),
        hint: 'Leave it out and choose `format`: json, csv, arrow or parquet.',
      })
    }
    if (name === 'format' && token.kind === 'word' && next?.kind === 'word' && i + 2 >= tokens.length) {
      throw new QueryError('sql.format', 'The statement names a FORMAT.', {
        place: place(),
        hint: 'Leave it out and choose `format`: json, csv, arrow or parquet.',
      })
    }
    if (!isSymbol(next, '(')) continue
    const isTable = (previous === 'from' || previous === 'join') && !KEYWORDS_BEFORE_BRACKET.has(name)
    if (
      isClosedFunction(name) ||
      (isTable && !OPEN_TABLE_FUNCTIONS.has(name) && !isFromOfFunction(tokens, i))
    ) {
      throw new QueryError('sql.refused', `\`${token.value}\` is not open to readers.`, {
        place: place(),
        hint: 'Queries read the public tables only: no files, no network, no facts about the server.',
      })
    }
  }
}

const KEYWORDS_BEFORE_BRACKET = new Set(['select', 'with'])

/** `EXTRACT(day FROM f(x))`, `substring(a FROM f(x))`, `trim(… FROM f(x))`: a FROM inside a function's own brackets. */
function isFromOfFunction(tokens: readonly Token[], at: number): boolean {
  let depth = 0
  for (let i = at - 1; i >= 0; i--) {
    if (isSymbol(tokens[i], ')')) depth++
    else if (isSymbol(tokens[i], '(')) {
      if (depth === 0) {
        const opener = lower(tokens[i - 1])
        return opener === 'extract' || opener === 'substring' || opener === 'trim' || opener === 'overlay'
      }
      depth--
    }
  }
  return false
}

function placeholdersOf(sql: string, tokens: readonly Token[]): Placeholder[] {
  const found: Placeholder[] = []
  for (const [i, token] of tokens.entries()) {
    const name = tokens[i + 1]
    if (!isSymbol(token, '{') || name?.kind !== 'word' || !isSymbol(tokens[i + 2], ':')) continue
    const close = tokens.findIndex((other, at) => at > i + 2 && isSymbol(other, '}'))
    const typeStart = tokens[i + 3]?.start
    const typeEnd = tokens[close]?.start
    if (typeStart === undefined || typeEnd === undefined) {
      throw new QueryError('sql.syntax', `The parameter {${name.value}:…} is not closed.`, {
        place: placeAt(sql, token.start),
      })
    }
    const type = sql.slice(typeStart, typeEnd).trim()
    if (/identifier/i.test(type)) {
      throw new QueryError('sql.refused', `The parameter \`${name.value}\` stands for a name.`, {
        place: placeAt(sql, token.start),
        parameter: name.value,
        hint: 'Parameters carry values: Date, String, UInt32 and so on. Write names out.',
      })
    }
    found.push({ name: name.value, type, start: token.start })
  }
  return found
}

const isSymbol = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'symbol' && token.value === value

const lower = (token: Token | undefined): string => (token?.kind === 'word' ? token.value.toLowerCase() : '')
