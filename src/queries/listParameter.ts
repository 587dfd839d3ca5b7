/** A value of a type `Array(…)`, or of one of its members, as the engine’s client takes it. */
export type ListValue = string | number | bigint | boolean | null | readonly ListValue[]
/** Whether a text is a value of a type that is no list. */
type Holds = (type: string, value: string) => boolean

const ARRAY = /^Array\s*\((.*)\)$/is
const TOKEN =
  /\s*(?:(?<mark>[[\],])|'(?<single>(?:[^'\\]|\\.|'')*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<bare>[^\s'"[\],]+))\s*/suy
/** Escapes of JSON and SQL that are no character code, by the character behind the backslash. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...[...'\\\'"`/'].map(sign => [sign, sign] as const),
  ...Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b', 0: '\0' }),
])
/** Lists within lists. Each level costs a step of the parser here and in the engine. */
const MAX_DEPTH = 32
const INTEGER = /^U?Int\d+$/
const NUMBER = /^(?:Float|Decimal)/
const TEXT = /^(?:Fixed)?String/
/** Significant digits that a float keeps. */
const EXACT_DIGITS = 15

export const isList = (type: string): boolean => ARRAY.test(type)

/**
 * Reads a list as JSON or SQL write it, `["a", "b"]` or `['a', 'b']`, since the client writes texts of its own accord and would
 * escape the quotes of a list that is given as one text. Undefined where it is no list of that type.
 */
export function readList(type: string, text: string, holds: Holds): ListValue | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined) return undefined
  const read = { tokens, at: 0, holds }
  const value = readItem(type, read, MAX_DEPTH)
  return read.at === tokens.length ? value : undefined
}

type Token = { readonly mark: string } | { readonly text: string; readonly isQuoted: boolean }
type Read = { readonly tokens: readonly Token[]; at: number; readonly holds: Holds }

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) return undefined
    const { mark, bare } = groups
    const quoted = groups.single?.replaceAll("''", "'") ?? groups.double
    if (mark !== undefined) tokens.push({ mark })
    else {
      const value = bare ?? unescaped(quoted ?? '')
      if (value === undefined) return undefined
      tokens.push({ text: value, isQuoted: bare === undefined })
    }
  }
  return tokens
}

/** Undefined where an escape is none of JSON or SQL, or makes half a character. */
function unescaped(text: string): string | undefined {
  let isKnown = true
  const value = text.replace(
    /\\(?:u([\da-fA-F]{4})|x([0-7][\da-fA-F])|(.))/gsu,
    (_, unit?: string, ascii?: string, sign = '') => {
      const code = unit ?? ascii
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      isKnown &&= ESCAPES.has(sign)
      return ESCAPES.get(sign) ?? ''
    },
  )
  return isKnown && value.isWellFormed() ? value : undefined
}

/** The next value of a type, up to `depth` lists deep. */
function readItem(type: string, read: Read, depth: number): ListValue | undefined {
  if (depth === 0) return undefined
  const [, of] = ARRAY.exec(type) ?? []
  const token = read.tokens[read.at++]
  if (token === undefined) return undefined
  if (of === undefined) return 'mark' in token ? undefined : scalarOf(type, token, read.holds)
  if (!isMark(token, '[')) return undefined
  const items: ListValue[] = []
  if (isMark(read.tokens[read.at], ']')) {
    read.at++
    return items
  }
  for (;;) {
    const item = readItem(of.trim(), read, depth - 1)
    if (item === undefined) return undefined
    items.push(item)
    const next = read.tokens[read.at++]
    if (isMark(next, ']')) return items
    if (!isMark(next, ',')) return undefined
  }
}

const isMark = (token: Token | undefined, mark: string): boolean =>
  token !== undefined && 'mark' in token && token.mark === mark

function scalarOf(
  type: string,
  { text, isQuoted }: { readonly text: string; readonly isQuoted: boolean },
  holds: Holds,
): ListValue | undefined {
  const [, wrapper, within] = /^(Nullable|LowCardinality)\s*\((.*)\)$/is.exec(type) ?? []
  if (within !== undefined) {
    const isNull = wrapper === 'Nullable' && !isQuoted && /^null$/i.test(text)
    return isNull ? null : scalarOf(within.trim(), { text, isQuoted }, holds)
  }
  if (!holds(type, text)) return undefined
  if (INTEGER.test(type)) return BigInt(text)
  // A float is the float that the engine would read; a decimal must not become another one.
  if (NUMBER.test(type)) return type.startsWith('Float') || isExact(text) ? Number(text) : undefined
  if (type === 'Bool') return /^(?:true|1)$/i.test(text)
  return TEXT.test(type) && !isQuoted ? undefined : text
}

const isExact = (text: string): boolean =>
  (/^-?0*(?<digits>[\d.]*)/.exec(text.trim())?.groups?.digits ?? '').replace('.', '').replace(/^0+/, '')
    .length <= EXACT_DIGITS
