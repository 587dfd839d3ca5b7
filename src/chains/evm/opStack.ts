import { DecodeError } from './errors.ts'
import { bytesOf, type Hex, hexOf } from './hex.ts'
import type { TransactionBody } from './transaction.ts'

/** The contract that the first transaction of each OP Stack block tells about the parent chain. */
export const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'

/** What a block of the OP Stack says of the block of its parent chain that it builds on. */
export type L1Attributes = {
  readonly number: number
  readonly timeS: number
  readonly hash: Hex
  /** Position among the layer's blocks of the same parent block. */
  readonly sequenceNumber: number
  readonly baseFeeWei: bigint
  /** null before Ecotone. */
  readonly blobBaseFeeWei: bigint | null
  readonly baseFeeScalar: bigint
  readonly blobBaseFeeScalar: bigint | null
  readonly operatorFeeScalar: bigint | null
  readonly operatorFeeConstant: bigint | null
  readonly daFootprintGasScalar: bigint | null
}

/** Bytes of the packed forms, by selector: setL1BlockValuesEcotone, …Isthmus, …Jovian. */
const PACKED = new Map([
  ['0x440a5e20', 164],
  ['0x098999be', 176],
  ['0x3db6be2b', 178],
])
const BEDROCK = '0x015d8eb9'

/**
 * The attributes that a transaction carries; null for any other transaction. Source: OP Stack specifications, "L1
 * attributes deposited transaction" with its forms of Bedrock, Ecotone, Isthmus and Jovian.
 * @throws DecodeError where the form is known and its bytes are too few.
 */
export function l1AttributesOf({ kind, to, input }: TransactionBody): L1Attributes | null {
  if (kind !== 'deposit' || to !== L1_BLOCK) return null
  const selector = input.slice(0, 10)
  const length = selector === BEDROCK ? 4 + 8 * 32 : PACKED.get(selector)
  if (length === undefined) return null
  const bytes = bytesOf(input)
  if (bytes.length < length)
    throw new DecodeError('short', `The L1 attributes take ${length} bytes, ${bytes.length} are there`, {
      path: 'input',
    })
  return selector === BEDROCK ? bedrock(bytes) : packed(bytes, length)
}

function bedrock(bytes: Buffer): L1Attributes {
  const word = (i: number): bigint => BigInt(hexOf(bytes.subarray(4 + 32 * i, 36 + 32 * i)))
  return {
    number: Number(word(0)),
    timeS: Number(word(1)),
    baseFeeWei: word(2),
    hash: hexOf(bytes.subarray(100, 132)),
    sequenceNumber: Number(word(4)),
    baseFeeScalar: word(7),
    blobBaseFeeWei: null,
    blobBaseFeeScalar: null,
    operatorFeeScalar: null,
    operatorFeeConstant: null,
    daFootprintGasScalar: null,
  }
}

function packed(bytes: Buffer, length: number): L1Attributes {
  return {
    baseFeeScalar: BigInt(bytes.readUInt32BE(4)),
    blobBaseFeeScalar: BigInt(bytes.readUInt32BE(8)),
    sequenceNumber: Number(bytes.readBigUInt64BE(12)),
    timeS: Number(bytes.readBigUInt64BE(20)),
    number: Number(bytes.readBigUInt64BE(28)),
    baseFeeWei: BigInt(hexOf(bytes.subarray(36, 68))),
    blobBaseFeeWei: BigInt(hexOf(bytes.subarray(68, 100))),
    hash: hexOf(bytes.subarray(100, 132)),
    operatorFeeScalar: length >= 176 ? BigInt(bytes.readUInt32BE(164)) : null,
    operatorFeeConstant: length >= 176 ? bytes.readBigUInt64BE(168) : null,
    daFootprintGasScalar: length >= 178 ? BigInt(bytes.readUInt16BE(176)) : null,
  }
}
