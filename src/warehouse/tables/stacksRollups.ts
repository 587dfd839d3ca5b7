import { CLARITY_WORDS, COST_BUDGETS } from '#kernel/clarityWords.ts'
import { STACKS_ASSET_STANDARDS, STACKS_TRANSFER_ACTIONS, STACKS_TX_KINDS } from '#kernel/stacks.ts'
import { bool, bytes, date, f64, nullable, oneOf, table, text, time, u32, u64, u128 } from '#kernel/table.ts'
import { stxDexBinDays, stxDexEvents, stxDexPoolDays } from './stacksDex.ts'

const bucket = date('UTC day, by block time')
const run = u64(
  'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
)

const clarityVersion = text(
  'version of Clarity: the one that payload or interface names, else on the main network the default of its epoch; `unknown` elsewhere',
)

export const stxBlockDays = table('stx_block_days', {
  doc: 'One row per UTC day that holds a Stacks block: figures of its blocks.',
  columns: {
    run,
    bucket,
    blockCount: u32('blocks held'),
    fromHeight: u32('lowest height'),
    toHeight: u32('highest height'),
    lastTime: time('latest block time, UTC'),
    tenureCount: u32('tenures that began: before Nakamoto each block is one'),
    userTxCount: u64('transactions of users: payments, calls, contracts, operations on Bitcoin'),
    failedTxCount: u64('of these, those that did not end in success'),
    feeUstx: u64('fees of users’ transactions, micro-STX'),
    medianFeeUstx: nullable(
      u64('median of these fees, micro-STX (of the two middle ones the lower); null without one'),
    ),
    intervalSum: nullable(f64('seconds between neighboring blocks, summed; null without neighbors')),
    intervalCount: u32('pairs of neighboring blocks'),
    medianInterval: nullable(f64('median seconds between neighboring blocks; null without neighbors')),
    contractCount: u32('contracts made'),
    coinbaseUstx: u64('new STX paid out by matured rewards, micro-STX'),
    rewardFeeUstx: u64('fees paid out by matured rewards, micro-STX'),
  },
  orderBy: ['bucket'],
})

export const stxTxDays = table('stx_tx_days', {
  doc: 'One row per UTC day and kind of Stacks transaction.',
  columns: {
    run,
    bucket,
    kind: oneOf(STACKS_TX_KINDS, 'what it is, by its payload'),
    txCount: u64('transactions'),
    failedTxCount: u64('of these, those that did not end in success'),
    feeUstx: u64('their fees, micro-STX'),
  },
  orderBy: ['bucket', 'kind'],
})

export const stxCallDays = table('stx_call_days', {
  doc: 'One row per UTC day and function of a Stacks contract that transactions called.',
  columns: {
    run,
    bucket,
    contract: text('contract, as `address.name`'),
    functionName: text('function'),
    callCount: u64('calls by transactions'),
    failedCallCount: u64('of these, those that changed nothing but nonce and fee'),
    callerCount: u64('distinct callers of the day'),
  },
  orderBy: ['bucket', 'contract', 'function_name'],
})

export const stxContractDays = table('stx_contract_days', {
  doc: 'One row per UTC day and version of Clarity: contracts made.',
  columns: {
    run,
    bucket,
    clarityVersion,
    contractCount: u64('contracts'),
    deployerCount: u64('distinct deployers of the day'),
  },
  orderBy: ['bucket', 'clarity_version'],
})

export const stxMadeContracts = table('stx_made_contracts', {
  doc: 'One row per contract that was made, without its source: with which version of Clarity, by whom and when.',
  columns: {
    run,
    bucket,
    height: u32('block height'),
    txIndex: u32('position of the transaction in its block'),
    txid: bytes(32, 'transaction that made it'),
    blockTime: time('time of the block, UTC'),
    contract: text('contract, as `address.name`'),
    deployer: text('who made it'),
    clarityVersion,
  },
  orderBy: ['bucket', 'height', 'tx_index'],
})

export const stxSourceWords = table('stx_source_words', {
  doc: 'One row per contract and word of Clarity 4 or later that its source uses: read as tokens of Clarity, so what stands in comments, strings and names of other contracts does not count.',
  columns: {
    run,
    bucket,
    contract: text('contract, as `address.name`'),
    word: oneOf(
      CLARITY_WORDS.map(({ word }) => word),
      'the word',
    ),
    useCount: u32('how often it is used'),
  },
  orderBy: ['bucket', 'word', 'contract'],
})

export const stxCostDays = table('stx_cost_days', {
  doc: 'One row per UTC day, budget, called contract and cost of a call: how many calls cost that much. Calls whose source does not tell their cost are not in it.',
  columns: {
    run,
    bucket,
    budget: oneOf(
      ['tightest', ...COST_BUDGETS],
      'which budget of a block, from Nakamoto on of a tenure; `tightest`: of the five the one of which the call takes most',
    ),
    contract: text('contract that is called, as `address.name`'),
    sharePpm: u32('what a call takes of that budget, millionths, rounded down'),
    callCount: u64('calls'),
  },
  orderBy: ['bucket', 'budget', 'contract', 'share_ppm'],
})

export const stxTransferDays = table('stx_transfer_days', {
  doc: 'One row per UTC day, standard and action: STX and tokens that moved, were made or destroyed.',
  columns: {
    run,
    bucket,
    standard: oneOf(STACKS_ASSET_STANDARDS, 'STX, fungible token, or token that is one of its kind'),
    action: oneOf(STACKS_TRANSFER_ACTIONS, 'moved, made or destroyed'),
    moveCount: u64('events'),
    assetCount: u64('distinct assets of the day'),
    amountUstx: u128('micro-STX; 0 for tokens'),
  },
  orderBy: ['bucket', 'standard', 'action'],
})

export const stxContractFeeDays = table('stx_contract_fee_days', {
  doc: 'One row per UTC day and contract on Stacks that transactions called: what they paid for block space.',
  columns: {
    run,
    bucket,
    contract: text('contract, as `address.name`'),
    txCount: u64('transactions that called it'),
    feeUstx: u64('their fees, micro-STX'),
  },
  orderBy: ['bucket', 'contract'],
})

export const stxContractFlowDays = table('stx_contract_flow_days', {
  doc: 'One row per UTC day, pair of contracts on Stacks and token: what left the one and came to the other within a transaction, directly or through whoever signed it.',
  columns: {
    run,
    bucket,
    sender: text('contract that it left, as `address.name`'),
    recipient: text('contract that it came to'),
    token: text('contract of the token; `STX`'),
    amount: u128('the smaller of what left and what came, by transaction, summed; base units'),
    txCount: u64('transactions'),
  },
  orderBy: ['bucket', 'sender', 'recipient', 'token'],
})

export const stxSignerDays = table('stx_signer_days', {
  doc: 'One row per UTC day, reward cycle and key: blocks that the key signed.',
  columns: {
    run,
    bucket,
    cycle: u32('reward cycle of the blocks, by the Bitcoin height of their tenure'),
    signingKey: bytes(33, 'public key, compressed'),
    signedCount: u32('blocks of the day and cycle that it signed'),
    blockCount: u32('blocks of the day and cycle whose signatures are held'),
    lastTime: time('time of the last one that it signed, UTC'),
  },
  orderBy: ['bucket', 'cycle', 'signing_key'],
})

/** What follows from the runs of held blocks, written down because every figure by day asks for it. */
export const stxCoveredDays = table('stx_covered_days', {
  doc: 'One row per UTC day of which all Stacks blocks are held, and change of that.',
  columns: {
    run,
    day: date('UTC day'),
    isHeld: bool('false: the day is not whole any more'),
  },
  orderBy: ['day'],
  engine: 'ReplacingMergeTree(run)',
})

export const STX_ROLLUP_TABLES = [
  stxBlockDays,
  stxTxDays,
  stxCallDays,
  stxContractDays,
  stxMadeContracts,
  stxSourceWords,
  stxCostDays,
  stxTransferDays,
  stxContractFeeDays,
  stxContractFlowDays,
  stxSignerDays,
  stxDexEvents,
  stxDexPoolDays,
  stxDexBinDays,
] as const
