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
 * So many groups ask the engine for older outputs in one go: it reads much of its table for a few thousand of them, and
 * little more for many times as many.
 */
export const TOGETHER = 5

/** Groups that are held at once: each is being decoded, ready, waiting for its older outputs, or being staged. */
export const groupsHeld = (threads: number): number => threads + 2 + TOGETHER + 1

/**
 * Small groups spare memory: one is held about five times over. Large loads spare the engine work, and need outputs of as
 * many bytes in the cache of prevouts until they are done.
 */
export const groupLimits = (threads: number): GroupLimits => ({
  bytes: Math.floor(Math.min(24_000_000, 112_000_000 / groupsHeld(threads))),
  blocks: 8_192,
  loadBytes: 96_000_000,
})

/** Where memory for a group comes from. */
export type GroupOptions = Pick<ChunkJob, 'network' | 'checksWork'> & {
  readonly pool: Pick<DecodePool, 'memory'>
}

export type Group = { readonly job: ChunkJob; readonly refs: readonly { height: number; hash: string }[] }

/** Cuts a stream of blocks into groups of bounded size. */
export async function* groupBlocks(
  blocks: AsyncIterable<RawBlock>,
  limits: GroupLimits,
  options: GroupOptions,
): AsyncGenerator<Group> {
  let held: RawBlock[] = []
  let bytes = 0
  for await (const block of blocks) {
    if (held.length > 0 && (bytes + block.bytes.length > limits.bytes || held.length === limits.blocks)) {
      yield groupOf(held, options)
      held = []
      bytes = 0
    }
    held.push(block)
    bytes += block.bytes.length
  }
  if (held.length > 0) yield groupOf(held, options)
}

/** `height` −1: only the coinbase may tell. */
export function groupOf(blocks: readonly RawBlock[], { network, checksWork, pool }: GroupOptions): Group {
  const offsets = new Uint32Array(blocks.length + 1)
  blocks.forEach(({ bytes }, i) => {
    offsets[i + 1] = offsets[i]! + bytes.length
  })
  const { bytes, memory } = pool.memory(offsets[blocks.length]!)
  blocks.forEach((block, i) => {
    bytes.set(block.bytes, offsets[i])
  })
  return {
    job: {
      bytes,
      offsets,
      heights: Int32Array.from(blocks, ({ height }) => height),
      network,
      checksWork,
      without: [],
      memory,
    },
    refs: blocks.map(({ height, hash }) => ({ height, hash })),
  }
}
