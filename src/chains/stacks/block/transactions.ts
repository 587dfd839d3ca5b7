import { type Reader, readCount } from '../reader.ts'
import { type DecodedTransaction, readTransaction } from '../transaction/transaction.ts'

/** A contract of one letter without source, by one signature: nothing is shorter. */
const LEAST_TX_BYTES = 62

/** A 32-bit count and that many transactions. */
export function readTransactions(r: Reader): DecodedTransaction[] {
  const count = readCount(r, LEAST_TX_BYTES, 'number of transactions')
  const txs: DecodedTransaction[] = []
  for (let i = 0; i < count; i++) txs.push(readTransaction(r))
  return txs
}
