import { CONSENSUS_HASH_BYTES, HASH_BYTES, SIGNATURE_BYTES } from '../constants.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import {
  type Reader,
  readBytes,
  readCount,
  readHex,
  readU8,
  readU16,
  readU32,
  readU64,
  refusal,
} from '../reader.ts'
import type { DecodedTransaction } from '../transaction/transaction.ts'
import { readTransactions } from './transactions.ts'

/** A block of epoch 3.0 on. Hashes are lower-case hex, byte fields views of the bytes given. */
export type NakamotoBlock = {
  readonly header: NakamotoHeader
  readonly transactions: readonly DecodedTransaction[]
}

export type NakamotoHeader = {
  /** Without the bit of a shadow block: 0, from epoch 4.0 on 1. */
  readonly version: number
  /** Made by the nodes themselves to repair the chain, not by a miner. */
  readonly isShadow: boolean
  /** Height: the number of blocks before this one. */
  readonly chainLength: bigint
  /** Satoshis that all miners up to the tenure have spent. */
  readonly burnSpent: bigint
  readonly consensusHash: string
  readonly parentBlockId: string
  readonly txMerkleRoot: string
  readonly stateIndexRoot: string
  /** Seconds. */
  readonly timeS: bigint
  /** 65 bytes. */
  readonly minerSignature: Uint8Array
  /** 65 bytes each. */
  readonly signerSignatures: readonly Uint8Array[]
  readonly poxTreatment: BitVector
  /** Transactions whose payload was not run; epoch 4.0 on. */
  readonly problematicTransactions: readonly ProblematicTransaction[]
  /** What the signers sign: SHA-512/256 of the header without their signatures. */
  readonly blockHash: string
  /** Index block hash: SHA-512/256 of block hash and consensus hash. Unique over all forks. */
  readonly blockId: string
}

/** Bit n is bit n mod 8 of byte n ÷ 8, lowest first. */
export type BitVector = { readonly length: number; readonly bytes: Uint8Array }
export type ProblematicTransaction = { readonly txIndex: number; readonly category: number }

const SHADOW_BIT = 0x80
const FIRST_VERSION_WITH_MARKERS = 1
const MOST_MARKERS = 11_650
const MARKER_BYTES = 5
/** Reward slots of a cycle. */
const MOST_POX_BITS = 4000

/** Source: SIP-021, SIP-044, stacks-core `stackslib/src/chainstate/nakamoto/mod.rs`, `NakamotoBlock`. */
export function readNakamotoBlock(r: Reader): NakamotoBlock {
  const header = readNakamotoHeader(r)
  return { header, transactions: readTransactions(r) }
}

function readNakamotoHeader(r: Reader): NakamotoHeader {
  const start = r.pos
  const versionByte = readU8(r, 'block version')
  const version = versionByte & ~SHADOW_BIT
  const chainLength = readU64(r, 'chain length')
  const burnSpent = readU64(r, 'burn spent')
  const consensusHash = readHex(r, CONSENSUS_HASH_BYTES, 'consensus hash')
  const parentBlockId = readHex(r, HASH_BYTES, 'parent block id')
  const txMerkleRoot = readHex(r, HASH_BYTES, 'transaction merkle root')
  const stateIndexRoot = readHex(r, HASH_BYTES, 'state index root')
  const timeS = readU64(r, 'block time')
  const minerSignature = readBytes(r, SIGNATURE_BYTES, 'miner signature')
  const signersAt = r.pos
  const signerSignatures = readSignatures(r)
  const poxAt = r.pos
  const poxTreatment = readBitVector(r)
  const problematicTransactions = version >= FIRST_VERSION_WITH_MARKERS ? readMarkers(r) : []
  const blockHash = sha512Trunc256Hex(
    Buffer.concat([r.bytes.subarray(start, signersAt), r.bytes.subarray(poxAt, r.pos)]),
  )
  return {
    version,
    isShadow: versionByte !== version,
    chainLength,
    burnSpent,
    consensusHash,
    parentBlockId,
    txMerkleRoot,
    stateIndexRoot,
    timeS,
    minerSignature,
    signerSignatures,
    poxTreatment,
    problematicTransactions,
    blockHash,
    blockId: blockIdOf(blockHash, consensusHash),
  }
}

/** Id of a block on its Bitcoin fork, of both kinds of block. Source: stacks-core `StacksBlockId::new`. */
export const blockIdOf = (blockHash: string, consensusHash: string): string =>
  sha512Trunc256Hex(Buffer.from(blockHash + consensusHash, 'hex'))

function readSignatures(r: Reader): Uint8Array[] {
  const count = readCount(r, SIGNATURE_BYTES, 'number of signer signatures')
  const signatures: Uint8Array[] = []
  for (let i = 0; i < count; i++) signatures.push(readBytes(r, SIGNATURE_BYTES, 'signer signature'))
  return signatures
}

/** Source: stacks-core `stacks-common/src/bitvec.rs`. */
function readBitVector(r: Reader): BitVector {
  const at = r.pos
  const length = readU16(r, 'number of PoX bits')
  if (length === 0 || length > MOST_POX_BITS) {
    throw refusal('count', `${length} PoX bits are none or too many`, 'number of PoX bits', at, {
      got: length,
      expected: `1 to ${MOST_POX_BITS}`,
    })
  }
  const bytesAt = r.pos
  const byteCount = readU32(r, 'bytes of the PoX bits')
  const expected = Math.ceil(length / 8)
  if (byteCount !== expected) {
    throw refusal(
      'count',
      `${length} PoX bits do not stand in ${byteCount} bytes`,
      'bytes of the PoX bits',
      bytesAt,
      {
        got: byteCount,
        expected,
      },
    )
  }
  return { length, bytes: readBytes(r, byteCount, 'PoX bits') }
}

function readMarkers(r: Reader): ProblematicTransaction[] {
  const at = r.pos
  const count = readCount(r, MARKER_BYTES, 'number of problematic transactions')
  if (count > MOST_MARKERS) {
    throw refusal(
      'count',
      `${count} problematic transactions are too many`,
      'number of problematic transactions',
      at,
      {
        got: count,
        expected: `at most ${MOST_MARKERS}`,
      },
    )
  }
  const markers: ProblematicTransaction[] = []
  for (let i = 0; i < count; i++) {
    markers.push({ txIndex: readU32(r, 'transaction index'), category: readU8(r, 'category') })
  }
  return markers
}
