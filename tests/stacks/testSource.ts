import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openStacksCodec } from '#chains/stacks/index.ts'
import { parseBlock } from '#chains/stacks/messages/block.ts'
import {
  NodeError,
  openStacksSource,
  type StacksPlace,
  type StacksSource,
} from '#chains/stacks/node/index.ts'
import { openStacksServer, type StacksServer } from '#tests/stacks/openStacksServer.ts'
import { recordedChain } from '#tests/stacks/recordedChain.ts'

export const codec = openStacksCodec()
export const DEVNET = 2147483648

/** The first recorded block whose bytes were recorded too. */
export const FIRST = 27

export type Which = { node?: readonly string[]; api?: readonly string[] }

export const sourceOf = (
  { node = [], api = [] }: Which,
  more: { rounds?: number; chainId?: number } = {},
): StacksSource =>
  openStacksSource({
    codec,
    nodes: node.map(url => ({ url })),
    apis: api.map(url => ({ url })),
    chainId: DEVNET,
    opinionMs: 2_000,
    ...more,
  })

export const refusal = (code: string, words: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof NodeError, String(thrown))
  assert.equal(thrown.code, code, thrown.message)
  assert.match(thrown.message, words)
  return true
}

export async function takeDown(
  source: StacksSource,
  from: StacksPlace,
  count: number,
): Promise<StacksPlace[]> {
  const places: StacksPlace[] = []
  for await (const place of source.down(from)) {
    places.push(place)
    if (places.length === count) break
  }
  return places
}

export const recorded = recordedChain('devnet-nakamoto-with-signer-messages.tsv.gz')
export const blocks = recorded.blocks.filter(({ message }) => message.block_height >= FIRST)
export const expected = new Map(blocks.map(({ message }) => [message.index_block_hash, parseBlock(message)]))
export let server: StacksServer

/** Opens a server with the recorded blocks for the tests of a suite. */
export function setUpStacksServer(): void {
  before(async () => {
    server = await openStacksServer({ blocks, burnBlocks: recorded.burnBlocks })
  })
  after(() => server[Symbol.asyncDispose]())
  beforeEach(() => {
    Object.assign(server, {
      intercept: undefined,
      rewrite: undefined,
      rewriteBytes: undefined,
      networkId: DEVNET,
    })
    Object.assign(server.speaks, { node: true, api: true, rawBlocks: true, newTxList: true })
    server.setTip(blocks.at(-1)!.message.index_block_hash)
    server.requests.length = 0
  })
}
