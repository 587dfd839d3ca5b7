import { address, asFields, type Fields, hash, index, listOf, maybe, need, quantity } from './fields.ts'
import { readStandardHeader, type StandardHeader } from './header.ts'
import type { Hex } from './hex.ts'
import { type EvmReceipt, readReceipt } from './receipt.ts'
import { type RootstockHeader, readRootstockHeader } from './rootstock/header.ts'
import { type EvmTransaction, readTransaction } from './transaction.ts'

/** Ether of validators that leaves the staking (EIP-4895); amounts in gwei. */
export type Withdrawal = {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Hex
  readonly amountGwei: bigint
}

export type EvmHeader = StandardHeader | RootstockHeader

/** A block with its transactions, and its receipts where they were given. */
export type EvmBlock = {
  readonly header: EvmHeader
  readonly transactions: readonly EvmTransaction[]
  /** One a transaction, in its order; null where none were given. */
  readonly receipts: readonly EvmReceipt[] | null
  readonly uncles: readonly Hex[]
  readonly withdrawals: readonly Withdrawal[] | null
  /** As the node states it; null where it does not. */
  readonly sizeBytes: number | null
  /** Fields of the header that this codec does not know: a fork brought them. */
  readonly unknownFields: readonly string[]
}

/** Fields of a block's answer that are read by name, or that say nothing about its hash. */
const KNOWN: ReadonlySet<string> = new Set(
  [
    'hash number parentHash timestamp miner difficulty gasLimit gasUsed sha3Uncles stateRoot transactionsRoot',
    'receiptsRoot logsBloom extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas',
    'parentBeaconBlockRoot requestsHash transactions uncles withdrawals size totalDifficulty author sealFields',
    'paidFees minimumGasPrice bitcoinMergedMiningHeader bitcoinMergedMiningMerkleProof baseEvent rskPteEdges',
    'bitcoinMergedMiningCoinbaseTransaction hashForMergedMining cumulativeDifficulty',
  ].flatMap(names => names.split(' ')),
)

/** Reads the answers of `eth_getBlockByNumber(…, true)` and, where given, of `eth_getBlockReceipts`. */
export function readBlock(blockAnswer: unknown, receiptsAnswer: unknown, isRootstock: boolean): EvmBlock {
  const from = asFields(blockAnswer)
  return {
    header: isRootstock ? readRootstockHeader(from) : readStandardHeader(from),
    transactions: listOf(from, 'transactions', readTransaction),
    receipts: receiptsAnswer === undefined || receiptsAnswer === null ? null : readReceipts(receiptsAnswer),
    uncles: listOf(from, 'uncles', hash, true),
    withdrawals: from.withdrawals === undefined ? null : listOf(from, 'withdrawals', readWithdrawal, true),
    sizeBytes: maybe(from, 'size', index),
    unknownFields: unknownFieldsOf(from),
  }
}

const readReceipts = (answer: unknown): EvmReceipt[] => listOf({ receipts: answer }, 'receipts', readReceipt)

const unknownFieldsOf = (from: Fields): string[] => Object.keys(from).filter(key => !KNOWN.has(key))

function readWithdrawal(value: unknown): Withdrawal {
  const from = asFields(value)
  return {
    index: need(from, 'index', quantity),
    validatorIndex: need(from, 'validatorIndex', quantity),
    address: need(from, 'address', address),
    amountGwei: need(from, 'amount', quantity),
  }
}
