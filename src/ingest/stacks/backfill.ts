import { NodeError, type StacksPlace } from '#chains/stacks/node/index.ts'
import type { Applied } from './stacksChain.ts'
import { type TakeDeps, takeBlocks } from './takeBlocks.ts'

export type StacksBackfillOptions = {
  /** Where the newest held run begins unless given; the first block where nothing is held. */
  readonly from?: number | undefined
  /** The tip unless given. */
  readonly to?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: { readonly height: number; readonly aim: number }) => void) | undefined
}

export type StacksBackfillReport = {
  readonly from: number
  readonly to: number
  readonly sourceTip: number
  readonly blocks: number
  readonly rowCount: number
  /** Blocks that were held already. */
  readonly duplicates: number
  readonly refused: number
}

/** Heights that are listed, and checked for what is held, together. */
const WINDOW = 300
const GROUP = 40

/**
 * Brings a stretch in from a source that is asked, the lowest first; what is held is passed over, so a stop costs nothing, unless it
 * came without receipts and this source tells them. Throws
 * what stopped it: `node.reorged` where the chain changed below what had come.
 */
export async function backfillBlocks(
  deps: TakeDeps,
  { from, to, signal, onProgress }: StacksBackfillOptions,
): Promise<StacksBackfillReport> {
  const { chain, source } = deps
  const tip = await source.tip(signal)
  const first = from ?? chain.ranges().at(-1)?.fromHeight ?? 1
  const last = Math.min(to ?? tip.height, tip.height)
  let counts = { blocks: 0, rowCount: 0, duplicates: 0, refused: 0 }
  let below: StacksPlace | undefined
  for (let low = first; low <= last; low += WINDOW) {
    const high = Math.min(low + WINDOW - 1, last)
    const places = await placesOf(deps, low, high, signal)
    if (below !== undefined && places[0]!.parentId !== below.id)
      throw new NodeError('node.reorged', `Block ${low} of Stacks does not stand on the one that had come.`)
    below = places.at(-1)
    const held = await chain.held(places)
    if (source.hasReceipts) for (const id of await chain.withoutReceipts(places)) held.delete(id)
    counts = { ...counts, duplicates: counts.duplicates + held.size }
    const missing = places.filter(({ id }) => !held.has(id))
    for (let at = 0; at < missing.length; at += GROUP) {
      signal?.throwIfAborted()
      const group = missing.slice(at, at + GROUP)
      counts = sumOf(counts, (await takeBlocks(deps, group, signal)).applied)
      onProgress?.({ height: group.at(-1)!.height, aim: last })
    }
  }
  return { from: first, to: last, sourceTip: tip.height, ...counts }
}

/** The blocks of some heights, the lowest first, each on the one before. */
async function placesOf(
  { source }: TakeDeps,
  low: number,
  high: number,
  signal: AbortSignal | undefined,
): Promise<StacksPlace[]> {
  const top = await source.at(high, signal)
  if (top === null)
    throw new NodeError(
      'node.gap',
      `The source has no block ${high} of Stacks, though its chain is longer.`,
      {
        hint: 'It is retried. A source that is still syncing fills the gap by itself.',
      },
    )
  const places: StacksPlace[] = []
  for await (const place of source.down(top, signal)) {
    if (place.height < low) break
    places.push(place)
    if (place.height === low) break
  }
  if (places.at(-1)?.height !== low)
    throw new NodeError('node.gap', `The source has no block ${low} of Stacks below block ${high}.`)
  return places.reverse()
}

const sumOf = (a: { blocks: number; rowCount: number; duplicates: number; refused: number }, b: Applied) => ({
  blocks: a.blocks + b.blocks,
  rowCount: a.rowCount + b.rowCount,
  duplicates: a.duplicates + b.duplicates,
  refused: a.refused + b.refused,
})
