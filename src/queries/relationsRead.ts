import { QueryError } from './errors.ts'
import { readStatement } from './statement.ts'
import { isSymbol, type Token, wordOf } from './tokens.ts'

const READS_NOTHING = new Set(['explain', 'describe', 'desc', 'show'])

/**
 * Those of the relations that a statement reads, by the names in its text: a name behind AS, a qualified column and a function
 * are none. A WITH clause may give a relation's name to something else, which still reads the relation where it says so.
 */
export function relationsRead(sql: string, isRelation: (name: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  let tokens: readonly Token[]
  try {
    ;({ tokens } = readStatement(sql))
  } catch (cause) {
    if (cause instanceof QueryError) return found
    throw cause
  }
  if (READS_NOTHING.has(wordOf(tokens.find(token => !isSymbol(token, '('))))) return found
  const renamed = renamedBy(tokens)
  for (const [at, token] of tokens.entries()) {
    if ((token.kind !== 'word' && token.kind !== 'quoted') || !isRelation(token.value)) continue
    const isQualifier = isSymbol(tokens[at + 1], '.')
    const isFunction = isSymbol(tokens[at + 1], '(')
    const isAlias = wordOf(tokens[at - 1]) === 'as'
    const isColumn = isSymbol(tokens[at - 1], '.') && tokens[at - 2]?.value !== 'default'
    if (isQualifier || isFunction || isAlias || isColumn) continue
    const bodies = renamed.get(token.value)
    const isNamedByWith = bodies?.some(({ name }) => name === at)
    const isOutside = bodies !== undefined && !bodies.some(({ from, to }) => at > from && at < to)
    if (isNamedByWith || isOutside) continue
    found.add(token.value)
  }
  return found
}

type Body = { readonly name: number; readonly from: number; readonly to: number }

/** Names of subqueries of WITH clauses, `name AS (…)`, with the places of their brackets. */
function renamedBy(tokens: readonly Token[]): ReadonlyMap<string, Body[]> {
  const bodies = new Map<string, Body[]>()
  const open: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (isSymbol(token, '(')) open.push(at)
    if (!isSymbol(token, ')')) continue
    const from = open.pop()
    const name = from === undefined ? undefined : tokens[from - 2]
    if (from === undefined || name === undefined || wordOf(tokens[from - 1]) !== 'as') continue
    if (!/^(?:select|with|from)$/.test(wordOf(tokens[from + 1]))) continue
    bodies.set(name.value, [...(bodies.get(name.value) ?? []), { name: from - 2, from, to: at }])
  }
  return bodies
}
