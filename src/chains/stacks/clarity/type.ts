import { AssayError } from '#kernel/errors.ts'
import type { ClarityValue } from './value.ts'

/** A declared type of Clarity. Lengths are the most that fit: bytes, for `string-utf8` characters. */
export type ClarityType =
  | { readonly type: 'int' | 'uint' | 'bool' | 'principal' | 'trait' | 'unknown' }
  | { readonly type: 'buffer' | 'string-ascii' | 'string-utf8'; readonly most: number }
  | { readonly type: 'optional'; readonly inner: ClarityType }
  | { readonly type: 'response'; readonly ok: ClarityType; readonly err: ClarityType }
  | { readonly type: 'list'; readonly most: number; readonly item: ClarityType }
  | {
      readonly type: 'tuple'
      readonly fields: readonly { readonly name: string; readonly type: ClarityType }[]
    }

/** A type that cannot be read: of an interface, or of a shape in the catalogue. */
export class ClarityTypeError extends AssayError {
  constructor(message: string, got: string) {
    super('clarity.type', message, { facts: { got: got.slice(0, 200) } })
  }
}

/** Text of a type in Clarity's notation, tuples as `(tuple (name type) …)`. */
export function typeText(type: ClarityType): string {
  switch (type.type) {
    case 'buffer':
      return `(buff ${type.most})`
    case 'string-ascii':
    case 'string-utf8':
      return `(${type.type} ${type.most})`
    case 'optional':
      return `(optional ${typeText(type.inner)})`
    case 'response':
      return `(response ${typeText(type.ok)} ${typeText(type.err)})`
    case 'list':
      return `(list ${type.most} ${typeText(type.item)})`
    case 'tuple':
      return `(tuple ${type.fields.map(field => `(${field.name} ${typeText(field.type)})`).join(' ')})`
    case 'unknown':
      return '?'
    case 'trait':
      return 'trait_reference'
    default:
      return type.type
  }
}

/** Whether a value can be of the type. A trait takes a contract, `unknown` anything; a tuple must have exactly the fields. */
export function admits(type: ClarityType, value: ClarityValue): boolean {
  switch (type.type) {
    case 'unknown':
      return true
    case 'trait':
      return value.type === 'principal' && value.value.includes('.')
    case 'buffer':
      return value.type === 'buffer' && value.value.length <= type.most
    case 'string-ascii':
      return value.type === 'string-ascii' && value.value.length <= type.most
    case 'string-utf8':
      return value.type === 'string-utf8' && [...value.value].length <= type.most
    case 'optional':
      return value.type === 'optional' && (value.value === null || admits(type.inner, value.value))
    case 'response':
      return value.type === 'response' && admits(value.isOk ? type.ok : type.err, value.value)
    case 'list':
      return (
        value.type === 'list' &&
        value.items.length <= type.most &&
        value.items.every(item => admits(type.item, item))
      )
    case 'tuple':
      return (
        value.type === 'tuple' &&
        value.fields.length === type.fields.length &&
        type.fields.every(({ name, type: inner }) =>
          value.fields.some(field => field.name === name && admits(inner, field.value)),
        )
      )
    default:
      return value.type === type.type
  }
}
