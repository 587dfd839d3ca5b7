import {
  CLARITY_KINDS,
  STACKS_ASSET_STANDARDS,
  STACKS_BLOCK_PARTS,
  STACKS_BLOCK_SOURCES,
  STACKS_TRANSFER_ACTIONS,
  STACKS_TX_KINDS,
  STACKS_TX_STATUSES,
  TENURE_CHANGE_CAUSES,
} from '#kernel/stacks.ts'
import { blob, bool, bytes, nullable, oneOf, table, text, time, u8, u32, u64, u128 } from '#kernel/table.ts'
import { batchLogColumns, batchNumber, ingestStateColumns, staleBlockColumns } from './batches.ts'

/** Where a batch of messages came from: a node that posts them, an archive, a node or a public API that is asked, other batches. */
export const STX_ORIGINS = ['observer', 'archive', 'node', 'api', 'merged'] as const
export type StxOrigin = (typeof STX_ORIGINS)[number]

/**
 * What every chain has (`height`, `hash`, `block_time`, `tx_index`, `sender`) has the name that the tables of the other chains
 * give it. Each row follows from the message of its own block alone, so a block has the same rows whenever it comes in.
 */
const height = u32('block height')
const blockTime = time(
  'time of the block, UTC: its own from Nakamoto on, before that of the Bitcoin block of its tenure',
  { codec: 'Delta, ZSTD(1)' },
)
const txIndex = u32('position of the transaction in its block')
const txid = bytes(32, 'txid')
const eventIndex = u32('position of the event in its block')
const place = { batch: batchNumber, height, blockTime } as const
const byHeight = 'intDiv(height, 1000000)'
const ofTx = { orderBy: ['height', 'tx_index'], partitionBy: byHeight } as const
const ofEvent = { orderBy: ['height', 'event_index'], partitionBy: byHeight } as const
const bloom = (...columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map(name => [name, `${name} TYPE bloom_filter GRANULARITY 1`]))
/** What running took, in the five dimensions that a block or a tenure has a budget of (SIP-006). */
const costs = (of: string) => ({
  readCount: nullable(u64(`reads from the state, ${of}; null where the source does not say`)),
  readLength: nullable(u64(`bytes read from the state, ${of}; null likewise`)),
  writeCount: nullable(u64(`writes to the state, ${of}; null likewise`)),
  writeLength: nullable(u64(`bytes written to the state, ${of}; null likewise`)),
  runtime: nullable(u64(`running time in the chain’s own units, ${of}; null likewise`)),
})

export const stxBatches = table('stx_batches', {
  doc: 'One row per decision about a batch of Stacks blocks: committed, taken back, or set aside on a branch that is not canonical.',
  columns: batchLogColumns(STX_ORIGINS),
  orderBy: ['batch', 'seq'],
})

export const stxStaleBlocks = table('stx_stale_blocks', {
  doc: 'One row per Stacks block that lost and whose rows are gone.',
  columns: staleBlockColumns(height),
  orderBy: ['height'],
})

export const stxIngestStates = table('stx_ingest_states', {
  doc: 'One row per change of what Stacks ingest does.',
  columns: ingestStateColumns(),
  orderBy: ['seq'],
})

export const stxBlocks = table('stx_blocks', {
  doc: 'One row per block of the canonical Stacks chain.',
  columns: {
    ...place,
    hash: bytes(32, 'index block hash: the id of the block, of header hash and consensus hash'),
    prevHash: bytes(32, 'index block hash of the block before'),
    headerHash: bytes(32, 'hash of the header (`block_hash`)'),
    isNakamoto: bool('a Nakamoto block, signed by miner and signers'),
    consensusHash: nullable(bytes(20, 'consensus hash of its tenure; null from nodes before 3.1')),
    tenureHeight: nullable(u32('tenures up to this one, from genesis; null from nodes before 3.0')),
    burnHeight: u32('height of the Bitcoin block of its tenure'),
    burnHash: bytes(32, 'hash of that Bitcoin block, display order'),
    burnTime: time('time of that Bitcoin block, UTC'),
    minerTxid: nullable(
      bytes(
        32,
        'Bitcoin transaction of the block commit that won, display order; zeros for genesis, null where the source does not say',
      ),
    ),
    txCount: u32('transactions, operations on Bitcoin in'),
    failedTxCount: nullable(
      u32('transactions that did not end in success; null where the source does not say how they ended'),
    ),
    bitcoinOpCount: u32('operations that were made on Bitcoin'),
    unknownTxCount: u32('transactions that no rule here reads; kept raw'),
    microblockTxCount: u32('transactions that came in microblocks, which this block confirms'),
    contractCount: nullable(u32('contracts made; null likewise')),
    eventCount: nullable(u32('events of transactions that were not rolled back; null likewise')),
    rolledBackEventCount: nullable(
      u32('events that were rolled back with their transaction; not kept; null likewise'),
    ),
    feeUstx: u64('sum of the fees offered by its transactions, micro-STX'),
    minerRewardUstx: nullable(
      u64(
        'coinbase and fees paid out in this block, of an earlier tenure, micro-STX; null where the source does not say',
      ),
    ),
    ...costs('over its transactions'),
    parentMicroblockHash: nullable(bytes(32, 'last microblock that it confirms')),
    parentMicroblockSequence: nullable(u32('position of that microblock in its stream')),
    signerSignatureCount: nullable(u32('signatures of signers; null before Nakamoto')),
    signerBitvec: text(
      'which reward addresses may be left out, as the node writes it; empty where it does not',
    ),
    minerSignature: blob('signature of the miner, 65 bytes; empty before Nakamoto'),
    signerSignatures: blob('signatures of signers, 65 bytes each; empty before Nakamoto'),
    cycle: nullable(u32('reward cycle whose reward set this block fixed; null for all others')),
    source: oneOf(
      STACKS_BLOCK_SOURCES,
      'from whom the block came: a node’s events, a node’s RPC, the public API',
    ),
    lacks: text(
      `what that source does not tell of the block, commas between; empty where nothing is missing. Of: ${STACKS_BLOCK_PARTS.join(', ')}`,
    ),
  },
  orderBy: ['height'],
  partitionBy: byHeight,
  indexes: {
    ...bloom('hash', 'header_hash', 'burn_hash'),
    block_time: 'block_time TYPE minmax GRANULARITY 1',
    burn_height: 'burn_height TYPE minmax GRANULARITY 1',
  },
  settings: { index_granularity: 1024 },
})

export const stxTenures = table('stx_tenures', {
  doc: 'One row per tenure that begins (cause BlockFound) or is extended; before Nakamoto each block is a tenure.',
  columns: {
    ...place,
    txIndex,
    cause: oneOf(
      TENURE_CHANGE_CAUSES,
      'why: BlockFound where a miner won a Bitcoin block, else an extension',
    ),
    consensusHash: nullable(bytes(20, 'consensus hash of the tenure; null where nobody says it')),
    prevConsensusHash: nullable(bytes(20, 'consensus hash of the tenure before; null before Nakamoto')),
    burnViewConsensusHash: nullable(bytes(20, 'consensus hash of the Bitcoin block that it looks at')),
    prevTenureEnd: nullable(bytes(32, 'index block hash of the last block of the tenure before')),
    prevTenureBlocks: nullable(u32('blocks of the tenure before, or of this one so far for an extension')),
    minerKeyHash: nullable(bytes(20, 'hash of the public key that signs the blocks of the tenure')),
    burnHeight: u32('height of the Bitcoin block of the tenure'),
    burnHash: bytes(32, 'hash of that Bitcoin block, display order'),
    minerTxid: nullable(
      bytes(32, 'Bitcoin transaction of the block commit that won, display order; null where nobody says it'),
    ),
  },
  ...ofTx,
  indexes: bloom('consensus_hash', 'miner_txid'),
})

export const stxTxs = table('stx_txs', {
  doc: 'One row per transaction of the canonical Stacks chain.',
  columns: {
    ...place,
    txIndex,
    txid,
    kind: oneOf(STACKS_TX_KINDS, 'what it is, by its payload'),
    status: oneOf(STACKS_TX_STATUSES, 'how it ended, in the node’s words'),
    isSuccess: nullable(
      bool('false: it changed nothing but nonce and fee; null where the source does not say'),
    ),
    sender: text(
      'principal that signed it; of an operation on Bitcoin who it acts for, empty where nobody says',
    ),
    sponsor: nullable(text('principal that pays its fee in place of the sender')),
    authType: text('Standard or Sponsored; empty where it has no signature'),
    hashMode: text('how the keys of the sender make its address; empty likewise'),
    nonce: u64('how many transactions the sender made before'),
    feeUstx: u64('fee that is offered, and taken whatever happens, micro-STX'),
    anchorMode: text('onChainOnly, offChainOnly or any; empty likewise'),
    postConditionMode: text('Allow, Deny or Originator; empty likewise'),
    postConditionCount: u32('post-conditions'),
    postConditions: text('the post-conditions as JSON; empty where there are none'),
    recipient: nullable(text('whom a payment, or a coinbase with another recipient, goes to')),
    amountUstx: nullable(u64('what a payment moves, micro-STX')),
    memo: blob('memo of a payment, 34 bytes; empty for all others'),
    contract: nullable(text('contract that it calls or makes, as `address.name`')),
    functionName: text('function that it calls; empty for all others'),
    clarityVersion: nullable(u8('version of Clarity that it names for a contract')),
    result: blob('result, a serialized Clarity value'),
    resultRepr: text('result as readable text; empty where it does not decode'),
    vmError: text('what the node says of an error in running it; empty where nothing'),
    ...costs('by the node'),
    eventCount: nullable(u32('events that were not rolled back; null where the source does not say')),
    sizeBytes: u32('serialized size, bytes; 0 for an operation on Bitcoin'),
    microblockHash: nullable(bytes(32, 'microblock that carried it; null outside of microblocks')),
    microblockSequence: nullable(u32('position of that microblock in its stream')),
    raw: text(
      'hexadecimal bytes where no rule reads the transaction, JSON of an operation on Bitcoin; else empty',
    ),
  },
  ...ofTx,
  indexes: {
    ...bloom('txid', 'sender', 'recipient', 'contract'),
    block_time: 'block_time TYPE minmax GRANULARITY 1',
  },
})

export const stxCalls = table('stx_calls', {
  doc: 'One row per contract call that a transaction makes; its arguments are in `stx_call_args`.',
  columns: {
    ...place,
    txIndex,
    txid,
    sender: text('principal that signed the call'),
    contract: text('contract that is called, as `address.name`'),
    functionName: text('function that is called'),
    isSuccess: nullable(
      bool('false: it changed nothing but nonce and fee; null where the source does not say'),
    ),
    argCount: u32('arguments'),
    resultRepr: text('result as readable text'),
  },
  orderBy: ['contract', 'function_name', 'height', 'tx_index'],
  partitionBy: byHeight,
  indexes: bloom('txid', 'sender'),
})

/** One leaf of a Clarity value: tuples are taken apart by their fields, optionals and responses are opened. */
const leaf = {
  path: text('fields that lead to it, dots between them; empty where the value is no tuple'),
  type: oneOf(CLARITY_KINDS, 'type of the value'),
  uintValue: nullable(u128('number: of a uint, of an int from 0 on, 1 or 0 of a bool; null for all others')),
  textValue: text(
    'principal, text of a string, or hexadecimal bytes of a buffer with 0x; empty for all others',
  ),
  repr: text('the value as readable text'),
} as const

export const stxCallArgs = table('stx_call_args', {
  doc: 'One row per argument of a contract call, or per field of it where it is a tuple.',
  columns: {
    ...place,
    txIndex,
    txid,
    contract: text('contract that is called, as `address.name`'),
    functionName: text('function that is called'),
    argIndex: u32('position of the argument; its name is in `stx_function_args`'),
    leafIndex: u32('position within the argument'),
    ...leaf,
  },
  orderBy: ['contract', 'function_name', 'height', 'tx_index', 'arg_index', 'leaf_index'],
  partitionBy: byHeight,
  indexes: bloom('txid', 'text_value'),
})

export const stxTransfers = table('stx_transfers', {
  doc: 'One row per amount of STX or of a token that moved, was made or was destroyed.',
  columns: {
    ...place,
    eventIndex,
    txid,
    standard: oneOf(STACKS_ASSET_STANDARDS, 'STX, fungible token, or token that is one of its kind'),
    action: oneOf(STACKS_TRANSFER_ACTIONS, 'moved, made or destroyed'),
    asset: text('`address.contract::asset`; empty for STX'),
    sender: nullable(text('who had it; null where it was made')),
    recipient: nullable(text('who got it; null where it was destroyed')),
    amount: u128('how much: micro-STX, base units of the token, 1 for an NFT'),
    tokenId: blob('which NFT, a serialized Clarity value; empty for all others'),
    tokenRepr: text('which NFT, as readable text; empty for all others'),
    memo: blob('memo of a payment; empty where there is none'),
  },
  ...ofEvent,
  indexes: bloom('txid', 'asset', 'sender', 'recipient'),
})

export const stxPrints = table('stx_prints', {
  doc: 'One row per value that a contract printed; its fields are in `stx_print_fields`.',
  columns: {
    ...place,
    eventIndex,
    txid,
    contract: text('contract that printed it, as `address.name`'),
    topic: text('the node’s topic: print'),
    event: text(
      'what happened, by the catalog of prints, else by the field that names it; empty where none does',
    ),
    isListed: bool('the catalog knows this print from the source of the contract'),
    functionNames: text('functions whose print it is by the catalog, commas between them; empty where none'),
    value: blob('the value, serialized'),
    repr: text('the value as readable text'),
  },
  orderBy: ['contract', 'height', 'event_index'],
  partitionBy: byHeight,
  indexes: bloom('txid', 'event'),
})

export const stxPrintFields = table('stx_print_fields', {
  doc: 'One row per field of a printed value.',
  columns: {
    ...place,
    eventIndex,
    txid,
    contract: text('contract that printed it, as `address.name`'),
    event: text('what happened, as in `stx_prints`'),
    leafIndex: u32('position within the value'),
    ...leaf,
  },
  orderBy: ['contract', 'height', 'event_index', 'leaf_index'],
  partitionBy: byHeight,
  indexes: bloom('path', 'text_value'),
})

export const stxLocks = table('stx_locks', {
  doc: 'One row per lock of STX by PoX.',
  columns: {
    ...place,
    eventIndex,
    txid,
    stacker: text('whose STX are locked'),
    amountUstx: u64('locked in all, micro-STX'),
    unlockHeight: u32('Bitcoin height at which they are free again'),
    contract: text('the PoX contract; empty from early nodes'),
  },
  ...ofEvent,
  indexes: bloom('txid', 'stacker'),
})

export const stxPoxOps = table('stx_pox_ops', {
  doc: 'One row per operation that PoX-1 to PoX-4 report of a stacker; the rest of what they print is in `stx_print_fields`.',
  columns: {
    ...place,
    eventIndex,
    txid,
    contract: text('the PoX contract'),
    operation: text('stack-stx, delegate-stack-stx, stack-aggregation-commit and so on'),
    stacker: text('whose stack it changes'),
    balanceUstx: nullable(u128('unlocked balance of the stacker, micro-STX')),
    lockedUstx: nullable(u128('locked balance of the stacker, micro-STX')),
    unlockHeight: nullable(u64('Bitcoin height at which it is free again')),
    amountUstx: nullable(u128('amount of the operation, micro-STX; null where it has none')),
    lockPeriod: nullable(u64('cycles that it locks or extends; null where it does not')),
    startHeight: nullable(u64('Bitcoin height from which it counts')),
    cycle: nullable(u64('reward cycle that it commits to')),
    delegateTo: text('whom it delegates to, or who acts for the stacker; empty where nobody'),
    signerKey: text('public key of the signer, hexadecimal; empty before PoX-4'),
    poxVersion: nullable(u8('version of the PoX address')),
    poxHash: text('hash of the PoX address, hexadecimal; empty where there is none'),
  },
  ...ofEvent,
  indexes: bloom('stacker', 'operation'),
})

export const stxContracts = table('stx_contracts', {
  doc: 'One row per contract that was made.',
  columns: {
    ...place,
    txIndex,
    txid,
    contract: text('the contract, as `address.name`'),
    deployer: text('who made it'),
    clarityVersion: nullable(
      u8('version of Clarity: the one that the payload names, else that of its interface'),
    ),
    epoch: text('epoch in which the node analyzed it; empty where it does not say'),
    sourceCode: text('source'),
    interface: text('interface as JSON, as the node gave it; empty where it did not'),
    functionCount: nullable(u32('public and read-only functions; null without an interface')),
  },
  ...ofTx,
  indexes: bloom('contract', 'deployer'),
})

export const stxFunctionArgs = table('stx_function_args', {
  doc: 'One row per argument of a public or read-only function of a contract: the names for `stx_call_args`.',
  columns: {
    ...place,
    txIndex,
    contract: text('the contract, as `address.name`'),
    functionName: text('the function'),
    isReadOnly: bool('it changes nothing'),
    argIndex: u32('position of the argument'),
    name: text('its name'),
    type: text('its declared type'),
  },
  orderBy: ['contract', 'function_name', 'arg_index', 'height'],
  partitionBy: byHeight,
})

export const stxMinerRewards = table('stx_miner_rewards', {
  doc: 'One row per reward that was paid out for a tenure of 100 Bitcoin blocks before.',
  columns: {
    ...place,
    rewardIndex: u32('position in its block'),
    recipient: text('who is paid'),
    miner: text('who mined; empty from nodes that do not say'),
    coinbaseUstx: u64('new STX, micro-STX: the only part that adds to the supply'),
    txFeeUstx: u64('fees of transactions in the block, micro-STX'),
    streamedConfirmedUstx: u64('fees of microblocks that it confirmed, micro-STX'),
    streamedProducedUstx: u64('fees of microblocks that it made, micro-STX'),
    fromHeaderHash: bytes(32, 'header hash of the block that is paid'),
    fromHash: bytes(32, 'index block hash of the block that is paid'),
  },
  orderBy: ['height', 'reward_index'],
  partitionBy: byHeight,
  indexes: bloom('recipient'),
})

export const stxCycles = table('stx_cycles', {
  doc: 'One row per reward cycle whose reward set a block fixed.',
  columns: {
    ...place,
    cycle: u32('reward cycle'),
    thresholdUstx: nullable(u128('least amount for a reward slot, micro-STX; null where there was no set')),
    slotCount: nullable(u32('reward slots taken; null where the source does not say')),
    signerCount: nullable(u32('signers; null before PoX-4')),
    stackedUstx: nullable(u128('stacked by all signers together, micro-STX; null likewise')),
    startState: text('missed slots and the like, the node’s JSON'),
  },
  orderBy: ['height', 'cycle'],
  partitionBy: byHeight,
})

export const stxRewardSlots = table('stx_reward_slots', {
  doc: 'One row per Bitcoin address in the reward set of a cycle.',
  columns: {
    ...place,
    cycle: u32('reward cycle'),
    address: text('Bitcoin address that is paid'),
    slotCount: u32('slots that it has'),
  },
  orderBy: ['cycle', 'address', 'height'],
  partitionBy: byHeight,
})

export const stxSigners = table('stx_signers', {
  doc: 'One row per signer in the reward set of a cycle.',
  columns: {
    ...place,
    cycle: u32('reward cycle'),
    signingKey: bytes(33, 'public key that signs'),
    weight: u32('weight of its signature: slots'),
    stackedUstx: u64('stacked with it, micro-STX'),
  },
  orderBy: ['cycle', 'signing_key', 'height'],
  partitionBy: byHeight,
})

export const stxUnknowns = table('stx_unknowns', {
  doc: 'One row per part of a block that no rule here reads: kept as it came.',
  columns: {
    ...place,
    itemIndex: u32('position in its block, over all kinds'),
    what: oneOf(['transaction', 'event', 'field'], 'what it is'),
    name: text('kind of the event, name of the field, or why the transaction could not be read'),
    txid: nullable(bytes(32, 'its transaction; null for a field of the block')),
    raw: text('its JSON, or its bytes in hexadecimal'),
  },
  orderBy: ['height', 'item_index'],
  partitionBy: byHeight,
})

/** Tables whose rows belong to a batch of Stacks blocks; readers see them through views of committed batches. */
export const STX_BATCH_TABLES = [
  stxBlocks,
  stxTenures,
  stxTxs,
  stxCalls,
  stxCallArgs,
  stxTransfers,
  stxPrints,
  stxPrintFields,
  stxLocks,
  stxPoxOps,
  stxContracts,
  stxFunctionArgs,
  stxMinerRewards,
  stxCycles,
  stxRewardSlots,
  stxSigners,
  stxUnknowns,
] as const
