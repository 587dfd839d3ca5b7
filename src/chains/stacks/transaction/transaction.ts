import {
  ANCHOR_MODES,
  type AnchorMode,
  POST_CONDITION_MODES,
  type PostConditionMode,
  TRANSACTION_VERSIONS,
} from '#kernel/stacks.ts'
import { MOST_TRANSACTION_BYTES } from '../constants.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import { canonicalBytes, type Reader, readU8, readU32, refusal, unknownKind } from '../reader.ts'
import { readAuth, type TransactionAuth } from './auth.ts'
import { type Payload, readPayload } from './payload.ts'
import { type PostCondition, readPostConditions } from './postConditions.ts'

/** A decoded transaction. Byte fields are views of the bytes given: those must not change. */
export type DecodedTransaction = {
  /** Lower-case hex: SHA-512/256 of the serialized transaction. */
  readonly txid: string
  /** 0 on the main network, 128 on test networks. */
  readonly version: number
  readonly chainId: number
  readonly auth: TransactionAuth
  readonly anchorMode: AnchorMode
  readonly postConditionMode: PostConditionMode
  readonly postConditions: readonly PostCondition[]
  readonly payload: Payload
  readonly sizeBytes: number
}

const HIGHEST_BIT = 0x80

/**
 * Reads one transaction. What the node reads and writes otherwise (fields of a tuple out of order, idle bits of the version) has the
 * txid of what the node writes. Source: SIP-005, stacks-core `StacksTransaction::consensus_deserialize`.
 */
export function readTransaction(r: Reader): DecodedTransaction {
  const start = r.pos
  r.rewrites.length = 0
  const version = readVersion(r)
  const isMainnet = version === TRANSACTION_VERSIONS.mainnet
  const chainId = readU32(r, 'chain id')
  const auth = readAuth(r, isMainnet)
  const anchorAt = r.pos
  const anchorMode = readMode(r, ANCHOR_MODES, 'anchor mode')
  const postConditionMode = readMode(r, POST_CONDITION_MODES, 'post-condition mode')
  const postConditions = readPostConditions(r)
  const payload = readPayload(r)
  if (anchorMode !== 'onChainOnly' && isAnchoredKind(payload)) {
    throw refusal('conflict', `A ${payload.kind} must be anchored on chain only`, 'anchor mode', anchorAt, {
      got: anchorMode,
      expected: 'onChainOnly',
    })
  }
  const sizeBytes = r.pos - start
  if (sizeBytes > MOST_TRANSACTION_BYTES) {
    throw refusal('too_large', `A transaction of ${sizeBytes} bytes is too long`, 'transaction', start, {
      got: sizeBytes,
      expected: `at most ${MOST_TRANSACTION_BYTES}`,
    })
  }
  const txid = sha512Trunc256Hex(canonicalBytes(r, start, r.pos))
  return {
    txid,
    version,
    chainId,
    auth,
    anchorMode,
    postConditionMode,
    postConditions,
    payload,
    sizeBytes,
  }
}

/** Only the highest bit counts. */
function readVersion(r: Reader): number {
  const at = r.pos
  const byte = readU8(r, 'transaction version')
  const version = byte & HIGHEST_BIT
  if (version !== byte) r.rewrites.push({ at, end: r.pos, bytes: Uint8Array.of(version) })
  return version
}

function readMode<T extends string>(r: Reader, modes: Readonly<Record<number, T>>, what: string): T {
  const at = r.pos
  const byte = readU8(r, what)
  const mode = modes[byte]
  if (mode === undefined) throw unknownKind(what, byte, at, '1 to 3')
  return mode
}

/** Coinbases and proofs of forked microblocks must not be orphaned with a microblock. */
function isAnchoredKind({ kind }: Payload): boolean {
  return (
    kind === 'poison_microblock' ||
    kind === 'coinbase' ||
    kind === 'coinbase_to_alt_recipient' ||
    kind === 'nakamoto_coinbase'
  )
}
