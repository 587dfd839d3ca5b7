import { DecodeError } from './errors.ts'
import { type Hex, ZERO_ADDRESS } from './hex.ts'
import { keccakHex } from './keccak.ts'
import { type RlpItem, readRlp, rlpBytes, rlpList, rlpQuantity } from './rlp/reader.ts'
import type { RlpWriter } from './rlp/writer.ts'
import { recoverSender } from './sender.ts'
import {
  type AccessListEntry,
  type Authorization,
  REMASC,
  type Signature,
  signedChainId,
  type TransactionBody,
} from './transaction.ts'

type Draft = Omit<TransactionBody, 'hash' | 'from'> & { from?: Hex }

const NONE = {
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  maxFeePerBlobGas: null,
  chainId: null,
  accessList: [],
  blobVersionedHashes: [],
  authorizations: [],
  signature: null,
  deposit: null,
  raw: null,
} as const

/**
 * A signed transaction in its raw form (EIP-2718 envelope or legacy list), of blob transactions also the network form. The
 * sender is recovered from the signature. Throws `DecodeError` with the offset of what is wrong; a type that is not known is refused by name.
 */
export function decodeTransaction(bytes: Uint8Array, writer: RlpWriter): TransactionBody {
  const { draft, hashed } = readEnvelope(bytes)
  const body: TransactionBody = { ...draft, hash: keccakHex(hashed), from: draft.from ?? ZERO_ADDRESS }
  if (draft.from !== undefined) return body
  const from = recoverSender(body, writer)
  if (from === null) throw new DecodeError('signature', 'Nobody can have made this signature', { offset: 0 })
  return { ...body, from }
}

/** The transaction, and the bytes that its hash covers. */
type Envelope = { readonly draft: Draft; readonly hashed: Uint8Array }

function readEnvelope(bytes: Uint8Array): Envelope {
  const first = bytes[0]
  if (first === undefined) throw new DecodeError('short', 'There are no bytes', { offset: 0 })
  return first === 3 ? readBlobEnvelope(bytes) : { draft: readDraft(bytes, first), hashed: bytes }
}

function readDraft(bytes: Uint8Array, first: number): Draft {
  if (first >= 0xc0) return readLegacy(rlpList(readRlp(bytes), 'transaction', [9]))
  switch (first) {
    case 1:
      return readAccessListType(rlpList(readRlp(bytes, 1), 'transaction', [11]))
    case 2:
      return readFeeMarket(2, 'dynamic_fee', rlpList(readRlp(bytes, 1), 'transaction', [12]), 9)
    case 4:
      return readSetCode(rlpList(readRlp(bytes, 1), 'transaction', [13]))
    case 0x7e:
      return readDeposit(rlpList(readRlp(bytes, 1), 'transaction', [8]))
    default:
      throw new DecodeError(
        'type',
        `Type 0x${first.toString(16).padStart(2, '0')} of transactions is not known`,
        {
          offset: 0,
        },
      )
  }
}

/**
 * A blob transaction, alone or in its network form with the blobs: `[tx, blobs, commitments, proofs]` (EIP-4844) or
 * `[tx, 1, blobs, commitments, cell proofs]` (EIP-7594). Hash and signature cover 0x03 ‖ tx alone; the rest is not checked.
 */
function readBlobEnvelope(bytes: Uint8Array): Envelope {
  const items = rlpList(readRlp(bytes, 1), 'transaction', [14, 4, 5])
  if (items.length === 14) return { draft: readBlob(items), hashed: bytes }
  const [tx, second] = items
  const version = items.length === 5 ? rlpQuantity(second, 'version of the network form', 1) : 0n
  if (items.length === 5 && version !== 1n)
    throw new DecodeError('type', `Version ${version} of the network form of blobs is not known`, {
      offset: second!.offset,
    })
  for (const [at, what] of ['blobs', 'commitments', 'proofs'].entries())
    rlpList(items[items.length - 3 + at], `list of ${what}`)
  const draft = readBlob(rlpList(tx, 'transaction in the network form', [14]))
  return { draft, hashed: Buffer.concat([bytes.subarray(0, 1), bytes.subarray(tx!.offset, second!.offset)]) }
}

function readLegacy(items: readonly RlpItem[]): Draft {
  const to = recipient(items[3])
  const common = {
    kind: 'legacy',
    type: 0,
    ...NONE,
    to,
    value: rlpQuantity(items[4], 'value'),
    input: rlpBytes(items[5], 'input'),
  } as const
  const nonce = rlpQuantity(items[0], 'nonce', 8)
  const isUnsigned = [6, 7, 8].every(i => items[i]?.bytes?.length === 0)
  if (isUnsigned && to === REMASC && isOneZero(items[1]) && isOneZero(items[2]))
    return { ...common, kind: 'remasc', nonce, gasPrice: 0n, gasLimit: 0n, from: ZERO_ADDRESS }
  const signature = readSignature(items, 6)
  demandSigned(signature, items[6]!.offset)
  if (signature.v !== 27n && signature.v !== 28n && signature.v < 35n)
    throw new DecodeError('signature', `No signature has the number ${signature.v}`, {
      offset: items[6]!.offset,
    })
  return {
    ...common,
    nonce,
    gasPrice: rlpQuantity(items[1], 'gas price'),
    gasLimit: rlpQuantity(items[2], 'gas limit', 8),
    chainId: signedChainId(signature),
    signature,
  }
}

const isOneZero = (item: RlpItem | undefined): boolean => item?.bytes?.length === 1 && item.bytes[0] === 0

function readAccessListType(items: readonly RlpItem[]): Draft {
  return {
    kind: 'access_list',
    type: 1,
    ...NONE,
    chainId: rlpQuantity(items[0], 'chain id'),
    nonce: rlpQuantity(items[1], 'nonce', 8),
    gasPrice: rlpQuantity(items[2], 'gas price'),
    gasLimit: rlpQuantity(items[3], 'gas limit', 8),
    to: recipient(items[4]),
    value: rlpQuantity(items[5], 'value'),
    input: rlpBytes(items[6], 'input'),
    accessList: accessList(items[7]),
    signature: readParitySignature(items, 8),
  }
}

function readFeeMarket<Kind extends 'dynamic_fee' | 'blob' | 'set_code'>(
  type: number,
  kind: Kind,
  items: readonly RlpItem[],
  signatureAt: number,
): Draft {
  return {
    kind,
    type,
    ...NONE,
    chainId: rlpQuantity(items[0], 'chain id'),
    nonce: rlpQuantity(items[1], 'nonce', 8),
    maxPriorityFeePerGas: rlpQuantity(items[2], 'priority fee'),
    maxFeePerGas: rlpQuantity(items[3], 'fee cap'),
    gasLimit: rlpQuantity(items[4], 'gas limit', 8),
    to: recipient(items[5]),
    value: rlpQuantity(items[6], 'value'),
    input: rlpBytes(items[7], 'input'),
    accessList: accessList(items[8]),
    signature: readParitySignature(items, signatureAt),
  }
}

function readBlob(items: readonly RlpItem[]): Draft {
  return {
    ...readFeeMarket(3, 'blob', items, 11),
    maxFeePerBlobGas: rlpQuantity(items[9], 'blob fee cap'),
    blobVersionedHashes: rlpList(items[10], 'blob hashes').map(item => rlpBytes(item, 'blob hash', [32])),
  }
}

function readSetCode(items: readonly RlpItem[]): Draft {
  return {
    ...readFeeMarket(4, 'set_code', items, 10),
    authorizations: rlpList(items[9], 'authorizations').map(readAuthorization),
  }
}

function readDeposit(items: readonly RlpItem[]): Draft {
  const isSystem = rlpQuantity(items[6], 'system flag', 1)
  if (isSystem > 1n)
    throw new DecodeError('range', 'The system flag is neither 0 nor 1', { offset: items[6]!.offset })
  return {
    kind: 'deposit',
    type: 0x7e,
    ...NONE,
    from: rlpBytes(items[1], 'sender', [20]),
    to: recipient(items[2]),
    // The nonce of a deposit stands in its receipt.
    nonce: 0n,
    gasPrice: 0n,
    gasLimit: rlpQuantity(items[5], 'gas limit', 8),
    value: rlpQuantity(items[4], 'value'),
    input: rlpBytes(items[7], 'input'),
    deposit: {
      sourceHash: rlpBytes(items[0], 'source hash', [32]),
      mint: rlpQuantity(items[3], 'mint'),
      isSystem: isSystem === 1n,
    },
  }
}

function recipient(item: RlpItem | undefined): Hex | null {
  const to = rlpBytes(item, 'recipient', [0, 20])
  return to === '0x' ? null : to
}

const accessList = (item: RlpItem | undefined): AccessListEntry[] =>
  rlpList(item, 'access list').map(entry => {
    const [account, keys] = rlpList(entry, 'access list entry', [2])
    return {
      address: rlpBytes(account, 'address', [20]),
      storageKeys: rlpList(keys, 'storage keys').map(key => rlpBytes(key, 'storage key', [32])),
    }
  })

function readAuthorization(item: RlpItem): Authorization {
  const fields = rlpList(item, 'authorization', [6])
  return {
    chainId: rlpQuantity(fields[0], 'chain id'),
    address: rlpBytes(fields[1], 'address', [20]),
    nonce: rlpQuantity(fields[2], 'nonce', 8),
    yParity: rlpQuantity(fields[3], 'parity', 1),
    r: rlpQuantity(fields[4], 'r'),
    s: rlpQuantity(fields[5], 's'),
  }
}

const readSignature = (items: readonly RlpItem[], at: number) => ({
  v: rlpQuantity(items[at], 'v'),
  r: rlpQuantity(items[at + 1], 'r'),
  s: rlpQuantity(items[at + 2], 's'),
})

/** A chain's own transaction has zeros in the place of a signature: a node states its sender, its bytes do not. */
function demandSigned({ v, r, s }: Signature, offset: number): void {
  if (v === 0n && r === 0n && s === 0n)
    throw new DecodeError(
      'signature',
      'Nobody signed this transaction, so its bytes do not say who sent it',
      {
        offset,
      },
    )
}

function readParitySignature(items: readonly RlpItem[], at: number) {
  const signature = readSignature(items, at)
  demandSigned(signature, items[at]!.offset)
  if (signature.v > 1n)
    throw new DecodeError('signature', 'The parity of a signature is neither 0 nor 1', {
      offset: items[at]!.offset,
    })
  return signature
}
