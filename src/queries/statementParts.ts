import { type Call, callsOf } from './argumentError.ts'
import { type Place, placeAt } from './errors.ts'
import type { Placeholder, Statement } from './statement.ts'
import { isSymbol, type Token, wordOf } from './tokens.ts'

/** What an error names, looked up in the statement. Nothing that occurs twice has a place. */
export type StatementParts = {
  /** The text value, with its quotes as written. */
  text(value: string): Place | undefined
  /** The word, quoted or not, anywhere or behind a keyword. */
  name(value: string, behind?: string): Place | undefined
  words(...words: readonly string[]): Place | undefined
  /** The only call of any of these functions. */
  call(...names: readonly string[]): PlacedCall | undefined
  /** The only conversion to a type. */
  conversion(type: string): PlacedCall | undefined
  /** A call in a clause, if there are several in all. */
  callIn(clause: string, name: string): Place | undefined
  /** The only token for which this is true. */
  token(isIt: (token: Token, at: number, all: readonly Token[]) => boolean): Place | undefined
  /** The second of two tokens, and no more, for which this is true. */
  second(isIt: (token: Token, at: number, all: readonly Token[]) => boolean): Place | undefined
  /** The only text parameter for which this is true of the tokens before and behind it. */
  textParameter(isIt: (around: Around) => boolean): (Placeholder & { readonly place: Place }) | undefined
}

/** Tokens next to a parameter, and the function that it is an argument of. */
type Around = {
  readonly before: Token | undefined
  readonly behind: Token | undefined
  readonly called: string
}

/** `literal` is its first argument, if that is a text. */
export type PlacedCall = {
  readonly text: string
  readonly place: Place
  readonly literal: PlacedText | undefined
}
export type PlacedText = { readonly value: string; readonly place: Place }

const CLAUSES = new Set([
  'select',
  'from',
  'prewhere',
  'where',
  'group',
  'having',
  'qualify',
  'order',
  'limit',
  'on',
])

export function partsOf(statement: Statement): StatementParts {
  const { text, tokens } = statement
  const placed = (token: Token | undefined) => token && placeAt(text, token.start)
  const only = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined)
  const onlyToken = (isIt: (token: Token, at: number, all: readonly Token[]) => boolean) =>
    placed(only(tokens.filter(isIt)))
  const textOf = (token: Token | undefined): PlacedText | undefined =>
    token?.kind === 'string'
      ? { value: plainText(token.value), place: placeAt(text, token.start) }
      : undefined
  const placedCall = (call: Call | undefined): PlacedCall | undefined =>
    call && {
      text: call.text,
      place: placeAt(text, call.start),
      literal: textOf(call.text === '::' ? tokens[call.at - 1] : tokens[call.at + 2]),
    }
  const isCastTo = ({ text: called, at }: Call, type: string): boolean => {
    const end = called === '::' ? at + 2 : closeOf(tokens, at + 1)
    // Too long to be read: it may be one.
    if (end === undefined) return true
    return tokens
      .slice(at + 1, end)
      .some(
        token =>
          token.kind !== 'symbol' && /^\w+/.exec(token.value)?.[0].toLowerCase() === type.toLowerCase(),
      )
  }
  return {
    text: value => onlyToken(token => token.kind === 'string' && plainText(token.value) === value),
    name: (value, behind) =>
      onlyToken(
        (token, at) =>
          (token.kind === 'word' || token.kind === 'quoted') &&
          token.value === value &&
          (behind === undefined || clauseOf(tokens, at, behind)),
      ),
    words: (...words) => onlyToken((_, at) => words.every((word, n) => wordOf(tokens[at + n]) === word)),
    call: (...names) => placedCall(only(names.flatMap(name => callsOf(statement, name)))),
    conversion: type => {
      const names = [`to${type}`, ...(ALIASES[type] ?? [])]
      const calls = names.flatMap(name =>
        callsOf(statement, name).filter(({ text: called }) => called.toLowerCase() === name.toLowerCase()),
      )
      const casts = ['CAST', 'accurateCast'].flatMap(name => callsOf(statement, name))
      return placedCall(only([...calls, ...casts.filter(call => isCastTo(call, type))]))
    },
    callIn: (clause, name) => {
      const calls = callsOf(statement, name)
      const clauses = clausesOf(tokens)
      const inside = calls.filter(({ at }) => clauses[at] === clause)
      const found = only(inside) ?? only(calls)
      return found && placeAt(text, found.start)
    },
    token: onlyToken,
    second: isIt => {
      const found = tokens.filter(isIt)
      return found.length === 2 ? placed(found[1]) : undefined
    },
    textParameter: isIt => {
      const indexes = new Map(tokens.map(({ start }, index) => [start, index]))
      const found = statement.placeholders.flatMap(placeholder => {
        if (!/^(?:Nullable\()?String\)?$/.test(placeholder.type)) return []
        const at = indexes.get(placeholder.start) ?? -1
        let close = at
        while (close < tokens.length && !isSymbol(tokens[close], '}')) close++
        const around = { before: tokens[at - 1], behind: tokens[close + 1], called: calledAround(tokens, at) }
        return isIt(around) ? [placeholder] : []
      })
      const parameter = only(found)
      return parameter && { ...parameter, place: placeAt(text, parameter.start) }
    },
  }
}

/** Tokens that are read around one: a statement may be long. */
const MOST_TOKENS = 200

/** Other names of a conversion. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { Date: ['DATE'], DateTime: ['TIMESTAMP'] }

/** Whether the keyword comes before the token, with words, commas and dots only between them. */
function clauseOf(tokens: readonly Token[], at: number, keyword: string): boolean {
  for (let index = at - 1; index >= Math.max(0, at - MOST_TOKENS); index--) {
    if (wordOf(tokens[index]) === keyword) return true
    if (tokens[index]?.kind === 'symbol' && !/^[(),.]$/.test(tokens[index]?.value ?? '')) return false
  }
  return false
}

/** The function whose brackets are the innermost around a token, in lower case; empty if there is none nearby. */
function calledAround(tokens: readonly Token[], at: number): string {
  let depth = 0
  for (let index = at - 1; index > Math.max(0, at - MOST_TOKENS); index--) {
    if (isSymbol(tokens[index], ')')) depth++
    if (isSymbol(tokens[index], '(') && depth-- === 0) return wordOf(tokens[index - 1])
  }
  return ''
}

/** The closing bracket; undefined if it is far. */
function closeOf(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0
  for (let at = open; at < open + MOST_TOKENS; at++) {
    if (isSymbol(tokens[at], '(')) depth++
    if (isSymbol(tokens[at], ')') && --depth === 0) return at
  }
  return undefined
}

/** The keyword in front of each token. */
function clausesOf(tokens: readonly Token[]): string[] {
  let clause = ''
  return tokens.map(token => {
    if (CLAUSES.has(wordOf(token))) clause = wordOf(token)
    return clause
  })
}

const plainText = (value: string): string => value.replace(/\\(['"`\\])/g, '$1')
