import { hexOf } from '../../hex.ts'
import type { ClarityValue } from './value.ts'

/**
 * Readable text of a value, as the public API writes it: a Clarity literal, but for principals of other networks, and strings
 * beyond ASCII, whose characters are written as their UTF-8 bytes (`\u{f09f909f}`). Source: stacks-core `impl Display for Value`;
 * lists and principals as in `hirosystems/stacks-encoding-native-js`.
 */
export function reprOf(value: ClarityValue): string {
  switch (value.type) {
    case 'int':
      return value.value.toString()
    case 'uint':
      return `u${value.value}`
    case 'bool':
      return value.value ? 'true' : 'false'
    case 'buffer':
      return `0x${hexOf(value.value)}`
    case 'string-ascii':
      return `"${escapedAscii(value.value)}"`
    case 'string-utf8':
      return `u"${escapedUtf8(value.value)}"`
    case 'principal':
      return `'${value.value}`
    case 'optional':
      return value.value === null ? 'none' : `(some ${reprOf(value.value)})`
    case 'response':
      return `(${value.isOk ? 'ok' : 'err'} ${reprOf(value.value)})`
    case 'list':
      return value.items.length === 0 ? '(list)' : `(list ${value.items.map(reprOf).join(' ')})`
    case 'tuple':
      return `(tuple ${value.fields.map(field => `(${field.name} ${reprOf(field.value)})`).join(' ')})`
  }
}

/**
 * Type of a value as the public API writes it: what the value itself shows, `UnknownType` where it shows nothing. A list has the
 * type of its first item, and the length of a string-utf8 is four bytes a character.
 */
export function typeOf(value: ClarityValue): string {
  switch (value.type) {
    case 'int':
    case 'uint':
    case 'bool':
    case 'principal':
      return value.type
    case 'buffer':
      return `(buff ${value.value.length})`
    case 'string-ascii':
      return `(string-ascii ${value.value.length})`
    case 'string-utf8':
      return `(string-utf8 ${4 * codePointCount(value.value)})`
    case 'optional':
      return `(optional ${value.value === null ? UNKNOWN : typeOf(value.value)})`
    case 'response':
      return value.isOk
        ? `(response ${typeOf(value.value)} ${UNKNOWN})`
        : `(response ${UNKNOWN} ${typeOf(value.value)})`
    case 'list':
      return `(list ${value.items.length} ${value.items[0] === undefined ? UNKNOWN : typeOf(value.items[0])})`
    case 'tuple':
      return `(tuple ${value.fields.map(field => `(${field.name} ${typeOf(field.value)})`).join(' ')})`
  }
}

const UNKNOWN = 'UnknownType'
const PLAIN = /^[\x20-\x7e]*$/
const QUOTED = /["'\\]/

/** As Rust's `ascii::escape_default`. */
function escapedAscii(text: string): string {
  if (PLAIN.test(text) && !QUOTED.test(text)) return text
  let escaped = ''
  for (const character of text) escaped += escapedCharacter(character)
  return escaped
}

function escapedUtf8(text: string): string {
  if (PLAIN.test(text) && !QUOTED.test(text)) return text
  let escaped = ''
  for (const character of text) {
    escaped +=
      character.charCodeAt(0) < 0x80
        ? escapedCharacter(character)
        : `\\u{${Buffer.from(character, 'utf8').toString('hex')}}`
  }
  return escaped
}

function escapedCharacter(character: string): string {
  switch (character) {
    case '\t':
      return '\\t'
    case '\n':
      return '\\n'
    case '\r':
      return '\\r'
    case '"':
    case "'":
    case '\\':
      return `\\${character}`
    default: {
      const code = character.charCodeAt(0)
      return code >= 0x20 && code <= 0x7e ? character : `\\x${code.toString(16).padStart(2, '0')}`
    }
  }
}

function codePointCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
