import type { ClarityType } from '#kernel/clarityType.ts'
import type { ClarityValue } from './value.ts'

export { type ClarityType, ClarityTypeError, typeText } from '#kernel/clarityType.ts'

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
