import { AUTH_TYPES, type AuthType, HASH_MODES, type HashMode } from '#kernel/stacks.ts'
import { signerVersion } from '../address/signer.ts'
import { HASH160_BYTES, PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../constants.ts'
import { type Reader, readBytes, readCount, readU8, readU16, refusal, take, unknownKind } from '../reader.ts'

/** Who authorised a transaction, and by which signatures. What a signature proves is not checked here. */
export type TransactionAuth = {
  readonly type: AuthType
  readonly origin: SpendingCondition
  /** Who pays the fee of a sponsored transaction. */
  readonly sponsor: SpendingCondition | null
}

export type SpendingCondition = SinglesigCondition | MultisigCondition

type Signer = {
  readonly hashMode: HashMode
  /** Address that the keys make. */
  readonly address: string
  readonly nonce: bigint
  /** µSTX; counts for who pays only. */
  readonly feeUstx: bigint
}

export type SinglesigCondition = Signer & {
  readonly isMultisig: false
  readonly isKeyCompressed: boolean
  /** 65 bytes: recovery id, r, s. */
  readonly signature: Uint8Array
}

export type MultisigCondition = Signer & {
  readonly isMultisig: true
  /** In the order of the keys. */
  readonly fields: readonly AuthField[]
  readonly signaturesRequired: number
}

export type AuthField = {
  readonly kind: 'public_key' | 'signature'
  /** Whether the key is hashed in its compressed form. */
  readonly isKeyCompressed: boolean
  /** A key of 33 bytes or a signature of 65. */
  readonly bytes: Uint8Array
}

const P2SH = 1
const P2WPKH = 2
const P2WSH = 3
const P2SH_NON_SEQUENTIAL = 5
const P2WSH_NON_SEQUENTIAL = 7
/** Id byte and key. */
const LEAST_FIELD_BYTES = 1 + PUBLIC_KEY_BYTES

/** Source: SIP-005, SIP-027, stacks-core `stacks-codec/src/transaction.rs`, `TransactionAuth`. */
export function readAuth(r: Reader, isMainnet: boolean): TransactionAuth {
  const at = r.pos
  const byte = readU8(r, 'authorization type')
  const type = AUTH_TYPES[byte as keyof typeof AUTH_TYPES]
  if (type === undefined) throw unknownKind('authorization type', byte, at, '4 or 5')
  const origin = readCondition(r, isMainnet)
  return { type, origin, sponsor: type === 'Sponsored' ? readCondition(r, isMainnet) : null }
}

function readCondition(r: Reader, isMainnet: boolean): SpendingCondition {
  const at = take(r, 1 + HASH160_BYTES + 16, 'spending condition')
  const mode = r.bytes[at]!
  const hashMode = HASH_MODES[mode as keyof typeof HASH_MODES]
  if (hashMode === undefined) throw unknownKind('hash mode', mode, at, '0, 1, 2, 3, 5 or 7')
  const address = r.addressText(signerVersion(hashMode, isMainnet), r.bytes, at + 1)
  const nonce = r.view.getBigUint64(at + 21)
  const feeUstx = r.view.getBigUint64(at + 29)
  if (mode === P2SH || mode === P2WSH || mode === P2SH_NON_SEQUENTIAL || mode === P2WSH_NON_SEQUENTIAL) {
    const { fields, signaturesRequired } = readFields(r, mode)
    return { isMultisig: true, hashMode, address, nonce, feeUstx, fields, signaturesRequired }
  }
  const isKeyCompressed = readKeyEncoding(r, mode)
  const signature = readBytes(r, SIGNATURE_BYTES, 'signature')
  return { isMultisig: false, hashMode, address, nonce, feeUstx, isKeyCompressed, signature }
}

function readKeyEncoding(r: Reader, mode: number): boolean {
  const at = r.pos
  const encoding = readU8(r, 'key encoding')
  if (encoding > 1) throw unknownKind('key encoding', encoding, at, '0 or 1')
  if (encoding === 1 && mode === P2WPKH) throw uncompressed(at)
  return encoding === 0
}

function readFields(r: Reader, mode: number): Pick<MultisigCondition, 'fields' | 'signaturesRequired'> {
  const count = readCount(r, LEAST_FIELD_BYTES, 'number of authorization fields')
  const isSegwit = mode === P2WSH || mode === P2WSH_NON_SEQUENTIAL
  const fields: AuthField[] = []
  let signatures = 0
  for (let i = 0; i < count; i++) {
    const at = r.pos
    const field = readField(r)
    if (isSegwit && !field.isKeyCompressed) throw uncompressed(at)
    if (field.kind === 'signature') signatures++
    fields.push(field)
  }
  const at = r.pos
  const signaturesRequired = readU16(r, 'number of signatures')
  const isSequential = mode === P2SH || mode === P2WSH
  if (isSequential ? signatures !== signaturesRequired : signatures < signaturesRequired) {
    throw refusal(
      'conflict',
      `The transaction has ${signatures} signatures and needs ${signaturesRequired}`,
      'number of signatures',
      at,
      { got: signatures, expected: signaturesRequired },
    )
  }
  return { fields, signaturesRequired }
}

function readField(r: Reader): AuthField {
  const at = r.pos
  const id = readU8(r, 'authorization field')
  const isKeyCompressed = (id & 1) === 0
  if (id <= 1) {
    const keyAt = r.pos
    const bytes = readBytes(r, PUBLIC_KEY_BYTES, 'public key')
    // On the wire a key is always in its compressed form.
    if (bytes[0] !== 2 && bytes[0] !== 3)
      throw unknownKind('first byte of a public key', bytes[0]!, keyAt, '2 or 3')
    return { kind: 'public_key', isKeyCompressed, bytes }
  }
  if (id <= 3)
    return { kind: 'signature', isKeyCompressed, bytes: readBytes(r, SIGNATURE_BYTES, 'signature') }
  throw unknownKind('authorization field', id, at, '0 to 3')
}

const uncompressed = (at: number) =>
  refusal('conflict', 'A segwit address can have compressed keys only', 'key encoding', at)

/** Whose fee and nonce count for the fee: the sponsor's where there is one. */
export const payerOf = ({ origin, sponsor }: TransactionAuth): SpendingCondition => sponsor ?? origin
