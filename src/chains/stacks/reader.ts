import type { AddressTexts } from './address/addressTexts.ts'
import { DecodeError, type DecodeReason } from './errors.ts'

/** Bytes that stand for others in the serialization that the node would write. */
export type Rewrite = { readonly at: number; readonly end: number; readonly bytes: Uint8Array }

/** A cursor over bytes. State only: the reading functions are free. All integers of Stacks are big-endian (SIP-005). */
export type Reader = {
  readonly bytes: Buffer
  readonly view: DataView
  pos: number
  /** Places that the node reads but writes otherwise, in the order of their ends; see `canonicalBytes`. */
  readonly rewrites: Rewrite[]
  readonly addressText: AddressTexts
}

export function openReader(given: Uint8Array, addressText: AddressTexts): Reader {
  const { buffer, byteOffset, length } = given
  return {
    bytes: Buffer.isBuffer(given) ? given : Buffer.from(buffer as ArrayBuffer, byteOffset, length),
    view: new DataView(buffer, byteOffset, length),
    pos: 0,
    rewrites: [],
    addressText,
  }
}

/** Reserves `byteCount` bytes and returns where they start. The only bounds check of the codec. */
export function take(r: Reader, byteCount: number, what: string): number {
  const at = r.pos
  if (byteCount > r.bytes.length - at) throw short(r, byteCount, what)
  r.pos = at + byteCount
  return at
}

export const readU8 = (r: Reader, what: string): number => r.bytes[take(r, 1, what)]!
export const readU16 = (r: Reader, what: string): number => r.view.getUint16(take(r, 2, what))
export const readU32 = (r: Reader, what: string): number => r.view.getUint32(take(r, 4, what))
export const readU64 = (r: Reader, what: string): bigint => r.view.getBigUint64(take(r, 8, what))

/** Hex of the next bytes, lower case. */
export function readHex(r: Reader, byteCount: number, what: string): string {
  const at = take(r, byteCount, what)
  return r.bytes.toString('hex', at, at + byteCount)
}

/** The next bytes, not copied: they change when the input changes. */
export function readBytes(r: Reader, byteCount: number, what: string): Uint8Array {
  const at = take(r, byteCount, what)
  return r.bytes.subarray(at, at + byteCount)
}

/**
 * A 32-bit count of items of at least `itemBytes` bytes each. A count that the remaining bytes cannot hold is refused before
 * anything is allocated for it.
 */
export function readCount(r: Reader, itemBytes: number, what: string): number {
  const at = r.pos
  const count = readU32(r, what)
  const left = r.bytes.length - r.pos
  if (count * itemBytes > left) {
    throw refusal('count', `A ${what} of ${count} cannot fit into the ${left} bytes left`, what, at, {
      got: count,
      expected: `at most ${Math.floor(left / itemBytes)}`,
    })
  }
  return count
}

/** Refuses bytes behind the end. */
export function demandEnd(r: Reader, what: string): void {
  const left = r.bytes.length - r.pos
  if (left === 0) return
  throw refusal('trailing', `${left} bytes follow the ${what}`, 'end', r.pos, { got: left, expected: 0 })
}

/** Error for what stands at `offset`. */
export function refusal(
  reason: DecodeReason,
  message: string,
  what: string,
  offset: number,
  more: { got?: string | number; expected?: string | number } = {},
): DecodeError {
  return new DecodeError(reason, message, { what, offset, ...more })
}

/** Error for a kind, mode or code that no rule of the chain knows. */
export function unknownKind(what: string, got: number, offset: number, expected: string): DecodeError {
  return refusal('unknown_kind', `The ${what} ${got} is unknown`, what, offset, { got, expected })
}

/**
 * The bytes from `start` to `end` as the node writes them after reading them: hashes are taken over these. The node hands out
 * nothing else, so there is hardly ever anything to rewrite.
 */
export function canonicalBytes({ bytes, rewrites }: Reader, start: number, end: number): Uint8Array {
  if (rewrites.length === 0) return bytes.subarray(start, end)
  const parts: Uint8Array[] = []
  let from = start
  for (const rewrite of rewrites) {
    if (rewrite.at < from || rewrite.end > end) continue
    parts.push(bytes.subarray(from, rewrite.at), rewrite.bytes)
    from = rewrite.end
  }
  parts.push(bytes.subarray(from, end))
  return Buffer.concat(parts)
}

function short(r: Reader, needed: number, what: string): DecodeError {
  const left = r.bytes.length - r.pos
  return refusal('short', `The bytes end inside the ${what}: ${needed} needed, ${left} left`, what, r.pos, {
    got: left,
    expected: needed,
  })
}
