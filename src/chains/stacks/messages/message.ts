import { type BlockMessage, parseBlock, parseTransaction, type TransactionMessage } from './block.ts'
import { type BurnBlockMessage, parseBurnBlock } from './burnBlock.ts'
import { parseEvent, type StacksEvent } from './events.ts'
import { asFields, bytes, type Hex, hash, listOf, MessageError, maybe, need, text, u32 } from './fields.ts'

/**
 * What a node tells its observers, by the path it posts to. Messages between signers and attachments are kept as they are: no
 * table follows from them. Source: stacks-core `docs/event-dispatcher.md`.
 */
export type StacksMessage =
  | { readonly kind: 'block'; readonly block: BlockMessage }
  | { readonly kind: 'burn_block'; readonly block: BurnBlockMessage }
  | { readonly kind: 'microblocks'; readonly microblocks: MicroblocksMessage }
  | { readonly kind: 'mempool'; readonly transactions: readonly Buffer[] }
  | { readonly kind: 'mempool_drop'; readonly drop: MempoolDropMessage }
  | { readonly kind: 'kept'; readonly isKnown: boolean }

/** Transactions in microblocks that no anchor block has confirmed yet. */
export type MicroblocksMessage = {
  readonly parentId: Hex
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly burnTimeS: number
  readonly transactions: readonly TransactionMessage[]
  readonly events: readonly StacksEvent[]
}
export type MempoolDropMessage = {
  readonly txids: readonly Hex[]
  readonly reason: string
  /** The transaction that took their place, where the node says so. */
  readonly replacedBy: Hex | null
}

/** Paths whose messages are known and kept as they are. */
const KEPT_PATHS: ReadonlySet<string> = new Set([
  '/attachments/new',
  '/stackerdb_chunks',
  '/proposal_response',
  '/mined_block',
  '/mined_microblock',
  '/mined_nakamoto_block',
])

/** Reads a message. Errors: `MessageError` with the field; `decode.json` where the text is no JSON. */
export function parseMessage(path: string, json: string): StacksMessage {
  switch (path) {
    case '/new_block':
      return { kind: 'block', block: parseBlock(parsed(json)) }
    case '/new_burn_block':
      return { kind: 'burn_block', block: parseBurnBlock(parsed(json)) }
    case '/new_microblocks':
      return { kind: 'microblocks', microblocks: parseMicroblocks(parsed(json)) }
    case '/new_mempool_tx':
      return { kind: 'mempool', transactions: listOf(bytes)(parsed(json)) }
    case '/drop_mempool_tx':
      return { kind: 'mempool_drop', drop: parseDrop(parsed(json)) }
    default:
      parsed(json)
      return { kind: 'kept', isKnown: KEPT_PATHS.has(path) }
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new MessageError('json', `the message is no JSON: ${(cause as Error).message}`)
  }
}

function parseMicroblocks(json: unknown): MicroblocksMessage {
  const message = asFields(json)
  return {
    parentId: need(message, 'parent_index_block_hash', hash),
    burnHeight: need(message, 'burn_block_height', u32),
    burnHash: need(message, 'burn_block_hash', hash),
    burnTimeS: need(message, 'burn_block_timestamp', u32),
    transactions: need(message, 'transactions', listOf(parseTransaction)),
    events: need(message, 'events', listOf(parseEvent)),
  }
}

function parseDrop(json: unknown): MempoolDropMessage {
  const message = asFields(json)
  return {
    txids: need(message, 'dropped_txids', listOf(hash)),
    reason: need(message, 'reason', text),
    replacedBy: maybe(message, 'new_txid', hash),
  }
}
