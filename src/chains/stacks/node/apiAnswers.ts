import {
  amount64,
  asFields,
  bool,
  bytes,
  type Hex,
  hash,
  listOf,
  maybe,
  need,
  text,
  u32,
  whole,
} from '../messages/fields.ts'
import type { ApiEvent } from './apiEvents.ts'
import { readApiEvent } from './apiEvents.ts'

/**
 * Answers of the public API, versions 7 to 9. Source: hirosystems/stacks-blockchain-api `src/api/schemas` and
 * `src/api/controllers/db-controller.ts`. Fields that are not read here may come and go.
 */

/** A block as `/extended/v2/blocks` lists it. */
export type ApiBlock = {
  readonly height: number
  readonly id: Hex
  readonly parentId: Hex
  readonly headerHash: Hex
  readonly timeS: number
  /** Null where the API does not know it. */
  readonly tenureHeight: number | null
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly burnTimeS: number
  readonly minerTxid: Hex
  readonly txCount: number
}

export function readApiBlock(json: unknown): ApiBlock {
  const block = asFields(json)
  const tenureHeight = block.tenure_height === -1 ? null : maybe(block, 'tenure_height', u32)
  const burnTimeS = need(block, 'burn_block_time', u32)
  return {
    height: need(block, 'height', u32),
    id: need(block, 'index_block_hash', hash),
    parentId: need(block, 'parent_index_block_hash', hash),
    headerHash: need(block, 'hash', hash),
    // Blocks before Nakamoto have no time of their own.
    timeS: maybe(block, 'block_time', u32) || burnTimeS,
    tenureHeight,
    burnHeight: need(block, 'burn_block_height', u32),
    burnHash: need(block, 'burn_block_hash', hash),
    burnTimeS,
    minerTxid: need(block, 'miner_txid', hash),
    txCount: need(block, 'tx_count', u32),
  }
}

export const readResults =
  <T>(read: (json: unknown) => T) =>
  (json: unknown): T[] =>
    need(asFields(json), 'results', listOf(read))

/** One transaction of `/extended/v1/tx/multiple`. */
export type ApiTx = {
  readonly txid: Hex
  readonly headerHash: Hex
  readonly isCanonical: boolean
  readonly index: number
  readonly status: string
  /** Serialized Clarity value. */
  readonly result: Buffer
  readonly cost: {
    readonly readCount: number
    readonly readLength: number
    readonly writeCount: number
    readonly writeLength: number
    readonly runtime: number
  }
  readonly vmError: string | null
  readonly eventCount: number
  readonly microblock: { readonly hash: Hex; readonly sequence: number } | null
  /** Contract that it makes; null for all others. */
  readonly contract: string | null
  readonly events: readonly ApiEvent[]
}

/** What `/extended/v1/tx/multiple` found, by txid; transactions that wait in the mempool are not there. */
export function readApiTxs(json: unknown): Map<Hex, ApiTx> {
  const found = new Map<Hex, ApiTx>()
  const answer = asFields(json)
  for (const txid of Object.keys(answer))
    need(answer, txid, item => {
      const entry = asFields(item)
      if (!need(entry, 'found', bool)) return
      const tx = need(entry, 'result', each => readApiTx(asFields(each)))
      if (tx !== null) found.set(hash(txid), tx)
    })
  return found
}

function readApiTx(tx: ReturnType<typeof asFields>): ApiTx | null {
  if (tx.block_hash === undefined) return null
  const microblock = tx.microblock_hash
  return {
    txid: need(tx, 'tx_id', hash),
    headerHash: need(tx, 'block_hash', hash),
    isCanonical: need(tx, 'canonical', bool),
    index: need(tx, 'tx_index', u32),
    status: need(tx, 'tx_status', text),
    result: need(tx, 'tx_result', value => need(asFields(value), 'hex', bytes)),
    cost: {
      readCount: need(tx, 'execution_cost_read_count', whole),
      readLength: need(tx, 'execution_cost_read_length', whole),
      writeCount: need(tx, 'execution_cost_write_count', whole),
      writeLength: need(tx, 'execution_cost_write_length', whole),
      runtime: need(tx, 'execution_cost_runtime', whole),
    },
    vmError: maybe(tx, 'vm_error', text),
    eventCount: need(tx, 'event_count', u32),
    microblock:
      microblock === undefined || microblock === null || microblock === '' || microblock === '0x'
        ? null
        : { hash: need(tx, 'microblock_hash', hash), sequence: need(tx, 'microblock_sequence', u32) },
    contract: maybe(tx, 'smart_contract', value => need(asFields(value), 'contract_id', text)),
    events: need(tx, 'events', listOf(readApiEvent)),
  }
}

/** Txids of `/extended/v3/blocks/{id}/transactions` or its older form, and where the next page begins. */
export function readTxPage(json: unknown): { readonly txids: Hex[]; readonly next: string | null } {
  const page = asFields(json)
  return {
    txids: need(
      page,
      'results',
      listOf(item => need(asFields(item), 'tx_id', hash)),
    ),
    next: maybe(page, 'cursor', cursor => maybe(asFields(cursor), 'next', text)),
  }
}

/** `/extended/v1/tx/{txid}/raw`. */
export const readRawTx = (json: unknown): Buffer => need(asFields(json), 'raw_tx', bytes)

/** `/extended/v1/contract/{id}`: the interface as the node gave it, JSON in JSON; null where the API has none. */
export function readContract(json: unknown): { readonly txid: Hex; readonly abi: string | null } {
  const contract = asFields(json)
  const abi = maybe(contract, 'abi', text)
  return { txid: need(contract, 'tx_id', hash), abi: abi === 'null' ? null : abi }
}

/** `/extended/v2/pox/cycles`: the block that fixed the set of a cycle. */
export type ApiCycle = { readonly cycle: number; readonly blockId: Hex }

export function readCycle(json: unknown): ApiCycle {
  const cycle = asFields(json)
  return { cycle: need(cycle, 'cycle_number', u32), blockId: need(cycle, 'index_block_hash', hash) }
}

/** `/extended/v1/burnchain/rewards`. Satoshis. */
export type ApiReward = {
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly burnSat: bigint
  readonly recipient: string
  readonly valueSat: bigint
  readonly index: number
}

export function readReward(json: unknown): ApiReward {
  const reward = asFields(json)
  return {
    burnHeight: need(reward, 'burn_block_height', u32),
    burnHash: need(reward, 'burn_block_hash', hash),
    burnSat: need(reward, 'burn_amount', amount64),
    recipient: need(reward, 'reward_recipient', text),
    valueSat: need(reward, 'reward_amount', amount64),
    index: need(reward, 'reward_index', u32),
  }
}

/** `/extended/v1/burnchain/reward_slot_holders`. */
export type ApiSlotHolder = {
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly address: string
  readonly index: number
}

export function readSlotHolder(json: unknown): ApiSlotHolder {
  const holder = asFields(json)
  return {
    burnHeight: need(holder, 'burn_block_height', u32),
    burnHash: need(holder, 'burn_block_hash', hash),
    address: need(holder, 'address', text),
    index: need(holder, 'slot_index', u32),
  }
}

/** `/extended/v2/burn-blocks/{height}/pox-transactions`: one output of a commit. */
export type ApiPoxOutput = {
  readonly txid: Hex
  readonly recipient: string
  readonly vout: number
  readonly valueSat: bigint
}

export function readPoxOutput(json: unknown): ApiPoxOutput {
  const output = asFields(json)
  return {
    txid: need(output, 'tx_id', hash),
    recipient: need(output, 'recipient', text),
    vout: need(output, 'utxo_idx', u32),
    valueSat: need(output, 'amount', amount64),
  }
}

/** `/extended/v2/pox/cycles/{cycle}/signers`. */
export function readSigner(json: unknown): {
  readonly signingKey: string
  readonly weight: number
  readonly stackedUstx: bigint
} {
  const signer = asFields(json)
  return {
    signingKey: need(signer, 'signing_key', text),
    weight: need(signer, 'weight', u32),
    stackedUstx: need(signer, 'stacked_amount', amount64),
  }
}
