import { DecodeError } from './errors.ts'
import {
  address,
  addressOrNone,
  asFields,
  type Fields,
  hash,
  index,
  isAbsent,
  listOf,
  maybe,
  need,
  quantity,
  told,
  u64,
} from './fields.ts'
import { bloom } from './header.ts'
import type { Hex } from './hex.ts'
import { type EvmLog, readLog } from './logs.ts'

/** What a rollup charges for putting a transaction onto its parent chain; each field as the node gives it, in wei. */
export type L1Fee = {
  readonly feeWei: bigint | null
  readonly gasPriceWei: bigint | null
  readonly gasUsed: bigint | null
  /** A decimal text (`0.684`): before Ecotone. */
  readonly feeScalar: string | null
  readonly baseFeeScalar: bigint | null
  readonly blobBaseFeeWei: bigint | null
  readonly blobBaseFeeScalar: bigint | null
  /** Isthmus. */
  readonly operatorFeeScalar: bigint | null
  readonly operatorFeeConstant: bigint | null
  /** Jovian. */
  readonly daFootprintGasScalar: bigint | null
}

export type EvmReceipt = {
  readonly transactionHash: Hex
  readonly transactionIndex: number
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly type: number
  readonly from: Hex
  readonly to: Hex | null
  readonly contractAddress: Hex | null
  /** null before Byzantium, where `root` stands in its place. */
  readonly isSuccess: boolean | null
  readonly root: Hex | null
  readonly gasUsed: bigint
  readonly cumulativeGasUsed: bigint
  readonly effectiveGasPrice: bigint | null
  readonly logsBloom: Hex | null
  readonly logs: readonly EvmLog[]
  readonly blobGasUsed: bigint | null
  readonly blobGasPrice: bigint | null
  readonly l1: L1Fee | null
  /** OP Stack deposits: the sender's nonce, and since Canyon the version. */
  readonly depositNonce: bigint | null
  readonly depositReceiptVersion: bigint | null
}

/** A receipt as `eth_getBlockReceipts` or `eth_getTransactionReceipt` gives it. */
export function readReceipt(value: unknown): EvmReceipt {
  const from = asFields(value)
  return {
    transactionHash: need(from, 'transactionHash', hash),
    transactionIndex: need(from, 'transactionIndex', index),
    blockNumber: need(from, 'blockNumber', index),
    blockHash: need(from, 'blockHash', hash),
    type: maybe(from, 'type', index) ?? 0,
    from: need(from, 'from', address),
    to: maybe(from, 'to', addressOrNone),
    contractAddress: maybe(from, 'contractAddress', addressOrNone),
    isSuccess: isAbsent(from, 'status') ? null : need(from, 'status', flag),
    // Rootstock's older nodes give a status a second time here, as `0x` or `0x01`.
    root: isAbsent(from, 'root') || String(from.root).length < 66 ? null : need(from, 'root', hash),
    gasUsed: need(from, 'gasUsed', u64),
    cumulativeGasUsed: need(from, 'cumulativeGasUsed', u64),
    effectiveGasPrice: maybe(from, 'effectiveGasPrice', quantity),
    logsBloom: maybe(from, 'logsBloom', bloom),
    logs: listOf(from, 'logs', readLog),
    blobGasUsed: maybe(from, 'blobGasUsed', u64),
    blobGasPrice: maybe(from, 'blobGasPrice', quantity),
    l1: isAbsent(from, 'l1Fee') && isAbsent(from, 'l1GasUsed') ? null : readL1Fee(from),
    depositNonce: maybe(from, 'depositNonce', u64),
    depositReceiptVersion: maybe(from, 'depositReceiptVersion', quantity),
  }
}

function flag(value: unknown): boolean {
  const number = index(value)
  if (number > 1) throw new DecodeError('range', `expected 0x0 or 0x1, got ${told(value)}`, {})
  return number === 1
}

function readL1Fee(from: Fields): L1Fee {
  return {
    feeWei: maybe(from, 'l1Fee', quantity),
    gasPriceWei: maybe(from, 'l1GasPrice', quantity),
    gasUsed: maybe(from, 'l1GasUsed', u64),
    feeScalar: maybe(from, 'l1FeeScalar', decimal),
    baseFeeScalar: maybe(from, 'l1BaseFeeScalar', quantity),
    blobBaseFeeWei: maybe(from, 'l1BlobBaseFee', quantity),
    blobBaseFeeScalar: maybe(from, 'l1BlobBaseFeeScalar', quantity),
    operatorFeeScalar: maybe(from, 'operatorFeeScalar', quantity),
    operatorFeeConstant: maybe(from, 'operatorFeeConstant', quantity),
    daFootprintGasScalar: maybe(from, 'daFootprintGasScalar', quantity),
  }
}

/** A decimal number, also in the exponent form that nodes print small and large ones in: `1e-05` is `0.00001`. */
function decimal(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  const parts =
    typeof text === 'string' ? /^(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) : null
  if (parts === null) throw new DecodeError('type', `expected a decimal number, got ${told(value)}`, {})
  const [written, whole, fraction = '', exponent] = parts
  return exponent === undefined ? written : shifted(whole!, fraction, Number(exponent))
}

/** `whole.fraction` × 10^exponent, every digit written out. */
function shifted(whole: string, fraction: string, exponent: number): string {
  const digits = whole + fraction
  const point = whole.length + exponent
  const before = digits.slice(0, Math.max(0, point)).padEnd(Math.max(0, point), '0')
  const after = '0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point))
  const trimmed = after.replace(/0+$/, '')
  return `${before.replace(/^0+(?=\d)/, '') || '0'}${trimmed === '' ? '' : `.${trimmed}`}`
}
