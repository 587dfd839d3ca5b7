import { NodeError } from '../../node/errors.ts'
import type { Pool } from '../../node/pool.ts'
import type { StacksCodec } from '../decode.ts'
import type { RewardSet } from '../messages/block.ts'
import type { Hex } from '../messages/fields.ts'
import type { StacksEndpoint } from './endpoint.ts'
import {
  type NodeInfo,
  readInfo,
  readSortitions,
  readStackerSet,
  readTenureBlocks,
  type Sortition,
  type TenureBlock,
  type TenureBlocks,
} from './nodeAnswers.ts'
import { proveEpoch2Block, proveNakamotoBlock, type RawBlock } from './rawBlock.ts'

/** Where a block stands, by a node's list of tenures. */
export type NodePlace = {
  readonly height: number
  readonly id: Hex
  readonly parentId: Hex
  readonly consensusHash: Hex
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly isNakamoto: boolean
}

/** What a node's RPC tells of its chain. */
export type NodeReader = {
  info(signal?: AbortSignal): Promise<NodeInfo>
  /** Blocks from one down, the newest first, each linked to the one before. Throws `node.reorged` where the chain changed. */
  down(from: Pick<NodePlace, 'id' | 'consensusHash'>, signal?: AbortSignal): AsyncGenerator<NodePlace>
  /** The block of a height; null where the node has none. */
  at(height: number, signal?: AbortSignal): Promise<Pick<NodePlace, 'height' | 'id' | 'consensusHash'> | null>
  raw(place: Pick<NodePlace, 'id' | 'consensusHash' | 'isNakamoto'>, signal?: AbortSignal): Promise<RawBlock>
  /** The Bitcoin block of a tenure. */
  sortition(consensusHash: Hex, signal?: AbortSignal): Promise<Sortition>
  /** The Bitcoin block of a height; null where the node knows none. */
  burnBlock(height: number, signal?: AbortSignal): Promise<Sortition | null>
  /** The reward set of a cycle; null where the node has none. */
  rewardSet(cycle: number, signal?: AbortSignal): Promise<RewardSet | null>
}

const bare = (hex: Hex): string => hex.slice(2)
/** Bitcoin blocks in a row that may elect nobody before a walk is given up. */
const MOST_EMPTY_TENURES = 500
const KEPT = 256
/** What the first block stands on. */
const NOBODY: Hex = `0x${'00'.repeat(32)}`

export function createNodeReader(codec: StacksCodec, pool: Pool<StacksEndpoint>): NodeReader {
  const sortitions = new Map<Hex, Sortition>()

  async function json<T>(path: string, read: (json: unknown) => T, signal?: AbortSignal): Promise<T | null> {
    return pool.ask((endpoint, until) => endpoint.json(path, read, until), signal)
  }

  async function demand<T>(path: string, read: (json: unknown) => T, signal?: AbortSignal): Promise<T> {
    return pool.ask(async (endpoint, until) => {
      const answer = await endpoint.json(path, read, until)
      if (answer === null) throw gap(endpoint.name, path)
      return answer
    }, signal)
  }

  const tenureOf = (consensusHash: Hex, signal?: AbortSignal): Promise<TenureBlocks> =>
    demand(`/v3/tenures/blocks/${bare(consensusHash)}`, readTenureBlocks, signal)

  /** The next tenure below a Bitcoin height that holds the wanted block. */
  async function tenureBelow(
    burnHeight: number,
    isWanted: (block: TenureBlock) => boolean,
    signal?: AbortSignal,
  ): Promise<TenureBlocks | null> {
    for (let at = burnHeight - 1; at >= Math.max(0, burnHeight - MOST_EMPTY_TENURES); at--) {
      const tenure = await json(`/v3/tenures/blocks/height/${at}`, readTenureBlocks, signal)
      if (tenure?.blocks.some(isWanted)) return tenure
      // The block next to genesis has nobody below it that a tenure would name.
      if (tenure === null) return null
    }
    return null
  }

  async function* down(
    from: Pick<NodePlace, 'id' | 'consensusHash'>,
    signal?: AbortSignal,
  ): AsyncGenerator<NodePlace> {
    let tenure = await tenureOf(from.consensusHash, signal)
    let isWanted = ({ id }: TenureBlock): boolean => id === from.id
    for (;;) {
      const { consensusHash, burnHeight, burnHash, blocks } = tenure
      const start = blocks.findIndex(isWanted)
      if (start < 0) throw reorged(from.id)
      let lowest: TenureBlock | undefined
      for (let i = start; i < blocks.length; i++) {
        const block = blocks[i]!
        if (lowest?.isNakamoto && lowest.parentId !== block.id) break
        if (lowest !== undefined) yield { ...lowest, parentId: block.id, consensusHash, burnHeight, burnHash }
        lowest = block
      }
      if (lowest === undefined) throw reorged(from.id)
      const { parentId, parentHeaderHash } = await belowOf(lowest, consensusHash, signal)
      isWanted = block => (parentId === null ? block.headerHash === parentHeaderHash : block.id === parentId)
      const below = await tenureBelow(burnHeight, isWanted, signal)
      const parent = below?.blocks.find(isWanted)
      if (below === null || parent === undefined) {
        if (lowest.height > 1) throw reorged(lowest.id)
        yield { ...lowest, parentId: parentId ?? NOBODY, consensusHash, burnHeight, burnHash }
        return
      }
      yield { ...lowest, parentId: parent.id, consensusHash, burnHeight, burnHash }
      tenure = below
    }
  }

  /** What a block says of the one below: before Nakamoto the hash of its header alone. */
  async function belowOf(
    block: TenureBlock,
    consensusHash: Hex,
    signal?: AbortSignal,
  ): Promise<{ parentId: Hex | null; parentHeaderHash: Hex | null }> {
    if (block.isNakamoto) return { parentId: block.parentId, parentHeaderHash: null }
    return raw({ id: block.id, consensusHash, isNakamoto: false }, signal)
  }

  function raw(
    { id, consensusHash, isNakamoto }: Pick<NodePlace, 'id' | 'consensusHash' | 'isNakamoto'>,
    signal?: AbortSignal,
  ): Promise<RawBlock> {
    return pool.ask(async (endpoint, until) => {
      const path = `/${isNakamoto ? 'v3' : 'v2'}/blocks/${bare(id)}`
      const bytes = await endpoint.bytes(path, until)
      if (bytes === null) throw gap(endpoint.name, path)
      return isNakamoto
        ? proveNakamotoBlock(codec, bytes, id, endpoint.name)
        : proveEpoch2Block(codec, bytes, { id, consensusHash }, endpoint.name)
    }, signal)
  }

  async function sortition(consensusHash: Hex, signal?: AbortSignal): Promise<Sortition> {
    const known = sortitions.get(consensusHash)
    if (known !== undefined) return known
    const [found] = await demand(`/v3/sortitions/consensus/${bare(consensusHash)}`, readSortitions, signal)
    if (found === undefined || found.consensusHash !== consensusHash)
      throw new NodeError('node.lied', `A Stacks node knows no sortition ${consensusHash} of its own block.`)
    if (sortitions.size >= KEPT) sortitions.clear()
    sortitions.set(consensusHash, found)
    return found
  }

  /** The highest Bitcoin block at which the chain was not higher: blocks before Nakamoto have no address by height. */
  async function oldTenureAt(height: number, signal?: AbortSignal): Promise<NodePlace | null> {
    const { burnHeight } = await info(signal)
    let low = 0
    let high = burnHeight
    while (low <= high) {
      let at = (low + high) >> 1
      let tenure: TenureBlocks | null = null
      // Bitcoin blocks that elected nobody say nothing: the next one below does.
      for (; at >= low; at--) {
        tenure = await json(`/v3/tenures/blocks/height/${at}`, readTenureBlocks, signal)
        if (tenure !== null && tenure.blocks.length > 0) break
      }
      const middle = (low + high) >> 1
      if (tenure === null || tenure.blocks.length === 0) {
        low = middle + 1
        continue
      }
      const found = tenure.blocks.find(block => block.height === height)
      if (found !== undefined) return { ...found, ...tenure }
      if (tenure.blocks[0]!.height < height) low = middle + 1
      else high = at - 1
    }
    return null
  }

  const info = (signal?: AbortSignal): Promise<NodeInfo> => demand('/v2/info', readInfo, signal)

  return {
    info,
    down,
    raw,
    sortition,
    async at(height, signal) {
      const found = await pool.ask(async (endpoint, until) => {
        const bytes = await endpoint.bytes(`/v3/blocks/height/${height}`, until)
        if (bytes === null) return null
        const { header } = codec.decodeNakamotoBlock(bytes)
        if (Number(header.chainLength) !== height)
          throw new NodeError(
            'node.lied',
            `${endpoint.name} gave block ${header.chainLength} for height ${height}.`,
          )
        return { height, id: `0x${header.blockId}`, consensusHash: `0x${header.consensusHash}` } as const
      }, signal)
      return found ?? oldTenureAt(height, signal)
    },
    burnBlock: async (height, signal) =>
      (await json(`/v3/sortitions/burn_height/${height}`, readSortitions, signal))?.[0] ?? null,
    rewardSet: (cycle, signal) => json(`/v3/stacker_set/${cycle}`, readStackerSet, signal),
  }
}

const gap = (name: string, path: string): NodeError =>
  new NodeError('node.gap', `${name} has nothing under ${path}, though its chain names it.`, {
    hint: 'It is asked again, and others are; a node that is still catching up fills the gap by itself.',
  })

const reorged = (id: Hex): NodeError =>
  new NodeError('node.reorged', `The chain changed while a Stacks node was asked for the blocks below ${id}.`)
