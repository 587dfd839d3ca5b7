import type { EvmReceipt } from './receipt.ts'
import { type EvmTransaction, isUnsigned } from './transaction.ts'

/** What a transaction paid, in wei, by what it was for; null where its receipt does not say. */
export type EvmFee = {
  /** Gas used × price: to the chain's own miners or sequencer, and burnt. */
  readonly executionWei: bigint
  /** For data of blobs (EIP-4844). */
  readonly blobWei: bigint
  /** For putting it onto the parent chain (OP Stack); 0 where the chain has no such fee. */
  readonly l1Wei: bigint
  /** To the operator (OP Stack, since Isthmus). */
  readonly operatorWei: bigint
  readonly totalWei: bigint
}

/**
 * The fee of one transaction. The price is the receipt's, and before receipts stated one the signed one. Deposits,
 * REMASC and unsigned system transactions pay nothing. Sources: EIP-1559, EIP-4844; OP Stack specifications of fees,
 * Isthmus and Jovian.
 */
export function feeOf(tx: EvmTransaction, receipt: EvmReceipt): EvmFee | null {
  const isFree = tx.kind === 'deposit' || tx.kind === 'remasc' || isUnsigned(tx)
  const price = isFree ? 0n : (receipt.effectiveGasPrice ?? tx.gasPrice)
  if (price === null) return null
  const executionWei = receipt.gasUsed * price
  const blobWei = isFree ? 0n : (receipt.blobGasUsed ?? 0n) * (receipt.blobGasPrice ?? 0n)
  const l1Wei = isFree ? 0n : (receipt.l1?.feeWei ?? 0n)
  const operatorWei = isFree ? 0n : operatorFee(receipt)
  return { executionWei, blobWei, l1Wei, operatorWei, totalWei: executionWei + blobWei + l1Wei + operatorWei }
}

function operatorFee({ gasUsed, l1 }: EvmReceipt): bigint {
  if (l1 === null || l1.operatorFeeScalar === null) return 0n
  const constant = l1.operatorFeeConstant ?? 0n
  // Jovian took the divisor away and multiplies by 100; its receipts carry the footprint scalar.
  const variable =
    l1.daFootprintGasScalar === null
      ? (gasUsed * l1.operatorFeeScalar) / 1_000_000n
      : gasUsed * l1.operatorFeeScalar * 100n
  return variable + constant
}
