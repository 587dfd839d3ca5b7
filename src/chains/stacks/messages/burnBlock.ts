import {
  amount64,
  asFields,
  type Hex,
  hash,
  hex,
  listOf,
  maybe,
  need,
  text,
  type UnknownField,
  u32,
  unknownFields,
} from './fields.ts'

/** A Bitcoin block as `/new_burn_block` reports it: what miners paid in it. Satoshis. */
export type BurnBlockMessage = {
  readonly height: number
  readonly hash: Hex
  /** Null from nodes before 3.1. */
  readonly parentHash: Hex | null
  readonly consensusHash: Hex | null
  /** Sent to burn addresses; what PoX paid out is not in it. Null where the source does not say, as in the two fields after it. */
  readonly burnSat: bigint | null
  readonly payouts: readonly Payout[] | null
  /** Bitcoin addresses that were due in this block. */
  readonly slotHolders: readonly string[] | null
  /** The commits that paid, by transaction; null from nodes that do not say. */
  readonly commits: readonly PoxTransaction[] | null
  readonly unknown: readonly UnknownField[]
}
export type Payout = { readonly recipient: string; readonly valueSat: bigint }
export type PoxTransaction = {
  readonly txid: Hex
  /** Bitcoin address of the change output: nobody proves that it is the sender's. */
  readonly apparentSender: string | null
  readonly outputs: readonly (Payout & { readonly vout: number })[]
}

const FIELDS = new Set(
  `burn_block_hash burn_block_height burn_amount reward_recipients reward_slot_holders consensus_hash parent_burn_block_hash
  pox_transactions`.split(/\s+/),
)

/** Reads a `/new_burn_block` message. Errors: `MessageError` with the field. */
export function parseBurnBlock(json: unknown): BurnBlockMessage {
  const block = asFields(json)
  return {
    height: need(block, 'burn_block_height', u32),
    hash: need(block, 'burn_block_hash', hash),
    parentHash: maybe(block, 'parent_burn_block_hash', hash),
    consensusHash: maybe(block, 'consensus_hash', hex(20)),
    burnSat: need(block, 'burn_amount', amount64),
    payouts: need(block, 'reward_recipients', listOf(payout)),
    slotHolders: need(block, 'reward_slot_holders', listOf(text)),
    commits: maybe(block, 'pox_transactions', listOf(poxTransaction)),
    unknown: unknownFields(block, FIELDS),
  }
}

function payout(json: unknown): Payout {
  const paid = asFields(json)
  return { recipient: need(paid, 'recipient', text), valueSat: need(paid, 'amt', amount64) }
}

function poxTransaction(json: unknown): PoxTransaction {
  const tx = asFields(json)
  return {
    txid: need(tx, 'txid', hash),
    apparentSender: maybe(tx, 'apparent_sender', text),
    outputs: need(
      tx,
      'reward_recipients',
      listOf(output => ({ ...payout(output), vout: need(asFields(output), 'utxo_idx', u32) })),
    ),
  }
}
