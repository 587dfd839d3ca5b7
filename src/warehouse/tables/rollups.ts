import { DATA_PROTOCOLS, SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import {
  bool,
  bytes,
  date,
  f64,
  i64,
  nullable,
  oneOf,
  type Table,
  table,
  text,
  time,
  u8,
  u16,
  u32,
  u64,
  u128,
} from '#kernel/table.ts'

/** Buckets that base rows fall into. `day_mtp` cuts days by median time past, as Coin Metrics does. */
export const BUCKET_GRAINS = ['day', 'week', 'month', 'day_mtp'] as const
export type BucketGrain = (typeof BUCKET_GRAINS)[number]

/** Nested bands of address balances; `seen` counts an address from its first output on, whatever it holds now. */
export const HOLDER_BANDS = [
  'seen',
  '>0',
  '>=0.01',
  '>=0.1',
  '>=1',
  '>=10',
  '>=100',
  '>=1000',
  '>=10000',
] as const

/** What happens to outputs in a bucket. `unspendable` never enters the unspent set; `overwritten` leaves it (BIP-30). */
export const FLOW_KINDS = ['made', 'spent', 'unspendable', 'overwritten'] as const

/** Layers whose doings on Bitcoin are counted. */
export const BTC_LAYERS = ['stacks', 'rootstock', 'babylon', 'core'] as const

const grain = oneOf(BUCKET_GRAINS, 'kind of bucket')
const bucket = date('first day of the bucket, UTC')
const run = u64(
  'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
)

/**
 * The commit log of rollups. A run's row for a bucket is written after the bucket's rows; readers see
 * the newest run of each. A bucket is stale while its signature is not that of the base rows and of the declaration as they are now: that is
 * derived, so neither a crash nor a reorg can lose it.
 */
export const rollupRuns = table('rollup_runs', {
  doc: 'One row per bucket that a refresh has recomputed.',
  columns: {
    rollup: text('table that the rows went to'),
    grain,
    bucket,
    signature: u64(
      'fingerprint of the base rows that the bucket was computed from and of the statement that did',
    ),
    run,
    computedAt: time('when, UTC'),
  },
  orderBy: ['rollup', 'grain', 'bucket', 'run'],
})

/** Where per-block figures come from. */
export const FACT_ORIGINS = ['rows', 'statistics'] as const

export const btcBlockFacts = table('btc_block_facts', {
  doc: 'One row per block from the best source that covers it: its rows where the block is held, else a node’s statistics.',
  columns: {
    run,
    bucket: date('UTC date of the header time'),
    height: u32('block height'),
    hash: bytes(32, 'block hash, display order'),
    blockTime: time('header time, UTC'),
    medianTime: nullable(
      time('median time past of the block and the ten before it, UTC; null where those are not held'),
    ),
    origin: oneOf(FACT_ORIGINS, '`rows`: the block is held; `statistics`: only a node’s figures of it'),
    bits: nullable(u32('compact target: of its header, else of its epoch as recorded')),
    txCount: u32('transactions, coinbase in'),
    inputCount: u32('inputs, the coinbase input left out'),
    outputCount: u32('outputs, coinbase outputs in'),
    outputSat: u64('sum of outputs, satoshis, the coinbase left out'),
    feeSat: nullable(u64('fees, satoshis; null while a prevout is unknown')),
    subsidySat: u64('block subsidy by height, satoshis'),
    coinbaseSat: nullable(u64('what the coinbase claims, satoshis; null from statistics')),
  },
  orderBy: ['bucket', 'height'],
})

export const btcHeldBuckets = table('btc_held_buckets', {
  doc: 'One row per bucket that holds a block: which blocks the bucket’s rollups rest on.',
  columns: {
    run,
    grain,
    bucket,
    blockCount: u32('blocks held'),
    fromHeight: u32('lowest height'),
    toHeight: u32('highest height'),
    lastTime: time('latest header time, UTC'),
  },
  orderBy: ['grain', 'bucket'],
})

export const btcTxBuckets = table('btc_tx_buckets', {
  doc: 'One row per bucket: figures of its transactions, the coinbase left out.',
  columns: {
    run,
    grain,
    bucket,
    txCount: u64('transactions'),
    vsizeVb: u64('their virtual size, vbytes'),
    medianVsizeVb: u32('median virtual size, vbytes (of the two middle ones the lower)'),
    paymentOutputCount: u64('outputs that are not OP_RETURN'),
    rbfTxCount: u64('transactions that signal BIP-125'),
    unknownFeeTxCount: u64('transactions whose fee is not known'),
    medianFeeSat: nullable(
      u64('median fee, satoshis (truncated mean of the middle two); null while a fee is unknown'),
    ),
    feerateP10: nullable(
      f64('10th percentile of fee rates by virtual size, sat/vB; null while a fee is unknown'),
    ),
    feerateP25: nullable(f64('25th percentile')),
    feerateP50: nullable(f64('50th percentile')),
    feerateP75: nullable(f64('75th percentile')),
    feerateP90: nullable(f64('90th percentile')),
    transferredSat: u64('sum of outputs, satoshis'),
    adjustedSat: nullable(
      u64('of these, not to a script among the transaction’s input scripts; null while a prevout is unknown'),
    ),
  },
  orderBy: ['grain', 'bucket'],
})

export const btcInputDays = table('btc_input_days', {
  doc: 'One row per day: inputs by kind, the coinbase input left out.',
  columns: {
    run,
    bucket,
    inputCount: u64('inputs'),
    witnessInputCount: u64('inputs with a witness'),
    unknownInputCount: u64('inputs whose prevout is not known'),
    unknownAgeInputCount: u64('inputs whose prevout’s block is not known'),
    taprootInputCount: u64('inputs that spend a v1 output'),
  },
  orderBy: ['bucket'],
})

export const btcOutputDays = table('btc_output_days', {
  doc: 'One row per day and output type, coinbase outputs in.',
  columns: {
    run,
    bucket,
    scriptType: oneOf(SCRIPT_TYPES, 'output type'),
    outputCount: u64('outputs'),
    valueSat: u64('their value, satoshis'),
  },
  orderBy: ['bucket', 'script_type'],
})

export const btcFlowDays = table('btc_flow_days', {
  doc: 'One row per day, day of making, value band and kind: outputs made, spent, unspendable, overwritten.',
  columns: {
    run,
    bucket,
    kind: oneOf(FLOW_KINDS, 'what happened'),
    madeDay: date('day on which the outputs were made, UTC'),
    valueBand: u8('0 for no value, n for 10^(n-1) to 10^n − 1 satoshis'),
    isYoung: bool('spent within an hour of being made, by header time'),
    outputCount: u64('outputs'),
    valueSat: u64('their value, satoshis'),
    satSeconds: u128('value × seconds since made, satoshi-seconds, never below 0; 0 unless spent'),
  },
  orderBy: ['bucket', 'kind', 'made_day', 'value_band'],
})

export const btcBandDays = table('btc_band_days', {
  doc: 'One row per day and value band: what entered the unspent set less what left it, and what was spent.',
  columns: {
    run,
    bucket,
    valueBand: u8('0 for no value, n for 10^(n-1) to 10^n − 1 satoshis'),
    outputChange: i64('unspent outputs gained'),
    satChange: i64('unspent value gained, satoshis'),
    unspendableSat: u64('value made that nobody can spend, or overwritten (BIP-30), satoshis'),
    spentSat: u64('value spent, satoshis'),
    satSeconds: u128('value spent × seconds since it was made, satoshi-seconds, never below 0'),
  },
  orderBy: ['bucket', 'value_band'],
})

/** Ages of coins at the end of a day, in whole days from `least` up to the next band's: a month is 30 days, a year 365. */
export const AGE_BANDS = [
  { name: '<1d', least: 0 },
  { name: '1d-1w', least: 1 },
  { name: '1w-1m', least: 7 },
  { name: '1m-3m', least: 30 },
  { name: '3m-6m', least: 90 },
  { name: '6m-12m', least: 180 },
  { name: '1y-2y', least: 365 },
  { name: '2y-3y', least: 730 },
  { name: '3y-5y', least: 1095 },
  { name: '5y-7y', least: 1825 },
  { name: '7y-10y', least: 2555 },
  { name: '>10y', least: 3650 },
] as const

export const btcCohortMonths = table('btc_cohort_months', {
  doc: 'One row per month and day of making: value unspent at the end of the month. Rests on all blocks since genesis.',
  columns: {
    run,
    bucket,
    madeDay: date('day on which the outputs were made, UTC'),
    valueSat: i64(
      'value unspent, satoshis; below 0 where a header time lies before that of a coin it spends',
    ),
  },
  orderBy: ['bucket', 'made_day'],
})

export const btcAgeDays = table('btc_age_days', {
  doc: 'One row per day and age of coins: unspent value at the end of the day. Rests on all blocks since genesis and on prices.',
  columns: {
    run,
    bucket,
    age: oneOf(
      AGE_BANDS.map(({ name }) => name),
      'days since the coins were made',
    ),
    valueSat: i64('value unspent, satoshis'),
    realisedUsd: f64('each coin at the close of the day it was made, USD; 0 where that has none'),
    profitSat: nullable(
      i64('value made on days with a lower close than this one, satoshis; null on a day without a close'),
    ),
  },
  orderBy: ['bucket', 'age'],
})

/** Small granules, because balances look up single addresses. */
export const btcAddressDays = table('btc_address_days', {
  doc: 'One row per address and day on which it received or spent.',
  columns: {
    run,
    address: bytes(16, 'SipHash-128 of the address script; P2PK is taken as the P2PKH of its key'),
    bucket,
    changeSat: i64('received minus spent, satoshis'),
    keyChangeSat: i64('of this, by outputs to the bare key of the address (P2PK), satoshis'),
    isNamed: bool('any of its outputs or inputs that day names the address itself, not its bare key'),
  },
  orderBy: ['address', 'bucket'],
  partitionBy: 'toYear(bucket)',
  settings: { index_granularity: 512 },
})

export const btcActiveBuckets = table('btc_active_buckets', {
  doc: 'One row per bucket: distinct addresses in inputs and outputs.',
  columns: {
    run,
    grain,
    bucket,
    addressCount: u64('addresses'),
    unknownInputCount: u64('inputs whose prevout is not known'),
  },
  orderBy: ['grain', 'bucket'],
})

export const btcHolderDays = table('btc_holder_days', {
  doc: 'One row per day and balance band: addresses that entered it minus those that left it. Rests on all blocks since genesis.',
  columns: {
    run,
    bucket,
    band: oneOf(HOLDER_BANDS, 'balance in BTC at least; `seen`: first seen'),
    change: i64('addresses'),
  },
  orderBy: ['bucket', 'band'],
})

export const btcProtocolDays = table('btc_protocol_days', {
  doc: 'One row per day and data protocol; a transaction counts once, for the first of its protocols in the order of priority.',
  columns: {
    run,
    bucket,
    protocol: oneOf(DATA_PROTOCOLS, 'protocol'),
    txCount: u64('transactions, coinbases that carry a tag in'),
    vsizeVb: u64('their virtual size, vbytes; of a coinbase the bytes of its OP_RETURN outputs alone'),
    feeSat: u64('their known fees, satoshis'),
    unknownFeeTxCount: u64('transactions whose fee is not known'),
    overlapTxCount: u64('further transactions of this protocol that counted for one before it'),
  },
  orderBy: ['bucket', 'protocol'],
})

export const btcLayerDays = table('btc_layer_days', {
  doc: 'One row per day and layer: what its transactions on Bitcoin take, cost and move.',
  columns: {
    run,
    bucket,
    layer: oneOf(BTC_LAYERS, 'layer'),
    txCount: u64('transactions, coinbases left out'),
    vsizeVb: u64('their virtual size, vbytes'),
    feeSat: u64('their known fees, satoshis'),
    unknownFeeTxCount: u64('transactions whose fee is not known'),
    valueSat: u64('satoshis that its operations move: bids, payouts, stakes'),
    stakedSat: u64('of these, locked as stakes'),
    mergeMinedBlockCount: u32('blocks whose coinbase carries its tag'),
  },
  orderBy: ['bucket', 'layer'],
})

/** Ways of coins into the peg of a layer and out of it. */
export const PEG_FLOWS = ['deposit of a user', 'deposit of a miner', 'withdrawal'] as const

export const btcPegDays = table('btc_peg_days', {
  doc: 'One row per day, layer and way: coins that enter a peg, when its signers take them in, and coins that it pays out.',
  columns: {
    run,
    bucket,
    layer: oneOf(BTC_LAYERS, 'layer'),
    flow: oneOf(
      PEG_FLOWS,
      'which way, and whose; `deposit of a miner`: a block commit that is a deposit too',
    ),
    moveCount: u64('deposits or withdrawals'),
    valueSat: u64('their known value, satoshis'),
    unknownInputCount: u64('deposits whose prevout is not known'),
  },
  orderBy: ['bucket', 'layer', 'flow'],
})

/**
 * Where base rows have no gap, computed by `refreshRollups` after each commit or reorg; the newest run holds. One insert
 * of one block of rows is atomic, so a run is whole or absent.
 */
export const btcBlockRuns = table('btc_block_runs', {
  doc: 'One row per run of neighboring blocks, by basis.',
  columns: {
    run,
    basis: oneOf(
      ['rows', 'facts', 'statistics'] as const,
      '`rows`: blocks that are held; `statistics`: known by a node’s statistics; `facts`: either',
    ),
    fromHeight: u32('first height of the run'),
    toHeight: u32('last height of the run'),
    firstWholeDay: date('first UTC day, by header time, of which the run has all blocks'),
    lastWholeDay: date('last such day; before `first_whole_day` where there is none'),
    lastDay: date('latest day of a block in the run'),
  },
  orderBy: ['run', 'basis', 'from_height'],
})

/** What is known of a day: `facts` from rows or a node's statistics, `genesis` from every block since the first. */
export const DAY_BASES = ['rows', 'facts', 'statistics', 'genesis'] as const

/** The days that follow from `btc_block_runs`; only days that change are written, the newest run of a day holds. */
export const btcCoveredDays = table('btc_covered_days', {
  doc: 'One row per basis and UTC day, by header time, and change of what is held of it.',
  columns: {
    run,
    basis: oneOf(DAY_BASES, 'what the day rests on'),
    day: date('UTC day'),
    isHeld: bool('false: the day is not covered any more'),
    isWhole: bool('all its blocks are held'),
    toHeight: u32('highest height up to the end of the day; 0 but for `genesis`'),
    asOf: time('latest header time up to the end of the day, UTC; 0 but for `genesis`'),
  },
  orderBy: ['basis', 'day'],
  engine: 'ReplacingMergeTree(run)',
})

/** Which feed a day takes its close from, worked out by `refreshRollups`; the newest run of a day holds. */
export const btcUsdDaily = table('btc_usd_daily', {
  doc: 'One row per UTC day: the close of BTC in USD from the most trusted feed that has the day.',
  columns: {
    run,
    day: date('UTC day'),
    close: f64('last price of the day, USD'),
    source: text('feed that gave it'),
  },
  orderBy: ['day'],
  engine: 'ReplacingMergeTree(run)',
})

/** Compact targets by epoch as recorded: difficulty where no block of ours tells it. */
export const btcDifficultyEpochs = table('btc_difficulty_epochs', {
  doc: 'One row per difficulty epoch of 2,016 blocks.',
  columns: {
    epoch: u16('number of the epoch'),
    startHeight: u32('its first height'),
    startTime: nullable(time('header time of its first block, UTC')),
    bits: u32('compact target'),
    source: text('who recorded it'),
  },
  orderBy: ['epoch'],
  engine: 'ReplacingMergeTree',
})

/** Tables that `refreshRollups` fills; readers see the newest valid run of each bucket through a view of the same name. */
export const ROLLUP_TABLES = [
  btcBlockFacts,
  btcHeldBuckets,
  btcTxBuckets,
  btcInputDays,
  btcOutputDays,
  btcFlowDays,
  btcBandDays,
  btcCohortMonths,
  btcAgeDays,
  btcAddressDays,
  btcActiveBuckets,
  btcHolderDays,
  btcProtocolDays,
  btcLayerDays,
  btcPegDays,
] as const satisfies readonly Table[]
