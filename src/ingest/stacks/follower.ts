import { NodeError, type StacksPlace } from '#chains/stacks/node/index.ts'
import type { Log } from '#kernel/log.ts'
import { type TakeDeps, takeBlocks } from './takeBlocks.ts'

export type FollowerDeps = TakeDeps & {
  readonly log: Log
  /** First height to hold where nothing is; the newest block unless given. */
  readonly startHeight?: number | undefined
  readonly now: () => number
  /** A longer gap below the tip is left to `backfill`. */
  readonly mostGap?: number
}

export type Follower = {
  /** Brings in what is new, the newest first, for about as long as the pause between two looks. Returns the source's tip. */
  round(roundMs: number, signal: AbortSignal): Promise<StacksPlace>
  /** Blocks that are known to be missing below the tip, at least: the walk down may not have come to its end. */
  missing(): number
}

/** Blocks below the tip that have been listed: the newest first. Linked: the one below the lowest is held. */
type Segment = { places: StacksPlace[]; lowest: StacksPlace; isLinked: boolean }

const MOST_GAP = 1000
/** Blocks listed at once on the way down, so that newer ones do not wait for a long way. */
const WALK = 60
/** Blocks taken in at once, as many as come within about the pause between two looks. */
const LEAST_GROUP = 4
const MOST_GROUP = 60
const AGAIN_AFTER_MS = 30_000
const MOST_ATTEMPTS = 20

/**
 * Follows a source that is asked. Blocks are taken in from the newest down: the chain puts them in their place, a gap closes when
 * its last block comes, and the tip never waits for a gap. What is held is where the next process goes on.
 */
export function createFollower(deps: FollowerDeps): Follower {
  const { chain, source, log, now, mostGap = MOST_GAP } = deps
  let segments: Segment[] = []
  /** Nothing below is asked for: the newest block where following began. */
  let floor: number | undefined
  /** Blocks whose receipts were not to be had. */
  const incomplete = new Map<string, { place: StacksPlace; atMs: number; attempts: number }>()

  function begin(tip: StacksPlace): number {
    const heldTip = chain.ranges().at(-1)?.toHeight
    if (heldTip === undefined) return Math.min(deps.startHeight ?? tip.height, tip.height)
    if (tip.height - heldTip <= mostGap) return 0
    log.warn(
      `Blocks ${heldTip + 1} to ${tip.height - 1} of Stacks are not held, and following does not fill so many. \`assay backfill --chain stacks --from ${heldTip + 1} --to ${tip.height - 1}\` does.`,
    )
    return tip.height
  }

  const isListed = (id: string): boolean => segments.some(({ places }) => places.some(each => each.id === id))

  async function walk(
    from: StacksPlace,
    signal: AbortSignal,
  ): Promise<Omit<Segment, 'lowest'> & { lowest?: StacksPlace }> {
    const places: StacksPlace[] = []
    let lowest: StacksPlace | undefined
    for await (const place of source.down(from, signal)) {
      if (lowest !== undefined && place.id !== lowest.parentId)
        throw new NodeError(
          'node.reorged',
          `Block ${lowest.height} of Stacks does not stand on the one below.`,
        )
      const isFloor = place.height < (floor ?? 0)
      if (isFloor || isListed(place.id) || (await chain.held([place])).has(place.id))
        return { places, isLinked: true, ...(lowest && { lowest }) }
      places.push(place)
      lowest = place
      if (places.length >= WALK) return { places, isLinked: false, lowest }
    }
    return { places, isLinked: true, ...(lowest && { lowest }) }
  }

  async function look(signal: AbortSignal): Promise<StacksPlace> {
    const tip = await source.tip(signal)
    floor ??= begin(tip)
    if (isListed(tip.id)) return tip
    const { lowest, ...found } = await walk(tip, signal)
    if (lowest !== undefined) segments.unshift({ ...found, lowest })
    return tip
  }

  /** The newest blocks that are missing; empty where none is. */
  async function next(most: number, signal: AbortSignal): Promise<StacksPlace[]> {
    for (;;) {
      const [segment] = segments
      if (segment === undefined) return []
      if (segment.places.length > 0) return segment.places.slice(0, most)
      if (segment.isLinked) {
        segments.shift()
        continue
      }
      segments.shift()
      const below = await walkBelow(segment.lowest, signal)
      if (below !== undefined) segments.unshift(below)
    }
  }

  async function walkBelow(top: StacksPlace, signal: AbortSignal): Promise<Segment | undefined> {
    const at = await source.at(top.height - 1, signal)
    // The chain has changed below what is held of it: the next look walks down from the new tip.
    if (at === null || at.id !== top.parentId) return undefined
    const { lowest, ...found } = await walk(at, signal)
    return lowest && { ...found, lowest }
  }

  async function take(places: readonly StacksPlace[], signal: AbortSignal): Promise<void> {
    const [top] = places
    if (top !== undefined && source.health().length > 1) await source.crossCheck(top, signal)
    const { blocks } = await takeBlocks(deps, places, signal)
    const taken = new Set(places.map(({ id }) => id))
    for (const segment of segments) segment.places = segment.places.filter(({ id }) => !taken.has(id))
    for (const [i, place] of places.toSorted((a, b) => a.height - b.height).entries()) {
      const before = incomplete.get(place.id)
      if (!source.hasReceipts || !blocks[i]!.lacks.includes('receipts')) incomplete.delete(place.id)
      else incomplete.set(place.id, { place, atMs: now(), attempts: (before?.attempts ?? 0) + 1 })
    }
  }

  /** Blocks that came without receipts while the API was away. */
  async function complete(signal: AbortSignal): Promise<void> {
    for (const [id, { place, atMs, attempts }] of incomplete) {
      if (attempts > MOST_ATTEMPTS) incomplete.delete(id)
      else if (now() - atMs >= AGAIN_AFTER_MS) return take([place], signal)
    }
  }

  return {
    missing: () => segments.reduce((sum, { places, isLinked }) => sum + places.length + Number(!isLinked), 0),
    async round(roundMs, signal) {
      const start = now()
      try {
        const tip = await look(signal)
        // The newest block alone first: it does not wait for those below it.
        for (let most = 1; ; ) {
          const begun = now()
          const places = await next(most, signal)
          if (places.length === 0) {
            await complete(signal)
            return tip
          }
          await take(places, signal)
          const perBlockMs = Math.max(1, now() - begun) / places.length
          most = Math.max(LEAST_GROUP, Math.min(MOST_GROUP, 4 * most, Math.floor(roundMs / perBlockMs)))
          if (now() - start >= roundMs) return tip
        }
      } catch (thrown) {
        // What was listed may be of a branch that is gone: the next look walks down anew.
        segments = []
        throw thrown
      }
    },
  }
}
