import type { EvmTxKind } from '#kernel/evm.ts'
import { DecodeError } from './errors.ts'
import {
  address,
  addressOrNone,
  asFields,
  dataHex,
  type Fields,
  fixedHex,
  hash,
  index,
  isAbsent,
  listOf,
  maybe,
  need,
  quantity,
  u64,
} from './fields.ts'
import { type Hex, ZERO_ADDRESS } from './hex.ts'

export type AccessListEntry = { readonly address: Hex; readonly storageKeys: readonly Hex[] }

/** An account that lets the code at `address` act for it (EIP-7702); which account follows from the signature alone. */
export type Authorization = {
  readonly chainId: bigint
  readonly address: Hex
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** `v` is as the chain has it: 27 or 28, 35 + 2 × chain id + parity (EIP-155), or the parity alone. */
export type Signature = { readonly v: bigint; readonly r: bigint; readonly s: bigint }

/** What only an OP Stack deposit has. */
export type Deposit = {
  readonly sourceHash: Hex
  /** Wei made on the layer for it; 0 where none. */
  readonly mint: bigint
  readonly isSystem: boolean
}

/** The kind by the envelope alone. Whether it is signed is in `signature`. */
export type EnvelopeKind = Exclude<EvmTxKind, 'unsigned'>

/** What a transaction says, apart from where it stands. Amounts in wei. */
export type TransactionBody = {
  readonly kind: EnvelopeKind
  /** The type byte of EIP-2718; 0 for legacy. */
  readonly type: number
  readonly hash: Hex
  readonly from: Hex
  /** null makes a contract. */
  readonly to: Hex | null
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** As signed in types 0 and 1; in later types what the node says was paid. null where the type has none. */
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly maxFeePerBlobGas: bigint | null
  readonly value: bigint
  readonly input: Hex
  /** null where the signature holds on every chain (before EIP-155), or nothing was signed. */
  readonly chainId: bigint | null
  readonly accessList: readonly AccessListEntry[]
  readonly blobVersionedHashes: readonly Hex[]
  readonly authorizations: readonly Authorization[]
  /** null where nobody signed: deposits, REMASC, and system transactions of any type, whose v, r and s are zero or absent. */
  readonly signature: Signature | null
  readonly deposit: Deposit | null
  /** The node's JSON of a type that the codec does not know; null of all others. */
  readonly raw: string | null
}

export type EvmTransaction = TransactionBody & {
  readonly transactionIndex: number
  readonly blockNumber: number
  readonly blockHash: Hex
}

/** REMASC, Rootstock's payment of miners: the contract that the last transaction of each block calls. */
export const REMASC: Hex = '0x0000000000000000000000000000000001000008'

const KINDS = new Map<number, EnvelopeKind>([
  [0, 'legacy'],
  [1, 'access_list'],
  [2, 'dynamic_fee'],
  [3, 'blob'],
  [4, 'set_code'],
  [0x7e, 'deposit'],
])

/** A transaction as `eth_getBlockByNumber(…, true)` gives it. */
export function readTransaction(value: unknown): EvmTransaction {
  const from = asFields(value)
  return {
    ...readBody(from),
    transactionIndex: need(from, 'transactionIndex', index),
    blockNumber: need(from, 'blockNumber', index),
    blockHash: need(from, 'blockHash', hash),
  }
}

function readBody(from: Fields): TransactionBody {
  const type = maybe(from, 'type', index) ?? 0
  const known = KINDS.get(type)
  if (known === undefined) return unknownBody(from, type)
  const sender = need(from, 'from', address)
  const to = maybe(from, 'to', addressOrNone)
  const isRemasc = known === 'legacy' && sender === ZERO_ADDRESS && to === REMASC && isZeroOrAbsent(from, 's')
  const kind = isRemasc ? 'remasc' : known
  const isDeposit = kind === 'deposit'
  const signature = isDeposit || isRemasc || hasNoSignature(from) ? null : readSignature(from, kind)
  const isLegacy = kind === 'legacy' || isRemasc
  return {
    kind,
    type,
    hash: need(from, 'hash', hash),
    from: sender,
    to,
    nonce: isDeposit ? (maybe(from, 'nonce', u64) ?? 0n) : need(from, 'nonce', u64),
    gasLimit: need(from, 'gas', u64),
    gasPrice:
      isLegacy || kind === 'access_list'
        ? need(from, 'gasPrice', quantity)
        : maybe(from, 'gasPrice', quantity),
    maxFeePerGas:
      isLegacy || isDeposit || kind === 'access_list' ? null : need(from, 'maxFeePerGas', quantity),
    maxPriorityFeePerGas:
      isLegacy || isDeposit || kind === 'access_list' ? null : need(from, 'maxPriorityFeePerGas', quantity),
    maxFeePerBlobGas: kind === 'blob' ? need(from, 'maxFeePerBlobGas', quantity) : null,
    value: need(from, 'value', quantity),
    input: isAbsent(from, 'input') ? need(from, 'data', dataHex) : need(from, 'input', dataHex),
    chainId:
      isDeposit || isRemasc ? null : isLegacy ? signedChainId(signature) : need(from, 'chainId', quantity),
    accessList: isLegacy || isDeposit ? [] : listOf(from, 'accessList', readAccess, true),
    blobVersionedHashes: kind === 'blob' ? listOf(from, 'blobVersionedHashes', hash) : [],
    authorizations: kind === 'set_code' ? listOf(from, 'authorizationList', readAuthorization) : [],
    signature,
    deposit: isDeposit
      ? {
          sourceHash: need(from, 'sourceHash', hash),
          mint: maybe(from, 'mint', quantity) ?? 0n,
          isSystem: maybe(from, 'isSystemTx', value => value === true) ?? false,
        }
      : null,
    raw: null,
  }
}

/** A type that a fork brought after this codec: what all types have is read, the rest kept as the node gave it. */
function unknownBody(from: Fields, type: number): TransactionBody {
  return {
    kind: 'unknown',
    type,
    hash: need(from, 'hash', hash),
    from: maybe(from, 'from', address) ?? ZERO_ADDRESS,
    to: maybe(from, 'to', addressOrNone),
    nonce: maybe(from, 'nonce', u64) ?? 0n,
    gasLimit: maybe(from, 'gas', u64) ?? 0n,
    gasPrice: maybe(from, 'gasPrice', quantity),
    maxFeePerGas: maybe(from, 'maxFeePerGas', quantity),
    maxPriorityFeePerGas: maybe(from, 'maxPriorityFeePerGas', quantity),
    maxFeePerBlobGas: null,
    value: maybe(from, 'value', quantity) ?? 0n,
    input: maybe(from, 'input', dataHex) ?? '0x',
    chainId: maybe(from, 'chainId', quantity),
    accessList: [],
    blobVersionedHashes: [],
    authorizations: [],
    signature: null,
    deposit: null,
    raw: JSON.stringify(from),
  }
}

const isZeroOrAbsent = (from: Fields, key: string): boolean => {
  const value = from[key]
  return value === undefined || value === null || (typeof value === 'string' && /^0x0*$/.test(value))
}

/** Some chains put transactions of their own into blocks in an ordinary envelope. No key makes a signature of zeros. */
const hasNoSignature = (from: Fields): boolean =>
  ['r', 's', 'v', 'yParity'].every(key => isZeroOrAbsent(from, key))

/** Whether it has the envelope of a signed transaction and no signature. Deposits and REMASC are kinds of their own. */
export const isUnsigned = ({ kind, signature }: Pick<TransactionBody, 'kind' | 'signature'>): boolean =>
  signature === null && kind !== 'deposit' && kind !== 'remasc' && kind !== 'unknown'

/** Nodes give the parity as `v`, as `yParity`, or as both. */
function readSignature(from: Fields, kind: EnvelopeKind): Signature {
  const parity = kind === 'legacy' || isAbsent(from, 'yParity') ? 'v' : 'yParity'
  const v = need(from, parity, quantity)
  if (kind !== 'legacy' && v > 1n)
    throw new DecodeError('signature', `the parity of a signature is 0 or 1, not ${v}`, { path: parity })
  if (kind === 'legacy' && v !== 27n && v !== 28n && v < 35n)
    throw new DecodeError('signature', `no signature has the number ${v}`, { path: parity })
  return { v, r: need(from, 'r', quantity), s: need(from, 's', quantity) }
}

/** EIP-155: the chain id stands in `v`. */
export const signedChainId = (signature: Signature | null): bigint | null =>
  signature === null || signature.v < 35n ? null : (signature.v - 35n) / 2n

function readAccess(value: unknown): AccessListEntry {
  const from = asFields(value)
  return { address: need(from, 'address', address), storageKeys: listOf(from, 'storageKeys', storageKey) }
}

const storageKey = (value: unknown): Hex => fixedHex(value, 32)

function readAuthorization(value: unknown): Authorization {
  const from = asFields(value)
  return {
    chainId: need(from, 'chainId', quantity),
    address: need(from, 'address', address),
    nonce: need(from, 'nonce', u64),
    yParity: isAbsent(from, 'yParity') ? need(from, 'v', quantity) : need(from, 'yParity', quantity),
    r: need(from, 'r', quantity),
    s: need(from, 's', quantity),
  }
}
