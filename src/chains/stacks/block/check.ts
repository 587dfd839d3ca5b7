import { CheckError } from '../errors.ts'
import type { DecodedTransaction } from '../transaction/transaction.ts'
import type { Epoch2Block, Microblock } from './epoch2Block.ts'
import { merkleRoot } from './merkle.ts'
import type { NakamotoBlock } from './nakamotoBlock.ts'

/** Transactions are unique and make the merkle root. Errors: `CheckError`. Source: stacks-core `NakamotoBlock`. */
export function checkNakamotoBlock({ header, transactions }: NakamotoBlock): void {
  checkTransactions(transactions, header.txMerkleRoot)
}

/**
 * Begins with its one coinbase, holds nothing meant for microblocks, transactions are unique and make the merkle root. Errors:
 * `CheckError`. Source: stacks-core `StacksBlock::consensus_deserialize`.
 */
export function checkEpoch2Block({ header, transactions }: Epoch2Block): void {
  checkTransactions(transactions, header.txMerkleRoot)
  const coinbases = transactions.filter(isCoinbase)
  if (coinbases.length !== 1 || coinbases[0] !== transactions[0]) {
    throw new CheckError('coinbase', 'The block does not begin with its only coinbase.', {
      got: coinbases.length,
    })
  }
  demandAnchorMode(transactions, 'offChainOnly')
}

/** Holds at least one transaction, none a coinbase or for blocks only. Errors: `CheckError`. */
export function checkMicroblock({ header, transactions }: Microblock): void {
  if (transactions.length === 0) throw new CheckError('no_transactions', 'The microblock is empty.', {})
  checkTransactions(transactions, header.txMerkleRoot)
  if (transactions.some(isCoinbase)) throw new CheckError('coinbase', 'The microblock holds a coinbase.', {})
  demandAnchorMode(transactions, 'onChainOnly')
}

function checkTransactions(transactions: readonly DecodedTransaction[], root: string): void {
  const txids = transactions.map(tx => tx.txid)
  if (new Set(txids).size !== txids.length) {
    throw new CheckError('duplicate_transaction', 'The block holds a transaction twice.', {
      got: txids.length,
    })
  }
  const got = merkleRoot(txids)
  if (got !== root) {
    throw new CheckError(
      'merkle_root',
      `The transactions make the merkle root ${got}, the header says ${root}.`,
      {
        got,
        expected: root,
      },
    )
  }
}

const isCoinbase = ({ payload: { kind } }: DecodedTransaction): boolean =>
  kind === 'coinbase' || kind === 'coinbase_to_alt_recipient' || kind === 'nakamoto_coinbase'

function demandAnchorMode(transactions: readonly DecodedTransaction[], forbidden: string): void {
  const fault = transactions.find(tx => tx.anchorMode === forbidden)
  if (fault === undefined) return
  throw new CheckError(
    'anchor_mode',
    `Transaction ${fault.txid} must not be here: its anchor mode is ${forbidden}.`,
    {
      txid: fault.txid,
    },
  )
}
