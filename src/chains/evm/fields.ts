import { DecodeError, inField } from './errors.ts'
import type { Hex } from './hex.ts'

/** One object of a JSON answer. Readers take what a field must hold and say which field does not. */
export type Fields = Readonly<Record<string, unknown>>

const PATTERNS = new Map<number, { lower: RegExp; any: RegExp }>()
const patternOf = (byteLength: number) => {
  let pattern = PATTERNS.get(byteLength)
  if (pattern === undefined) {
    const digits = byteLength < 0 ? '(?:%%)*' : `%{${byteLength * 2}}`
    pattern = {
      lower: new RegExp(`^0x${digits.replaceAll('%', '[0-9a-f]')}$`),
      any: new RegExp(`^0x${digits.replaceAll('%', '[0-9a-fA-F]')}$`),
    }
    PATTERNS.set(byteLength, pattern)
  }
  return pattern
}
/** Digits in whatever number: leading zeros are no fault, Rootstock writes them. 64 digits hold 2^256 − 1. */
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

export function asFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new DecodeError('type', `expected an object, got ${told(value)}`, {})
}

export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new DecodeError('type', `expected a list, got ${told(value)}`, {})
}

/** Each item of a list, its place named in errors. A field that is absent is an empty list where `isOptional`. */
export function listOf<T>(
  from: Fields,
  key: string,
  read: (item: unknown) => T,
  isOptional: boolean = false,
): T[] {
  const value = from[key]
  if (isOptional && (value === undefined || value === null)) return []
  if (!Array.isArray(value)) throw wrong(key, 'a list', value)
  const found = new Array<T>(value.length)
  for (let i = 0; i < value.length; i++) {
    try {
      found[i] = read(value[i])
    } catch (thrown) {
      throw thrown instanceof DecodeError ? thrown.within(String(i)).within(key) : thrown
    }
  }
  return found
}

export const isAbsent = (from: Fields, key: string): boolean => from[key] === undefined || from[key] === null

/** Exactly `byteLength` bytes, lower case. */
export function fixedHex(value: unknown, byteLength: number): Hex {
  const { lower, any } = patternOf(byteLength)
  if (typeof value === 'string') {
    if (lower.test(value)) return value as Hex
    if (any.test(value)) return value.toLowerCase() as Hex
  }
  throw new DecodeError(
    typeof value === 'string' ? 'hex' : 'type',
    `expected ${byteLength} bytes in hexadecimal, got ${told(value)}`,
    {},
  )
}

/** Whole bytes, any number, lower case. */
export function dataHex(value: unknown): Hex {
  const { lower, any } = patternOf(-1)
  if (typeof value === 'string') {
    if (lower.test(value)) return value as Hex
    if (any.test(value)) return value.toLowerCase() as Hex
  }
  throw new DecodeError(
    typeof value === 'string' ? 'hex' : 'type',
    `expected bytes in hexadecimal, got ${told(value)}`,
    {},
  )
}

export function quantity(value: unknown): bigint {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  throw new DecodeError(
    typeof value === 'string' ? 'hex' : 'type',
    `expected a number in hexadecimal, got ${told(value)}`,
    {},
  )
}

/** Gas and nonces: 64 bits on every chain. */
export function u64(value: unknown): bigint {
  const number = quantity(value)
  if (number >> 64n === 0n) return number
  throw new DecodeError('range', `expected a number below 2^64, got ${told(value)}`, {})
}

/** A number that JavaScript holds exactly: heights, times, indices. */
export function index(value: unknown): number {
  if (typeof value === 'string' && QUANTITY.test(value)) {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new DecodeError('range', `expected a number below 2^53, got ${value}`, {})
  }
  throw new DecodeError(
    typeof value === 'string' ? 'hex' : 'type',
    `expected a number in hexadecimal, got ${told(value)}`,
    {},
  )
}

/** The field's value read by `read`; a missing field is an error. */
export function need<T>(from: Fields, key: string, read: (value: unknown) => T): T {
  const value = from[key]
  if (value === undefined) throw new DecodeError('missing', 'the field is missing', { path: key })
  try {
    return read(value)
  } catch (thrown) {
    throw thrown instanceof DecodeError ? thrown.within(key) : thrown
  }
}

/** The field's value, null where the field is absent or null. */
export function maybe<T>(from: Fields, key: string, read: (value: unknown) => T): T | null {
  return isAbsent(from, key) ? null : inField(key, () => read(from[key]))
}

export const hash = (value: unknown): Hex => fixedHex(value, 32)
export const address = (value: unknown): Hex => fixedHex(value, 20)
/** An address that may be missing: some nodes write `0x` or an empty text in place of null. */
export const addressOrNone = (value: unknown): Hex | null =>
  value === '0x' || value === '' ? null : address(value)

const wrong = (key: string, wanted: string, value: unknown): DecodeError =>
  value === undefined
    ? new DecodeError('missing', 'the field is missing', { path: key })
    : new DecodeError('type', `expected ${wanted}, got ${told(value)}`, { path: key })

/** A value in an error: short, whatever it is. */
export function told(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string')
    return value.length > 80 ? `"${value.slice(0, 60)}…" (${value.length})` : `"${value}"`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
