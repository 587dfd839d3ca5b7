import {
  amount,
  amount64,
  asFields,
  asset,
  bool,
  bytes,
  type Fields,
  type Hex,
  hash,
  maybe,
  need,
  principal,
  text,
  u32,
  whole,
} from './fields.ts'

/** What a transaction did, as its node reports it. Source: stacks-core `clarity/src/vm/events.rs`. */
export type StacksEvent = {
  readonly txid: Hex
  /** Position in its block. */
  readonly index: number
  /** False: the transaction was rolled back, and this with it. */
  readonly isCommitted: boolean
  readonly body: TransferEvent | LockEvent | PrintEvent | UnknownEvent
}

/** STX or a token that moved, was made or destroyed. */
export type TransferEvent = {
  readonly kind: 'transfer'
  readonly standard: 'stx' | 'ft' | 'nft'
  readonly action: 'transfer' | 'mint' | 'burn'
  /** `address.contract::asset`; null for STX. */
  readonly asset: string | null
  readonly sender: string | null
  readonly recipient: string | null
  /** Micro-STX, base units of the token; 1 for an NFT. */
  readonly amount: bigint
  /** Serialized Clarity value that tells NFTs of an asset apart. */
  readonly tokenId: Buffer | null
  readonly memo: Buffer | null
}

/** STX that PoX locked. */
export type LockEvent = {
  readonly kind: 'lock'
  readonly address: string
  readonly amountUstx: bigint
  /** Bitcoin height at which they are free again. */
  readonly unlockHeight: number
  /** The PoX contract; null from early nodes. */
  readonly contract: string | null
}

/** What a contract printed. */
export type PrintEvent = {
  readonly kind: 'print'
  readonly contract: string
  readonly topic: string
  /** Serialized Clarity value. */
  readonly value: Buffer
}

/** An event of a kind that no rule here knows; the JSON is kept. */
export type UnknownEvent = { readonly kind: 'unknown'; readonly type: string; readonly json: string }

type Read = (body: Fields) => StacksEvent['body']

const transfer =
  (standard: TransferEvent['standard'], action: TransferEvent['action']): Read =>
  body => ({
    kind: 'transfer',
    standard,
    action,
    asset: standard === 'stx' ? null : need(body, 'asset_identifier', asset),
    sender: action === 'mint' ? null : need(body, 'sender', principal),
    recipient: action === 'burn' ? null : need(body, 'recipient', principal),
    amount: standard === 'nft' ? 1n : need(body, 'amount', amount),
    tokenId: standard === 'nft' ? need(body, 'raw_value', bytes) : null,
    memo: standard === 'stx' ? maybe(body, 'memo', bytes) : null,
  })

const KINDS: Readonly<Record<string, Read>> = {
  stx_transfer_event: transfer('stx', 'transfer'),
  stx_mint_event: transfer('stx', 'mint'),
  stx_burn_event: transfer('stx', 'burn'),
  ft_transfer_event: transfer('ft', 'transfer'),
  ft_mint_event: transfer('ft', 'mint'),
  ft_burn_event: transfer('ft', 'burn'),
  nft_transfer_event: transfer('nft', 'transfer'),
  nft_mint_event: transfer('nft', 'mint'),
  nft_burn_event: transfer('nft', 'burn'),
  stx_lock_event: body => ({
    kind: 'lock',
    address: need(body, 'locked_address', principal),
    amountUstx: need(body, 'locked_amount', amount64),
    unlockHeight: need(body, 'unlock_height', height),
    contract: maybe(body, 'contract_identifier', principal),
  }),
  contract_event: body => ({
    kind: 'print',
    contract: need(body, 'contract_identifier', principal),
    topic: need(body, 'topic', text),
    value: need(body, 'raw_value', bytes),
  }),
}

/** Nodes write it as text. */
const height = (value: unknown): number => u32(Number(amount64(value)))

/** Reads one event of a message. Errors: `MessageError` with the field. */
export function parseEvent(json: unknown): StacksEvent {
  const event = asFields(json)
  const type = need(event, 'type', text)
  const read = KINDS[type]
  return {
    txid: need(event, 'txid', hash),
    index: need(event, 'event_index', whole),
    isCommitted: need(event, 'committed', bool),
    body:
      read === undefined
        ? { kind: 'unknown', type, json: JSON.stringify(json) }
        : need(event, type, body => read(asFields(body))),
  }
}
