import { EVM_BRIDGE_DIRECTIONS, EVM_CREATION_KINDS, EVM_TOKEN_STANDARDS } from '#kernel/evm.ts'
import {
  bool,
  bytes,
  date,
  f64,
  layerName,
  nullable,
  oneOf,
  table,
  text,
  time,
  u32,
  u64,
  u256,
} from '#kernel/table.ts'
import { BUCKET_GRAINS } from './rollups.ts'

const bucket = date('UTC day, by block time')
const chain = layerName('the layer, as its file in the catalog is named')
const run = u64(
  'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
)

export const evmBlockDays = table('evm_block_days', {
  doc: 'One row per layer and UTC day that holds a block of it: figures of its blocks and of users’ transactions.',
  columns: {
    run,
    bucket,
    chain,
    blockCount: u32('blocks held'),
    fromHeight: u32('lowest height'),
    toHeight: u32('highest height'),
    lastTime: time('latest block time, UTC'),
    userTxCount: u64('transactions of users; those of the system are left out'),
    failedTxCount: u64('of these, those that failed'),
    unknownOutcomeCount: u64('of these, those of which it is not said whether they failed'),
    feeWei: u256('what users’ transactions paid, wei, L1 data fees in'),
    l1FeeWei: u256('of that, for putting transactions onto the parent chain, wei'),
    unknownFeeTxCount: u64('users’ transactions whose fee is not known'),
    gasUsed: u64('gas used by all transactions, units of gas'),
    intervalSum: nullable(f64('seconds between neighboring blocks, summed; null without neighbors')),
    intervalCount: u32('pairs of neighboring blocks'),
    medianInterval: nullable(f64('median seconds between neighboring blocks; null without neighbors')),
    uncleCount: u64('uncles of its blocks'),
    minedBlockCount: u32('Rootstock: blocks with a Bitcoin header that was mined for them'),
    taggedBlockCount: u32('Rootstock: of these, those to which the coinbase of that header commits'),
    untracedBlockCount: u32('blocks of which contracts made inside transactions are not known'),
  },
  orderBy: ['chain', 'bucket'],
})

export const evmActorBuckets = table('evm_actor_buckets', {
  doc: 'One row per layer and bucket: what does not add up over days, counted from base rows.',
  columns: {
    run,
    grain: oneOf(BUCKET_GRAINS, 'kind of bucket'),
    bucket: date('first day of the bucket, UTC'),
    chain,
    fromHeight: u32('lowest height'),
    toHeight: u32('highest height'),
    lastTime: time('latest block time, UTC'),
    senderCount: u64('distinct senders of users’ transactions'),
    newSenderCount: u64('of these, those who sent their first one: with the nonce 0'),
    activeContractCount: u64('distinct contracts that were called with success or wrote a log'),
    deployerCount: u64('distinct accounts and contracts that made a contract'),
    medianFeeWei: nullable(
      u256('median fee of users’ transactions signed on the layer, wei (of the two middle ones the lower)'),
    ),
  },
  orderBy: ['chain', 'grain', 'bucket'],
})

export const evmOverlapBuckets = table('evm_overlap_buckets', {
  doc: 'One row per bucket and ordered pair of EVM layers that both have a block in it: senders that they share.',
  columns: {
    run,
    grain: oneOf(BUCKET_GRAINS, 'kind of bucket'),
    bucket: date('first day of the bucket, UTC'),
    chain,
    other: layerName('the other layer'),
    sharedCount: u64('distinct addresses that sent a user’s transaction on both'),
  },
  orderBy: ['chain', 'grain', 'bucket', 'other'],
})

export const evmTxDays = table('evm_tx_days', {
  doc: 'One row per layer, UTC day and kind of transaction.',
  columns: {
    run,
    bucket,
    chain,
    kind: text('what it is, by its envelope; `system` for what nobody sent'),
    txCount: u64('transactions'),
    failedTxCount: u64('of these, those that failed'),
    feeWei: u256('their fees as far as known, wei'),
  },
  orderBy: ['chain', 'bucket', 'kind'],
})

export const evmCallDays = table('evm_call_days', {
  doc: 'One row per layer, UTC day and function of a contract that users’ transactions called.',
  columns: {
    run,
    bucket,
    chain,
    contract: bytes(20, 'contract'),
    selector: text('first four bytes of the input, hexadecimal with 0x'),
    functionName: text('name that the catalog has for the selector; empty where it has none'),
    callCount: u64('calls by transactions'),
    failedCallCount: u64('of these, those that failed'),
    callerCount: u64('distinct callers of the day'),
  },
  orderBy: ['chain', 'bucket', 'contract', 'selector'],
})

export const evmContractDays = table('evm_contract_days', {
  doc: 'One row per layer, UTC day and way in which contracts were made.',
  columns: {
    run,
    bucket,
    chain,
    kind: oneOf(EVM_CREATION_KINDS, 'how they were made'),
    contractCount: u64('contracts'),
  },
  orderBy: ['chain', 'bucket', 'kind'],
})

export const evmTransferDays = table('evm_transfer_days', {
  doc: 'One row per layer, UTC day and token that moved.',
  columns: {
    run,
    bucket,
    chain,
    token: bytes(20, 'contract of the token'),
    standard: oneOf(EVM_TOKEN_STANDARDS, 'the standard of the events'),
    transferCount: u64('amounts that moved, were made or were destroyed'),
    amount: u256('their sum, base units of the token; overflows wrap around'),
  },
  orderBy: ['chain', 'bucket', 'token', 'standard'],
})

export const evmBridgeDays = table('evm_bridge_days', {
  doc: 'One row per layer, UTC day, direction and event of a bridge for the chain’s own coin.',
  columns: {
    run,
    bucket,
    chain,
    direction: oneOf(EVM_BRIDGE_DIRECTIONS, 'into the layer, or out of it'),
    event: text('id of the event in the catalog: which bridge'),
    moveCount: u64('amounts that crossed'),
    amountWei: u256('their sum, wei'),
  },
  orderBy: ['chain', 'bucket', 'direction', 'event'],
})

/** What follows from the runs of held blocks, written down because every figure by day asks for it. */
export const evmCoveredDays = table('evm_covered_days', {
  doc: 'One row per layer and UTC day of which all blocks are held, and change of that.',
  columns: {
    run,
    chain,
    day: date('UTC day'),
    isHeld: bool('false: the day is not whole any more'),
    isSinceGenesis: bool('all days before it, back to the first block, are held too'),
  },
  orderBy: ['chain', 'day'],
  engine: 'ReplacingMergeTree(run)',
})

export const LAYER_ROLLUP_TABLES = [
  evmBlockDays,
  evmActorBuckets,
  evmOverlapBuckets,
  evmTxDays,
  evmCallDays,
  evmContractDays,
  evmTransferDays,
  evmBridgeDays,
] as const
