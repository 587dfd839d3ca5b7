import { hash } from 'node:crypto'

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 text of bytes of any length; each leading zero byte is a leading `1`. */
export function base58Encode(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1
  const digits: number[] = []
  for (let i = zeros; i < bytes.length; i++) {
    let carry = bytes[i]!
    for (let d = 0; d < digits.length; d++) {
      carry += digits[d]! * 256
      digits[d] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58)
  }
  let text = '1'.repeat(zeros)
  for (let d = digits.length - 1; d >= 0; d--) text += BASE58_ALPHABET[digits[d]!]
  return text
}

/** Bytes of a base58 text, or undefined where a character is not of its alphabet. */
export function base58Decode(text: string): Uint8Array | undefined {
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros += 1
  const bytes: number[] = []
  for (let i = zeros; i < text.length; i++) {
    let carry = BASE58_ALPHABET.indexOf(text[i]!)
    if (carry < 0) return undefined
    for (let b = 0; b < bytes.length; b++) {
      carry += bytes[b]! * 58
      bytes[b] = carry & 0xff
      carry >>>= 8
    }
    for (; carry > 0; carry >>>= 8) bytes.push(carry & 0xff)
  }
  const whole = new Uint8Array(zeros + bytes.length)
  for (let b = 0; b < bytes.length; b++) whole[zeros + b] = bytes[bytes.length - 1 - b]!
  return whole
}

/** First four bytes of the double SHA-256: the checksum of base58check. */
export function base58Checksum(payload: Uint8Array): Uint8Array {
  return hash('sha256', hash('sha256', payload, 'buffer'), 'buffer').subarray(0, 4)
}

export function base58CheckEncode(version: number, hash160: Uint8Array): string {
  const bytes = new Uint8Array(25)
  bytes[0] = version
  bytes.set(hash160, 1)
  bytes.set(base58Checksum(bytes.subarray(0, 21)), 21)
  return base58Encode(bytes)
}
