import { createHash } from 'node:crypto'
import type { MempoolDropMessage } from '#chains/stacks/index.ts'
import type { RowOf } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import {
  stxKeptMessages,
  stxMempoolDrops,
  stxMempoolTxs,
  stxMicroblockTxs,
} from '#warehouse/tables/stacksBurn.ts'
import type { MempoolTx, WaitingMicroblocks } from './reading/readMessage.ts'

/** What nodes say outside of blocks, until it is written. A message that comes twice gives rows of the same key. */
export type Facts = {
  mempool(transactions: readonly MempoolTx[], seenAt: number): void
  drop(drop: MempoolDropMessage, droppedAt: number): void
  microblocks(message: WaitingMicroblocks, seenAt: number): void
  /** Keeps a message as it came. `reason` is empty for a path that is known and has no table. */
  keep(path: string, json: string, receivedAt: number, reason: string): void
  write(warehouse: Warehouse): Promise<void>
  /** Forgets what is not written. */
  clear(): void
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

export function createFacts(): Facts {
  let mempoolTxs: RowOf<typeof stxMempoolTxs>[] = []
  let drops: RowOf<typeof stxMempoolDrops>[] = []
  let microblockTxs: RowOf<typeof stxMicroblockTxs>[] = []
  let kept: RowOf<typeof stxKeptMessages>[] = []

  const keep: Facts['keep'] = (path, json, receivedAt, reason) => {
    kept.push({
      digest: createHash('sha256').update(`${path}\n${json}`).digest(),
      path,
      receivedAt,
      reason,
      json,
    })
  }

  function clear(): void {
    mempoolTxs = []
    drops = []
    microblockTxs = []
    kept = []
  }

  return {
    keep,
    clear,
    mempool(transactions, seenAt) {
      for (const { txid, ...tx } of transactions)
        mempoolTxs.push({ txid: Buffer.from(txid, 'hex'), seenAt, ...tx })
    },
    drop({ txids, reason, replacedBy }, droppedAt) {
      for (const txid of txids)
        drops.push({
          txid: bytesOf(txid),
          droppedAt,
          reason,
          replacedBy: replacedBy && bytesOf(replacedBy),
        })
    },
    microblocks({ parentId, transactions }, seenAt) {
      for (const { txid, index, microblock } of transactions)
        if (microblock !== null && microblock.parentHash !== null)
          microblockTxs.push({
            microblockHash: bytesOf(microblock.hash),
            txid: bytesOf(txid),
            sequence: microblock.sequence,
            prevMicroblockHash: bytesOf(microblock.parentHash),
            parentHash: bytesOf(parentId),
            txIndex: index,
            seenAt,
          })
    },
    async write(warehouse) {
      await warehouse.insertRows(stxMempoolTxs, mempoolTxs)
      await warehouse.insertRows(stxMempoolDrops, drops)
      await warehouse.insertRows(stxMicroblockTxs, microblockTxs)
      await warehouse.insertRows(stxKeptMessages, kept)
      clear()
    },
  }
}
