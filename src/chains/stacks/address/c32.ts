import { HASH160_BYTES } from '../constants.ts'
import { AddressError } from '../errors.ts'
import { sha256 } from '../hash.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHECKSUM_BYTES = 4
const DATA_BYTES = HASH160_BYTES + CHECKSUM_BYTES
/** Characters that 24 bytes fill. */
const MOST_CHARACTERS = Math.ceil((DATA_BYTES * 8) / 5)
const SHORTEST = 6

/** Value of each character by its code, −1 for none; lower case and the look-alikes O, I and L count, as in Crockford's base 32. */
const VALUES = new Int8Array(128).fill(-1)
for (const [value, character] of [...ALPHABET].entries()) {
  VALUES[character.charCodeAt(0)] = value
  VALUES[character.toLowerCase().charCodeAt(0)] = value
}
for (const [alike, digit] of [
  ['O', 0],
  ['I', 1],
  ['L', 1],
] as const) {
  VALUES[alike.charCodeAt(0)] = digit
  VALUES[alike.toLowerCase().charCodeAt(0)] = digit
}

export type AddressParts = {
  /** 22, 20, 26 or 21 for people; any below 32 on chain. */
  readonly version: number
  /** 20 bytes. */
  readonly hash160: Uint8Array
}

/**
 * Text of an address. `version` must be below 32: the readers refuse others. Source: SIP-002, stacks-core
 * `stacks-common/src/address/c32.rs`.
 */
export function encodeAddress(version: number, hash160: Uint8Array): string {
  const data = new Uint8Array(DATA_BYTES)
  data.set(hash160)
  data.set(checksum(version, hash160).subarray(0, CHECKSUM_BYTES), HASH160_BYTES)
  return `S${ALPHABET[version]}${c32(data)}`
}

/** Version and hash of an address; throws `AddressError` for text that is none. */
export function decodeAddress(text: string): AddressParts {
  const parts = partsOf(text)
  if (typeof parts === 'string') {
    throw new AddressError(parts, `"${text.slice(0, 64)}" is no Stacks address: ${FAULTS[parts]}.`, { text })
  }
  return parts
}

/** Whether the text is an address with a right checksum. */
export const isAddress = (text: string): boolean => typeof partsOf(text) !== 'string'

const FAULTS = {
  prefix: 'it does not begin with S',
  length: 'its length is wrong',
  characters: 'it has a character outside the base-32 alphabet',
  checksum: 'its checksum is wrong',
} as const

function partsOf(text: string): AddressParts | keyof typeof FAULTS {
  if (!text.startsWith('S')) return 'prefix'
  if (text.length < SHORTEST || text.length > 2 + MOST_CHARACTERS) return 'length'
  const version = VALUES[text.charCodeAt(1)] ?? -1
  if (version < 0) return 'characters'
  const data = bytesOf(text, 2)
  if (typeof data === 'string') return data
  const hash160 = data.subarray(0, HASH160_BYTES)
  const sum = checksum(version, hash160)
  for (let i = 0; i < CHECKSUM_BYTES; i++) if (sum[i] !== data[HASH160_BYTES + i]) return 'checksum'
  return { version, hash160 }
}

function checksum(version: number, hash160: Uint8Array): Uint8Array {
  const message = new Uint8Array(1 + HASH160_BYTES)
  message[0] = version
  message.set(hash160, 1)
  return sha256(sha256(message))
}

/** Base 32 without leading zero digits, but one zero digit for each leading zero byte. */
function c32(data: Uint8Array): string {
  let text = ''
  let bits = 0
  let buffer = 0
  for (let i = data.length - 1; i >= 0; i--) {
    buffer |= data[i]! << bits
    bits += 8
    while (bits >= 5) {
      text = ALPHABET[buffer & 31]! + text
      buffer >>>= 5
      bits -= 5
    }
  }
  if (bits > 0) text = ALPHABET[buffer]! + text
  let zeros = 0
  while (zeros < data.length && data[zeros] === 0) zeros++
  let first = 0
  while (first < text.length && text[first] === '0') first++
  return '0'.repeat(zeros) + text.slice(first)
}

/** The 24 bytes that stand from `start` on, or why they are not. Each leading zero digit is a zero byte. */
function bytesOf(text: string, start: number): Uint8Array | 'characters' | 'length' {
  const data = new Uint8Array(DATA_BYTES)
  let at = DATA_BYTES
  let bits = 0
  let buffer = 0
  let zeros = 0
  let isLeading = true
  for (let i = start; i < text.length; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1
    if (value < 0) return 'characters'
    if (isLeading && value === 0) zeros++
    else isLeading = false
  }
  for (let i = text.length - 1; i >= start + zeros; i--) {
    buffer |= VALUES[text.charCodeAt(i)]! << bits
    bits += 5
    if (bits < 8) continue
    if (at === 0) return 'length'
    data[--at] = buffer & 0xff
    buffer >>>= 8
    bits -= 8
  }
  if (buffer !== 0) {
    if (at === 0) return 'length'
    data[--at] = buffer
  }
  let first = 0
  while (first < DATA_BYTES && data[first] === 0) first++
  return first === zeros ? data : 'length'
}
