import type { Hex } from '../hex.ts'
import type { AbiValue } from './decode.ts'
import type { AbiType } from './types.ts'

/** Types whose value is one word of 32 bytes. */
export const isWord = ({ kind }: AbiType): boolean =>
  kind === 'uint' || kind === 'int' || kind === 'address' || kind === 'bool' || kind === 'fixedBytes'

const ZEROS = '0'.repeat(64)

/**
 * The value of one word that stands at `at` in hexadecimal digits, as `decodeAbi` reads it; undefined for one that it
 * refuses. Most events hold nothing but words: reading them where they stand saves making bytes of them first.
 */
export function readWord(type: AbiType, text: string, at: number): AbiValue | undefined {
  switch (type.kind) {
    case 'address':
      return leadingZeros(text, at, 24) ? (`0x${text.slice(at + 24, at + 64)}` as Hex) : undefined
    case 'uint':
      return leadingZeros(text, at, 64 - type.bits / 4) ? numberAt(text, at) : undefined
    case 'int': {
      const value = BigInt.asIntN(256, numberAt(text, at))
      return BigInt.asIntN(type.bits, value) === value ? value : undefined
    }
    case 'bool': {
      const last = text[at + 63]
      return leadingZeros(text, at, 63) && (last === '0' || last === '1') ? last === '1' : undefined
    }
    case 'fixedBytes':
      return `0x${text.slice(at, at + 2 * type.byteLength)}` as Hex
    default:
      return undefined
  }
}

const leadingZeros = (text: string, at: number, count: number): boolean =>
  count === 0 || text.startsWith(count === 64 ? ZEROS : ZEROS.slice(0, count), at)

/** Amounts are mostly short: fewer digits make a cheaper number. */
const numberAt = (text: string, at: number): bigint =>
  BigInt(`0x${leadingZeros(text, at, 40) ? text.slice(at + 40, at + 64) : text.slice(at, at + 64)}`)
