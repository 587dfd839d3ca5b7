import type { StacksEvent } from '../messages/events.ts'
import {
  amount,
  amount64,
  asFields,
  asset,
  bytes,
  type Fields,
  hash,
  MessageError,
  maybe,
  need,
  principal,
  text,
  u32,
  whole,
} from '../messages/fields.ts'

/** An event as the public API gives it: what was rolled back is not there. */
export type ApiEvent = StacksEvent

type Body = StacksEvent['body']

const ACTIONS = ['transfer', 'mint', 'burn'] as const

function action(value: unknown): (typeof ACTIONS)[number] {
  const found = ACTIONS.find(each => each === value)
  if (found === undefined) throw new MessageError('type', `expected ${ACTIONS.join(', ')}`)
  return found
}

/** The API writes an empty text where nobody had or got it. */
const somebody = (value: unknown): string | null => (value === '' ? null : principal(value))

function transfer(standard: 'stx' | 'ft' | 'nft', event: Fields): Body {
  return need(event, 'asset', json => {
    const moved = asFields(json)
    return {
      kind: 'transfer',
      standard,
      action: need(moved, 'asset_event_type', action),
      asset: standard === 'stx' ? null : need(moved, 'asset_id', asset),
      sender: maybe(moved, 'sender', somebody),
      recipient: maybe(moved, 'recipient', somebody),
      amount: standard === 'nft' ? 1n : need(moved, 'amount', amount),
      tokenId: standard === 'nft' ? need(moved, 'value', value => need(asFields(value), 'hex', bytes)) : null,
      memo: standard === 'stx' ? maybe(moved, 'memo', bytes) : null,
    }
  })
}

const KINDS: Readonly<Record<string, (event: Fields) => Body>> = {
  stx_asset: event => transfer('stx', event),
  fungible_token_asset: event => transfer('ft', event),
  non_fungible_token_asset: event => transfer('nft', event),
  stx_lock: event =>
    need(event, 'stx_lock_event', json => {
      const lock = asFields(json)
      return {
        kind: 'lock',
        address: need(lock, 'locked_address', principal),
        amountUstx: need(lock, 'locked_amount', amount64),
        unlockHeight: need(lock, 'unlock_height', u32),
        contract: null,
      }
    }),
  smart_contract_log: event =>
    need(event, 'contract_log', json => {
      const log = asFields(json)
      return {
        kind: 'print',
        contract: need(log, 'contract_id', principal),
        topic: need(log, 'topic', text),
        value: need(log, 'value', value => need(asFields(value), 'hex', bytes)),
      }
    }),
}

/** Reads one event of a transaction. Errors: `MessageError` with the field. */
export function readApiEvent(json: unknown): ApiEvent {
  const event = asFields(json)
  const type = need(event, 'event_type', text)
  const read = KINDS[type]
  return {
    txid: need(event, 'tx_id', hash),
    index: need(event, 'event_index', whole),
    isCommitted: true,
    body: read === undefined ? { kind: 'unknown', type, json: JSON.stringify(json) } : read(event),
  }
}
