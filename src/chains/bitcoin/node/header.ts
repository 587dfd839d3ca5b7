import { hash } from 'node:crypto'

/** What ordering blocks takes of a header of 80 bytes. */
export type Header = {
  /** Hex, display order. */
  readonly hash: string
  readonly prevHash: string
  readonly timeS: number
  readonly bits: number
}

export const HEADER_BYTES = 80

/** Reads the first 80 bytes of a block. */
export function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  return {
    hash: headerHash(bytes.subarray(0, HEADER_BYTES)),
    prevHash: displayHex(bytes.subarray(4, 36)),
    timeS: view.getUint32(68, true),
    bits: view.getUint32(72, true),
  }
}

/** Double SHA-256 of a header, hex in display order. */
export const headerHash = (header: Uint8Array): string =>
  Buffer.from(hash('sha256', hash('sha256', header, 'buffer'), 'buffer'))
    .reverse()
    .toString('hex')

const displayHex = (wire: Uint8Array): string => Buffer.from(wire).reverse().toString('hex')

/** Expected hashes to find a block of this target: 2^256 / (target + 1), as Bitcoin Core's GetBlockProof; 0 for a target that is none. */
export function workOfBits(bits: number): bigint {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x7fffff)
  if (mantissa === 0n || (bits & 0x800000) !== 0 || exponent > 34) return 0n
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  return target === 0n ? 0n : (1n << 256n) / (target + 1n)
}
