import type { Statement } from './statement.ts'
import { isName, isSymbol, type Token, wordOf } from './tokens.ts'

/** A table that a SELECT reads: its name as written, and the name that its columns are qualified with. */
export type TableInScope = { readonly text: string; readonly name: string }

/** Words that end the list of tables of a SELECT. */
const AFTER_TABLES = new Set(
  'where prewhere group having order limit offset qualify window settings union intersect except format select'.split(
    ' ',
  ),
)
/** Words that can follow a table and are not its alias. */
const NO_ALIAS =
  /^(?:all|any|anti|array|asof|cross|final|full|global|inner|join|left|on|outer|paste|right|sample|semi|using)$/
/** Brackets around a name that are looked through for its SELECT; each costs a pass over the statement. */
const MOST_BRACKETS = 30
const BRANCHES = /^(?:union|intersect|except)$/

/** The tables of the innermost SELECT around the token at `at`, without subqueries and names of WITH. */
export function tablesInScope({ text, tokens }: Statement, at: number): readonly TableInScope[] {
  const withNames = new Set(
    tokens.flatMap((token, index) =>
      isName(token) && wordOf(tokens[index + 1]) === 'as' && isSymbol(tokens[index + 2], '(')
        ? [token.value]
        : [],
    ),
  )
  const own = selectAround(tokens, at)
  const found: TableInScope[] = []
  let isInTables = false
  for (let place = 0; place < own.length; place++) {
    const word = wordOf(tokens[own[place] ?? -1])
    if (word === 'from') isInTables = true
    else if (AFTER_TABLES.has(word)) isInTables = false
    if (!(word === 'from' || word === 'join' || (isInTables && isSymbol(tokens[own[place] ?? -1], ','))))
      continue
    const first = tokens[own[place + 1] ?? -1]
    if (!isName(first) || !isInTables) continue
    let end = place + 1
    while (isSymbol(tokens[own[end + 1] ?? -1], '.') && isName(tokens[own[end + 2] ?? -1])) end += 2
    const last = tokens[own[end] ?? -1]
    const next = tokens[own[end + 1] ?? -1]
    // A function that makes a table.
    if (last === undefined || isSymbol(next, '(') || (last === first && withNames.has(first.value))) continue
    const alias = wordOf(next) === 'as' ? tokens[own[end + 2] ?? -1] : next
    const isAlias =
      isName(alias) &&
      (alias.kind === 'quoted' ||
        !(AFTER_TABLES.has(alias.value.toLowerCase()) || NO_ALIAS.test(alias.value.toLowerCase())))
    found.push({ text: text.slice(first.start, last.end), name: isAlias ? alias.value : last.value })
  }
  return found
}

/** Indexes of the tokens of the innermost SELECT around `at`, without those in brackets within it. */
function selectAround(tokens: readonly Token[], at: number): number[] {
  let [from, to] = [at, at]
  for (let brackets = 0; brackets < MOST_BRACKETS && from >= 0; brackets++) {
    from = outwards(tokens, from, -1)
    to = outwards(tokens, to, 1)
    const level = levelOf(tokens, from, to)
    const before = level.findLastIndex(index => index < at && BRANCHES.test(wordOf(tokens[index])))
    const after = level.findIndex(index => index > at && BRANCHES.test(wordOf(tokens[index])))
    const branch = level.slice(before + 1, after < 0 ? undefined : after)
    if (branch.some(index => wordOf(tokens[index]) === 'select')) return branch
  }
  return []
}

/** The bracket that encloses the token at `at` on one side, or the end of the tokens. */
function outwards(tokens: readonly Token[], at: number, step: 1 | -1): number {
  const [inner, outer] = step === 1 ? ['(', ')'] : [')', '(']
  let depth = 0
  for (let index = at + step; index >= 0 && index < tokens.length; index += step) {
    if (isSymbol(tokens[index], inner)) depth++
    else if (isSymbol(tokens[index], outer) && depth-- === 0) return index
  }
  return step === 1 ? tokens.length : -1
}

/** Indexes between two brackets, with inner brackets but without what is in them. */
function levelOf(tokens: readonly Token[], from: number, to: number): number[] {
  const level: number[] = []
  let depth = 0
  for (let index = from + 1; index < to; index++) {
    if (isSymbol(tokens[index], ')')) depth--
    if (depth === 0) level.push(index)
    if (isSymbol(tokens[index], '(')) depth++
  }
  return level
}
