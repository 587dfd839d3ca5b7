import { placeAt, QueryError } from './errors.ts'
import { isName, isSymbol, type Token, wordOf } from './tokens.ts'

/**
 * Steps of the engine's parser on the types of a statement. It reads the arguments of a type twice, on each level, and nothing
 * interrupts it: a text of 300 characters kept it busy for half a second, one of 80 KB for many minutes.
 */
const MAX_STEPS = 2 ** 20
const MAX_DEPTH = 20

/**
 * Steps on brackets without a name before them. The parser tries each as a tuple, a subquery and a list, and reads what is inside
 * again.
 */
const MAX_BRACKET_STEPS = 2 ** 24

/** Statements whose columns have types without a word before them. They are parsed behind `EXPLAIN`, also in a subquery. */
const WITH_COLUMNS = new Set(['create', 'alter', 'attach'])

/** Throws `sql.too_complex` where types, also in strings, or brackets are nested so deep that reading them takes long. */
export function checkTypeNesting(text: string, tokens: readonly Token[]): void {
  const isAll =
    tokens.some(token => wordOf(token) === 'explain') && tokens.some(token => WITH_COLUMNS.has(wordOf(token)))
  let steps = 0
  let depth = 0
  let bracketSteps = 0
  let brackets = 0
  /** For each open bracket, whether it has no name before it. */
  const bare: boolean[] = []
  /** For each open bracket, whether it belongs to a type. */
  const open: boolean[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'string') steps += stepsOfString(characters(token, text))
    else if (isSymbol(token, '(')) {
      const isType = depth > 0 || isAll || beginsType(tokens, at)
      open.push(isType)
      if (isType) depth++
    } else if (isSymbol(token, ')') && open.pop() === true) depth--
    if (depth > 0) steps += 2 ** Math.min(depth, MAX_DEPTH)
    if (isSymbol(token, '(') || isSymbol(token, '[')) {
      const isBare = !isName(tokens[at - 1])
      bare.push(isBare)
      if (isBare) brackets++
    } else if ((isSymbol(token, ')') || isSymbol(token, ']')) && bare.pop() === true) brackets--
    bracketSteps += brackets ** 2
    if (bracketSteps > MAX_BRACKET_STEPS)
      throw new QueryError('sql.too_complex', 'Brackets in the query are nested too deeply for its length.', {
        place: placeAt(text, token.start),
        hint: 'Use fewer nested brackets.',
      })
    if (steps > MAX_STEPS)
      throw new QueryError('sql.too_complex', 'Types in the query are nested too deeply.', {
        place: placeAt(text, token.start),
        hint: 'Use fewer levels of Tuple, Array, Nested and other types.',
      })
  }
}

/** Whether a bracket follows the name of a type: behind `::`, `AS` or `{name:`. A type may have several words. */
function beginsType(tokens: readonly Token[], bracket: number): boolean {
  if (isSubqueryName(tokens, bracket)) return false
  let at = bracket - 1
  while (at > bracket - 4 && isName(tokens[at])) {
    if (wordOf(tokens[at]) === 'as' && at < bracket - 1) return true
    at--
  }
  if (at === bracket - 1) return false
  return isSymbol(tokens[at], '::') || isSymbol(tokens[at], ':') || wordOf(tokens[at]) === 'as'
}

/** `WITH a AS MATERIALIZED (`, and the same behind a comma. In a CAST, neither word comes before the value. */
const isSubqueryName = (tokens: readonly Token[], bracket: number): boolean =>
  wordOf(tokens[bracket - 1]) === 'materialized' &&
  wordOf(tokens[bracket - 2]) === 'as' &&
  (isSymbol(tokens[bracket - 4], ',') || wordOf(tokens[bracket - 4]) === 'with')

/** The characters of a string that matter here: brackets may be written as `\x28`, and all of it as `x'28'` or `b'00101000'`. */
function characters({ value, start }: Token, text: string): string {
  if (text[start + 1] === "'" && /[xXbB]/.test(text[start] ?? '')) {
    const [digits, base] = /[xX]/.test(text[start] ?? '') ? [2, 16] : [8, 2]
    // Where digits are missing, they are missing in front.
    const padded = value.padStart(Math.ceil(value.length / digits) * digits, '0')
    return padded.replace(new RegExp(`.{${digits}}`, 'gs'), group =>
      String.fromCharCode(Number.parseInt(group, base) || 0),
    )
  }
  return value.replace(/\\(?:x([0-9a-fA-F]{2})|[\s\S])/g, (pair, code: string | undefined) =>
    code === undefined ? pair : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** A string may be the type of a CAST or the columns of `values`. */
function stepsOfString(value: string): number {
  if (!value.includes('(')) return 0
  let steps = 0
  let depth = 0
  for (const character of value) {
    if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    // A character is half a token at most.
    if (depth > 0) steps += 2 ** (Math.min(depth, MAX_DEPTH) - 1)
  }
  return steps
}
