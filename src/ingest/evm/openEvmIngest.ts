import { ClickHouseError } from '@clickhouse/client'
import type { EventIndex, EvmCodec, Hex } from '#chains/evm/index.ts'
import { type EndpointHealth, type EvmSource, isPassing, NodeError } from '#chains/evm/node/index.ts'
import { AssayError } from '#kernel/errors.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Log } from '#kernel/log.ts'
import { type ChainOfFamily, EVM, isEngineAway, ofChainSql, type Warehouse } from '#warehouse/index.ts'
import { BatchLog, type Range } from '../batchLog.ts'
import { keepFollowing, persist, type Told } from '../following.ts'
import { createFollowWatch } from '../followWatch.ts'
import { createStateKeeper, type IngestState, readIngestState } from '../ingestState.ts'
import { acquireLock } from '../lock.ts'
import { mergeBatches } from '../mergeBatches.ts'
import { createMeter, type OnProgress } from '../progress.ts'
import { removeBatches } from '../removeBatches.ts'
import { advanceEvm, DEEPEST_EVM_REORG, type EvmOutcome } from './advanceEvm.ts'
import { EVM_LIMITS, type EvmLimits, type EvmRunDeps } from './evmWriter.ts'
import { openTokenKeeper } from './tokenKeeper.ts'
import { type EvmVerifyOptions, type EvmVerifyReport, verifyEvm } from './verifyEvm.ts'

export type EvmIngestConfig = {
  readonly warehouse: Warehouse
  /** Folder of this installation: the lease lies there. */
  readonly home: string
  readonly layer: EvmLayer
  /** Name of the layer, for sentences. */
  readonly name: string
  readonly codec: EvmCodec
  readonly events: EventIndex
  readonly source: EvmSource
  readonly log: Log
  /** Hash of its first block where it is known: an endpoint that has another one is of another chain. */
  readonly genesisHash?: Hex | null
  /** First height to hold when following; unless given, what is held goes on, or else the newest block is the first. */
  readonly startHeight?: number | undefined
  /** Follow reorgs of more than 200 blocks too. */
  readonly allowDeepReorg?: boolean
  /** How often the endpoints are asked for the tip. */
  readonly pollMs?: number
  readonly limits?: Partial<EvmLimits>
  readonly now?: () => number
}

export type EvmBackfillOptions = {
  /** Where the newest held run begins unless given; the first block where nothing is held. */
  readonly from?: number | undefined
  /** The tip unless given. */
  readonly to?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type EvmStatus = {
  readonly state: IngestState | undefined
  readonly ranges: readonly Range[]
  readonly endpoints: readonly EndpointHealth[]
}

/** Takes the blocks of one EVM layer into the warehouse: one process a layer at a time, exactly one truth per block. */
export type EvmIngest = AsyncDisposable & {
  /** Follows the layer until the signal; troubles of endpoints are waited out, deep reorgs halt it. */
  follow(signal: AbortSignal, onProgress?: OnProgress): Promise<void>
  /** Brings a stretch in and returns. Throws what stopped it. */
  backfill(options: EvmBackfillOptions, onProgress?: OnProgress): Promise<EvmOutcome>
  /** Removes what a stop left unfinished. Done at opening and after every failure. */
  recover(): Promise<{ readonly removedBatches: number }>
  status(): Promise<EvmStatus>
  /** Checks what is held against itself and sampled heights against a source. */
  verify(options?: EvmVerifyOptions): Promise<EvmVerifyReport>
}

const POLL_MS = 2_000

/**
 * Takes the layer's lease, removes what an earlier stop left behind, and is ready.
 * @throws IngestError `ingest.locked` while another process takes its blocks in.
 */
export async function openEvmIngest(config: EvmIngestConfig): Promise<EvmIngest> {
  const { warehouse, log, layer, source } = config
  const now = config.now ?? Date.now
  const of: ChainOfFamily = { family: EVM, chain: layer }
  const limits = { ...EVM_LIMITS, ...config.limits }
  await using opening = new AsyncDisposableStack()
  opening.use(await acquireLock(config.home, layer))
  const batches = new BatchLog(warehouse, of, now)
  const deps: EvmRunDeps = {
    warehouse,
    batches,
    layer,
    codec: config.codec,
    events: config.events,
    source,
    limits,
    tokens: await openTokenKeeper({ warehouse, layer, source, log, now }),
    staleHeights: await readStaleHeights(warehouse, of),
  }
  const states = createStateKeeper(warehouse, of, now)
  let isGenesisChecked = false

  async function recover(): Promise<{ removedBatches: number }> {
    await batches.refresh()
    const unfinished = batches.unfinished()
    await removeBatches(warehouse, batches, unfinished)
    if (unfinished.length > 0)
      log.info('Removed what an earlier stop had left unfinished.', {
        chain: layer,
        batches: unfinished.length,
      })
    return { removedBatches: unfinished.length }
  }
  await recover()

  async function checkGenesis(signal: AbortSignal | undefined): Promise<void> {
    const { genesisHash } = config
    if (isGenesisChecked || genesisHash === undefined || genesisHash === null) return
    const hash = await source.hashAt(0, signal)
    // Nodes that keep no history may not have it; the chain's number was asked for in any case.
    if (hash !== null && hash !== genesisHash)
      throw new NodeError(
        'node.wrong_chain',
        `The endpoints of ${config.name} begin with block ${hash}; the chain begins with ${genesisHash}.`,
        { hint: 'Correct the address of the endpoint.', facts: { hash, expected: genesisHash } },
      )
    isGenesisChecked = true
  }

  async function advanceFrom(
    from: number | undefined,
    to: number | undefined,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EvmOutcome> {
    await checkGenesis(signal)
    const onCommit = createMeter(now, onProgress)
    const fromHeight = from ?? batches.ranges().at(-1)?.fromHeight ?? (await source.tip(signal)).number
    const outcome = await advanceEvm(deps, {
      fromHeight,
      toHeight: to,
      allowDeepReorg: config.allowDeepReorg ?? false,
      onCommit,
      signal,
    })
    await tidy()
    const tip = batches.ranges().at(-1)
    if (tip) await deps.tokens.askNew({ height: tip.toHeight, hash: tip.lastHash }, signal)
    return outcome
  }

  /** Puts batches together that no reorg reaches any more. */
  async function tidy(): Promise<void> {
    const tip = batches.ranges().at(-1)?.toHeight ?? 0
    const count = await mergeBatches(warehouse, batches, {
      below: tip - DEEPEST_EVM_REORG,
      size: limits.batchBlocks,
      origin: 'merged',
    })
    if (count > 0) await batches.prune()
  }

  const heldTip = () => batches.ranges().at(-1)?.toHeight ?? null

  async function follow(signal: AbortSignal, onProgress?: OnProgress): Promise<void> {
    let sourceTip: number | null = null
    const watch = createFollowWatch(warehouse, layer, now)
    await keepFollowing(
      {
        log,
        watch: fault =>
          watch.note({
            sourceTip: fault === undefined ? sourceTip : null,
            heldTip: heldTip(),
            endpoints: source.client.health(),
          }),
        pollMs: config.pollMs ?? POLL_MS,
        recover,
        async round() {
          const outcome = await advanceFrom(
            config.startHeight,
            undefined,
            progress => {
              const { height, aimHeight } = progress
              if (aimHeight - height > DEEPEST_EVM_REORG)
                void states
                  .set({ state: 'backfilling', sentence: '', sourceTip: aimHeight, heldTip: height })
                  .catch(() => {})
              onProgress?.(progress)
            },
            signal,
          )
          ;({ sourceTip } = outcome)
          return toldOf(outcome, config.name)
        },
        tell: told => states.set({ ...told, sourceTip, heldTip: heldTip() }),
        needsPerson: thrown => thrown instanceof AssayError && WAITS_FOR_PERSON.has(thrown.code),
      },
      signal,
    )
  }

  const parts = opening.move()
  return {
    follow,
    recover,
    backfill: ({ from, to, signal }, onProgress) =>
      persist(
        () =>
          advanceFrom(
            from ?? config.startHeight ?? (heldTip() === null ? 0 : undefined),
            to,
            onProgress,
            signal,
          ),
        {
          log,
          recover,
          isPassing: isPassingTrouble,
          signal,
        },
      ),
    status: async () => ({
      state: await readIngestState(warehouse, of),
      ranges: batches.ranges(),
      endpoints: source.client.health(),
    }),
    verify: options => verifyEvm({ warehouse, of }, options),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** What better times do not mend: an address to correct, a version to update. */
const WAITS_FOR_PERSON: ReadonlySet<string> = new Set(['node.wrong_chain', 'node.disagree', 'node.config'])

const isPassingTrouble = (thrown: unknown): boolean =>
  isPassing(thrown) ||
  (thrown instanceof NodeError && (thrown.code === 'node.reorged' || thrown.code === 'node.gap')) ||
  isEngineAway(thrown) ||
  (thrown instanceof ClickHouseError && thrown.type === 'MEMORY_LIMIT_EXCEEDED')

function toldOf(outcome: EvmOutcome, name: string): Told {
  if (outcome.type === 'halt') return { state: 'halted', sentence: evmHaltSentence(outcome, name) }
  if (outcome.why === 'same') return { state: 'following', sentence: '' }
  const sentence =
    outcome.why === 'behind'
      ? `The endpoints of ${name} are behind the indexed blocks. Nothing is rolled back.`
      : `The endpoints of ${name} are on a branch that is no better than the indexed one. The next block decides.`
  return { state: 'following', sentence }
}

/** Why a layer's ingest stands still, and what to do about it. */
export function evmHaltSentence(halt: Extract<EvmOutcome, { type: 'halt' }>, name: string): string {
  if (halt.reason === 'other_chain')
    return `The endpoints of ${name} have a different first block than the indexed chain. Use another ASSAY_HOME for it.`
  return `The endpoints of ${name} are on a branch that forks ${halt.depth} blocks below the latest indexed one, at height ${halt.forkHeight}. Reorgs of more than ${DEEPEST_EVM_REORG} blocks require confirmation. Run \`assay ingest --chain … --allow-deep-reorg\` to follow it.`
}

async function readStaleHeights(warehouse: Warehouse, of: ChainOfFamily): Promise<Set<number>> {
  const answer = await warehouse.writer.query({
    query: `SELECT DISTINCT height FROM base.${of.family.stale.name} WHERE ${ofChainSql(of)}true`,
    format: 'JSONEachRow',
  })
  return new Set((await answer.json<{ height: number }>()).map(({ height }) => height))
}
