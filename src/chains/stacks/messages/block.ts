import type { StacksBlockPart, StacksBlockSource } from '#kernel/stacks.ts'
import { bitcoinTwinOf } from '../address/bitcoinAddress.ts'
import { encodeAddress } from '../address/c32.ts'
import { parseEvent, type StacksEvent } from './events.ts'
import {
  amount,
  amount64,
  asFields,
  bytes,
  type Fields,
  type Hex,
  hash,
  hex,
  listOf,
  maybe,
  need,
  principal,
  text,
  type UnknownField,
  u32,
  unknownFields,
  whole,
} from './fields.ts'

/** What running took, in the five dimensions that a block has a budget of. Source: SIP-006. */
export type ExecutionCost = {
  readonly readCount: number
  readonly readLength: number
  readonly writeCount: number
  readonly writeLength: number
  readonly runtime: number
}

/** A block as `/new_block` reports it. Source: stacks-core `stacks-node/src/event_dispatcher/payloads.rs`. */
export type BlockMessage = {
  readonly source: StacksBlockSource
  /** What the source does not tell: null or absent below, never guessed. */
  readonly lacks: readonly StacksBlockPart[]
  readonly height: number
  /** Index block hash: what tells blocks apart. */
  readonly id: Hex
  readonly parentId: Hex
  readonly headerHash: Hex
  /** UTC seconds: of the block itself from Nakamoto on, before that of the Bitcoin block of its tenure. */
  readonly timeS: number
  readonly consensusHash: Hex | null
  readonly tenureHeight: number | null
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly burnTimeS: number
  /** Bitcoin transaction of the commit that won the tenure; null where the source does not say. */
  readonly minerTxid: Hex | null
  readonly parentBurnHash: Hex | null
  readonly parentMicroblock: { readonly hash: Hex; readonly sequence: number } | null
  readonly cost: ExecutionCost | null
  readonly microblockCost: ExecutionCost | null
  /** Nakamoto alone, as `signerSignatures`. */
  readonly minerSignature: Buffer | null
  /** 65 bytes each. */
  readonly signerSignatures: readonly Buffer[] | null
  /** Which reward addresses the miner may leave out (`pox_treatment`), as the node writes it. */
  readonly signerBitvec: string | null
  readonly cycle: number | null
  readonly rewardSet: RewardSet | null
  readonly minerRewards: readonly MinerReward[]
  readonly transactions: readonly TransactionMessage[]
  readonly events: readonly StacksEvent[]
  readonly unknown: readonly UnknownField[]
}

export type TransactionMessage = {
  readonly txid: Hex
  readonly index: number
  /** Null where the source does not say. */
  readonly status: string | null
  /** Serialized transaction; null for an operation that was made on Bitcoin. */
  readonly raw: Buffer | null
  /** Serialized Clarity value; empty where the source does not say. */
  readonly result: Buffer
  readonly cost: ExecutionCost | null
  /** Interface of the contract that it made, as the node gives it; null where it made none. */
  readonly contractInterface: Fields | null
  /** The operation on Bitcoin, as newer nodes give it. */
  readonly bitcoinOp: Fields | null
  /** The microblock that carried it, before Nakamoto. */
  readonly microblock: {
    readonly hash: Hex
    /** Null where the source does not say. */
    readonly parentHash: Hex | null
    readonly sequence: number
  } | null
  readonly vmError: string | null
  readonly unknown: readonly UnknownField[]
}

/** What a miner got for a tenure that is now 100 Bitcoin blocks old. */
export type MinerReward = {
  readonly recipient: string
  readonly miner: string | null
  readonly coinbaseUstx: bigint
  readonly txFeesUstx: bigint
  readonly streamedConfirmedUstx: bigint
  readonly streamedProducedUstx: bigint
  readonly fromHeaderHash: Hex
  readonly fromId: Hex
}

/** Who is paid, and who signs, in a cycle. */
export type RewardSet = {
  /** Bitcoin address a slot, in the node's order; the node's JSON where it is of a form that has no text. */
  readonly addresses: readonly string[]
  /** Null before Nakamoto. */
  readonly signers: readonly RewardSetSigner[] | null
  readonly thresholdUstx: bigint | null
  /** `start_cycle_state` as JSON, and what the form does not know. */
  readonly startCycleState: string
  readonly unknown: readonly UnknownField[]
}
export type RewardSetSigner = {
  readonly signingKey: Hex
  readonly weight: number
  readonly stackedUstx: bigint
}

const BLOCK_FIELDS = new Set(
  `block_height block_hash index_block_hash parent_block_hash parent_index_block_hash burn_block_hash burn_block_height
  burn_block_time block_time miner_txid parent_microblock parent_microblock_sequence matured_miner_rewards events transactions
  parent_burn_block_hash parent_burn_block_height parent_burn_block_timestamp anchored_cost confirmed_microblocks_cost
  pox_v1_unlock_height pox_v2_unlock_height pox_v3_unlock_height pox_v4_unlock_height signer_bitvec reward_set cycle_number
  tenure_height consensus_hash signer_signature_hash miner_signature signer_signature`.split(/\s+/),
)
const TX_FIELDS = new Set(
  `txid tx_index status raw_tx raw_result contract_abi contract_interface execution_cost burnchain_op microblock_hash
  microblock_sequence microblock_parent_hash vm_error problematic_skipped`.split(/\s+/),
)
const REWARD_SET_FIELDS = new Set([
  'rewarded_addresses',
  'signers',
  'start_cycle_state',
  'pox_ustx_threshold',
])
const ZEROS = `0x${'00'.repeat(32)}`
const key = hex(33)
const signature = (value: unknown): Buffer => Buffer.from(hex(65)(value).slice(2), 'hex')
const hash20 = hex(20)

/** Reads a `/new_block` message. Errors: `MessageError` with the field. */
export function parseBlock(json: unknown): BlockMessage {
  const block = asFields(json)
  const burnTimeS = need(block, 'burn_block_time', u32)
  const parentMicroblock = need(block, 'parent_microblock', hash)
  return {
    source: 'events',
    lacks: [],
    height: need(block, 'block_height', u32),
    id: need(block, 'index_block_hash', hash),
    parentId: need(block, 'parent_index_block_hash', hash),
    headerHash: need(block, 'block_hash', hash),
    timeS: maybe(block, 'block_time', u32) ?? burnTimeS,
    consensusHash: maybe(block, 'consensus_hash', hash20),
    tenureHeight: maybe(block, 'tenure_height', u32),
    burnHeight: need(block, 'burn_block_height', u32),
    burnHash: need(block, 'burn_block_hash', hash),
    burnTimeS,
    minerTxid: need(block, 'miner_txid', hash),
    parentBurnHash: maybe(block, 'parent_burn_block_hash', hash),
    parentMicroblock:
      parentMicroblock === ZEROS
        ? null
        : { hash: parentMicroblock, sequence: need(block, 'parent_microblock_sequence', u32) },
    cost: maybe(block, 'anchored_cost', cost),
    microblockCost: maybe(block, 'confirmed_microblocks_cost', cost),
    minerSignature: maybe(block, 'miner_signature', signature),
    signerSignatures: maybe(block, 'signer_signature', listOf(signature)),
    signerBitvec: maybe(block, 'signer_bitvec', text),
    cycle: maybe(block, 'cycle_number', u32),
    rewardSet: maybe(block, 'reward_set', parseRewardSet),
    minerRewards: need(block, 'matured_miner_rewards', listOf(minerReward)),
    transactions: need(block, 'transactions', listOf(parseTransaction)),
    events: need(block, 'events', listOf(parseEvent)),
    unknown: unknownFields(block, BLOCK_FIELDS),
  }
}

/** Reads one transaction of a block or a microblock. */
export function parseTransaction(json: unknown): TransactionMessage {
  const tx = asFields(json)
  const raw = need(tx, 'raw_tx', bytes)
  const microblock = maybe(tx, 'microblock_hash', hash)
  return {
    txid: need(tx, 'txid', hash),
    index: need(tx, 'tx_index', u32),
    status: need(tx, 'status', text),
    raw: raw.length === 1 && raw[0] === 0 ? null : raw,
    result: need(tx, 'raw_result', bytes),
    cost: maybe(tx, 'execution_cost', cost),
    contractInterface: maybe(tx, 'contract_interface', asFields) ?? maybe(tx, 'contract_abi', asFields),
    bitcoinOp: maybe(tx, 'burnchain_op', asFields),
    microblock: microblock && {
      hash: microblock,
      parentHash: need(tx, 'microblock_parent_hash', hash),
      sequence: need(tx, 'microblock_sequence', u32),
    },
    vmError: maybe(tx, 'vm_error', text),
    unknown: unknownFields(tx, TX_FIELDS),
  }
}

function cost(json: unknown): ExecutionCost {
  const budgets = asFields(json)
  return {
    readCount: need(budgets, 'read_count', whole),
    readLength: need(budgets, 'read_length', whole),
    writeCount: need(budgets, 'write_count', whole),
    writeLength: need(budgets, 'write_length', whole),
    runtime: need(budgets, 'runtime', whole),
  }
}

function minerReward(json: unknown): MinerReward {
  const reward = asFields(json)
  return {
    recipient: need(reward, 'recipient', principal),
    miner: maybe(reward, 'miner_address', principal),
    coinbaseUstx: need(reward, 'coinbase_amount', amount64),
    txFeesUstx: need(reward, 'tx_fees_anchored', amount64),
    streamedConfirmedUstx: need(reward, 'tx_fees_streamed_confirmed', amount64),
    streamedProducedUstx: maybe(reward, 'tx_fees_streamed_produced', amount64) ?? 0n,
    fromHeaderHash: need(reward, 'from_stacks_block_hash', hash),
    // Nodes call the index block hash a consensus hash here.
    fromId: maybe(reward, 'from_index_consensus_hash', hash) ?? need(reward, 'from_index_block_hash', hash),
  }
}

/** Reads a reward set, as blocks and `/v3/stacker_set` carry it. Errors: `MessageError`. */
export function parseRewardSet(json: unknown): RewardSet {
  const set = asFields(json)
  return {
    addresses: need(set, 'rewarded_addresses', listOf(rewardAddress)),
    signers: maybe(set, 'signers', listOf(signer)),
    thresholdUstx: maybe(set, 'pox_ustx_threshold', amount),
    startCycleState: JSON.stringify(set.start_cycle_state ?? null),
    unknown: unknownFields(set, REWARD_SET_FIELDS),
  }
}

/** Nodes before 2.5.0.0 wrote the parts of an address (`{"Standard": [{"bytes", "version"}, mode]}`) in place of its text. */
function rewardAddress(json: unknown): string {
  if (typeof json === 'string') return json
  const parts: unknown = asFields(json).Standard
  if (!Array.isArray(parts)) return JSON.stringify(json)
  const standard = asFields(parts[0])
  const hash160 = Buffer.from(need(standard, 'bytes', hash20).slice(2), 'hex')
  return bitcoinTwinOf(encodeAddress(need(standard, 'version', u32), hash160)) ?? JSON.stringify(json)
}

function signer(json: unknown): RewardSetSigner {
  const entry = asFields(json)
  return {
    signingKey: need(entry, 'signing_key', key),
    weight: need(entry, 'weight', u32),
    stackedUstx: need(entry, 'stacked_amt', amount64),
  }
}
