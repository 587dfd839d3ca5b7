import { LAYER_OPS, SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import {
  blob,
  bool,
  bytes,
  i32,
  nullable,
  oneOf,
  type RowOf,
  table,
  text,
  time,
  u16,
  u32,
  u64,
} from '#kernel/table.ts'
import { batchLogColumns, batchNumber, ingestStateColumns, staleBlockColumns } from './batches.ts'

const batch = batchNumber
const height = u32('block height')
const blockTime = time('header time of the block, UTC', { codec: 'Delta, ZSTD(1)' })
const txIndex = u32('position of the transaction in its block, coinbase 0')
const byHeight = 'intDiv(height, 50000)'

/** Where a batch of blocks came from. */
export const BATCH_ORIGINS = ['rpc', 'rest', 'blk_files', 'block_file', 'snapshot'] as const

/**
 * Rows come in large, by height even sorted parts: merging ten of a size at once instead of five writes each row a third
 * less often, for a few more parts to look into.
 */
const RARE_MERGES = { merge_selector_base: 10 }

/** The commit log of Bitcoin ingest. */
export const btcBatches = table('btc_batches', {
  doc: 'One row per decision about a batch of blocks: committed, or taken back by a reorg.',
  columns: batchLogColumns(BATCH_ORIGINS),
  orderBy: ['batch', 'seq'],
})

export const btcBlocks = table('btc_blocks', {
  doc: 'One row per block of the best chain, or of an island of known height.',
  columns: {
    batch,
    height,
    hash: bytes(32, 'block hash, display order'),
    prevHash: bytes(32, 'hash of the block before, display order'),
    merkleRoot: bytes(32, 'merkle root, display order'),
    blockTime,
    medianTime: nullable(
      time(
        'median time past of the block itself and the ten before it (as `mediantime` of Bitcoin Core, BIP-113); null where those are not held',
      ),
    ),
    version: i32('header version, signed'),
    bits: u32('compact target'),
    nonce: u32('header nonce'),
    sizeBytes: u32('serialized size with witnesses, bytes'),
    strippedSizeBytes: u32('serialized size without witnesses, bytes'),
    weightWu: u32('weight, weight units (BIP-141), header and coinbase in'),
    txCount: u32('transactions, coinbase in'),
    inputCount: u32('inputs, the coinbase input in'),
    outputCount: u32('outputs, coinbase outputs in'),
    segwitTxCount: u32('transactions with a witness, coinbase in'),
    outputSat: u64('sum of all outputs, satoshis, coinbase in'),
    coinbaseSat: u64('sum of the coinbase outputs, satoshis: what the miner claimed'),
    subsidySat: u64('block subsidy by height, satoshis'),
    feeSat: nullable(
      u64(
        'sum of inputs minus outputs over transactions without coinbase, satoshis; null while a prevout is unknown',
      ),
    ),
    taprootOutputCount: u32('outputs of type v1_p2tr'),
    opReturnCount: u32('outputs whose script starts with 6a'),
    opReturnBytes: u32('bytes after the 6a of those outputs'),
    inscriptionCount: u32('ord envelopes'),
    inscriptionBytes: u32('bytes of the bodies of those envelopes'),
    runestoneCount: u32(
      'transactions whose first 6a5d output is a runestone, cenotaphs counted; 0 below height 840,000',
    ),
    coinbaseScript: blob('script of the coinbase input'),
    pool: text('mining pool by coinbase tag, then by payout address; empty when no rule matched'),
    poolRule: text('the rule that matched: `tag:…` or `address:…`'),
  },
  orderBy: ['height'],
  partitionBy: byHeight,
  indexes: {
    hash: 'hash TYPE bloom_filter GRANULARITY 1',
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
  settings: { index_granularity: 1024 },
})

export const btcTxs = table('btc_txs', {
  doc: 'One row per transaction of the best chain.',
  columns: {
    batch,
    height,
    blockTime,
    txIndex,
    txid: bytes(32, 'txid, display order'),
    wtxid: bytes(32, 'witness txid, display order; equals txid without a witness'),
    version: u32('transaction version, unsigned (BIP-68)', { formerly: 'i32' }),
    lockTime: u32('nLockTime'),
    sizeBytes: u32('serialized size with witness, bytes'),
    vsizeVb: u32('virtual size, ceil(weight / 4), vbytes (BIP-141)'),
    weightWu: u32('weight, weight units'),
    inputCount: u32('inputs'),
    outputCount: u32('outputs'),
    paymentOutputCount: u32('outputs that are not OP_RETURN'),
    isCoinbase: bool('first transaction of its block'),
    hasWitness: bool('any input has a witness'),
    signalsRbf: bool('an input sequence is below 0xfffffffe (BIP-125)'),
    inputSat: nullable(
      u64('sum of the spent outputs, satoshis; null for a coinbase or while a prevout is unknown'),
    ),
    outputSat: u64('sum of the outputs, satoshis'),
    returnedSat: nullable(
      u64(
        'outputs to a script that is among the same transaction’s input scripts, satoshis; null while a prevout is unknown',
      ),
    ),
    feeSat: nullable(
      u64('inputs minus outputs, satoshis; null for a coinbase or while a prevout is unknown'),
    ),
    opReturnBytes: u32('bytes after the 6a of its OP_RETURN outputs'),
    inscriptionCount: u32('ord envelopes in its witnesses'),
    inscriptionBytes: u32('bytes of the bodies of those envelopes'),
    protocolMask: u16('protocols found in it, one bit each in the order of priority (see `btc_protocols`)'),
  },
  orderBy: ['height', 'tx_index'],
  partitionBy: byHeight,
  settings: RARE_MERGES,
  indexes: {
    txid: 'txid TYPE bloom_filter(0.001) GRANULARITY 1',
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
})

export const btcInputs = table('btc_inputs', {
  doc: 'One row per input of the best chain, with the output that it spends.',
  columns: {
    batch,
    height,
    blockTime,
    txIndex,
    txid: bytes(32, 'txid of the spending transaction, display order'),
    vin: u32('index in its transaction'),
    prevTxid: bytes(32, 'txid of the spent output, display order; zeros for a coinbase'),
    prevVout: u32('index of the spent output; 4294967295 for a coinbase'),
    sequence: u32('nSequence'),
    scriptSig: blob('input script'),
    witnessBytes: u32('serialized size of the witness, bytes; 0 without one'),
    isCoinbase: bool('the input of a coinbase'),
    prevValueSat: nullable(u64('value of the spent output, satoshis')),
    prevScriptType: nullable(oneOf(SCRIPT_TYPES, 'type of the spent output')),
    prevScript: blob('script of the spent output; empty while unknown'),
    prevHeight: nullable(u32('height of the block that made the spent output')),
    prevTime: nullable(time('header time of that block, UTC')),
  },
  orderBy: ['height', 'tx_index', 'vin'],
  partitionBy: byHeight,
  settings: RARE_MERGES,
  indexes: {
    prev_txid: 'prev_txid TYPE bloom_filter(0.001) GRANULARITY 1',
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
})

export const btcOutputs = table('btc_outputs', {
  doc: 'One row per transaction output of the best chain.',
  columns: {
    batch,
    height,
    blockTime,
    txIndex,
    txid: bytes(32, 'txid, display order'),
    vout: u32('index in its transaction'),
    valueSat: u64('value, satoshis'),
    scriptType: oneOf(SCRIPT_TYPES, 'output type'),
    script: blob('output script'),
    isCoinbase: bool('output of a coinbase'),
  },
  orderBy: ['height', 'tx_index', 'vout'],
  partitionBy: byHeight,
  settings: RARE_MERGES,
  indexes: { block_time: 'block_time TYPE minmax GRANULARITY 1' },
})

/** Filled by the engine from `btc_outputs`; small granules, because ingest and the transaction page look up single outputs. */
export const btcOutpoints = table('btc_outpoints', {
  doc: 'The outputs again, in the order of their outpoints.',
  columns: {
    batch,
    txidPrefix: u64(
      'first eight bytes of the txid as stored, big-endian: narrows the search; compare the txid itself',
    ),
    txid: bytes(32, 'txid, display order'),
    vout: u32('index in its transaction'),
    height,
    txIndex,
    blockTime: time('header time of the block, UTC'),
    valueSat: u64('value, satoshis'),
    scriptType: oneOf(SCRIPT_TYPES, 'output type'),
    script: blob('output script'),
  },
  orderBy: ['txid_prefix', 'vout'],
  settings: { index_granularity: 512, ...RARE_MERGES },
})

export const btcInscriptions = table('btc_inscriptions', {
  doc: 'One row per ord envelope revealed in a transaction of the best chain.',
  columns: {
    batch,
    height,
    blockTime,
    txIndex,
    txid: bytes(32, 'txid of the revealing transaction, display order'),
    vin: u32('input that reveals it'),
    envelope: u32('position among the envelopes of the transaction'),
    contentType: text('content type as inscribed; empty without one'),
    bodyBytes: u32('size of the body, bytes'),
    isBrc20: bool('the body is a brc-20 operation'),
    bodyStart: blob('first 256 bytes of the body'),
  },
  orderBy: ['height', 'tx_index', 'envelope'],
  partitionBy: byHeight,
})

export const btcLayerOps = table('btc_layer_ops', {
  doc: 'One row per operation that a Bitcoin layer carries out in a Bitcoin transaction.',
  columns: {
    batch,
    height,
    blockTime,
    txIndex,
    txid: bytes(32, 'txid, display order'),
    vout: u16('output that carries or receives it'),
    op: oneOf(LAYER_OPS, 'what it is: `<layer>.<operation>`'),
    valueSat: u64('satoshis that move by it: bid, payout, stake; 0 where none'),
    detailsJson: text('fields of the operation as a JSON object; integers beyond 2^53 as decimal strings'),
    rule: text('the rule that recognized it'),
  },
  orderBy: ['height', 'tx_index', 'vout'],
  partitionBy: byHeight,
})

/** Base rows in their own right: one row a block from a node, where we do not hold the block itself. */
export const btcBlockStats = table('btc_block_stats', {
  doc: 'One row per block from a node’s own `getblockstats`; the coinbase is left out as Bitcoin Core leaves it out.',
  columns: {
    height,
    hash: bytes(32, 'block hash, display order'),
    blockTime,
    medianTime: time('median time past, UTC'),
    txCount: u32('transactions, coinbase in'),
    inputCount: u32('inputs, coinbase out'),
    outputCount: u32('outputs, coinbase in'),
    outputSat: u64('sum of outputs, satoshis, coinbase out'),
    sizeBytes: u32('total size of transactions, bytes, coinbase out'),
    weightWu: u32('total weight of transactions, coinbase out'),
    segwitTxCount: u32('transactions with a witness, coinbase out'),
    segwitWeightWu: u32('weight of those'),
    feeSat: u64('sum of fees, satoshis'),
    subsidySat: u64('block subsidy, satoshis'),
    medianFeeSat: u64('median fee of its transactions, satoshis (truncated)'),
    medianTxSizeBytes: u32('median size of its transactions, bytes (truncated)'),
    feerateP10: u32('10th percentile by weight, sat/vB (truncated)'),
    feerateP25: u32('25th percentile by weight, sat/vB (truncated)'),
    feerateP50: u32('50th percentile by weight, sat/vB (truncated)'),
    feerateP75: u32('75th percentile by weight, sat/vB (truncated)'),
    feerateP90: u32('90th percentile by weight, sat/vB (truncated)'),
    utxoIncrease: i32('outputs made minus outputs spent'),
    source: text('who recorded it'),
  },
  orderBy: ['height'],
  indexes: { block_time: 'block_time TYPE minmax GRANULARITY 1' },
})

/** A block that failed a check: kept for inspection, never among the rows. */
export const btcRefusedBlocks = table('btc_refused_blocks', {
  doc: 'One row per block that was refused, with the reason.',
  columns: {
    hash: bytes(32, 'hash of the header as received, display order; zeros if there is none'),
    height: nullable(u32('height it was offered for')),
    code: text('which check failed'),
    reason: text('what was wrong and where'),
    origin: oneOf(BATCH_ORIGINS, 'where the bytes came from'),
    sizeBytes: u32('bytes received'),
    keptAs: text(
      'file in ASSAY_HOME/refused that holds the bytes; empty once dropped to keep the folder bounded',
    ),
    refusedAt: time('when, UTC'),
  },
  orderBy: ['refused_at'],
})

export const btcStaleBlocks = table('btc_stale_blocks', {
  doc: 'One row per block that was seen and lost against another of its height.',
  columns: staleBlockColumns(height),
  orderBy: ['height', 'hash'],
})

export const btcIngestStates = table('btc_ingest_states', {
  doc: 'One row per change of what Bitcoin ingest is doing, with the sentence that says why.',
  columns: ingestStateColumns(),
  orderBy: ['seq'],
})

/** Tables whose rows belong to a batch; readers see them through views of committed batches. */
export const BTC_BATCH_TABLES = [
  btcBlocks,
  btcTxs,
  btcInputs,
  btcOutputs,
  btcOutpoints,
  btcInscriptions,
  btcLayerOps,
] as const

export type BtcBatch = RowOf<typeof btcBatches>
export type BtcRefusedBlock = RowOf<typeof btcRefusedBlocks>
