import { isUtf8 } from 'node:buffer'
import type { Payload } from '#chains/stacks/index.ts'

/** What every codec is asked for of a transaction, as text to be compared. */
export type TransactionFacts = {
  readonly txid: string
  readonly chainId: number
  /** Hash of the origin's keys, hex. */
  readonly origin: string
  readonly sponsor: string | null
  readonly nonce: string
  readonly feeUstx: string
  /** Byte of the wire. */
  readonly payloadType: number
  readonly postConditions: number
  /** Serialized arguments of a call, hex. */
  readonly args: readonly string[]
}

export type Contestant = {
  /** Decodes one transaction to the library's own form; the result only keeps the work from being optimised away. */
  decode(bytes: Uint8Array): number
  /** The same with the txid and the address of the sender as text. */
  decodeWithTxid(bytes: Uint8Array): number
  /** Decodes one Clarity value and writes its readable text. */
  valueText(bytes: Uint8Array): number
  facts(bytes: Uint8Array): TransactionFacts
}

export const MODES = ['decode', 'decodeWithTxid', 'valueText'] as const
export type Mode = (typeof MODES)[number]

/** Serialized transactions and values, hex. */
export type Corpus = { readonly transactions: readonly string[]; readonly values: readonly string[] }

export type Request = { readonly mode: Mode; readonly repeats: number } | { readonly facts: true }
/** Milliseconds for the whole corpus once; or the facts of every transaction. */
export type Answer = { readonly ms: number } | { readonly facts: readonly TransactionFacts[] }

/** What `@stacks/transactions` 7.6.0 does not keep: the headers of a poison microblock, and the bytes of a memo that is no UTF-8. */
export const isLostOnPeer = (payload: Payload): boolean =>
  payload.kind === 'poison_microblock' || (payload.kind === 'token_transfer' && !isUtf8(payload.memo))
