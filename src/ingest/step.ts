/**
 * The decision of ingest, pure: what is held and what the source answered so far in, the one next thing to do out. A
 * shell carries it out and asks again, so that a crash between two steps loses nothing.
 */

/** Reorgs up to this depth are followed without asking. Bitcoin has seen none deeper than 53 (2010), 24 since. */
export const DEEPEST_REORG = 100

export type Place = { readonly height: number; readonly hash: string }

export type View = {
  /** Where the run of held blocks begins, whether it holds any yet or not. */
  readonly fromHeight: number
  /** Its newest block; undefined while it is empty. */
  readonly heldTip: Place | undefined
  /** The newest block of the source. */
  readonly sourceTip: Place
  /** Hashes at the heights asked about in this round; null where the one or the other has none. */
  readonly asked: ReadonlyMap<number, { readonly held: string | null; readonly source: string | null }>
  /** Work above a fork, once weighed; null where the source cannot tell. */
  readonly weighed: ReadonlyMap<number, { readonly held: bigint; readonly source: bigint | null }>
  readonly allowDeepReorg: boolean
  /** The height below the source's first block, whose hash it still knows: −1 for a node. */
  readonly sourceFromHeight: number
}

export type Effect =
  /** Nothing to do; `why` says why a different source tip is not followed. */
  | { readonly type: 'idle'; readonly why: 'same' | 'behind' | 'less_work' }
  /** Look up the hash of this height in what is held and in the source. */
  | { readonly type: 'ask'; readonly height: number }
  /** Compare the work of both branches above this height. */
  | { readonly type: 'weigh'; readonly forkHeight: number }
  | { readonly type: 'append'; readonly fromHeight: number; readonly toHeight: number }
  /** The source's branch above the fork takes the place of the held one. */
  | { readonly type: 'reorg'; readonly forkHeight: number; readonly depth: number; readonly toHeight: number }
  | {
      readonly type: 'halt'
      readonly reason: 'deep_reorg' | 'other_chain'
      readonly forkHeight: number
      readonly depth: number
    }

export function step(view: View): Effect {
  const { heldTip, sourceTip } = view
  if (heldTip === undefined)
    return sourceTip.height < view.fromHeight
      ? { type: 'idle', why: 'behind' }
      : { type: 'append', fromHeight: view.fromHeight, toHeight: sourceTip.height }
  if (sourceTip.hash === heldTip.hash) return { type: 'idle', why: 'same' }

  const fork = findFork(view, heldTip.height)
  if (typeof fork === 'object') return fork
  if (fork === heldTip.height) return { type: 'append', fromHeight: fork + 1, toHeight: sourceTip.height }
  // A held stretch of the source's own chain: it is behind us, not against us.
  if (fork === sourceTip.height) return { type: 'idle', why: 'behind' }

  const weighed = view.weighed.get(fork)
  if (weighed === undefined) return { type: 'weigh', forkHeight: fork }
  const hasMoreWork =
    weighed.source === null ? sourceTip.height > heldTip.height : weighed.source > weighed.held
  if (!hasMoreWork) return { type: 'idle', why: 'less_work' }
  const depth = heldTip.height - fork
  const isOtherChain = fork < view.fromHeight && view.fromHeight === 0
  if (isOtherChain) return { type: 'halt', reason: 'other_chain', forkHeight: fork, depth }
  if (depth > DEEPEST_REORG && !view.allowDeepReorg)
    return { type: 'halt', reason: 'deep_reorg', forkHeight: fork, depth }
  return { type: 'reorg', forkHeight: fork, depth, toHeight: sourceTip.height }
}

/**
 * The highest height at which both agree, `fromHeight − 1` if none; or the question that brings us nearer: back from the
 * tip by 1, 2, 4, 8 …, then by halves.
 */
function findFork(view: View, heldHeight: number): number | Effect {
  const top = Math.min(heldHeight, view.sourceTip.height)
  const floor = Math.max(view.fromHeight, view.sourceFromHeight)
  let differs = top + 1
  let agrees: number | undefined
  for (let height = top, stride = 1; height >= floor; stride *= 2) {
    const answer = view.asked.get(height)
    if (answer === undefined) return { type: 'ask', height }
    if (isSame(answer)) {
      agrees = height
      break
    }
    differs = height
    if (height === floor) break
    height = Math.max(floor, top - stride)
  }
  if (agrees === undefined) return floor - 1
  while (differs - agrees > 1) {
    const middle = Math.floor((agrees + differs) / 2)
    const answer = view.asked.get(middle)
    if (answer === undefined) return { type: 'ask', height: middle }
    if (isSame(answer)) agrees = middle
    else differs = middle
  }
  return agrees
}

const isSame = ({ held, source }: { held: string | null; source: string | null }): boolean =>
  source !== null && source === held
