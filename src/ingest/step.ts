/**
 * The decision of ingest, pure: what is held and what the source answered so far in, the one next thing to do out. A
 * shell carries it out and asks again, so that a crash between two steps loses nothing.
 */

/** Reorgs of Bitcoin up to this depth are followed without asking. It has seen none deeper than 53 (2010), 24 since. */
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
  /** How many held blocks a branch may take back without asking; `DEEPEST_REORG` unless given. */
  readonly deepestReorg?: number
  /** The source's branch is followed where both weigh the same: for chains without work, whose nodes have the last word. */
  readonly followsEqual?: boolean
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
  const [source, held] =
    weighed.source === null
      ? [BigInt(sourceTip.height), BigInt(heldTip.height)]
      : [weighed.source, weighed.held]
  if (!(source > held || (view.followsEqual && source === held))) return { type: 'idle', why: 'less_work' }
  const depth = heldTip.height - fork
  const isOtherChain = fork < view.fromHeight && view.fromHeight === 0
  if (isOtherChain) return { type: 'halt', reason: 'other_chain', forkHeight: fork, depth }
  if (depth > (view.deepestReorg ?? DEEPEST_REORG) && !view.allowDeepReorg)
    return { type: 'halt', reason: 'deep_reorg', forkHeight: fork, depth }
  return { type: 'reorg', forkHeight: fork, depth, toHeight: sourceTip.height }
}

/** Who answers what a decision asks for. Hashes as the log has them. */
export type Answers = {
  heldHashAt(height: number): Promise<string | null>
  sourceHashAt(height: number): Promise<string | null>
  /** Work above a fork; of the source null where it cannot tell. */
  weigh(forkHeight: number): Promise<{ readonly held: bigint; readonly source: bigint | null }>
}

export type Decision = Exclude<Effect, { type: 'ask' | 'weigh' }>

/** Asks until it is clear what is to be done; `forkHeight` is where the branches part, if they had to be weighed. */
export async function decide(
  start: Omit<View, 'asked' | 'weighed'>,
  answers: Answers,
): Promise<{ readonly decision: Decision; readonly forkHeight?: number }> {
  const asked = new Map<number, { held: string | null; source: string | null }>()
  const weighed = new Map<number, { held: bigint; source: bigint | null }>()
  while (true) {
    const effect = step({ ...start, asked, weighed })
    if (effect.type === 'ask') {
      const { height } = effect
      const { sourceTip } = start
      const source = height === sourceTip.height ? sourceTip.hash : await answers.sourceHashAt(height)
      asked.set(height, { held: await answers.heldHashAt(height), source })
    } else if (effect.type === 'weigh') weighed.set(effect.forkHeight, await answers.weigh(effect.forkHeight))
    else {
      const [forkHeight] = weighed.keys()
      return { decision: effect, ...(forkHeight !== undefined && { forkHeight }) }
    }
  }
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
