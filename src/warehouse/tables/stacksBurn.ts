import { bytes, nullable, table, text, time, u32, u64 } from '#kernel/table.ts'
import { batchLogColumns, batchNumber, ingestStateColumns, staleBlockColumns } from './batches.ts'
import { STX_ORIGINS } from './stacks.ts'

/** Bitcoin as Stacks nodes see it. Heights are Bitcoin heights; the batches are those of `stx_burn_batches`. */
const batch = batchNumber
const height = u32('Bitcoin block height')
const byHeight = 'intDiv(height, 1000000)'

export const stxBurnBatches = table('stx_burn_batches', {
  doc: 'One row per decision about a batch of Bitcoin blocks as Stacks nodes report them.',
  columns: batchLogColumns(STX_ORIGINS),
  orderBy: ['batch', 'seq'],
})

export const stxBurnStaleBlocks = table('stx_burn_stale_blocks', {
  doc: 'One row per Bitcoin block that Stacks nodes reported and that lost.',
  columns: staleBlockColumns(height),
  orderBy: ['height'],
})

export const stxBurnIngestStates = table('stx_burn_ingest_states', {
  doc: 'One row per change of what is known of Bitcoin through Stacks nodes.',
  columns: ingestStateColumns(),
  orderBy: ['seq'],
})

export const stxBurnBlocks = table('stx_burn_blocks', {
  doc: 'One row per Bitcoin block as Stacks nodes report it: what miners paid in it.',
  columns: {
    batch,
    height,
    hash: bytes(32, 'Bitcoin block hash, display order'),
    prevHash: nullable(bytes(32, 'hash of the Bitcoin block before; null from nodes before 3.1')),
    consensusHash: nullable(bytes(20, 'consensus hash; null likewise')),
    burnSat: nullable(u64('sent to burn addresses, satoshis; payouts are not in it; null where nobody said')),
    payoutSat: nullable(u64('paid out by PoX, satoshis; null where nobody said')),
    payoutCount: nullable(u32('payouts; null likewise')),
    slotHolderCount: nullable(u32('reward addresses that were due; null likewise')),
    commitCount: nullable(u32('transactions that paid; null from nodes that do not say')),
  },
  orderBy: ['height'],
  partitionBy: byHeight,
  indexes: { hash: 'hash TYPE bloom_filter GRANULARITY 1' },
})

export const stxPayouts = table('stx_payouts', {
  doc: 'One row per amount of bitcoin that PoX paid out in a Bitcoin block.',
  columns: {
    batch,
    height,
    payoutIndex: u32('position in its block'),
    recipient: text('Bitcoin address that was paid'),
    valueSat: u64('amount, satoshis'),
  },
  orderBy: ['height', 'payout_index'],
  partitionBy: byHeight,
  indexes: { recipient: 'recipient TYPE bloom_filter GRANULARITY 1' },
})

export const stxSlotHolders = table('stx_slot_holders', {
  doc: 'One row per reward address that was due in a Bitcoin block.',
  columns: { batch, height, slotIndex: u32('position in its block'), address: text('Bitcoin address') },
  orderBy: ['height', 'slot_index'],
  partitionBy: byHeight,
  indexes: { address: 'address TYPE bloom_filter GRANULARITY 1' },
})

export const stxCommitOutputs = table('stx_commit_outputs', {
  doc: 'One row per output of a block commit that paid in a Bitcoin block, as Stacks nodes report it.',
  columns: {
    batch,
    height,
    commitIndex: u32('position of the commit in its block'),
    outputIndex: u32('position of the payout in the commit'),
    txid: bytes(32, 'Bitcoin transaction of the commit, display order'),
    vout: u32('output that paid'),
    recipient: text('Bitcoin address that was paid'),
    valueSat: u64('amount, satoshis: half of the bid where a commit pays two'),
    apparentSender: text('address of the change output, which proves nothing; empty where there is none'),
  },
  orderBy: ['height', 'commit_index', 'output_index'],
  partitionBy: byHeight,
  indexes: { txid: 'txid TYPE bloom_filter GRANULARITY 1' },
})

/** Tables whose rows belong to a batch of Bitcoin blocks as Stacks saw them. */
export const STX_BURN_BATCH_TABLES = [stxBurnBlocks, stxPayouts, stxSlotHolders, stxCommitOutputs] as const

/**
 * What nodes say outside of blocks. A message may come twice: rows of one key are one fact, and views count it once.
 */
export const stxMempoolTxs = table('stx_mempool_txs', {
  doc: 'One row per transaction that was seen waiting for a block.',
  columns: {
    txid: bytes(32, 'txid'),
    seenAt: time('when it was seen, UTC'),
    sender: text('principal that signed it'),
    feeUstx: u64('fee that is offered, micro-STX'),
    nonce: u64('nonce'),
    kind: text('kind of the payload'),
    sizeBytes: u32('serialized size, bytes'),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['txid', 'seen_at'],
})

export const stxMempoolDrops = table('stx_mempool_drops', {
  doc: 'One row per waiting transaction that a node gave up.',
  columns: {
    txid: bytes(32, 'txid'),
    droppedAt: time('when, UTC'),
    reason: text('why, in the node’s words'),
    replacedBy: nullable(bytes(32, 'transaction that took its place; null where none is named')),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['txid', 'reason', 'dropped_at'],
})

export const stxMicroblockTxs = table('stx_microblock_txs', {
  doc: 'One row per transaction seen in a microblock; it counts once a block confirms it, in `stx_txs`.',
  columns: {
    microblockHash: bytes(32, 'microblock'),
    txid: bytes(32, 'txid'),
    sequence: u32('position of the microblock in its stream'),
    prevMicroblockHash: bytes(32, 'microblock, or header of the block, before it'),
    parentHash: bytes(32, 'index block hash of the block that the stream follows'),
    txIndex: u32('position of the transaction in the message'),
    seenAt: time('when it was seen, UTC'),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['microblock_hash', 'txid'],
})

export const stxKeptMessages = table('stx_kept_messages', {
  doc: 'One row per message of a node that has no table of its own, or that could not be read: kept as it came.',
  columns: {
    digest: bytes(32, 'SHA-256 of path and message'),
    path: text('path that the node posted to'),
    receivedAt: time('when, UTC'),
    reason: text('empty for a known path; `unknown path`, or why the message could not be read'),
    json: text('the message'),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['path', 'digest'],
})

/** Tables whose rows stand by themselves. */
export const STX_FACT_TABLES = [stxMempoolTxs, stxMempoolDrops, stxMicroblockTxs, stxKeptMessages] as const
