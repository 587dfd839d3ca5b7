import { HASH_BYTES, HASH160_BYTES, VRF_PROOF_BYTES } from '../constants.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import { type Reader, readBytes, readHex, readU8, readU16, readU64 } from '../reader.ts'
import type { DecodedTransaction } from '../transaction/transaction.ts'
import { type MicroblockHeader, readMicroblockHeader } from './microblockHeader.ts'
import { readTransactions } from './transactions.ts'

/** An anchored block of epochs 2.0 to 2.5. Hashes are lower-case hex, byte fields views of the bytes given. */
export type Epoch2Block = {
  readonly header: Epoch2Header
  readonly transactions: readonly DecodedTransaction[]
}

export type Epoch2Header = {
  readonly version: number
  /** Satoshis burned by the chain up to here. */
  readonly burn: bigint
  /** Height. */
  readonly work: bigint
  /** 80 bytes: gamma 32, c 16, s 32. Not verified here. */
  readonly vrfProof: Uint8Array
  readonly parentBlock: string
  /** Zeros where it follows no microblock. */
  readonly parentMicroblock: string
  readonly parentMicroblockSequence: number
  readonly txMerkleRoot: string
  readonly stateIndexRoot: string
  readonly microblockPublicKeyHash: string
  readonly blockHash: string
}

export type Microblock = {
  readonly header: MicroblockHeader
  readonly transactions: readonly DecodedTransaction[]
}

/** Hash of the boot block, which nobody mined. Source: stacks-core `FIRST_STACKS_BLOCK_HASH`. */
const BOOT_BLOCK_HASH = '00'.repeat(HASH_BYTES)

/** Source: SIP-005, stacks-core `stackslib/src/chainstate/stacks/block.rs`, `StacksBlock`. */
export function readEpoch2Block(r: Reader): Epoch2Block {
  const header = readEpoch2Header(r)
  return { header, transactions: readTransactions(r) }
}

function readEpoch2Header(r: Reader): Epoch2Header {
  const start = r.pos
  const fields = {
    version: readU8(r, 'block version'),
    burn: readU64(r, 'burn'),
    work: readU64(r, 'work'),
    vrfProof: readBytes(r, VRF_PROOF_BYTES, 'VRF proof'),
    parentBlock: readHex(r, HASH_BYTES, 'parent block'),
    parentMicroblock: readHex(r, HASH_BYTES, 'parent microblock'),
    parentMicroblockSequence: readU16(r, 'parent microblock sequence'),
    txMerkleRoot: readHex(r, HASH_BYTES, 'transaction merkle root'),
    stateIndexRoot: readHex(r, HASH_BYTES, 'state index root'),
    microblockPublicKeyHash: readHex(r, HASH160_BYTES, 'microblock public key hash'),
  }
  const blockHash = fields.work === 0n ? BOOT_BLOCK_HASH : sha512Trunc256Hex(r.bytes.subarray(start, r.pos))
  return { ...fields, blockHash }
}

/** Source: SIP-005, stacks-core `StacksMicroblock`. */
export function readMicroblock(r: Reader): Microblock {
  const header = readMicroblockHeader(r)
  return { header, transactions: readTransactions(r) }
}
