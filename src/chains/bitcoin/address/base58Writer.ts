import { BASE58_ALPHABET } from './base58.ts'

/** Writes the base58 text of `bytes[at, at + 25)` into `out` at `pos`; returns where it ends. */
export type Base58Writer = (bytes: Uint8Array, at: number, out: Uint8Array, pos: number) => number

const BYTES = 25
const LIMB_BITS = 24n
const LIMBS = 9
/** Four base-58 digits: the largest power whose products with a limb add up exactly in a double. */
const BASE = 58 ** 4
const CHARACTERS = 36

/**
 * A writer for the 25 bytes of a base58check address. The number is cut into limbs of three bytes; the digits of each
 * limb's weight in base 58^4 are known beforehand, so that conversion is a few dozen products and one pass of carries.
 */
export function createBase58Writer(): Base58Writer {
  const weights = new Float64Array(LIMBS * LIMBS)
  for (let limb = 0; limb < LIMBS; limb++) {
    let weight = 1n << (LIMB_BITS * BigInt(LIMBS - 1 - limb))
    for (let digit = LIMBS - 1; digit >= 0; digit--) {
      weights[limb * LIMBS + digit] = Number(weight % BigInt(BASE))
      weight /= BigInt(BASE)
    }
  }
  const characters = Buffer.from(BASE58_ALPHABET, 'latin1')
  const sums = new Float64Array(LIMBS)
  const text = new Uint8Array(CHARACTERS)

  return (bytes, at, out, pos) => {
    sums.fill(0)
    for (let limb = 0; limb < LIMBS; limb++) {
      const from = at + 3 * limb - 2
      const value =
        limb === 0 ? bytes[at]! : (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      const row = limb * LIMBS
      for (let digit = limb; digit < LIMBS; digit++) sums[digit]! += value * weights[row + digit]!
    }
    let carry = 0
    for (let digit = LIMBS - 1; digit >= 0; digit--) {
      const sum = sums[digit]! + carry
      carry = Math.floor(sum / BASE)
      let four = sum - carry * BASE
      for (let i = 4 * digit + 3; i >= 4 * digit; i--) {
        const rest = (four / 58) | 0
        text[i] = characters[four - rest * 58]!
        four = rest
      }
    }
    let zeros = 0
    while (zeros < BYTES && bytes[at + zeros] === 0) zeros++
    let first = 0
    while (first < CHARACTERS && text[first] === 0x31) first++
    let end = pos
    // Leading digits of zero are written as ones, and each leading zero byte is a one.
    for (let i = first - zeros; i < CHARACTERS; i++) out[end++] = text[i]!
    return end
  }
}
