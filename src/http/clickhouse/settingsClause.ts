import { aliasAt, type Edit, edited, isName, isSymbol, type Token, tokensOf, wordOf } from '#queries/index.ts'
import { unescaped } from './escapes.ts'
import { REFUSALS } from './failure.ts'

/** A statement without its SETTINGS clauses, and what they set. */
export type WithoutSettings = { readonly sql: string; readonly settings: ReadonlyMap<string, string> }

type Assignment = { readonly name: string; readonly value: readonly Token[] }
type Clause = { readonly assignments: readonly Assignment[]; readonly start: number; readonly end: number }

/** What a clause may set: limits that only narrow, which for a subquery hold for the whole query. */
const LIMITS = /^max_(?:execution_time|memory_usage|threads|block_size)$/
/** At the end of a query alone: there it is about the whole result. */
const OF_RESULT = /^(?:output_format_\w+|max_result_rows|result_overflow_mode)$/
const FILTERS = 'additional_table_filters'
const NO_MAP = `${FILTERS} is not a map of texts, such as {'btc_blocks': 'height > 0'}.`
/** Longer statements are refused when they run. */
const MAX_READ = 110_000
/** With more, the clauses stay, for the gate to refuse: each costs a pass over the statement. */
const MAX_CLAUSES = 20
const MAX_FILTERS = 50
/** Characters that filters may add. A filter is written wherever its table is read. */
const MAX_FILTERED = 100_000

/**
 * Takes SETTINGS clauses off a statement, so that they follow the rules for settings of a request. Rows filtered by
 * `additional_table_filters` are filtered by the statement itself, where the gate checks the filter. A clause with any other
 * setting stays, for the gate to refuse. Throws PortFailure, QueryError.
 */
export function takeSettings(sql: string): WithoutSettings {
  const settings = new Map<string, string>()
  if (sql.length > MAX_READ || !/\bsettings\b/i.test(sql)) return { sql, settings }
  const tokens = tokensOf(sql)
  if (tokens.filter(token => wordOf(token) === 'settings').length > MAX_CLAUSES) return { sql, settings }
  const clauses = clausesOf(tokens)
  const inClauses = new Set(clauses.flatMap(({ start, end }) => tokens.slice(start, end)))
  const rest = tokens.filter(token => !inClauses.has(token))
  const edits: Edit[] = []
  for (const { assignments, start, end } of clauses) {
    const isAtEnd = isEnd(tokens, end)
    const filters = assignments.filter(({ name }) => name === FILTERS)
    const others = assignments.filter(({ name }) => name !== FILTERS)
    if (!others.every(assignment => isOpen(assignment, isAtEnd)) || (filters.length > 0 && !isAtEnd)) continue
    const filtered = filteredReads(sql, rest, new Map(filters.flatMap(({ value }) => filtersOf(value))))
    if (filters.length > 0 && filtered.length === 0) continue
    for (const { name, value } of others) settings.set(name, textOf(value))
    edits.push(...filtered, { start: tokens[start]?.start ?? 0, end: tokens[end - 1]?.end ?? 0, text: '' })
  }
  return { sql: edited(sql, edits), settings }
}

function isOpen({ name, value }: Assignment, isAtEnd: boolean): boolean {
  const [first] = value
  if (value.length !== 1 || first === undefined || first.kind === 'symbol') return false
  if (LIMITS.test(name)) return first.kind === 'number' && Number(first.value) > 0
  return isAtEnd && OF_RESULT.test(name)
}

const textOf = ([first]: readonly Token[]): string =>
  first?.kind === 'string' ? unescaped(first.value) : (first?.value ?? '')

/** `SETTINGS name = value, …` wherever the grammar has it. */
function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = []
  for (let start = 0; start < tokens.length; start++) {
    if (wordOf(tokens[start]) !== 'settings' || isSymbol(tokens[start - 1], '.')) continue
    const assignments: Assignment[] = []
    let end = start
    do {
      const name = tokens[end + 1]
      if (name?.kind !== 'word' || !isSymbol(tokens[end + 2], '=')) break
      const behind = valueEnd(tokens, end + 3)
      if (behind === end + 3) break
      assignments.push({ name: name.value, value: tokens.slice(end + 3, behind) })
      end = behind
    } while (isSymbol(tokens[end], ','))
    if (assignments.length === 0) continue
    clauses.push({ assignments, start, end })
    start = end - 1
  }
  return clauses
}

/** The index behind a value: a literal with its sign, or everything between brackets. */
function valueEnd(tokens: readonly Token[], from: number): number {
  const first = tokens[from]
  if (first === undefined) return from
  if (isSymbol(first, '-') || isSymbol(first, '+'))
    return tokens[from + 1]?.kind === 'number' ? from + 2 : from
  if (first.kind !== 'symbol') return from + 1
  if (!/^[[{(]$/.test(first.value)) return from
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'symbol') continue
    if (/^[[{(]$/.test(token.value)) depth++
    else if (/^[\]})]$/.test(token.value) && --depth === 0) return at + 1
  }
  return from
}

/** Whether nothing but a FORMAT clause or a semicolon follows. */
function isEnd(tokens: readonly Token[], end: number): boolean {
  const rest = tokens.slice(end).filter(token => !isSymbol(token, ';'))
  return rest.length === 0 || (rest.length === 2 && wordOf(rest[0]) === 'format')
}

/** The map of `additional_table_filters`, with names of tables as a statement writes them. */
function filtersOf(value: readonly Token[]): [table: string, filter: string][] {
  const entries: [string, string][] = []
  let at = 1
  while (at < value.length - 1) {
    const [table, colon, filter, behind] = value.slice(at, at + 4)
    if (table?.kind !== 'string' || !isSymbol(colon, ':') || filter?.kind !== 'string')
      throw REFUSALS.badArguments(NO_MAP)
    entries.push([unescaped(table.value).replace(/^default\./, ''), unescaped(filter.value)])
    if (!isSymbol(behind, ',') && !isSymbol(behind, '}')) throw REFUSALS.badArguments(NO_MAP)
    at += 4
  }
  return entries
}

/** The edits of all filters. Throws for too many of them. */
function filteredReads(sql: string, tokens: readonly Token[], filters: ReadonlyMap<string, string>): Edit[] {
  if (filters.size > MAX_FILTERS)
    throw REFUSALS.badArguments(`${FILTERS} can filter ${MAX_FILTERS} tables at most.`)
  const edits: Edit[] = []
  let characters = 0
  for (const filter of filters)
    for (const edit of filterEdits(sql, tokens, filter)) {
      characters += edit.text.length
      if (characters > MAX_FILTERED)
        throw REFUSALS.tooLarge(`${FILTERS} makes the query longer than ${MAX_FILTERED} characters.`)
      edits.push(edit)
    }
  return edits
}

/** Reads from the table become reads from its filtered rows. Throws where a read cannot be told from another name. */
function* filterEdits(
  sql: string,
  tokens: readonly Token[],
  [table, filter]: readonly [string, string],
): Generator<Edit> {
  checkBalance(filter)
  const parts = table.split('.')
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || token.value !== parts.at(-1) || isSymbol(tokens[at + 1], '(')) continue
    const isQualified = isSymbol(tokens[at - 1], '.')
    const database = isQualified ? tokens[at - 2] : undefined
    if (database !== undefined && database.value !== (parts.length > 1 ? parts[0] : 'default')) continue
    if (!isQualified && parts.length > 1) continue
    if (isSymbol(tokens[at + 1], '.')) continue
    const first = database ?? token
    const before = tokens[at - (isQualified ? 3 : 1)]
    if (isSymbol(before, ','))
      throw REFUSALS.readonlySetting(
        FILTERS,
        ' It filters a table behind FROM or JOIN, not one in a list of tables.',
      )
    if (!/^(?:from|join)$/.test(wordOf(before))) continue
    const source = sql.slice(first.start, token.end)
    const alias = aliasAt(tokens, at + 1)
    yield {
      start: first.start,
      end: token.end,
      text: `(SELECT * FROM ${source} WHERE (${filter}\n))${alias === undefined ? ` AS \`${token.value}\`` : ''}`,
    }
  }
}

/** A filter that closes brackets it did not open would be more than a condition. */
function checkBalance(filter: string): void {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
  let isBalanced = true
  for (const { kind, value } of tokensOf(filter)) {
    if (kind !== 'symbol') continue
    if (/^[[({]$/.test(value)) open.push(value)
    else if (value in pairs) isBalanced &&= open.pop() === pairs[value]
    else if (value === ';') isBalanced = false
  }
  if (!isBalanced || open.length > 0)
    throw REFUSALS.badArguments(`A filter of ${FILTERS} is not one condition.`)
}
