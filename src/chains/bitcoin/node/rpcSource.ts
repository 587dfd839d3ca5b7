import { z } from 'zod'
import type { Network } from '#kernel/bitcoin.ts'
import { NodeError } from '../../node/errors.ts'
import { readAhead } from '../../node/readAhead.ts'
import { NETWORK_MARKS, networkBy } from './networks.ts'
import { createRpc, type Rpc, type RpcConfig } from './rpc.ts'
import type { BlockRef, BlockSource, RawBlock } from './source.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Work = z
  .string()
  .regex(/^[0-9a-f]{1,64}$/)
  .transform(hex => BigInt(`0x${hex}`))
export const ChainInfo = z.object({
  chain: z.string(),
  blocks: z.number().int().nonnegative(),
  bestblockhash: Hash,
})
export const HeaderInfo = z.object({
  hash: Hash,
  height: z.number().int().nonnegative(),
  time: z.number().int(),
  chainwork: Work.optional(),
  previousblockhash: Hash.nullish(),
})
const RawHex = z.string().regex(/^(?:[0-9a-f]{2})+$/)

/** Bytes of blocks that one request may bring back. */
const REQUEST_BYTES = 4_000_000
const MOST_BLOCKS = 100
const HASHES_A_REQUEST = 500

export type RpcSource = BlockSource & Disposable & { readonly rpc: Rpc }

/** A node's best chain by JSON-RPC. Each answer about its tip is checked for the network. */
export function createRpcSource(config: RpcConfig & { readonly network: Network }): RpcSource {
  const rpc = createRpc(config)

  async function tip(signal?: AbortSignal): Promise<BlockRef> {
    const info = await rpc.call(ChainInfo, ['getblockchaininfo'], signal)
    demandChain(rpc.name, info.chain, config.network)
    return { height: info.blocks, hash: info.bestblockhash }
  }

  async function hashAt(height: number, signal?: AbortSignal): Promise<string | null> {
    try {
      return await rpc.call(Hash, ['getblockhash', height], signal)
    } catch (thrown) {
      // -8: block height out of range, in Bitcoin Core and bcoin.
      if (thrown instanceof NodeError && thrown.facts.rpcCode === -8) return null
      throw thrown
    }
  }

  const chainWork = async (hash: string, signal?: AbortSignal): Promise<bigint | undefined> =>
    (await rpc.call(HeaderInfo, ['getblockheader', hash, true], signal)).chainwork

  async function workAbove(height: number, signal?: AbortSignal): Promise<bigint | null> {
    const { hash } = await tip(signal)
    const whole = await chainWork(hash, signal)
    if (whole === undefined || height < 0) return whole ?? null
    const at = await hashAt(height, signal)
    const below = at === null ? undefined : await chainWork(at, signal)
    return below === undefined ? null : whole - below
  }

  const hashes = (fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<string[]> =>
    rpc.batch(
      Hash,
      Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => ['getblockhash', fromHeight + i] as const),
      signal,
    )

  async function headerTimes(fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<number[]> {
    const list = await hashes(fromHeight, toHeight, signal)
    const headers = await rpc.batch(
      HeaderInfo,
      list.map(hash => ['getblockheader', hash, true] as const),
      signal,
    )
    headers.forEach((header, i) => {
      if (header.height !== fromHeight + i) throw lied(rpc.name, header.hash, header.height, fromHeight + i)
    })
    return headers.map(header => header.time)
  }

  async function* requests(fromHeight: number, toHeight: number, signal?: AbortSignal) {
    let known: string[] = []
    let height = fromHeight
    const size = { mean: 1_000_000 }
    while (height <= toHeight) {
      if (known.length === 0)
        known = await hashes(height, Math.min(toHeight, height + HASHES_A_REQUEST - 1), signal)
      const count = Math.max(1, Math.min(MOST_BLOCKS, known.length, Math.floor(REQUEST_BYTES / size.mean)))
      const part = known.splice(0, count)
      const first = height
      height += count
      // Verbosity as a boolean: Bitcoin Core and bcoin both take it.
      yield async (): Promise<RawBlock[]> => {
        const texts = await rpc.batch(
          RawHex,
          part.map(hash => ['getblock', hash, false] as const),
          signal,
        )
        size.mean = texts.reduce((sum, text) => sum + text.length / 2, 0) / texts.length
        return texts.map((text, i) => ({
          height: first + i,
          hash: part[i] ?? '',
          bytes: Buffer.from(text, 'hex'),
        }))
      }
    }
  }

  return {
    origin: 'rpc',
    name: rpc.name,
    rpc,
    tip,
    hashAt,
    workAbove,
    headerTimes,
    blocks: (fromHeight, toHeight, signal) => readAhead(requests(fromHeight, toHeight, signal), 3),
    [Symbol.dispose]: () => rpc[Symbol.dispose](),
  }
}

/** @throws NodeError `node.wrong_chain` where a node follows another network. */
export function demandChain(name: string, chain: string, network: Network): void {
  if (chain === NETWORK_MARKS[network].coreName) return
  throw new NodeError(
    'node.wrong_chain',
    `${name} follows ${networkBy('coreName', chain) ?? chain}, but Assay is set to ${network}.`,
    { hint: 'Correct BITCOIN_NETWORK or the address of the node.', facts: { chain, network } },
  )
}

/** A node that says different heights of one block. */
export const lied = (name: string, hash: string, said: number, asked: number): NodeError =>
  new NodeError(
    'node.lied',
    `${name} gave block ${hash} for height ${asked}, but states height ${said} for it.`,
    {
      hint: 'The block was not stored. Ask another node.',
      facts: { hash, said, asked },
    },
  )
