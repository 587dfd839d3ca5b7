import { BECH32_ALPHABET, checksumConstant, hrpState, polymodStep } from './bech32.ts'

/** Writes the segwit address of the program `bytes[at, at + length)` into `out` at `pos`; returns where it ends. */
export type SegwitWriter = (
  version: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  out: Uint8Array,
  pos: number,
) => number

/** A writer for one prefix: the checksum state after the prefix and the steps of all top bits are known beforehand. */
export function createSegwitWriter(hrp: string): SegwitWriter {
  const prefix = Buffer.from(`${hrp}1`, 'latin1')
  const begin = hrpState(hrp)
  const characters = Buffer.from(BECH32_ALPHABET, 'latin1')
  const steps = Int32Array.from({ length: 32 }, (_, top) => polymodStep(top << 25, 0))

  return (version, bytes, at, length, out, pos) => {
    let end = pos
    for (let i = 0; i < prefix.length; i++) out[end++] = prefix[i]!
    let state = ((begin & 0x1ffffff) << 5) ^ version ^ steps[begin >>> 25]!
    out[end++] = characters[version]!
    let buffer = 0
    let bits = 0
    for (let i = at; i < at + length; i++) {
      buffer = ((buffer << 8) | bytes[i]!) & 0xfff
      bits += 8
      while (bits >= 5) {
        bits -= 5
        const value = (buffer >>> bits) & 31
        state = ((state & 0x1ffffff) << 5) ^ value ^ steps[state >>> 25]!
        out[end++] = characters[value]!
      }
    }
    if (bits > 0) {
      const value = (buffer << (5 - bits)) & 31
      state = ((state & 0x1ffffff) << 5) ^ value ^ steps[state >>> 25]!
      out[end++] = characters[value]!
    }
    for (let i = 0; i < 6; i++) state = ((state & 0x1ffffff) << 5) ^ steps[state >>> 25]!
    state ^= checksumConstant(version)
    for (let i = 5; i >= 0; i--) out[end++] = characters[(state >>> (5 * i)) & 31]!
    return end
  }
}
