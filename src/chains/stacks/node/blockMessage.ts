import type { StacksBlockPart, StacksBlockSource } from '#kernel/stacks.ts'
import type { BlockMessage, RewardSet, TransactionMessage } from '../messages/block.ts'
import { asFields, type Hex } from '../messages/fields.ts'
import type { ApiTx } from './apiAnswers.ts'
import type { RawBlock, RawTx } from './rawBlock.ts'

/** What one or several sources told of a block. */
export type BlockParts = {
  readonly source: StacksBlockSource
  readonly height: number
  readonly id: Hex
  readonly parentId: Hex
  readonly headerHash: Hex
  readonly timeS: number
  readonly burn: { readonly height: number; readonly hash: Hex; readonly timeS: number }
  readonly minerTxid: Hex | null
  readonly tenureHeight: number | null
  /** The block's bytes, proved; null where nobody has them. */
  readonly raw: RawBlock | null
  /** Transactions in the order of the block, as far as their bytes are known. */
  readonly transactions: readonly RawTx[]
  /** Whether a miner begins a tenure with it. */
  readonly beginsTenure: boolean
  /** How transactions ended, with their events; null where nobody says. */
  readonly receipts: Receipts | null
  /** The reward set that it fixed, as far as it is told; null for all other blocks, undefined where nobody says. */
  readonly rewardSet:
    | { readonly cycle: number; readonly set: RewardSet; readonly hasAddresses: boolean }
    | null
    | undefined
}

export type Receipts = {
  /** Every transaction of the block, by its position. */
  readonly txs: readonly ApiTx[]
  /** Interfaces of contracts that were made, JSON, by contract. */
  readonly interfaces: ReadonlyMap<string, string>
}

const EMPTY = Buffer.alloc(0)

/** The block as `/new_block` would have told it, as far as its parts go; `lacks` says what is missing. */
export function blockMessageOf(parts: BlockParts): BlockMessage {
  const { raw, receipts, rewardSet } = parts
  const transactions =
    receipts === null ? parts.transactions.map(withoutReceipt) : withReceipts(parts, receipts)
  const events = (receipts?.txs ?? []).flatMap(tx => tx.events).toSorted((a, b) => a.index - b.index)
  return {
    source: parts.source,
    lacks: lacksOf(parts, transactions),
    height: parts.height,
    id: parts.id,
    parentId: parts.parentId,
    headerHash: parts.headerHash,
    timeS: parts.timeS,
    consensusHash: raw?.consensusHash ?? null,
    tenureHeight: parts.tenureHeight,
    burnHeight: parts.burn.height,
    burnHash: parts.burn.hash,
    burnTimeS: parts.burn.timeS,
    minerTxid: parts.minerTxid,
    parentBurnHash: null,
    parentMicroblock: raw?.parentMicroblock ?? null,
    cost: null,
    microblockCost: null,
    minerSignature: raw?.minerSignature ?? null,
    signerSignatures: raw?.signerSignatures ?? null,
    signerBitvec: raw?.signerBitvec ?? null,
    cycle: rewardSet?.cycle ?? null,
    rewardSet: rewardSet?.set ?? null,
    minerRewards: [],
    transactions,
    events,
    unknown: [],
  }
}

const withoutReceipt = ({ txid, raw }: RawTx, index: number): TransactionMessage => ({
  txid,
  index,
  status: null,
  raw,
  result: EMPTY,
  cost: null,
  contractInterface: null,
  bitcoinOp: null,
  microblock: null,
  vmError: null,
  unknown: [],
})

function withReceipts({ transactions }: BlockParts, { txs, interfaces }: Receipts): TransactionMessage[] {
  const raws = new Map(transactions.map(({ txid, raw }) => [txid, raw]))
  return txs.map(tx => {
    const abi = tx.contract === null ? undefined : interfaces.get(tx.contract)
    return {
      txid: tx.txid,
      index: tx.index,
      status: tx.status,
      // A transaction of the block without bytes of its own was made on Bitcoin.
      raw: raws.get(tx.txid) ?? null,
      result: tx.result,
      cost: tx.cost,
      contractInterface: abi === undefined ? null : asFields(JSON.parse(abi)),
      bitcoinOp: null,
      microblock: tx.microblock && { ...tx.microblock, parentHash: null },
      vmError: tx.vmError,
      unknown: [],
    }
  })
}

function lacksOf(parts: BlockParts, transactions: readonly TransactionMessage[]): StacksBlockPart[] {
  const { raw, receipts, beginsTenure, rewardSet } = parts
  const missing: Partial<Record<StacksBlockPart, boolean>> = {
    receipts: receipts === null,
    events: receipts === null,
    // What failed is all that can be rolled back.
    rolled_back_events: receipts === null || receipts.txs.some(({ status }) => status !== 'success'),
    miner_rewards: beginsTenure,
    miner_txid: parts.minerTxid === null,
    tenure_height: parts.tenureHeight === null,
    header: raw === null,
    reward_set: rewardSet === undefined && beginsTenure,
    reward_addresses: rewardSet?.hasAddresses === false,
    contract_interfaces: (receipts?.txs ?? []).some(
      ({ contract, status }) =>
        contract !== null && status === 'success' && !receipts!.interfaces.has(contract),
    ),
    lock_contracts: (receipts?.txs ?? []).some(({ events }) =>
      events.some(({ body }) => body.kind === 'lock'),
    ),
    bitcoin_ops: transactions.some(tx => tx.raw === null),
    other_transactions: receipts === null && beginsTenure,
  }
  return (Object.keys(missing) as StacksBlockPart[]).filter(part => missing[part])
}
