import { bytesOf, type Hex, hexOf } from './hex.ts'
import { keccak } from './keccak.ts'
import type { EvmLog } from './logs.ts'

/** Bloom filters of logs, 256 bytes. Source: yellow paper, section 4.3.1. */
export type Blooms = {
  of(logs: readonly EvmLog[]): Hex
  /** Whether a filter may hold an address or a topic; false is certain. */
  mayHold(bloom: Hex, text: Hex): boolean
}

export const EMPTY_BLOOM: Hex = `0x${'00'.repeat(256)}`

type Bits = readonly [number, number, number]

/** Transfers of a token repeat their addresses and topics, so their bits are remembered. */
const MOST_KNOWN = 20_000

export function openBlooms(): Blooms {
  const known = new Map<string, Bits>()

  function bitsOf(text: Hex): Bits {
    const held = known.get(text)
    if (held !== undefined) return held
    const digest = keccak(bytesOf(text))
    const bit = (i: number): number => ((digest[i]! << 8) | digest[i + 1]!) & 2047
    const bits: Bits = [bit(0), bit(2), bit(4)]
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, bits)
    return bits
  }

  return {
    of(logs) {
      if (logs.length === 0) return EMPTY_BLOOM
      const bloom = new Uint8Array(256)
      for (const { address, topics } of logs)
        for (const text of [address, ...topics])
          for (const bit of bitsOf(text)) bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
      return hexOf(bloom)
    },
    mayHold(bloom, text) {
      const bytes = bytesOf(bloom)
      return bitsOf(text).every(bit => (bytes[255 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)
    },
  }
}
