import { assertNever } from '#kernel/errors.ts'
import type { Hex } from './hex.ts'
import { keccak, keccakHex } from './keccak.ts'
import type { RlpWriter } from './rlp/writer.ts'
import type { AccessListEntry, Authorization, Signature, TransactionBody } from './transaction.ts'

/**
 * The bytes whose keccak256 is the transaction's hash: a view into the writer, valid until it is used again. null where
 * the type is unknown. Sources: yellow paper; EIP-155, -2718, -2930, -1559, -4844, -7702; OP Stack deposits
 * specification; rskj Transaction.
 */
export function writeTransaction(tx: TransactionBody, writer: RlpWriter): Buffer | null {
  return write(tx, writer, true)
}

/** keccak256 of what the sender signed; null where nobody signs. */
export function signingHash(tx: TransactionBody, writer: RlpWriter): Buffer | null {
  if (tx.signature === null) return null
  const bytes = write(tx, writer, false)
  return bytes && keccak(bytes)
}

export function transactionHash(tx: TransactionBody, writer: RlpWriter): Hex | null {
  const bytes = writeTransaction(tx, writer)
  return bytes && keccakHex(bytes)
}

/** What stands in the place of a signature where nobody signed. */
const UNSIGNED: Signature = { v: 0n, r: 0n, s: 0n }

/** Deposits have none, and REMASC writes its own zeros. */
const hasSignatureFields = ({ kind }: TransactionBody): boolean => kind !== 'deposit' && kind !== 'remasc'

function write(tx: TransactionBody, writer: RlpWriter, withSignature: boolean): Buffer | null {
  writer.reset()
  const signature = withSignature && hasSignatureFields(tx) ? (tx.signature ?? UNSIGNED) : null
  if (signature !== null) {
    writer.quantity(signature.s)
    writer.quantity(signature.r)
    writer.quantity(signature.v)
  }
  switch (tx.kind) {
    case 'legacy':
      // What is signed names the chain in the signature's place (EIP-155).
      if (!withSignature && tx.chainId !== null) {
        writer.quantity(0)
        writer.quantity(0)
        writer.quantity(tx.chainId)
      }
      writeCall(tx, writer)
      writer.quantity(tx.gasLimit)
      writer.quantity(tx.gasPrice ?? 0n)
      writer.quantity(tx.nonce)
      break
    case 'remasc':
      writeRemasc(tx, writer)
      break
    case 'access_list':
      writeAccessList(tx.accessList, writer)
      writeCall(tx, writer)
      writer.quantity(tx.gasLimit)
      writer.quantity(tx.gasPrice ?? 0n)
      writer.quantity(tx.nonce)
      writer.quantity(tx.chainId ?? 0n)
      break
    case 'set_code':
      writeAuthorizations(tx.authorizations, writer)
      writeFeeMarket(tx, writer)
      break
    case 'blob':
      writeHashes(tx.blobVersionedHashes, writer)
      writer.quantity(tx.maxFeePerBlobGas ?? 0n)
      writeFeeMarket(tx, writer)
      break
    case 'dynamic_fee':
      writeFeeMarket(tx, writer)
      break
    case 'deposit':
      writer.hex(tx.input)
      writer.quantity(tx.deposit?.isSystem ? 1 : 0)
      writer.quantity(tx.gasLimit)
      writer.quantity(tx.value)
      writer.quantity(tx.deposit?.mint ?? 0n)
      writer.hex(tx.to ?? '0x')
      writer.hex(tx.from)
      writer.hex(tx.deposit?.sourceHash ?? '0x')
      break
    case 'unknown':
      return null
    default:
      assertNever(tx.kind)
  }
  writer.list(0)
  if (tx.type !== 0) writer.byte(tx.type)
  return writer.since(0)
}

function writeCall(tx: TransactionBody, writer: RlpWriter): void {
  writer.hex(tx.input)
  writer.quantity(tx.value)
  writer.hex(tx.to ?? '0x')
}

/** The fields of EIP-1559, which later types repeat. */
function writeFeeMarket(tx: TransactionBody, writer: RlpWriter): void {
  writeAccessList(tx.accessList, writer)
  writeCall(tx, writer)
  writer.quantity(tx.gasLimit)
  writer.quantity(tx.maxFeePerGas ?? 0n)
  writer.quantity(tx.maxPriorityFeePerGas ?? 0n)
  writer.quantity(tx.nonce)
  writer.quantity(tx.chainId ?? 0n)
}

function writeAccessList(list: readonly AccessListEntry[], writer: RlpWriter): void {
  const end = writer.mark
  for (let i = list.length - 1; i >= 0; i--) {
    const { address, storageKeys } = list[i]!
    const entryEnd = writer.mark
    writeHashes(storageKeys, writer)
    writer.hex(address)
    writer.list(entryEnd)
  }
  writer.list(end)
}

function writeHashes(hashes: readonly Hex[], writer: RlpWriter): void {
  const end = writer.mark
  for (let i = hashes.length - 1; i >= 0; i--) writer.hex(hashes[i]!)
  writer.list(end)
}

function writeAuthorizations(list: readonly Authorization[], writer: RlpWriter): void {
  const end = writer.mark
  for (let i = list.length - 1; i >= 0; i--) {
    const { chainId, address, nonce, yParity, r, s } = list[i]!
    const entryEnd = writer.mark
    writer.quantity(s)
    writer.quantity(r)
    writer.quantity(yParity)
    writer.quantity(nonce)
    writer.hex(address)
    writer.quantity(chainId)
    writer.list(entryEnd)
  }
  writer.list(end)
}

/** Nobody signs it; gas limit and price are one zero byte each, as rskj writes a zero that is not null. */
function writeRemasc(tx: TransactionBody, writer: RlpWriter): void {
  writer.hex('0x')
  writer.hex('0x')
  writer.hex('0x')
  writeCall(tx, writer)
  writeJavaQuantity(tx.gasLimit, writer)
  writeJavaQuantity(tx.gasPrice ?? 0n, writer)
  writer.quantity(tx.nonce)
}

function writeJavaQuantity(value: bigint, writer: RlpWriter): void {
  if (value === 0n) writer.raw(Buffer.of(0))
  else writer.quantity(value)
}

/** keccak256 of what an account signs to let code act for it: 0x05 ‖ rlp([chain id, address, nonce]) (EIP-7702). */
export function authorizationHash({ chainId, address, nonce }: Authorization, writer: RlpWriter): Buffer {
  writer.reset()
  writer.quantity(nonce)
  writer.hex(address)
  writer.quantity(chainId)
  writer.list(0)
  writer.byte(0x05)
  return keccak(writer.since(0))
}
