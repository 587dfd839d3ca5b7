import { HASH160_BYTES } from '../constants.ts'
import { encodeAddress } from './c32.ts'

/** Text of the address with this version whose hash begins at `at`. */
export type AddressTexts = (version: number, bytes: Uint8Array, at: number) => string

const ENTRY_BYTES = 1 + HASH160_BYTES
const SLOTS = 1 << 14

/**
 * Opens the texts of one codec. The same few addresses come again and again, and a checksum is dear: each of 16,384 slots keeps
 * the address that fell into it last.
 */
export function createAddressTexts(): AddressTexts {
  const texts: (string | undefined)[] = new Array(SLOTS)
  const keys = new Uint8Array(SLOTS * ENTRY_BYTES)
  return (version, bytes, at) => {
    const slot = ((bytes[at]! | (bytes[at + 1]! << 8)) ^ (version << 4)) & (SLOTS - 1)
    const key = slot * ENTRY_BYTES
    const kept = texts[slot]
    if (kept !== undefined && keys[key] === version) {
      let i = 0
      while (i < HASH160_BYTES && keys[key + 1 + i] === bytes[at + i]) i++
      if (i === HASH160_BYTES) return kept
    }
    const hash160 = bytes.subarray(at, at + HASH160_BYTES)
    const text = encodeAddress(version, hash160)
    keys[key] = version
    keys.set(hash160, key + 1)
    texts[slot] = text
    return text
  }
}
