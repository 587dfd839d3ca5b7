import { DecodeError, type DecodeFacts } from '../../errors.ts'

/** Why a message of a node is none that we can take in. */
export type MessageReason = 'json' | 'missing' | 'type' | 'hex' | 'range' | 'principal'

/** A message that does not fit its form. `code` is `decode.<reason>`, `facts.path` the field: `transactions.3.txid`. */
export class MessageError extends DecodeError<MessageReason> {
  readonly #reason: MessageReason
  readonly #message: string

  constructor(reason: MessageReason, message: string, facts: DecodeFacts = {}) {
    super(reason, message, facts)
    this.#reason = reason
    this.#message = message
  }

  /** The same error seen from a level above. */
  within(prefix: string): MessageError {
    const { path, ...rest } = this.facts
    return new MessageError(this.#reason, this.#message, {
      ...rest,
      path: path ? `${prefix}.${path}` : prefix,
    })
  }
}

/** One object of a message. */
export type Fields = Readonly<Record<string, unknown>>
/** Bytes in hexadecimal, `0x` before them, lower case. */
export type Hex = `0x${string}`

export function asFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new MessageError('type', `expected an object, got ${told(value)}`)
}

/** The field's value read by `read`; a missing field is an error. */
export function need<T>(from: Fields, key: string, read: (value: unknown) => T): T {
  const value = from[key]
  if (value === undefined) throw new MessageError('missing', 'the field is missing', { path: key })
  try {
    return read(value)
  } catch (thrown) {
    throw thrown instanceof MessageError ? thrown.within(key) : thrown
  }
}

/** The field's value; null where it is absent or null. */
export function maybe<T>(from: Fields, key: string, read: (value: unknown) => T): T | null {
  return from[key] === undefined || from[key] === null ? null : need(from, key, read)
}

/** Each item of a list, its place named in errors. */
export const listOf =
  <T>(read: (item: unknown) => T) =>
  (value: unknown): T[] => {
    if (!Array.isArray(value)) throw new MessageError('type', `expected a list, got ${told(value)}`)
    const items = new Array<T>(value.length)
    for (let i = 0; i < value.length; i++) {
      try {
        items[i] = read(value[i])
      } catch (thrown) {
        throw thrown instanceof MessageError ? thrown.within(String(i)) : thrown
      }
    }
    return items
  }

const HASH = /^0x[0-9a-f]{64}$/
const DIGITS = /^[0-9a-f]*$/
const MOST_64 = (1n << 64n) - 1n
const MOST_128 = (1n << 128n) - 1n
const DECIMAL = /^\d{1,39}$/
/** `SP….name`; its checksum is not recomputed: the name comes from a node. */
const PRINCIPAL = /^S[0-9A-HJKMNP-TV-Z]{27,41}(?:\.[a-zA-Z_][a-zA-Z0-9_-]{0,127})?$/
const ASSET = /^S[0-9A-HJKMNP-TV-Z]{27,41}\.[a-zA-Z_][a-zA-Z0-9_-]{0,127}::\S{1,128}$/

/** 32 bytes; nodes leave the `0x` out in some fields. */
export function hash(value: unknown): Hex {
  if (typeof value === 'string' && HASH.test(value)) return value as Hex
  return hexOfLength(value, 32)
}

/** A reader of exactly so many bytes in hexadecimal. */
export const hex = (byteLength: number) => (value: unknown) => hexOfLength(value, byteLength)

function hexOfLength(value: unknown, byteLength: number): Hex {
  const digits = digitsOf(value)
  if (digits.length === 2 * byteLength && DIGITS.test(digits)) return `0x${digits}`
  throw new MessageError('hex', `expected ${byteLength} bytes in hexadecimal, got ${told(value)}`)
}

/** Bytes of any number, from hexadecimal with or without `0x`. */
export function bytes(value: unknown): Buffer {
  if (typeof value !== 'string')
    throw new MessageError('type', `expected hexadecimal digits, got ${told(value)}`)
  const digits = value.startsWith('0x') ? value.slice(2) : value
  const decoded = Buffer.from(digits, 'hex')
  // `Buffer.from` stops silently at the first character that is no digit.
  if (decoded.length * 2 === digits.length) return decoded
  throw new MessageError('hex', `expected whole bytes in hexadecimal, got ${told(value)}`)
}

function digitsOf(value: unknown): string {
  if (typeof value !== 'string')
    throw new MessageError('type', `expected hexadecimal digits, got ${told(value)}`)
  const digits = value.startsWith('0x') ? value.slice(2) : value
  return DIGITS.test(digits) ? digits : digits.toLowerCase()
}

/** A whole number up to 2^53 − 1. */
export function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new MessageError('range', `expected a whole number below 2^53, got ${told(value)}`)
}

/** Heights, times, positions: 32 bits. */
export function u32(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value
  throw new MessageError('range', `expected a whole number below 2^32, got ${told(value)}`)
}

/** An amount: decimal text, or a number that JavaScript holds exactly; below 2^128. */
export function amount(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && DECIMAL.test(value)) {
    const read = BigInt(value)
    if (read <= MOST_128) return read
  }
  throw new MessageError('range', `expected an amount below 2^128, got ${told(value)}`)
}

/** An amount of 64 bits: what all micro-STX and satoshis fit in. */
export function amount64(value: unknown): bigint {
  const read = amount(value)
  if (read <= MOST_64) return read
  throw new MessageError('range', `expected an amount below 2^64, got ${told(value)}`)
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MessageError('type', `expected a text, got ${told(value)}`)
}

export function bool(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new MessageError('type', `expected true or false, got ${told(value)}`)
}

export function principal(value: unknown): string {
  if (typeof value === 'string' && PRINCIPAL.test(value)) return value
  throw new MessageError('principal', `expected a principal, got ${told(value)}`)
}

/** `address.contract::asset`. */
export function asset(value: unknown): string {
  if (typeof value === 'string' && ASSET.test(value)) return value
  throw new MessageError('principal', `expected an asset, got ${told(value)}`)
}

/** Fields that the form does not know, with their JSON: kept, so that nothing a newer node says is lost. */
export function unknownFields(from: Fields, known: ReadonlySet<string>): UnknownField[] {
  let found: UnknownField[] | undefined
  for (const name in from) {
    if (known.has(name) || from[name] === null) continue
    found ??= []
    found.push({ name, json: JSON.stringify(from[name]) })
  }
  return found ?? NONE
}

export type UnknownField = { readonly name: string; readonly json: string }
const NONE: UnknownField[] = []

/** A value in an error: short, whatever it is. */
function told(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string')
    return value.length > 80 ? `"${value.slice(0, 60)}…" (${value.length})` : `"${value}"`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
