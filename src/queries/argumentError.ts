import { listed } from '#kernel/listed.ts'
import { type Place, placeAt } from './errors.ts'
import type { Statement } from './statement.ts'
import { isName, isSymbol, type Token, wordOf } from './tokens.ts'

/** Operators by the function that the engine makes of them, and the token that they are written with. */
const OPERATORS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    and: ['and'],
    arrayElement: ['['],
    CAST: ['::'],
    concat: ['||'],
    divide: ['/'],
    equals: ['=', '=='],
    greater: ['>'],
    greaterOrEquals: ['>='],
    if: ['?'],
    ilike: ['ilike'],
    in: ['in'],
    intDiv: ['div'],
    less: ['<'],
    lessOrEquals: ['<='],
    like: ['like'],
    minus: ['-'],
    modulo: ['%', 'mod'],
    multiIf: ['case'],
    multiply: ['*'],
    negate: ['-'],
    not: ['not'],
    notEquals: ['!=', '<>'],
    notIn: ['in'],
    notLike: ['like'],
    or: ['or'],
    plus: ['+'],
  }),
)

/** Names of functions that the engine reports under another one, without case and `_`. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['lpad', 'leftpad'],
  ['median', 'quantile'],
  ['rpad', 'rightpad'],
  ['trim', 'trimboth'],
])

const NAMED = [
  /\b(?:for|of|to|by|in) (?:aggregate )?function ['`]?([A-Za-z_]\w*)/i,
  /^Arrays passed to (\w+) must /,
  /^First argument for this overload of (\w+) must /,
  /^(?:Aggregate function|Function) ['`]?([A-Za-z_]\w*)/,
]
/** `countIf` reads "aggregate function with If suffix". */
const SUFFIX = /aggregate function with (\w+) suffix/

export type Call = {
  readonly text: string
  readonly start: number
  /** Index of its token. */
  readonly at: number
  readonly argumentCount?: number
}

/** An error of the engine about the arguments of a function: one plain sentence, and the place of the only call that it fits. */
export function argumentError(raw: string, statement: Statement): { message?: string; place?: Place } {
  const suffix = SUFFIX.exec(raw)?.[1]
  const name =
    suffix === undefined ? NAMED.map(each => each.exec(raw)?.[1]).find(each => each !== undefined) : ''
  if (name === undefined) return {}
  const calls = callsOf(statement, name, suffix)
  const given = /(?:got|passed) (\d+)\b/.exec(raw)?.[1]
  const fitting =
    given === undefined
      ? calls
      : calls.filter(({ argumentCount = Number(given) }) => argumentCount === Number(given))
  const only = fitting.length === 1 ? fitting[0] : undefined
  const message = messageOf(
    raw,
    name,
    only?.text ?? calls[0]?.text ?? OPERATORS.get(name)?.[0]?.toUpperCase() ?? (name || 'FILTER'),
  )
  return {
    ...(message !== undefined && { message }),
    ...(only && { place: placeAt(statement.text, only.start) }),
  }
}

/** The place of a text value that the engine names, if the statement has it once. */
export function placeOfValue(raw: string, { text, tokens }: Statement): Place | undefined {
  const value = /^Cannot (?:convert|parse) string '(.*?)' (?:to type|as) /s.exec(raw)?.[1]
  const found = tokens.filter(token => token.kind === 'string' && token.value === value)
  return found.length === 1 && found[0] ? placeAt(text, found[0].start) : undefined
}

/** Calls of a function, including its operators. Without any, calls of the aggregate with a combinator, such as `sumIf`. */
export function callsOf({ tokens }: Statement, name: string, suffix?: string): Call[] {
  const key = keyOf(name)
  const counts = argumentCounts(tokens)
  const all = tokens.flatMap((token, at) => {
    if (!isName(token) || !isSymbol(tokens[at + 1], '(')) return []
    const count = counts.get(at + 1)
    return [
      { text: token.value, start: token.start, at, ...(count !== undefined && { argumentCount: count }) },
    ]
  })
  const operators = tokens.flatMap((token, at) =>
    OPERATORS.get(name)?.includes(token.kind === 'word' ? wordOf(token) : token.value) &&
    ((token.kind === 'symbol' && !isUnwritten(token, tokens[at - 1])) || token.kind === 'word') &&
    !(token.kind === 'word' && isSymbol(tokens[at + 1], '(') && keyOf(token.value) === key)
      ? [{ text: token.value.toUpperCase(), start: token.start, at }]
      : [],
  )
  if (suffix !== undefined) return all.filter(({ text }) => text.endsWith(suffix))
  const exact = all.filter(({ text }) => keyOf(text) === key || OTHER_NAMES.get(keyOf(text)) === key)
  return exact.length + operators.length > 0
    ? [...exact, ...operators].sort((a, b) => a.start - b.start)
    : all.filter(({ text }) => keyOf(text).startsWith(key))
}

/** A bracket that begins a list is no access to one, and a star after SELECT, a comma or a bracket is no product. */
const isUnwritten = (token: Token, before: Token | undefined): boolean =>
  (token.value === '[' && !(isName(before) || isSymbol(before, ')') || isSymbol(before, ']'))) ||
  (token.value === '*' &&
    (before === undefined ||
      ['(', ',', '.'].some(sign => isSymbol(before, sign)) ||
      wordOf(before) === 'select'))

const keyOf = (name: string): string => name.toLowerCase().replaceAll('_', '')

/**
 * Arguments of all pairs of brackets, by the index of the opening one: those of the second pair where a function has two, as
 * `quantile(0.9)(x)`. One pass, because calls can be nested in long lists.
 */
function argumentCounts(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  const ends = new Map<number, number>()
  const open: { at: number; count: number }[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'symbol') continue
    const inner = open.at(-1)
    if ('([{'.includes(token.value)) open.push({ at, count: isClosing(tokens[at + 1]) ? 0 : 1 })
    else if (isClosing(token) && inner !== undefined) {
      open.pop()
      counts.set(inner.at, inner.count)
      ends.set(inner.at, at)
    } else if (token.value === ',' && inner !== undefined) inner.count++
  }
  for (const [at, end] of ends) {
    const second = isSymbol(tokens[end + 1], '(') ? counts.get(end + 1) : undefined
    if (second !== undefined) counts.set(at, second)
  }
  return counts
}

const isClosing = (token: Token | undefined): boolean => [')', ']', '}'].some(sign => isSymbol(token, sign))

const COUNTS: Readonly<Record<string, string>> = {
  single: '1 argument',
  one: '1 argument',
  two: '2 arguments',
  'zero or one': '0 or 1 argument',
}

/** The engine's message in plain words; undefined if it is of none of these forms. */
function messageOf(raw: string, engineName: string, called: string): string | undefined {
  const name = `\`${called}\``
  // A combinator adds an argument that the engine does not count.
  if (/^Aggregate function \S+ requires /.test(raw) && keyOf(called) !== keyOf(engineName))
    return `${name} has a wrong number of arguments.`
  const counted =
    /Expected (?:(\d+) mandatory arguments? and (\d+) optional|(\d+) optional|(\d+)) arguments?, got (\d+)/.exec(
      raw,
    )
  if (counted) {
    const [, least, optional, most, exact, got] = counted
    const [from, to] = [Number(least ?? (most === undefined ? exact : 0)), Number(optional ?? most ?? 0)]
    const range = to === 0 ? String(from) : to === 1 ? `${from} or ${from + 1}` : `${from} to ${from + to}`
    return `${name} takes ${range} ${range === '1' ? 'argument' : 'arguments'}, not ${got}.`
  }
  const passed = /passed (\d+), should be (.+?)(?::|\.?\s*$)/.exec(raw)
  if (passed)
    return `${name} takes ${passed[2]} ${passed[2] === '1' ? 'argument' : 'arguments'}, not ${passed[1]}.`
  const needed = /requires (single|one|two|zero or one) arguments?/.exec(raw)
  if (needed) return `${name} takes ${COUNTS[needed[1] ?? '']}.`
  if (/ cannot be called without arguments/.test(raw)) return `${name} needs an argument.`
  if (/^Incorrect number of arguments/.test(raw)) return `${name} has a wrong number of arguments.`
  const refused =
    /illegal type was provided as (\w+) argument (?:'[^']*' )?to function \S+ Expected: (.+), got: ([^:]+?)(?::|\.?\s*$)/.exec(
      raw,
    )
  if (refused)
    return `${name} does not accept ${refused[3]} as its ${refused[1]} argument. Expected: ${refused[2]?.replace(/^(?:A|The) /, each => each.toLowerCase())}.`
  const types =
    /^Illegal types? (.+?) of (?:(\w+) )?(?:arguments?)(?: \d+| \([^)]*\))? (?:of|for) (?:aggregate )?function (?:\w+|with \w+ suffix)/.exec(
      raw,
    )
  const pair = /^Illegal types of arguments(?:: (.+?) for| \((.+?)\) of) function `?\w+`?(?::|\.?\s*$)/.exec(
    raw,
  )
  if (pair) {
    const quoted = [...(pair[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, type = '']) => type)
    const both = quoted.length > 0 ? listed(quoted, 'and') : pair[1]?.replace(/, (?=[^,]*$)/, ' and ')
    return `${name} does not accept ${both}.`
  }
  if (!types) return undefined
  const which = types[2] === undefined || /^\d+$/.test(types[2]) ? '' : ` as its ${types[2]} argument`
  const expected = /(?:,? expected|\. (?:Must|Should) be) (.+?)(?::|\.?\s*$)/.exec(raw)?.[1]
  return `${name} does not accept ${types[1]?.replace(/^\((.*)\)$/, '$1')}${which}.${expected === undefined ? '' : ` Expected: ${expected}.`}`
}
