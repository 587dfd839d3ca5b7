import { BYTES_MARK, type Cell } from '#kernel/sqlCells.ts'
import { bytesOf, isText, textOf } from './engineText.ts'
import { argumentName, type EngineType, engineType } from './engineType.ts'

/**
 * A number whose digits JavaScript would print differently, as the engine wrote it. What it is to be (a Float64 in other
 * digits, a decimal that a double cannot hold) depends on its type.
 */
export class Digits {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Whether numbers of these types may need more digits than a double holds: then they must be parsed with their source. */
export const isWide = (type: string): boolean =>
  /Int(?:64|128|256)|Decimal|Interval|Dynamic|Variant|JSON|Object/.test(type)

/** Whether a column of this type holds bytes of a fixed length: every cell is plain hex. */
export const isHexType = (type: string): boolean => bare(engineType(type)).name === 'FixedString'

/**
 * How cells of a type are read from the engine's JSON: decimals as text with all their digits; floats as numbers; integers
 * of 64 bits and more as numbers up to ±(2^53 − 1) and as text beyond; text as it is; bytes as hex (see `BYTES_MARK`);
 * arrays and the like as JSON text of the same forms.
 */
export function cellReader(type: string): (value: unknown) => Cell {
  if (isHexType(type)) return value => (typeof value === 'string' ? hexOf(value) : null)
  const read = readerOf(engineType(type))
  return value => {
    const inner = read(value)
    return typeof inner === 'object' && inner !== null ? JSON.stringify(inner) : inner
  }
}

type Inner = Cell | Inner[] | { [key: string]: Inner }
type Read = (value: unknown) => Inner

/** The type without what says how it is stored or that it may be null. */
function bare(type: EngineType): EngineType {
  const [first, last] = [type.args[0], type.args.at(-1)]
  if ((type.name === 'Nullable' || type.name === 'LowCardinality') && first !== undefined)
    return bare(engineType(first))
  return type.name === 'SimpleAggregateFunction' && last !== undefined ? bare(engineType(last)) : type
}

const FLOATS = new Set(['Float32', 'Float64', 'BFloat16'])
/** Nested arrays of floats. */
const SHAPES = new Set([
  'Point',
  'Ring',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'Geometry',
])

function readerOf(given: EngineType): Read {
  const type = bare(given)
  const { name, args } = type
  if (FLOATS.has(name) || SHAPES.has(name)) return floats
  if (name.startsWith('Decimal')) return decimal
  if (/^U?Int(?:64|128|256)$|^Interval/.test(name)) return whole
  switch (name) {
    case 'FixedString':
      return value => (typeof value === 'string' ? BYTES_MARK + hexOf(value) : null)
    case 'Array':
      return listOf(readerOf(engineType(args[0] ?? '')))
    case 'Map':
      return mapOf(readerOf(engineType(args[1] ?? '')))
    case 'Nested':
      return listOf(tupleOf(args))
    case 'Tuple':
      return tupleOf(args)
    default:
      return anything
  }
}

const listOf =
  (read: Read): Read =>
  value =>
    Array.isArray(value) ? value.map(read) : anything(value)

const mapOf =
  (read: Read): Read =>
  value =>
    isRecord(value) ? entriesOf(value, (_key, inner) => read(inner)) : anything(value)

/** The engine writes a tuple with names as an object, any other as an array. */
function tupleOf(args: readonly string[]): Read {
  const parts = args.map(argumentName)
  const reads = parts.map(({ type }) => readerOf(engineType(type)))
  const byName = new Map(parts.map(({ name }, i) => [name, reads[i]!]))
  return value => {
    if (Array.isArray(value)) return value.map((inner, i) => (reads[i] ?? anything)(inner))
    if (!isRecord(value)) return anything(value)
    return entriesOf(value, (key, inner) => (byName.get(key) ?? anything)(inner))
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Digits)

const entriesOf = (
  value: Record<string, unknown>,
  read: (key: string, inner: unknown) => Inner,
): { [key: string]: Inner } =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [stringOf(key), read(key, inner)]))

const floats: Read = value =>
  value instanceof Digits
    ? Number(value.source)
    : Array.isArray(value)
      ? value.map(floats)
      : typeof value === 'number'
        ? value
        : anything(value)

const decimal: Read = value =>
  value instanceof Digits ? value.source : typeof value === 'number' ? String(value) : anything(value)

const whole: Read = value =>
  value instanceof Digits ? value.source : typeof value === 'number' ? safe(value) : anything(value)

const safe = (value: number): Cell =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value

/** A value of a type that says nothing of its numbers: no digit is lost. */
function anything(value: unknown): Inner {
  if (typeof value === 'string') return stringOf(value)
  if (typeof value === 'number') return safe(value)
  if (value instanceof Digits)
    return /^-?\d+(\.\d+)?$/.test(value.source) ? value.source : Number(value.source)
  if (Array.isArray(value)) return value.map(anything)
  if (isRecord(value)) return entriesOf(value, (_key, inner) => anything(inner))
  return typeof value === 'boolean' ? value : null
}

function stringOf(value: string): string {
  if (!isText(value)) return BYTES_MARK + hexOf(value)
  return value.startsWith(BYTES_MARK) ? BYTES_MARK + hexOf(value) : textOf(value)
}

const hexOf = (value: string): string => bytesOf(value).toString('hex')
