import type { EvmHeaderForm } from '#kernel/evm.ts'
import { createAddress } from './address.ts'
import type { EvmBlock } from './block.ts'
import type { Blooms } from './bloom.ts'
import { CheckError } from './errors.ts'
import type { Hex } from './hex.ts'
import type { EvmLog } from './logs.ts'
import type { EvmReceipt } from './receipt.ts'
import { writeReceipt, writeRootstockReceipt } from './receiptBytes.ts'
import type { RlpWriter } from './rlp/writer.ts'
import { rootMatches } from './roots.ts'
import type { EvmTransaction } from './transaction.ts'

/** What a codec recomputes with. */
export type CheckTools = { readonly writer: RlpWriter; readonly blooms: Blooms }

/**
 * Whether the receipts are those that the header commits to. Receipts that contradict the transactions, or each other,
 * are an error on every chain; a root that differs is one where the chain's rule is known.
 */
export function checkReceipts(
  block: EvmBlock,
  receipts: readonly EvmReceipt[],
  form: EvmHeaderForm,
  { writer, blooms }: CheckTools,
): boolean {
  const { header, transactions } = block
  if (receipts.length !== transactions.length)
    throw fault(block, 'receipt_count', `${transactions.length} transactions and ${receipts.length} receipts`)
  let gas = 0n
  const logs: EvmLog[] = []
  const isStrict = form !== 'stated'
  for (const [at, receipt] of receipts.entries()) {
    const tx = transactions[at]!
    checkPair(block, tx, receipt)
    // A missing status would be written as a failure is, and prove.
    if (isStrict && receipt.isSuccess === null && receipt.root === null)
      throw fault(block, 'receipt_status', `the receipt of ${tx.hash} says neither success nor failure`)
    if (isStrict && receipt.type !== tx.type)
      throw fault(
        block,
        'receipt_type',
        `${tx.hash} is of type ${tx.type}, its receipt of type ${receipt.type}`,
      )
    gas += receipt.gasUsed
    if (isStrict && receipt.cumulativeGasUsed !== gas)
      throw fault(
        block,
        'cumulative_gas',
        `receipt ${at} states ${receipt.cumulativeGasUsed} gas up to it, not ${gas}`,
      )
    if (isStrict && receipt.logsBloom !== null && blooms.of(receipt.logs) !== receipt.logsBloom)
      throw fault(block, 'logs_bloom', `the logs of receipt ${at} are not those of its bloom filter`)
    for (const log of receipt.logs) {
      checkLog(block, receipt, log)
      // Chains of other nodes leave out logs of transactions that failed, but never turn the order round.
      const isInOrder = isStrict ? log.logIndex === logs.length : log.logIndex > (logs.at(-1)?.logIndex ?? -1)
      if (!isInOrder) throw fault(block, 'log_index', `log ${log.logIndex} stands at place ${logs.length}`)
      logs.push(log)
    }
  }
  if (isStrict && gas !== header.gasUsed)
    throw fault(block, 'gas_used', `its receipts use ${gas} gas, its header says ${header.gasUsed}`)
  if (isStrict && blooms.of(logs) !== header.logsBloom)
    throw fault(block, 'logs_bloom', 'its logs are not those of its bloom filter')
  const write = header.form === 'rootstock' ? writeRootstockReceipt : writeReceipt
  const isRooted = rootMatches(
    block,
    receipts.map(receipt => Buffer.from(write(receipt, writer))),
    header.receiptsRoot,
  )
  if (!isRooted && isStrict && transactions.every(({ kind }) => kind !== 'unknown'))
    throw fault(block, 'receipts_root', 'its receipts are not those that its header commits to')
  return isRooted
}

function checkPair(block: EvmBlock, tx: EvmTransaction, receipt: EvmReceipt): void {
  const { header } = block
  if (
    receipt.transactionHash !== tx.hash ||
    receipt.transactionIndex !== tx.transactionIndex ||
    receipt.blockHash !== header.hash ||
    receipt.blockNumber !== header.number
  )
    throw fault(
      block,
      'receipt_place',
      `the receipt at place ${tx.transactionIndex} is of transaction ${receipt.transactionHash} in block ${receipt.blockNumber}`,
    )
  if (tx.kind !== 'unknown' && receipt.from !== tx.from)
    throw fault(block, 'receipt_from', `the receipt of ${tx.hash} names the sender ${receipt.from}`)
  const made = madeBy(tx, receipt.depositNonce)
  if (made !== null && receipt.contractAddress !== null && receipt.contractAddress !== made)
    throw fault(
      block,
      'contract_address',
      `${tx.hash} makes ${made}, its receipt says ${receipt.contractAddress}`,
    )
}

/** Where a transaction that makes a contract puts it; null for one that does not. */
const madeBy = (tx: EvmTransaction, depositNonce: bigint | null): Hex | null =>
  tx.to !== null || tx.kind === 'unknown'
    ? null
    : createAddress(tx.from, tx.kind === 'deposit' ? (depositNonce ?? tx.nonce) : tx.nonce)

function checkLog(block: EvmBlock, receipt: EvmReceipt, log: EvmLog): void {
  if (
    log.transactionHash !== receipt.transactionHash ||
    log.transactionIndex !== receipt.transactionIndex ||
    log.blockHash !== block.header.hash ||
    log.blockNumber !== block.header.number ||
    log.isRemoved
  )
    throw fault(
      block,
      'log_place',
      `a log of receipt ${receipt.transactionIndex} is of another transaction or block`,
    )
}

const fault = ({ header }: EvmBlock, rule: string, why: string): CheckError =>
  new CheckError(
    rule,
    `The receipts of block ${header.number} (${header.hash}) do not hold: ${why}.`,
    { number: header.number, hash: header.hash },
    'The block was not stored. Ask another node.',
  )
