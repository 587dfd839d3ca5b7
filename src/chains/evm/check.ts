import type { EvmHeaderForm } from '#kernel/evm.ts'
import type { EvmBlock } from './block.ts'
import { type CheckTools, checkReceipts } from './checkReceipts.ts'
import { CheckError } from './errors.ts'
import { standardHeaderHash } from './header.ts'
import { keccakHex } from './keccak.ts'
import { rootMatches } from './roots.ts'
import { type RootstockForm, rootstockFormOf } from './rootstock/header.ts'
import { recoverSender } from './sender.ts'
import { writeTransaction } from './serialize.ts'
import { type EvmTransaction, isUnsigned } from './transaction.ts'

/**
 * What of a block was recomputed and found right. What is false could not be recomputed from the answers; a recomputed
 * value that differs is a `CheckError` wherever the chain's rule for it is known.
 */
export type Proofs = {
  /** The block's hash follows from its header. */
  readonly hash: boolean
  /** The list of transactions is the one that the header commits to. */
  readonly transactions: boolean
  /** So are the receipts with their logs. */
  readonly receipts: boolean
  /** Transactions whose hash was recomputed, and senders recovered from signatures. */
  readonly hashCount: number
  readonly senderCount: number
  /** Transactions in the envelope of a signed one that nobody signed: their senders are as the node states them. */
  readonly unsignedCount: number
  /** Rootstock only: how its header was serialised. */
  readonly rootstockForm: RootstockForm | null
}

export type CheckOptions = {
  /** Recover every sender, which takes longer than all the rest. On unless told. */
  readonly senders?: boolean
}

/** Recomputes what the answers about a block claim. Throws `CheckError` at the first contradiction. */
export function checkBlock(
  block: EvmBlock,
  form: EvmHeaderForm,
  tools: CheckTools,
  { senders = true }: CheckOptions,
): Proofs {
  const { header, transactions, receipts } = block
  const { writer } = tools
  const rootstockForm = header.form === 'rootstock' ? rootstockFormOf(header, writer) : null
  const isHashed =
    header.form === 'rootstock' ? rootstockForm !== null : standardHeaderHash(header, writer) === header.hash
  if (!isHashed && form !== 'stated') throw wrongHash(block)

  const bytes: (Buffer | null)[] = []
  let hashCount = 0
  let senderCount = 0
  let unsignedCount = 0
  for (const [at, tx] of transactions.entries()) {
    checkPlace(block, tx, at)
    const isSystem = isUnsigned(tx)
    if (isSystem) unsignedCount += 1
    const raw = writeTransaction(tx, writer)
    const hash = raw && keccakHex(raw)
    // Some chains hash what nobody signed by a rule of their own. Where the root proves the list, no other rule is taken.
    const isOwnRule = isSystem && form === 'stated' && hash !== tx.hash
    bytes.push(raw === null || isOwnRule ? null : Buffer.from(raw))
    if (hash === null || isOwnRule) continue
    if (hash !== tx.hash) throw wrongTransaction(block, tx, 'transaction_hash', `its bytes hash to ${hash}`)
    hashCount += 1
    if (senders && tx.signature !== null) {
      const signer = recoverSender(tx, writer)
      if (signer !== tx.from)
        throw wrongTransaction(block, tx, 'sender', `${signer ?? 'nobody'} signed it, not ${tx.from}`)
      senderCount += 1
    }
  }
  const known = bytes.filter(raw => raw !== null)
  const isWhole = known.length === bytes.length
  const isListed = isWhole && rootMatches(block, known, header.transactionsRoot)
  if (isWhole && !isListed && form !== 'stated')
    throw new CheckError(
      'transactions_root',
      `Block ${header.number} (${header.hash}) was answered with transactions that its header does not commit to.`,
      { number: header.number, hash: header.hash, expected: header.transactionsRoot },
      'Ask another node: one is missing, or one too many.',
    )
  return {
    hash: isHashed,
    transactions: isListed,
    receipts: receipts === null ? false : checkReceipts(block, receipts, form, tools),
    hashCount,
    senderCount,
    unsignedCount,
    rootstockForm,
  }
}

function checkPlace({ header }: EvmBlock, tx: EvmTransaction, at: number): void {
  if (tx.blockHash === header.hash && tx.blockNumber === header.number && tx.transactionIndex === at) return
  throw new CheckError(
    'place',
    `Block ${header.number} was answered with transaction ${tx.hash} at place ${at}, which states place ${tx.transactionIndex} of block ${tx.blockNumber} (${tx.blockHash}).`,
    { number: header.number, hash: header.hash, at, transaction: tx.hash },
  )
}

function wrongHash({ header, unknownFields }: EvmBlock): CheckError {
  const hint =
    unknownFields.length > 0
      ? `The header has fields that this version does not know (${unknownFields.join(', ')}): a fork brought them. Update Assay.`
      : 'The block was not stored. Ask another node; if all agree, the chain changed its header: update Assay.'
  return new CheckError(
    'block_hash',
    `Block ${header.number} states the hash ${header.hash}, but its header does not hash to it.`,
    { number: header.number, hash: header.hash, unknownFields: unknownFields.join(', ') },
    hint,
  )
}

const wrongTransaction = ({ header }: EvmBlock, tx: EvmTransaction, rule: string, why: string): CheckError =>
  new CheckError(
    rule,
    `Transaction ${tx.hash} of block ${header.number} is not what it says: ${why}.`,
    { number: header.number, hash: header.hash, transaction: tx.hash, at: tx.transactionIndex },
    'The block was not stored. Ask another node.',
  )
