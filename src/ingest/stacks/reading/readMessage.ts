import {
  type BlockMessage,
  type BurnBlockMessage,
  DecodeError,
  type MempoolDropMessage,
  MessageError,
  type MicroblocksMessage,
  parseMessage,
  payerOf,
  type StacksCodec,
  type StacksMessage,
  type TransactionMessage,
} from '#chains/stacks/index.ts'
import { IngestError } from '../../errors.ts'
import { weightOf } from '../weight.ts'

/** A message of a node, not yet read. */
export type RawMessage = {
  readonly path: string
  readonly json: string
  readonly receivedAtMs: number | null
}

/** What a source told that is asked, in place of a node that posts: read already. */
export type ToldMessage = { readonly told: Extract<StacksMessage, { kind: 'block' | 'burn_block' }> }

/** What the choice of a chain needs of a block. */
export type BlockHead = Pick<
  BlockMessage,
  'height' | 'id' | 'parentId' | 'timeS' | 'burnHeight' | 'burnHash'
> & {
  /** How much the message tells (`weightOf`). */
  readonly weight: number
}

/** A transaction that waits for a block. */
export type MempoolTx = {
  readonly txid: string
  readonly sender: string
  readonly feeUstx: bigint
  readonly nonce: bigint
  readonly kind: string
  readonly sizeBytes: number
}

export type WaitingMicroblocks = Pick<MicroblocksMessage, 'parentId'> & {
  readonly transactions: readonly Pick<TransactionMessage, 'txid' | 'index' | 'microblock'>[]
}

/** What a message comes to, apart from the rows of its block. Nothing in it is a view of other memory. */
export type ReadMessage = {
  readonly path: string
  readonly receivedAtMs: number | null
} & Reading

type Reading =
  | {
      readonly kind: 'block'
      readonly head: BlockHead
      /** Why its rows cannot be made, and the message. */
      readonly fault: { readonly reason: string; readonly json: string } | null
    }
  | { readonly kind: 'burn_block'; readonly block: BurnBlockMessage }
  | { readonly kind: 'microblocks'; readonly microblocks: WaitingMicroblocks }
  | {
      readonly kind: 'mempool'
      readonly transactions: readonly MempoolTx[]
      /** Transactions that no rule reads. */
      readonly unread: readonly { readonly json: string; readonly reason: string }[]
    }
  | { readonly kind: 'mempool_drop'; readonly drop: MempoolDropMessage }
  | { readonly kind: 'kept'; readonly isKnown: boolean; readonly json: string }
  /** The message does not fit its form. */
  | { readonly kind: 'refused'; readonly reason: string; readonly json: string }

/** Reads a message. `addRows` makes the rows of the block that it may hold. */
export function readMessage(
  codec: StacksCodec,
  message: RawMessage | ToldMessage,
  addRows: (block: BlockMessage) => void,
): ReadMessage {
  if ('told' in message) {
    const { told } = message
    return { path: `/new_${told.kind}`, receivedAtMs: null, ...readingOfTold(told, addRows) }
  }
  const { path, json, receivedAtMs } = message
  return { path, receivedAtMs, ...readingOf(codec, path, json, addRows) }
}

const readingOfTold = (told: ToldMessage['told'], addRows: (block: BlockMessage) => void): Reading =>
  told.kind === 'block'
    ? {
        kind: 'block',
        head: headOf(told.block),
        fault: faultOf(told.block, () => jsonOf(told.block), addRows),
      }
    : told

/** What was told, as a text that can be kept. */
const jsonOf = (block: BlockMessage): string =>
  JSON.stringify(block, (_, value) => (typeof value === 'bigint' ? String(value) : value))

function readingOf(
  codec: StacksCodec,
  path: string,
  json: string,
  addRows: (block: BlockMessage) => void,
): Reading {
  try {
    const message = parseMessage(path, json)
    switch (message.kind) {
      case 'block':
        return {
          kind: 'block',
          head: headOf(message.block),
          fault: faultOf(message.block, () => json, addRows),
        }
      case 'mempool':
        return mempoolOf(codec, message.transactions)
      case 'microblocks':
        return { kind: 'microblocks', microblocks: waitingOf(message.microblocks) }
      case 'kept':
        return { ...message, json }
      default:
        return message
    }
  } catch (thrown) {
    if (!(thrown instanceof MessageError)) throw thrown
    return { kind: 'refused', reason: thrown.message, json }
  }
}

function faultOf(
  block: BlockMessage,
  json: () => string,
  addRows: (block: BlockMessage) => void,
): { reason: string; json: string } | null {
  try {
    addRows(block)
    return null
  } catch (thrown) {
    if (!(thrown instanceof IngestError)) throw thrown
    return { reason: thrown.message, json: json() }
  }
}

const headOf = (block: BlockMessage): BlockHead => ({
  height: block.height,
  id: block.id,
  parentId: block.parentId,
  timeS: block.timeS,
  burnHeight: block.burnHeight,
  burnHash: block.burnHash,
  weight: weightOf(block),
})

const waitingOf = ({ parentId, transactions }: MicroblocksMessage): WaitingMicroblocks => ({
  parentId,
  transactions: transactions.map(({ txid, index, microblock }) => ({ txid, index, microblock })),
})

function mempoolOf(codec: StacksCodec, raws: readonly Buffer[]): Reading {
  const transactions: MempoolTx[] = []
  const unread: { json: string; reason: string }[] = []
  for (const raw of raws)
    try {
      const { txid, auth, payload, sizeBytes } = codec.decodeTransaction(raw)
      transactions.push({
        txid,
        sender: auth.origin.address,
        feeUstx: payerOf(auth).feeUstx,
        nonce: auth.origin.nonce,
        kind: payload.kind,
        sizeBytes,
      })
    } catch (thrown) {
      if (!(thrown instanceof DecodeError)) throw thrown
      unread.push({ json: JSON.stringify([`0x${raw.toString('hex')}`]), reason: thrown.message })
    }
  return { kind: 'mempool', transactions, unread }
}
