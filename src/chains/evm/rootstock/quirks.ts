import type { EvmReceipt } from '../receipt.ts'
import type { RlpWriter } from '../rlp/writer.ts'
import { transactionHash } from '../serialize.ts'
import type { EvmTransaction } from '../transaction.ts'

/**
 * Rootstock's older nodes answer 27 or 28 for `v` even where the chain id was signed (EIP-155). The hash tells which one
 * it was: the transaction comes back with the `v` and the chain id that it was signed with.
 */
export function withSignedChainId(tx: EvmTransaction, chainId: number, writer: RlpWriter): EvmTransaction {
  const { signature } = tx
  if (tx.kind !== 'legacy' || signature === null || signature.v >= 35n) return tx
  if (transactionHash(tx, writer) === tx.hash) return tx
  const id = BigInt(chainId)
  const signed = { ...tx, chainId: id, signature: { ...signature, v: signature.v + 8n + 2n * id } }
  return transactionHash(signed, writer) === tx.hash ? signed : tx
}

/**
 * Rootstock's older nodes count the logs of each transaction from 0. The receipts come back with the logs counted through
 * the block, as on every other chain; receipts that are counted so already, or not at all, are left as they are.
 */
export function withBlockLogIndex(receipts: readonly EvmReceipt[]): readonly EvmReceipt[] {
  if (receipts.some(({ logs }) => logs.some(({ logIndex }, at) => logIndex !== at))) return receipts
  let before = 0
  return receipts.map(receipt => {
    const { logs } = receipt
    const from = before
    before += logs.length
    return from === 0
      ? receipt
      : { ...receipt, logs: logs.map((log, at) => ({ ...log, logIndex: from + at })) }
  })
}
