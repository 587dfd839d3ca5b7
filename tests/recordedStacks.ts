import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { shared } from './shared.ts'

/** One recorded case: what goes in and what was published to come out. */
export type StacksVector<Expected> = {
  readonly input: string
  readonly expected: Expected
  readonly what?: string
  readonly node?: { readonly status: string; readonly raw_result?: string }
}

/** The cases of a file under `data/stacks/vectors`, by its name without the ending. */
export const stacksVectors = <T>(name: string): T[] =>
  JSON.parse(readFileSync(shared(`data/stacks/vectors/${name}.json`), 'utf8'))

/** Bytes of hex as recordings write it, with or without `0x`. */
export const bytesOfHex = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex.replace(/^0x/, ''), 'hex')

export type StacksEvent = {
  readonly txid: string
  readonly type: string
  readonly contract_event?: {
    readonly contract_identifier: string
    readonly topic: string
    readonly raw_value: string
  }
}

/** What is common to the recorded messages with transactions. */
export type StacksMessage = {
  readonly block_hash?: string
  readonly index_block_hash?: string
  readonly consensus_hash?: string
  readonly signer_signature_hash?: string
  readonly miner_signature?: string
  readonly events?: readonly StacksEvent[]
  readonly transactions?: readonly {
    readonly txid: string
    readonly raw_tx: string
    readonly raw_result: string
    readonly contract_abi?: unknown
    readonly contract_interface?: unknown
  }[]
  readonly modified_slots?: readonly { readonly data: string }[]
}

/** Archives of a node's messages, in the order of arrival. */
export const STACKS_ARCHIVES = [
  'devnet-nakamoto-with-signer-messages.tsv.gz',
  'mainnet-bitcoin-ops-new_block.jsonl',
  'mainnet-block0.tsv.gz',
  'mainnet-out-of-order-microblock.tsv.gz',
  'mainnet-poison-microblock-760063.tsv.gz',
  'mainnet-reorg-scenario1.tsv.gz',
  'regtest-epoch-3-transition.tsv.gz',
  'regtest-pox-4-order-independent-multisig.tsv.gz',
  'regtest-pox-4-stack-in-reward-phase-S1.tsv.gz',
  'regtest-sbtc-new_block.jsonl',
] as const

/** Path and message, one by one. A JSON-lines file holds `/new_block` only. */
export function* recordedMessages(
  archive: (typeof STACKS_ARCHIVES)[number],
): Generator<[string, StacksMessage]> {
  const raw = readFileSync(shared(`data/stacks/events/${archive}`))
  const text = (archive.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8')
  for (const line of text.split('\n')) {
    if (line === '') continue
    if (!archive.includes('.tsv')) {
      yield ['/new_block', JSON.parse(line)]
      continue
    }
    const [, , path = '', json = ''] = line.split('\t')
    yield [path, JSON.parse(json)]
  }
}
