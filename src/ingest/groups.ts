import type { RawBlock } from '#chains/bitcoin/node/index.ts'
import type { DecodePool } from './decodePool.ts'
import type { ChunkJob } from './rows/chunk.ts'

/** What a group of blocks that are decoded together may hold, and what is loaded together. */
export type GroupLimits = {
  /** Raw bytes: about 25 rows over all tables a kilobyte, and four times as many bytes of columns. */
  readonly bytes: number
  readonly blocks: number
  /** Raw bytes of the groups that wait on disk before the engine is asked to load them. */
  readonly loadBytes: number
}

/**
 * So many groups look for older outputs in one go: a search passes over much of the spill (or of the engine's table) for a
 * few thousand of them, and little more for many times as many.
 */
export const TOGETHER = 12

/** Groups that may be decoded ahead: while some are completed and staged, decoding goes on. */
export const groupsAhead = (threads: number): number => threads + 4

/** Groups that are held at once: each is being decoded, ready, waiting for its older outputs, or being staged. */
export const groupsHeld = (threads: number): number => groupsAhead(threads) + TOGETHER + 2

/** Small groups spare memory: one is held about five times over. Large loads spare the engine work. */
export const groupLimits = (threads: number): GroupLimits => ({
  bytes: Math.floor(Math.min(24_000_000, 136_000_000 / groupsHeld(threads))),
  blocks: 8_192,
  loadBytes: 96_000_000,
})

/** Where memory for a group comes from. */
export type GroupOptions = Pick<ChunkJob, 'network' | 'checksWork'> & {
  readonly pool: Pick<DecodePool, 'rawMemory' | 'columnMemory'>
}

export type Group = { readonly job: ChunkJob; readonly refs: readonly { height: number; hash: string }[] }

/** Cuts a stream of blocks into groups of bounded size. */
export async function* groupBlocks(
  blocks: AsyncIterable<RawBlock>,
  limits: GroupLimits,
  options: GroupOptions,
): AsyncGenerator<Group> {
  let filling: Filling | undefined
  for await (const block of blocks) {
    const { length } = block.bytes
    if (filling && (filling.byteCount + length > limits.bytes || filling.refs.length === limits.blocks)) {
      yield groupOf(filling, options)
      filling = undefined
    }
    filling ??= startFilling(Math.max(limits.bytes, length), options)
    addBlock(filling, block)
  }
  if (filling) yield groupOf(filling, options)
}

/** One group of all these blocks, whatever their size. `height` −1: only the coinbase may tell. */
export function groupAll(blocks: readonly RawBlock[], options: GroupOptions): Group {
  const filling = startFilling(
    blocks.reduce((sum, { bytes }) => sum + bytes.length, 0),
    options,
  )
  for (const block of blocks) addBlock(filling, block)
  return groupOf(filling, options)
}

/** Raw bytes go where they are decoded from as soon as they come: a source may use its own memory again. */
type Filling = {
  readonly memory: SharedArrayBuffer
  readonly refs: { height: number; hash: string }[]
  readonly ends: number[]
  byteCount: number
}

const startFilling = (capacity: number, { pool }: GroupOptions): Filling => ({
  memory: pool.rawMemory(capacity),
  refs: [],
  ends: [],
  byteCount: 0,
})

function addBlock(filling: Filling, { height, hash, bytes }: RawBlock): void {
  new Uint8Array(filling.memory).set(bytes, filling.byteCount)
  filling.byteCount += bytes.length
  filling.refs.push({ height, hash })
  filling.ends.push(filling.byteCount)
}

function groupOf(
  { memory, refs, ends, byteCount }: Filling,
  { network, checksWork, pool }: GroupOptions,
): Group {
  return {
    job: {
      bytes: new Uint8Array(memory, 0, byteCount),
      offsets: Uint32Array.of(0, ...ends),
      heights: Int32Array.from(refs, ({ height }) => height),
      network,
      checksWork,
      without: [],
      memory: pool.columnMemory(byteCount),
    },
    refs,
  }
}
