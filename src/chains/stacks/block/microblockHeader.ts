import { HASH_BYTES, SIGNATURE_BYTES } from '../constants.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import { type Reader, readBytes, readHex, readU8, readU16 } from '../reader.ts'

/** Header of a microblock (epochs 2.0 to 2.5). Hashes are lower-case hex. */
export type MicroblockHeader = {
  readonly version: number
  readonly sequence: number
  /** Hash of the block or microblock that it follows. */
  readonly previousBlock: string
  readonly txMerkleRoot: string
  /** 65 bytes. */
  readonly signature: Uint8Array
  /** SHA-512/256 of the header. */
  readonly hash: string
}

/** Source: SIP-005, stacks-core `StacksMicroblockHeader`. */
export function readMicroblockHeader(r: Reader): MicroblockHeader {
  const start = r.pos
  const version = readU8(r, 'microblock version')
  const sequence = readU16(r, 'microblock sequence')
  const previousBlock = readHex(r, HASH_BYTES, 'previous block')
  const txMerkleRoot = readHex(r, HASH_BYTES, 'transaction merkle root')
  const signature = readBytes(r, SIGNATURE_BYTES, 'microblock signature')
  const hash = sha512Trunc256Hex(r.bytes.subarray(start, r.pos))
  return { version, sequence, previousBlock, txMerkleRoot, signature, hash }
}
