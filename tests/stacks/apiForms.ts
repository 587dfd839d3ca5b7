import type { StacksCodec } from '#chains/stacks/index.ts'
import { bytesOfHex } from '../recordedStacks.ts'
import type { NewBlock, NewBurnBlock, RecordedBlock, RecordedEvent, RecordedTx } from './recordedChain.ts'

/** Recorded messages of a node in the forms of the public API. Source: stacks-blockchain-api `src/api/controllers/db-controller.ts`. */

export const blockTxids = ({ message }: RecordedBlock): string[] =>
  message.transactions.map(({ txid }) => txid)

export function apiBlockOf({ message, raw }: RecordedBlock) {
  return {
    canonical: true,
    height: message.block_height,
    hash: message.block_hash,
    block_time: message.block_time ?? 0,
    tenure_height: message.tenure_height ?? (raw === null ? message.block_height : -1),
    index_block_hash: message.index_block_hash,
    parent_block_hash: message.parent_block_hash,
    parent_index_block_hash: message.parent_index_block_hash,
    burn_block_time: message.burn_block_time,
    burn_block_hash: message.burn_block_hash,
    burn_block_height: message.burn_block_height,
    miner_txid: message.miner_txid,
    tx_count: message.transactions.length,
    execution_cost_read_count: 0,
  }
}

export function apiTxOf(codec: StacksCodec, message: NewBlock, tx: RecordedTx) {
  const cost = tx.execution_cost
  const events = message.events.filter(event => event.txid === tx.txid && event.committed).map(apiEventOf)
  const contract = contractOf(codec, tx)
  return {
    tx_id: tx.txid,
    block_hash: message.block_hash,
    block_height: message.block_height,
    canonical: true,
    tx_index: tx.tx_index,
    tx_status: tx.status,
    tx_result: { hex: tx.raw_result, repr: '' },
    microblock_hash: tx.microblock_hash ?? '',
    microblock_sequence: tx.microblock_sequence ?? 2147483647,
    microblock_canonical: true,
    event_count: events.length,
    events,
    execution_cost_read_count: cost.read_count,
    execution_cost_read_length: cost.read_length,
    execution_cost_runtime: cost.runtime,
    execution_cost_write_count: cost.write_count,
    execution_cost_write_length: cost.write_length,
    vm_error: null,
    ...(contract !== undefined && { smart_contract: { clarity_version: null, contract_id: contract } }),
  }
}

function contractOf(codec: StacksCodec, tx: RecordedTx): string | undefined {
  if (tx.raw_tx === '0x00') return undefined
  const { payload, auth } = codec.decodeTransaction(bytesOfHex(tx.raw_tx))
  return 'contractName' in payload ? `${auth.origin.address}.${payload.contractName}` : undefined
}

type Body = Record<string, string>
const KINDS: Readonly<Record<string, string>> = {
  stx: 'stx_asset',
  ft: 'fungible_token_asset',
  nft: 'non_fungible_token_asset',
}

function apiEventOf(event: RecordedEvent): Record<string, unknown> & { event_index: number } {
  const body = event[event.type] as Body
  const at = { event_index: event.event_index, tx_id: event.txid }
  if (event.type === 'contract_event')
    return {
      ...at,
      event_type: 'smart_contract_log',
      contract_log: {
        contract_id: body.contract_identifier,
        topic: body.topic,
        value: { hex: body.raw_value, repr: '' },
      },
    }
  if (event.type === 'stx_lock_event')
    return {
      ...at,
      event_type: 'stx_lock',
      stx_lock_event: {
        locked_amount: body.locked_amount,
        unlock_height: Number(body.unlock_height),
        locked_address: body.locked_address,
      },
    }
  const [, standard = '', action = ''] = /^(stx|ft|nft)_(transfer|mint|burn)_event$/.exec(event.type) ?? []
  return {
    ...at,
    event_type: KINDS[standard],
    asset: {
      asset_event_type: action,
      ...(standard !== 'stx' && { asset_id: body.asset_identifier }),
      sender: body.sender ?? '',
      recipient: body.recipient ?? '',
      ...(standard === 'nft' ? { value: { hex: body.raw_value, repr: '' } } : { amount: body.amount }),
      ...(body.memo && { memo: `0x${body.memo}` }),
    },
  }
}

const fixes = ({ message }: RecordedBlock): boolean =>
  message.reward_set != null && message.cycle_number != null

export const cyclesOf = (blocks: readonly RecordedBlock[]) =>
  blocks
    .filter(fixes)
    .map(({ message }) => ({
      block_height: message.block_height,
      index_block_hash: message.index_block_hash,
      cycle_number: message.cycle_number,
    }))
    .toReversed()

export function signersOf(blocks: readonly RecordedBlock[], cycle: number) {
  const fixed = blocks.find(block => fixes(block) && block.message.cycle_number === cycle)
  return (fixed?.message.reward_set?.signers ?? []).map(({ signing_key, weight, stacked_amt }) => ({
    signing_key: signing_key.startsWith('0x') ? signing_key : `0x${signing_key}`,
    weight,
    stacked_amount: String(stacked_amt),
  }))
}

export const burnRewards = (blocks: readonly NewBurnBlock[]) =>
  blocks.toReversed().flatMap(block =>
    block.reward_recipients
      .map(({ recipient, amt }, reward_index) => ({
        canonical: true,
        burn_block_hash: block.burn_block_hash,
        burn_block_height: block.burn_block_height,
        burn_amount: String(block.burn_amount),
        reward_recipient: recipient,
        reward_amount: String(amt),
        reward_index,
      }))
      .toReversed(),
  )

export const slotHolders = (blocks: readonly NewBurnBlock[]) =>
  blocks.toReversed().flatMap(block =>
    block.reward_slot_holders
      .map((address, slot_index) => ({
        canonical: true,
        burn_block_hash: block.burn_block_hash,
        burn_block_height: block.burn_block_height,
        address,
        slot_index,
      }))
      .toReversed(),
  )
