import { TupleParam } from '@clickhouse/client'
import { type Rule, ruleOf } from './parameterRules.ts'
import { parameterType, typeOfPart, unwrapped } from './parameterType.ts'

/** A value as the engine's client takes it. */
export type ParameterValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | TupleParam
  | readonly ParameterValue[]
  | ReadonlyMap<ParameterValue, ParameterValue>

/** A text that is no value of its type. Thrown by `readValue` only. */
export class ValueFault extends Error {
  /** What the text has to be. */
  readonly expected: string
  /** The text at fault: the value, or a part of it. */
  readonly text: string

  constructor(expected: string, text: string) {
    super(expected)
    this.expected = expected
    this.text = text
  }
}

/** Escapes of JSON and SQL that are no character code, by the character behind the backslash. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...[...'\\\'"`/'].map(sign => [sign, sign] as const),
  ...Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b', 0: '\0' }),
])
/** Lists within lists. Each level costs a step of the parser here and in the engine. */
const MAX_DEPTH = 32
/** Significant digits that a float keeps. */
const EXACT_DIGITS = 15

/** What a value of a type is made of. Worked out once for all parts of a value. */
type Shape =
  | { readonly kind: 'plain'; readonly name: string; readonly isNullable: boolean; readonly rule: Rule }
  | { readonly kind: 'Array'; readonly of: Shape }
  | { readonly kind: 'Map'; readonly key: Shape; readonly value: Shape }
  | { readonly kind: 'Tuple'; readonly parts: readonly Shape[] }

const FORMS = {
  Array: '["a", "b"] or [1, 2]',
  Map: '{"a": 1, "b": 2}',
  Tuple: '("a", 1) or ["a", 1]',
} as const

/**
 * Reads a value of a type of the engine. Lists, maps and tuples are read part by part, as JSON or SQL write them, because
 * the client would escape the quotes within a text. Throws ValueFault.
 */
export function readValue(typeText: string, text: string): ParameterValue {
  const shape = shapeOf(typeText, MAX_DEPTH)
  if (shape.kind === 'plain') return readPlain(shape, text)
  const scan = new Scan(text)
  try {
    const value = readPart(shape, scan, '')
    scan.end()
    return value
  } catch (thrown) {
    if (thrown !== MALFORMED) throw thrown
    throw new ValueFault(`a value of the type ${typeText}, such as ${FORMS[shape.kind]}`, text)
  }
}

function shapeOf(typeText: string, depth: number): Shape {
  if (depth === 0) throw new ValueFault(`of a type with fewer than ${MAX_DEPTH} levels`, typeText)
  const { inner, isNullable } = unwrapped(parameterType(typeText))
  const { name, args } = inner
  const shapeAt = (at: number): Shape => shapeOf(args[at] ?? '', depth - 1)
  switch (name) {
    case 'Array':
      return { kind: name, of: shapeAt(0) }
    case 'Map':
      return { kind: name, key: shapeAt(0), value: shapeAt(1) }
    case 'Tuple':
      return { kind: name, parts: args.map(arg => shapeOf(typeOfPart(arg), depth - 1)) }
    default:
      return { kind: 'plain', name, isNullable, rule: ruleOf(inner) }
  }
}

/** Thrown where a text has not the form of its type: the whole value is at fault. */
const MALFORMED = new Error('malformed')

type Plain = Extract<Shape, { kind: 'plain' }>

/** A value that is no list goes to the engine as it was sent. */
function readPlain({ name, isNullable, rule }: Plain, text: string): ParameterValue {
  // A text may be the word NULL.
  if (isNullable && (text === '\\N' || (!isText(name) && /^null$/i.test(text)))) return null
  const fault = rule(text)
  if (fault !== undefined) throw new ValueFault(fault, text)
  return text
}

const isText = (name: string): boolean => /^(?:Fixed)?String$/.test(name)

type Word = { readonly text: string; readonly isQuoted: boolean }

/** Reads a text from its start to its end. */
class Scan {
  readonly text: string
  #at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Whether the next character but space is this one, which is then behind us. */
  takes(mark: string): boolean {
    this.#skipSpace()
    if (this.text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  expect(mark: string): void {
    if (!this.takes(mark)) throw MALFORMED
  }

  end(): void {
    this.#skipSpace()
    if (this.#at < this.text.length) throw MALFORMED
  }

  /** A quoted text, or the characters up to a space, a quote, a bracket, a comma or one of `stops`. */
  word(stops: string): Word {
    this.#skipSpace()
    const single = this.#match(/'((?:[^'\\]|\\.|'')*)'/suy)
    const quoted = single?.replaceAll("''", "'") ?? this.#match(/"((?:[^"\\]|\\.)*)"/suy)
    if (quoted !== undefined) {
      const text = unescaped(quoted)
      if (text === undefined) throw MALFORMED
      return { text, isQuoted: true }
    }
    const bare = this.#match(/([^\s'"[\](){},]+)/suy)
    const end =
      bare === undefined ? 0 : [...stops].reduce((least, stop) => upTo(bare, stop, least), bare.length)
    if (bare === undefined || end === 0) throw MALFORMED
    this.#at -= bare.length - end
    return { text: bare.slice(0, end), isQuoted: false }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)
    if (found !== null) this.#at = pattern.lastIndex
    return found?.[1]
  }

  #skipSpace(): void {
    const space = /\s*/uy
    space.lastIndex = this.#at
    space.exec(this.text)
    this.#at = space.lastIndex
  }
}

function upTo(text: string, stop: string, least: number): number {
  const at = text.indexOf(stop)
  return at < 0 ? least : Math.min(at, least)
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

/** The next value of a shape. A bare word ends at one of `stops` too. */
function readPart(shape: Shape, scan: Scan, stops: string): ParameterValue {
  switch (shape.kind) {
    case 'Array':
      scan.expect('[')
      return readAll(scan, ']', () => readPart(shape.of, scan, ''))
    case 'Map':
      return readMap(shape.key, shape.value, scan)
    case 'Tuple':
      return readTuple(shape.parts, scan)
    case 'plain':
      return partOf(shape, scan.word(stops))
  }
}

/** What stands between commas up to `close`. */
function readAll<T>(scan: Scan, close: string, read: () => T): T[] {
  const items: T[] = []
  if (scan.takes(close)) return items
  do items.push(read())
  while (scan.takes(','))
  scan.expect(close)
  return items
}

function readMap(keyShape: Shape, valueShape: Shape, scan: Scan): ParameterValue {
  scan.expect('{')
  const map = new Map<ParameterValue, ParameterValue>()
  readAll(scan, '}', () => {
    const key = readPart(keyShape, scan, ':')
    scan.expect(':')
    if (map.has(key)) throw new ValueFault('a map in which no key is repeated', scan.text)
    map.set(key, readPart(valueShape, scan, ''))
  })
  return map
}

function readTuple(parts: readonly Shape[], scan: Scan): ParameterValue {
  const close = scan.takes('(') ? ')' : ']'
  if (close === ']') scan.expect('[')
  const values: ParameterValue[] = []
  readAll(scan, close, () => {
    const part = parts[values.length]
    if (part === undefined) throw MALFORMED
    values.push(readPart(part, scan, ''))
  })
  if (values.length !== parts.length) throw MALFORMED
  return new TupleParam(values)
}

function partOf({ name, isNullable, rule }: Plain, { text, isQuoted }: Word): ParameterValue {
  if (isNullable && !isQuoted && /^null$/i.test(text)) return null
  const fault = rule(text)
  if (fault !== undefined) throw new ValueFault(fault, text)
  if (/^U?Int\d+$|^Interval/.test(name)) return BigInt(text)
  // A float is the float that the engine would read; a decimal must not become another one.
  if (/^B?Float/.test(name)) return Number(text)
  if (/^Decimal/.test(name)) {
    if (!isExact(text)) throw new ValueFault(`a number of at most ${EXACT_DIGITS} digits`, text)
    return Number(text)
  }
  if (name === 'Bool') return /^(?:true|1)$/i.test(text)
  if (isText(name) && !isQuoted) throw MALFORMED
  return text
}

const isExact = (text: string): boolean =>
  (/^-?0*(?<digits>[\d.]*)/.exec(text.trim())?.groups?.digits ?? '').replace('.', '').replace(/^0+/, '')
    .length <= EXACT_DIGITS
