import {
  EVM_BRIDGE_DIRECTIONS,
  EVM_CREATION_KINDS,
  EVM_LENDING_ACTIONS,
  EVM_TOKEN_STANDARDS,
  EVM_TX_KINDS,
} from '#kernel/evm.ts'
import {
  blob,
  bool,
  bytes,
  layerName,
  nullable,
  oneOf,
  table,
  text,
  time,
  u8,
  u16,
  u32,
  u64,
  u256,
} from '#kernel/table.ts'
import { batchLogColumns, batchNumber, ingestStateColumns, staleBlockColumns } from './batches.ts'

/**
 * One shape for all EVM layers: `chain` says which. What every chain has (`height`, `hash`, `block_time`, `tx_index`,
 * `sender`, `fee`) has the name that the tables of the other chains give it; what one layer alone has is null on the rest.
 */
const batch = batchNumber
const chain = layerName('the layer, as its file in the catalog is named')
const height = u32('block number')
const blockTime = time('time of the block, UTC', { codec: 'Delta, ZSTD(1)' })
const txIndex = u32('position of the transaction in its block')
const txHash = bytes(32, 'transaction hash')
const logIndex = u32('position of the log in its block')
const address = (doc: string) => bytes(20, doc)
const byChain = '(chain, intDiv(height, 1000000))'

/** Where a batch of blocks came from; `merged`: from batches that were held. */
export const EVM_BATCH_ORIGINS = ['rpc', 'merged'] as const

/** The commit log of all EVM layers: batches are numbered by chain, so that no chain waits for another. */
export const evmBatches = table('evm_batches', {
  doc: 'One row per decision about a batch of blocks of an EVM layer: committed, or taken back.',
  columns: { chain, ...batchLogColumns(EVM_BATCH_ORIGINS) },
  orderBy: ['chain', 'batch', 'seq'],
})

export const evmStaleBlocks = table('evm_stale_blocks', {
  doc: 'One row per block of an EVM layer that was seen and lost against another of its height.',
  columns: { chain, ...staleBlockColumns(height) },
  orderBy: ['chain', 'height', 'hash'],
})

export const evmIngestStates = table('evm_ingest_states', {
  doc: 'One row per change of what the ingest of an EVM layer is doing, with the sentence that says why.',
  columns: { chain, ...ingestStateColumns() },
  orderBy: ['chain', 'seq'],
})

export const evmBlocks = table('evm_blocks', {
  doc: 'One row per block of an EVM layer’s best chain.',
  columns: {
    batch,
    chain,
    height,
    hash: bytes(32, 'block hash'),
    prevHash: bytes(32, 'hash of the block before'),
    blockTime,
    miner: address('who made it: miner, validator or sequencer'),
    txCount: u32('transactions, those of the system in'),
    systemTxCount: u32(
      'transactions without a signature: deposits of the OP Stack, REMASC of Rootstock, unsigned system transactions',
    ),
    failedTxCount: nullable(u32('transactions that failed; null before receipts said so')),
    unknownTxCount: u32('transactions of a type that was not known when they were read; kept raw'),
    logCount: u32('logs'),
    gasUsed: u64('gas used, units of gas'),
    gasLimit: u64('gas limit, units of gas'),
    baseFeeWei: nullable(u256('base fee per gas, wei (EIP-1559); null where the chain has none')),
    feeWei: nullable(
      u256('sum of what its transactions paid, wei, L1 data fees in; null while one is not known'),
    ),
    l1FeeWei: u256(
      'of that, for putting transactions onto the parent chain, wei; 0 where there is no such fee',
    ),
    difficulty: u256('difficulty; 0 without proof of work'),
    sizeBytes: nullable(u32('size as the node states it, bytes')),
    uncleCount: u16('uncles'),
    isHashProved: bool('its hash was recomputed from its header'),
    isTxsProved: bool('its transactions were recomputed to the root in its header'),
    isReceiptsProved: bool('its receipts and logs were recomputed to the root in its header'),
    isTraced: bool(
      'contracts made on the way of its transactions are known, from traces; false: only those that transactions made themselves',
    ),
    l1Height: nullable(u64('OP Stack: height of the block of the parent chain that it builds on')),
    l1Hash: nullable(bytes(32, 'OP Stack: hash of that block')),
    bitcoinHash: nullable(
      bytes(32, 'Rootstock: hash of the Bitcoin header that was mined for it, display order'),
    ),
    isBitcoinTagged: nullable(bool('Rootstock: the coinbase of that header commits to this block')),
    minimumGasPriceWei: nullable(u256('Rootstock: lowest gas price that its miner took, wei')),
  },
  orderBy: ['chain', 'height'],
  partitionBy: byChain,
  indexes: {
    hash: 'hash TYPE bloom_filter GRANULARITY 1',
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
  settings: { index_granularity: 1024 },
})

export const evmTxs = table('evm_txs', {
  doc: 'One row per transaction of an EVM layer’s best chain.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    txHash,
    kind: oneOf(EVM_TX_KINDS, 'what it is, by its envelope; `unsigned` where it has no signature'),
    type: u8('type byte of the envelope (EIP-2718); 0 for legacy'),
    sender: address(
      'who signed it, recovered from the signature; of deposits who they act for; of unsigned ones as the node reports it',
    ),
    recipient: nullable(address('who it calls or pays; null where it makes a contract')),
    contract: nullable(address('the contract it made; null where it made none')),
    nonce: u64('how many transactions the sender made before'),
    valueWei: u256('what it moved, wei'),
    mintWei: nullable(u256('OP Stack deposits: what was made on the layer for it, wei')),
    gasLimit: u64('gas limit, units of gas'),
    gasUsed: nullable(u64('gas used, units of gas; null without a receipt')),
    gasPriceWei: nullable(u256('price paid per gas, wei; null where the node does not say')),
    maxFeeWei: nullable(u256('highest price per gas that was signed, wei (EIP-1559)')),
    priorityFeeWei: nullable(u256('highest tip per gas that was signed, wei (EIP-1559)')),
    feeWei: nullable(u256('what it paid in all, wei; null without a receipt')),
    l1FeeWei: u256('of that, for putting it onto the parent chain, wei'),
    operatorFeeWei: u256('of that, to the operator (OP Stack), wei'),
    isSuccess: nullable(
      bool('false: it failed and changed nothing but nonce and fee; null where it is not said'),
    ),
    method: nullable(bytes(4, 'first four bytes of the input of a call: the selector; null for payments')),
    input: blob('input, or the code that makes a contract'),
    logCount: u32('logs'),
    authorizationCount: u16('accounts that let code act for them (EIP-7702)'),
    raw: text('the node’s JSON where the type was not known; else empty'),
  },
  orderBy: ['chain', 'height', 'tx_index'],
  partitionBy: byChain,
  indexes: {
    tx_hash: 'tx_hash TYPE bloom_filter GRANULARITY 1',
    sender: 'sender TYPE bloom_filter GRANULARITY 1',
    recipient: 'recipient TYPE bloom_filter GRANULARITY 1',
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
})

export const evmLogs = table('evm_logs', {
  doc: 'One row per log of an EVM layer’s best chain.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    logIndex,
    txHash,
    emitter: address('contract that wrote it'),
    topic0: nullable(bytes(32, 'first topic: the hash of the event’s signature, as a rule')),
    topic1: nullable(bytes(32, 'second topic')),
    topic2: nullable(bytes(32, 'third topic')),
    topic3: nullable(bytes(32, 'fourth topic')),
    data: blob('data'),
    event: text('id of the event in the catalog; empty where it is not known, or is not what it seems'),
  },
  orderBy: ['chain', 'height', 'log_index'],
  partitionBy: byChain,
  indexes: {
    emitter: 'emitter TYPE bloom_filter GRANULARITY 1',
    topic0: 'topic0 TYPE bloom_filter GRANULARITY 1',
  },
})

export const evmTransfers = table('evm_transfers', {
  doc: 'One row per token, or amount of it, that moved on an EVM layer (ERC-20, ERC-721, ERC-1155).',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    logIndex,
    item: u16('position within the log: a batch of ERC-1155 moves many'),
    txHash,
    standard: oneOf(EVM_TOKEN_STANDARDS, 'the standard whose event it is'),
    token: address('contract of the token'),
    sender: address('who had it; zeros where it was made'),
    recipient: address('who got it; zeros where it was destroyed'),
    tokenId: nullable(u256('which one; null for ERC-20')),
    amount: u256('how much, base units of the token; 1 for ERC-721'),
  },
  orderBy: ['chain', 'height', 'log_index', 'item'],
  partitionBy: byChain,
  indexes: {
    token: 'token TYPE bloom_filter GRANULARITY 1',
    sender: 'sender TYPE bloom_filter GRANULARITY 1',
    recipient: 'recipient TYPE bloom_filter GRANULARITY 1',
  },
})

export const evmSwaps = table('evm_swaps', {
  doc: 'One row per trade that an exchange’s contract on an EVM layer reports.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    logIndex,
    txHash,
    event: text('id of the event in the catalog: which kind of exchange'),
    pool: address('contract that reports it'),
    trader: nullable(address('who got the proceeds; null where the event does not say')),
    tokenIn: nullable(address('token that the pool got; null where the event names amounts alone')),
    tokenOut: nullable(address('token that the pool gave; null as above')),
    inIsToken0: nullable(bool('where tokens are not named: the pool’s first token went in')),
    amountIn: u256('what the pool got, base units'),
    amountOut: u256('what the pool gave, base units'),
  },
  orderBy: ['chain', 'height', 'log_index'],
  partitionBy: byChain,
  indexes: { pool: 'pool TYPE bloom_filter GRANULARITY 1' },
})

export const evmLending = table('evm_lending', {
  doc: 'One row per deposit, loan, repayment or liquidation that a lender’s contract on an EVM layer reports.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    logIndex,
    txHash,
    event: text('id of the event in the catalog: which kind of lender'),
    action: oneOf(EVM_LENDING_ACTIONS, 'what was done'),
    market: address('contract that reports it'),
    account: address('whose position changed'),
    asset: nullable(address('token lent or borrowed; null where the market has one and does not say it')),
    marketId: nullable(bytes(32, 'market within the contract, where it holds many')),
    amount: u256('how much, base units of the asset'),
  },
  orderBy: ['chain', 'height', 'log_index'],
  partitionBy: byChain,
  indexes: {
    market: 'market TYPE bloom_filter GRANULARITY 1',
    account: 'account TYPE bloom_filter GRANULARITY 1',
  },
})

export const evmBridges = table('evm_bridges', {
  doc: 'One row per amount that a bridge of an EVM layer reports to have crossed.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    logIndex,
    txHash,
    event: text('id of the event in the catalog: which bridge, and what it says'),
    bridge: address('contract that reports it'),
    direction: oneOf(EVM_BRIDGE_DIRECTIONS, 'into the layer, or out of it'),
    account: address('who gets it on the layer, or who sends it away'),
    asset: nullable(address('token that crossed; null for the chain’s own coin')),
    amount: u256('how much, base units of the token, wei of the coin'),
  },
  orderBy: ['chain', 'height', 'log_index'],
  partitionBy: byChain,
  indexes: { account: 'account TYPE bloom_filter GRANULARITY 1' },
})

export const evmContracts = table('evm_contracts', {
  doc: 'One row per contract made on an EVM layer: by a transaction, or inside one where its node offers traces.',
  columns: {
    batch,
    chain,
    height,
    blockTime,
    txIndex,
    txHash,
    contract: address('the contract'),
    kind: oneOf(EVM_CREATION_KINDS, 'how it was made'),
    creator: address('account or contract that made it'),
    codeHash: nullable(
      bytes(32, 'keccak-256 of the code it was made with (EIP-1052), from traces; null without them'),
    ),
    path: text('place in the tree of calls, positions with dots between; empty for the transaction itself'),
  },
  orderBy: ['chain', 'height', 'tx_index', 'path'],
  partitionBy: byChain,
  indexes: { contract: 'contract TYPE bloom_filter GRANULARITY 1' },
})

/** Outside the batches: an answer is of its block, which it names. The newest one of a token holds. */
export const evmTokens = table('evm_tokens', {
  doc: 'One row per answer of a token on an EVM layer to what it is called.',
  columns: {
    chain,
    token: address('contract of the token'),
    standard: oneOf(EVM_TOKEN_STANDARDS, 'the standard of the events by which it moved'),
    name: nullable(text('its name; null where it has none that can be read')),
    symbol: nullable(text('its symbol; null as above')),
    decimals: nullable(u8('digits of its amounts behind the point; null as above')),
    height: u32('block as of which it was asked'),
    blockHash: bytes(32, 'hash of that block'),
    askedAt: time('when it was asked, UTC'),
  },
  orderBy: ['chain', 'token', 'asked_at'],
})

/**
 * Outside the batches and beside `evm_blocks`: a header alone is no block. Nothing here counts transactions, and nothing
 * that counts blocks reads it.
 */
export const evmHeaders = table('evm_headers', {
  doc: 'One row per block of an EVM layer of which the header alone was recorded: its transactions are not known here.',
  columns: {
    chain,
    height,
    hash: bytes(32, 'block hash, recomputed from the header'),
    prevHash: bytes(32, 'hash of the block before'),
    blockTime,
    miner: address('who made it'),
    difficulty: u256('difficulty; 0 without proof of work'),
    gasUsed: u64('gas used, units of gas'),
    gasLimit: u64('gas limit, units of gas'),
    uncleCount: nullable(u16('uncles; null where the header does not count them')),
    paidFeeWei: nullable(u256('Rootstock: fees of all its transactions, wei; null on other layers')),
    minimumGasPriceWei: nullable(u256('Rootstock: lowest gas price that its miner took, wei')),
    bitcoinHash: nullable(
      bytes(32, 'Rootstock: hash of the Bitcoin header that was mined for it, display order'),
    ),
    isBitcoinTagged: nullable(bool('Rootstock: the coinbase of that header commits to this block')),
    source: text('source of the recording'),
  },
  orderBy: ['chain', 'height'],
  indexes: { hash: 'hash TYPE bloom_filter GRANULARITY 1' },
})

/** Tables whose rows belong to a batch; readers see them through views of committed batches. */
export const EVM_BATCH_TABLES = [
  evmBlocks,
  evmTxs,
  evmLogs,
  evmTransfers,
  evmSwaps,
  evmLending,
  evmContracts,
  evmBridges,
] as const
