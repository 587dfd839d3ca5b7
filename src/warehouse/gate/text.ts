import {
  closedFunction,
  IN_FUNCTION,
  isOpenFunction,
  isOpenTableFunction,
  NO_UPLOADS,
  type OpenUploads,
  refusalOfName,
  refusalOfTable,
} from './names.ts'
import {
  CONTROL_CHARACTERS,
  PLAIN_AGGREGATE,
  PLAIN_TYPES,
  READ_ONLY,
  SETTINGS_CLOSED,
  UNCHECKED,
} from './refusals.ts'

/**
 * Words that the engine's formatter writes in capitals before a bracket. Functions of these names are open or do not
 * exist.
 */
const KEYWORDS = new Set(
  `ALL AND ANY ARRAY AS AST BETWEEN BY COLUMNS CUBE DESCRIBE DISTINCT ESTIMATE EXCEPT EXISTS EXPLAIN FILL FILTER FROM HAVING
  ILIKE IN INTERPOLATE INTERSECT IS JOIN LIKE LIMIT MATERIALIZED NOT OFFSET ON OR OVER PIPELINE PLAN PREWHERE QUALIFY
  REPLACE ROLLUP SELECT SETS SOME STALENESS STEP SYNTAX TABLE TO TREE UNION USING WHERE WITH XOR`.split(
    /\s+/,
  ),
)

/** A token of formatted SQL. `value` of a quoted name or a text is what stands between the quotes. */
type Token = { readonly kind: 'word' | 'name' | 'text' | 'number' | 'symbol'; readonly value: string }

const TOKEN =
  /(?<space>\s+)|'(?<text>(?:[^'\\]|\\[\s\S])*)'|`(?<name>(?:[^`\\]|\\[\s\S])*)`|(?<word>[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*)|(?<symbol>[^\s'`"\w$])/uy

/**
 * Why users may not send a statement, by its text as the engine's own formatter writes it (`formatQuerySingleLine`): one
 * line without comments, keywords in capitals, names and texts with all special characters escaped. This check shares
 * the lists of the tree check and none of its reading, so that a mistake in one is caught by the other.
 */
export function refusalOfText(formatted: string, uploads: OpenUploads = NO_UPLOADS): string | undefined {
  const tokens = tokensOf(formatted)
  if (tokens === undefined) return UNCHECKED
  const listed = listedTables(tokens)
  for (let at = 0; at < tokens.length; at++) {
    const refusal = refusalAt(tokens, at, { listed, uploads })
    if (refusal !== undefined) return refusal
    // The type of a parameter has brackets and is no call.
    if (isSymbol(tokens[at], '{')) at = closeOf(tokens, at)
  }
  return undefined
}

/** The FORMAT at the end of a formatted statement, if any. */
export function formatNamed(formatted: string): string | undefined {
  const [clause, name] = tokensOf(formatted)?.slice(-2) ?? []
  return isWord(clause, 'FORMAT') && (name?.kind === 'word' || name?.kind === 'name') ? name.value : undefined
}

/**
 * Why a statement may not get its parameters, by its text as the formatter writes it. The engine reads their values by their
 * types as soon as it parses the statement, so this is checked before it is asked for the tree.
 */
export function refusalOfParameters(formatted: string): string | undefined {
  const tokens = tokensOf(formatted)
  if (tokens === undefined) return UNCHECKED
  for (let at = 0; at < tokens.length; at++) {
    if (!isSymbol(tokens[at], '{')) continue
    const refusal = refusalOfParameter(tokens, at)
    if (refusal !== undefined) return refusal
    at = closeOf(tokens, at)
  }
  return undefined
}

/** Undefined for a text with line breaks: the formatter leaves parameter types as sent, with comments and line breaks. */
function tokensOf(formatted: string): Token[] | undefined {
  if (hasLineBreaks(formatted)) return undefined
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < formatted.length) {
    const groups = TOKEN.exec(formatted)?.groups
    if (groups === undefined) return undefined
    for (const kind of ['text', 'name', 'word', 'number', 'symbol'] as const)
      if (groups[kind] !== undefined) tokens.push({ kind, value: groups[kind] })
  }
  return tokens
}

/** Where the names behind the commas of a `FROM` begin: `FROM a, b JOIN c ON …, d`. */
function listedTables(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>()
  /** Whether the clause is a `FROM`, for each bracket that is open. */
  const clauses = [false]
  for (const [at, token] of tokens.entries()) {
    const last = clauses.length - 1
    if (token.kind === 'symbol') {
      if (/^[([{]$/.test(token.value)) clauses.push(false)
      else if (/^[)\]}]$/.test(token.value) && last > 0) clauses.pop()
      else if (token.value === ',' && clauses[last]) found.add(at + 1)
    } else if (token.kind === 'word' && !isNamed(tokens, at) && !found.has(at)) {
      if (/^(FROM|JOIN)$/.test(token.value)) clauses[last] = !isWord(tokens[at - 1], 'ARRAY')
      else if (ENDS_FROM.test(token.value)) clauses[last] = false
    }
  }
  return found
}

/** Clauses behind a `FROM`. `ON` is none of them: more tables may follow its condition. */
const ENDS_FROM =
  /^(SELECT|ARRAY|USING|PREWHERE|WHERE|GROUP|HAVING|WINDOW|QUALIFY|ORDER|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|FORMAT)$/

/** Whether the word at `at` stands where only a name can. */
function isNamed(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return isSymbol(before, '.') || ['AS', 'FROM', 'JOIN'].some(word => isWord(before, word))
}

/** `listed` are places where tables of a list begin. */
type Context = { readonly listed: ReadonlySet<number>; readonly uploads: OpenUploads }

function refusalAt(tokens: readonly Token[], at: number, context: Context): string | undefined {
  const token = tokens[at]
  if (token === undefined) return undefined
  const next = tokens[at + 1]
  const before = tokens[at - 1]
  switch (token.kind) {
    case 'name':
      if (hasControlCharacters(token.value)) return CONTROL_CHARACTERS
      return refusalOfPath(tokens, at, context)
    case 'word':
      if (token.value === 'SETTINGS' && !isSymbol(before, '.') && !isSymbol(next, '.')) return SETTINGS_CLOSED
      if (token.value === 'INTO' && next?.value === 'OUTFILE') return READ_ONLY
      if (token.value === 'APPLY' && !isSymbol(before, '.') && !isWord(before, 'AS'))
        return 'APPLY is not open to queries.'
      return refusalOfPath(tokens, at, context)
    case 'text':
      // Comments and line breaks may stand before the bracket.
      return /AggregateFunction(?!\w)[\s\S]*\(/i.test(token.value) ? PLAIN_TYPES : undefined
    case 'symbol':
      return token.value === '{' ? refusalOfParameter(tokens, at) : undefined
    default:
      return undefined
  }
}

/** A name with its dots, where one begins at `at`: as a function, right of an `IN`, after `FROM`, or anywhere. */
function refusalOfPath(
  tokens: readonly Token[],
  at: number,
  { listed, uploads }: Context,
): string | undefined {
  const before = tokens[at - 1]
  if (isSymbol(before, '.')) return undefined
  let end = at + 1
  while (isSymbol(tokens[end], '.') && isName(tokens[end + 1])) end += 2
  const path = tokens
    .slice(at, end)
    .filter((_, i) => i % 2 === 0)
    .map(({ kind, value }) => (kind === 'name' ? value.replace(/\\(.)/g, '$1') : value))
    .join('.')
  if (isSymbol(tokens[end], '(')) {
    if (end === at + 1) return refusalOfCall(tokens, at, path, uploads)
    // A matcher of columns, which names no function.
    return isWord(tokens[end - 1], 'COLUMNS') ? undefined : closedFunction(path)
  }
  if (isWord(before, 'AS')) return undefined
  const isTable =
    listed.has(at) ||
    (before?.kind === 'word' && /^(FROM|JOIN|TABLE)$/.test(before.value)) ||
    (isSymbol(before, '(') && isWord(tokens[at - 2], 'IN') && isSymbol(tokens[end], ')'))
  return isTable ? refusalOfTable(path, uploads) : refusalOfName(path, uploads)
}

function refusalOfCall(
  tokens: readonly Token[],
  at: number,
  name: string,
  uploads: OpenUploads,
): string | undefined {
  const token = tokens[at]
  if (token?.kind === 'word' && KEYWORDS.has(name)) return undefined
  // A table alias with names of columns: `(…) AS t(a, b)`.
  if (isWord(tokens[at - 1], 'AS')) return undefined
  if (!isOpenFunction(name) && !isOpenTableFunction(name)) return closedFunction(name)
  if (TAKES_AGGREGATE.test(name) && !isAggregateText(tokens[at + 2])) return PLAIN_AGGREGATE
  return IN_FUNCTION.test(name) ? refusalOfLastArgument(tokens, at + 1, uploads) : undefined
}

/** Functions whose first argument names an aggregate function. */
const TAKES_AGGREGATE = /^(?:arrayReduce(?:InRanges)?|initializeAggregation)$/i

/** Of a value that comes as a parameter nothing is seen here, so it may not name a function. */
const isAggregateText = (token: Token | undefined): boolean =>
  token?.kind === 'text' && /^[A-Za-z]\w*(?:\([-\d., ]*\))?$/.test(token.value)

/** `nullIn(x, other.table)`: the engine reads a bare name as a table. */
function refusalOfLastArgument(
  tokens: readonly Token[],
  open: number,
  uploads: OpenUploads,
): string | undefined {
  let depth = 0
  let start = open + 1
  for (let at = open; at < tokens.length; at++) {
    if (isSymbol(tokens[at], '(')) depth++
    if (isSymbol(tokens[at], ',') && depth === 1) start = at + 1
    if (isSymbol(tokens[at], ')') && --depth === 0) {
      const last = tokens.slice(start, at)
      const isPath = last.every((token, i) => (i % 2 === 0 ? isName(token) : isSymbol(token, '.')))
      return isPath ? refusalOfTable(last.map(({ value }) => value).join(''), uploads) : undefined
    }
  }
  return UNCHECKED
}

/** `{name:Type}`: a value, never a name or a state of an aggregate function. */
function refusalOfParameter(tokens: readonly Token[], at: number): string | undefined {
  const close = closeOf(tokens, at)
  if (close < 0 || !isName(tokens[at + 1]) || !isSymbol(tokens[at + 2], ':')) return UNCHECKED
  const inType = tokens.slice(at + 3, close)
  if (inType.some(({ kind, value }) => kind === 'name' && hasControlCharacters(value)))
    return CONTROL_CHARACTERS
  if (!inType.every((token, i) => isOfType(token, inType[i + 1]))) return PLAIN_TYPES
  const type = inType.map(({ value }) => value)
  if (type.some(word => /^identifier$/i.test(word))) return 'Parameters carry values: write names out.'
  const isPlain = type.every((word, i) => type[i + 1] !== '(' || TYPE_WITH_ARGUMENTS.test(word))
  return isPlain ? undefined : PLAIN_TYPES
}

/** A type has no comments, heredocs or other quotes: they would hide where it ends. */
function isOfType({ kind, value }: Token, next: Token | undefined): boolean {
  if (kind === 'word') return !value.includes('$')
  if (kind !== 'symbol') return true
  return value === '-' ? next?.kind === 'number' : /^[(),=]$/.test(value)
}

const hasLineBreaks = (text: string): boolean => /[\n\r]/.test(text)

const hasControlCharacters = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\0-\x1f\x7f-\x9f]|\\[^\\`'"]/.test(name)

function closeOf(tokens: readonly Token[], open: number): number {
  for (let at = open + 1; at < tokens.length; at++) if (isSymbol(tokens[at], '}')) return at
  return -1
}

/** Types that take arguments in brackets; states of aggregate functions are none of them. */
const TYPE_WITH_ARGUMENTS =
  /^(?:Array|Nullable|LowCardinality|Map|Tuple|FixedString|Decimal(?:32|64|128|256)?|DateTime(?:64)?|Enum(?:8|16)?)$/i

const isSymbol = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'symbol' && token.value === value
const isWord = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'word' && token.value === value
const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'name'
