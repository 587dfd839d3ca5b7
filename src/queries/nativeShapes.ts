import { QueryError } from './errors.ts'

/** Where columns of the format Native end, by their types. */

/** The block ends behind what has been read so far. */
export const SHORT = new Error('short')

export type Shape =
  | { readonly kind: 'fixed'; readonly bytes: number }
  | { readonly kind: 'text' }
  | { readonly kind: 'nullable' | 'array' | 'dictionary'; readonly of: Shape }
  | { readonly kind: 'tuple'; readonly parts: readonly Shape[] }

const fixed = (bytes: number): Shape => ({ kind: 'fixed', bytes })
const array = (of: Shape): Shape => ({ kind: 'array', of })
const tuple = (parts: readonly Shape[]): Shape => ({ kind: 'tuple', parts })
const POINT = tuple([fixed(8), fixed(8)])

const SHAPES: Readonly<Record<string, Shape>> = {
  String: { kind: 'text' },
  ...Object.fromEntries(
    [8, 16, 32, 64, 128, 256].flatMap(bits => [
      [`Int${bits}`, fixed(bits / 8)],
      [`UInt${bits}`, fixed(bits / 8)],
    ]),
  ),
  Bool: fixed(1),
  Nothing: fixed(1),
  Enum8: fixed(1),
  BFloat16: fixed(2),
  Date: fixed(2),
  Enum16: fixed(2),
  Date32: fixed(4),
  DateTime: fixed(4),
  Decimal32: fixed(4),
  Float32: fixed(4),
  IPv4: fixed(4),
  Time: fixed(4),
  DateTime64: fixed(8),
  Decimal64: fixed(8),
  Float64: fixed(8),
  Time64: fixed(8),
  Decimal128: fixed(16),
  IPv6: fixed(16),
  UUID: fixed(16),
  Decimal256: fixed(32),
  Point: POINT,
  Ring: array(POINT),
  LineString: array(POINT),
  Polygon: array(array(POINT)),
  MultiLineString: array(array(POINT)),
  MultiPolygon: array(array(array(POINT))),
}

/** Digits of decimals by the bytes that hold them. */
const DECIMALS = [
  [9, 4],
  [18, 8],
  [38, 16],
  [76, 32],
] as const

/** Deeper types are refused, because parsing takes quadratic time in the depth. */
const MOST_DEPTH = 64

export function shapeOf(type: string): Shape {
  if (depthOf(type) > MOST_DEPTH)
    throw new QueryError('sql.type', 'A column has a type that is nested too deeply.', {
      hint: 'Cast it to String.',
    })
  return shapeWithin(type)
}

function depthOf(type: string): number {
  let [depth, most] = [0, 0]
  for (const sign of type) {
    if (sign === '(') most = Math.max(most, ++depth)
    else if (sign === ')') depth--
  }
  return most
}

function shapeWithin(type: string): Shape {
  const open = type.indexOf('(')
  const name = (open < 0 ? type : type.slice(0, open)).trim()
  const args = open < 0 ? [] : argumentsOf(type.slice(open + 1, type.lastIndexOf(')')))
  const inner = (): Shape => shapeWithin(args.at(-1) ?? '')
  switch (name) {
    case 'Array':
      return array(inner())
    case 'Nullable':
      return { kind: 'nullable', of: inner() }
    case 'LowCardinality':
      return { kind: 'dictionary', of: shapeWithin((args[0] ?? '').replace(/^Nullable\((.*)\)$/s, '$1')) }
    case 'Tuple':
      return tuple(args.map(arg => shapeWithin(unnamed(arg))))
    case 'Map':
      return array(tuple(args.map(shapeWithin)))
    case 'Nested':
      return array(tuple(args.map(arg => shapeWithin(unnamed(arg)))))
    case 'SimpleAggregateFunction':
      return inner()
    case 'FixedString':
      return fixed(Number(args[0]))
    case 'Decimal': {
      const bytes = DECIMALS.find(([digits]) => Number(args[0]) <= digits)?.[1]
      if (bytes !== undefined) return fixed(bytes)
      break
    }
    default: {
      if (name.startsWith('Interval')) return fixed(8)
      const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined
      if (shape !== undefined) return shape
    }
  }
  throw new QueryError('sql.type', `A column of the type ${name} cannot be sent to this client.`, {
    hint: 'Cast it to String.',
  })
}

/** The arguments of a type, split at commas outside brackets and quotes. */
function argumentsOf(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quote !== '') {
      if (sign === '\\') at++
      else if (sign === quote) quote = ''
    } else if (sign === "'" || sign === '`') quote = sign
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === ',' && depth === 0) {
      found.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...found, text.slice(from).trim()]
}

/** The type of a part of a tuple that may have a name. */
const unnamed = (part: string): string => part.replace(/^(?:`(?:[^`\\]|\\[\s\S])*`|\w+)\s+/, '')

/** Dictionaries begin with their version, before all other data of a column. */
export function prefixBytes(shape: Shape): number {
  switch (shape.kind) {
    case 'dictionary':
      return 8
    case 'nullable':
    case 'array':
      return prefixBytes(shape.of)
    case 'tuple':
      return shape.parts.reduce((sum, part) => sum + prefixBytes(part), 0)
    default:
      return 0
  }
}

/** Where the values of that many rows end, which begin at `at`. Throws SHORT. */
export function dataEnd(shape: Shape, bytes: Buffer, at: number, rows: number): number {
  if (rows === 0) return at
  switch (shape.kind) {
    case 'fixed':
      return at + shape.bytes * rows
    case 'text': {
      let end = at
      for (let row = 0; row < rows; row++) end = textEnd(bytes, end)
      return end
    }
    case 'nullable':
      return dataEnd(shape.of, bytes, at + rows, rows)
    case 'array': {
      const values = at + 8 * rows
      return dataEnd(shape.of, bytes, values, count64(bytes, values - 8))
    }
    case 'tuple':
      return shape.parts.reduce((end, part) => dataEnd(part, bytes, end, rows), at)
    case 'dictionary': {
      const keys = count64(bytes, at + 8)
      const indexes = dataEnd(shape.of, bytes, at + 16, keys)
      return indexes + 8 + 2 ** (byteAt(bytes, at) & 3) * count64(bytes, indexes)
    }
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw SHORT
  return byte
}

function count64(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.length) throw SHORT
  return Number(bytes.readBigUInt64LE(at))
}

export function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let end = at, scale = 1; ; scale *= 128) {
    const byte = byteAt(bytes, end++)
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, end }
  }
}

export function textEnd(bytes: Buffer, at: number): number {
  const first = byteAt(bytes, at)
  // Nearly all texts are short, and there are millions of them.
  const { value, end } = first < 0x80 ? { value: first, end: at + 1 } : varint(bytes, at)
  if (end + value > bytes.length) throw SHORT
  return end + value
}

export function textAt(bytes: Buffer, at: number): string {
  const { value, end } = varint(bytes, at)
  return bytes.toString('utf8', end, end + value)
}

/**
 * Columns and number of rows of a whole file in the format Native; undefined for one that has types of unknown length, or is cut.
 */
export function readNativeHead(
  bytes: Buffer,
): { columns: { name: string; type: string }[]; rows: number } | undefined {
  const columns: { name: string; type: string }[] = []
  let rows = 0
  let at = 0
  try {
    for (let block = 0; at < bytes.length; block++) {
      const width = varint(bytes, at)
      const height = varint(bytes, width.end)
      at = height.end
      rows += height.value
      for (let column = 0; column < width.value; column++) {
        const typeAt = textEnd(bytes, at)
        const type = textAt(bytes, typeAt)
        if (block === 0) columns.push({ name: textAt(bytes, at), type })
        at = textEnd(bytes, typeAt)
        if (height.value === 0) continue
        const shape = shapeOf(type)
        at = dataEnd(shape, bytes, at + prefixBytes(shape), height.value)
      }
    }
  } catch (cause) {
    if (cause === SHORT || cause instanceof QueryError) return undefined
    throw cause
  }
  return at === bytes.length ? { columns, rows } : undefined
}
