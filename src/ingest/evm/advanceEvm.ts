import { assertNever } from '#kernel/errors.ts'
import { isLiveSql, ofChainSql } from '#warehouse/index.ts'
import type { Batch, Range } from '../batchLog.ts'
import type { Committed } from '../run.ts'
import { type Decision, decide, type Place } from '../step.ts'
import { bare, type EvmRunDeps, writeRun } from './evmWriter.ts'

/** Reorgs of a layer up to this depth are followed without asking; the blocks above it are a batch each. */
export const DEEPEST_EVM_REORG = 200

export type EvmAdvanceOptions = {
  /** Where the run of blocks begins if nothing of it is held. */
  readonly fromHeight: number
  /** Last height wanted; the source's tip unless given. */
  readonly toHeight?: number | undefined
  readonly allowDeepReorg: boolean
  readonly onCommit: (committed: Committed, aim: number) => void
  readonly signal?: AbortSignal | undefined
}

export type EvmOutcome = Extract<Decision, { type: 'idle' | 'halt' }> & { readonly sourceTip: number }

/** Brings what is held of a layer to the chain that its endpoints follow. Returns when nothing is left to do. */
export async function advanceEvm(deps: EvmRunDeps, options: EvmAdvanceOptions): Promise<EvmOutcome> {
  const { source, batches } = deps
  const { signal, allowDeepReorg } = options
  while (true) {
    signal?.throwIfAborted()
    const newest = await source.tip(signal)
    const nodeTip = { height: newest.number, hash: bare(newest.hash) }
    const sourceTip = await aimOf(deps, nodeTip, options)
    const range = batches.rangeAt(options.fromHeight)
    const { decision } = await decide(
      {
        fromHeight: range?.fromHeight ?? options.fromHeight,
        heldTip: range && { height: range.toHeight, hash: range.lastHash },
        sourceTip,
        allowDeepReorg,
        deepestReorg: DEEPEST_EVM_REORG,
        // Where blocks are not mined, the node's word is what there is.
        followsEqual: deps.codec.chain.headerForm !== 'rootstock',
        sourceFromHeight: -1,
      },
      {
        heldHashAt: height => batches.hashAt(height),
        async sourceHashAt(height) {
          const hash = await source.hashAt(height, signal)
          return hash === null ? null : bare(hash)
        },
        weigh: fork => weigh(deps, range, sourceTip, fork, signal),
      },
    )
    switch (decision.type) {
      case 'idle':
      case 'halt':
        return { ...decision, sourceTip: nodeTip.height }
      case 'append':
      case 'reorg':
        await carryOut(deps, options, decision, range, nodeTip)
        break
      default:
        return assertNever(decision)
    }
  }
}

/** The source's tip, or its block at the last height wanted. */
async function aimOf({ source }: EvmRunDeps, tip: Place, options: EvmAdvanceOptions): Promise<Place> {
  const { toHeight, signal } = options
  if (toHeight === undefined || toHeight >= tip.height) return tip
  const hash = await source.hashAt(toHeight, signal)
  return hash === null ? tip : { height: toHeight, hash: bare(hash) }
}

/** Sums of difficulty above a fork, or, where blocks have none, their number. */
async function weigh(
  { source, batches, warehouse }: EvmRunDeps,
  range: Range | undefined,
  sourceTip: Place,
  fork: number,
  signal: AbortSignal | undefined,
): Promise<{ held: bigint; source: bigint | null }> {
  const { of } = batches
  const answer = await warehouse.writer.query({
    query: `SELECT toString(sum(difficulty)) AS work FROM base.evm_blocks
WHERE ${ofChainSql(of)}height > {fork:Int64} AND height <= {top:UInt32} AND ${isLiveSql(of.family)}`,
    query_params: { fork, top: range?.toHeight ?? 0 },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ work: string }>()
  const held = BigInt(row?.work ?? 0)
  const offered = await source.work(fork + 1, sourceTip.height, signal)
  if (held > 0n || (offered ?? 0n) > 0n) return { held, source: offered }
  return { held: BigInt((range?.toHeight ?? fork) - fork), source: BigInt(sourceTip.height - fork) }
}

async function carryOut(
  deps: EvmRunDeps,
  options: EvmAdvanceOptions,
  decision: Extract<Decision, { type: 'append' | 'reorg' }>,
  range: Range | undefined,
  nodeTip: Place,
): Promise<void> {
  const { batches } = deps
  const isReorg = decision.type === 'reorg'
  const losing: Batch[] = isReorg
    ? batches.overlapping(decision.forkHeight + 1, range?.toHeight ?? 0).filter(batch => !batch.isIsland)
    : []
  // A batch that reaches below the fork gives way whole; what of it still belongs is taken in again.
  const fromHeight = isReorg
    ? Math.min(decision.forkHeight + 1, ...losing.map(batch => batch.fromHeight))
    : decision.fromHeight
  const above = isReorg ? undefined : batches.rangeAbove(fromHeight)
  await writeRun(deps, {
    fromHeight,
    toHeight: Math.min(decision.toHeight, above ? above.fromHeight - 1 : decision.toHeight),
    before: (fromHeight > 0 ? await batches.hashAt(fromHeight - 1) : null) ?? undefined,
    singleFromHeight: nodeTip.height - DEEPEST_EVM_REORG,
    replaces: losing,
    why: isReorg
      ? `reorg of ${decision.depth} blocks above height ${decision.forkHeight}`
      : 'replaced by a longer run',
    onCommit: committed => options.onCommit(committed, decision.toHeight),
    signal: options.signal,
  })
}
