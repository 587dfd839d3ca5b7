import type { RawBlock } from '#chains/bitcoin/node/index.ts'
import type { DecodePool } from './decodePool.ts'
import type { ChunkJob } from './rows/chunk.ts'

/** What a group of blocks that are decoded and written together may hold. */
export type GroupLimits = {
  /** Raw bytes: about 25 rows over all tables a kilobyte, and four times as many bytes of columns. */
  readonly bytes: number
  readonly blocks: number
}

/**
 * Large groups spare the engine work (each insert of each table costs it some 8 ms), small ones spare memory: a group is
 * held about five times over, and there are three more of them than threads.
 */
export const groupLimits = (threads: number): GroupLimits => ({
  bytes: Math.floor(Math.min(24_000_000, 96_000_000 / (threads + 3))),
  blocks: 8_192,
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
