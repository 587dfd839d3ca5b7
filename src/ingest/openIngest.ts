import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { BitcoinCodec, MiningPool } from '#chains/bitcoin/index.ts'
import { type BlockSource, isPassing, NodeError } from '#chains/bitcoin/node/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { BITCOIN, isEngineAway, type Warehouse } from '#warehouse/index.ts'
import { type AdvanceOptions, advance, type Outcome } from './advance.ts'
import { BatchLog, type Range } from './batchLog.ts'
import { openDecodePool } from './decodePool.ts'
import { createWantedTable } from './findInEngine.ts'
import { keepFollowing, persist, type Told } from './following.ts'
import { createFollowWatch, createSingleHealth } from './followWatch.ts'
import { type GroupLimits, groupLimits } from './groups.ts'
import { createHeldChain } from './heldChain.ts'
import { type FilesReport, type FileToIngest, ingestFiles } from './ingestFiles.ts'
import { createStateKeeper, type IngestState, readIngestState } from './ingestState.ts'
import { acquireLock } from './lock.ts'
import { PrevoutCache } from './prevoutCache.ts'
import { createMeter, type OnProgress } from './progress.ts'
import { createRefusals } from './refusals.ts'
import { removeBatches } from './removeBatches.ts'
import type { OlderFound, RunDeps } from './run.ts'
import { OutputSpill } from './spill/outputSpill.ts'
import { createStaging } from './staging.ts'
import { DEEPEST_REORG } from './step.ts'
import { type VerifyOptions, type VerifyReport, verify } from './verify.ts'

export type IngestConfig = {
  readonly warehouse: Warehouse
  readonly codec: BitcoinCodec
  /** Folder of this installation: the lock and refused blocks lie there. */
  readonly home: string
  readonly network: Network
  readonly log: Log
  /** The node to follow; files alone need none. */
  readonly node?: BlockSource | undefined
  /** `catalog/bitcoin/mining-pools.json`. */
  readonly pools?: readonly MiningPool[]
  /** First height to hold when following a node; 0 unless given. */
  readonly startHeight?: number
  /** Follow reorgs of more than 100 blocks too. */
  readonly allowDeepReorg?: boolean
  /** Decoding threads; 0 decodes in place; one a core but one unless given, at most 8. */
  readonly threads?: number
  /** Memory for the newest outputs, bytes. */
  readonly cacheBytes?: number
  /** How often the node is asked for its tip. */
  readonly pollMs?: number
  /** False for made-up blocks: whether a header meets its target. */
  readonly checksWork?: boolean
  readonly limits?: GroupLimits
  readonly lookup?: RunDeps['lookup']
  readonly now?: () => number
}

export type BackfillOptions = {
  readonly from?: number | undefined
  /** The source's tip unless given. */
  readonly to?: number | undefined
  /** The node of the configuration unless given. */
  readonly source?: BlockSource | undefined
  readonly signal?: AbortSignal | undefined
}

export type IngestStatus = {
  readonly state: IngestState | undefined
  /** Stretches of linked blocks. */
  readonly ranges: readonly Range[]
  readonly islandCount: number
  readonly olderFound: Readonly<OlderFound>
}

/** Takes Bitcoin blocks into the warehouse: one process at a time, exactly one truth per block. */
export type Ingest = AsyncDisposable & {
  /** Follows the node's best chain until the signal; troubles of the node are waited out, deep reorgs halt it. */
  follow(signal: AbortSignal, onProgress?: OnProgress): Promise<void>
  /** Brings a stretch of the source's chain in and returns. Throws what stopped it. */
  backfill(options: BackfillOptions, onProgress?: OnProgress): Promise<Outcome>
  ingestFiles(
    files: readonly FileToIngest[],
    options?: { origin?: 'blk_files' | 'block_file' | 'snapshot'; signal?: AbortSignal },
    onProgress?: OnProgress,
  ): Promise<FilesReport>
  /** Removes what a stop left unfinished. Done at opening and after every failure; safe at any time between works. */
  recover(): Promise<{ readonly removedBatches: number }>
  status(): Promise<IngestStatus>
  /** Checks what is held against itself and, where one is given, against a source. */
  verify(options?: VerifyOptions): Promise<VerifyReport>
}

const CACHE_BYTES = 256 * 1024 * 1024

/**
 * Takes the lease, removes what an earlier stop left behind, and is ready.
 * @throws IngestError `ingest.locked` while another process takes blocks in.
 */
export async function openIngest(config: IngestConfig): Promise<Ingest> {
  const { warehouse, log, home, network, codec } = config
  const now = config.now ?? Date.now
  await using opening = new AsyncDisposableStack()
  opening.use(await acquireLock(home, 'bitcoin'))
  const pools = config.pools ?? []
  const threads = config.threads ?? Math.min(8, Math.max(1, availableParallelism() - 1))
  await createWantedTable(warehouse)
  const batches = new BatchLog(warehouse, { family: BITCOIN }, now)
  const spill = opening.use(new OutputSpill(home, log))
  const deps: RunDeps & { codec: BitcoinCodec } = {
    warehouse,
    batches,
    cache: new PrevoutCache(config.cacheBytes ?? CACHE_BYTES, randomInt(2 ** 31), spill),
    spill,
    pool: opening.use(openDecodePool({ threads, codec, network, pools })),
    refusals: createRefusals({ warehouse, home, log, now }),
    staging: createStaging(warehouse, home),
    network,
    codec,
    checksWork: config.checksWork ?? true,
    limits: config.limits ?? groupLimits(threads),
    lookup: config.lookup,
    olderFound: { inSpill: 0, inEngine: 0 },
    mayBeIncomplete: true,
    staleHeights: await readStaleHeights(warehouse),
  }
  const held = createHeldChain(warehouse, batches)
  const states = createStateKeeper(warehouse, { family: BITCOIN }, now)
  const allowDeepReorg = config.allowDeepReorg ?? false

  async function recover(): Promise<{ removedBatches: number }> {
    await batches.refresh()
    deps.mayBeIncomplete = true
    deps.cache.clear()
    await deps.staging.clear()
    const unfinished = batches.unfinished()
    await removeBatches(warehouse, batches, unfinished)
    if (unfinished.length > 0)
      log.info('Removed what an earlier stop had left unfinished.', { batches: unfinished.length })
    return { removedBatches: unfinished.length }
  }
  await recover()
  await spill.open(height => held.hashAt(height))

  function sourceOf(given: BlockSource | undefined): BlockSource {
    const source = given ?? config.node
    if (source) return source
    throw new NodeError('node.config', 'No node is configured to take blocks from.', {
      hint: 'Set BITCOIN_RPC_URL or BITCOIN_REST_URL.',
    })
  }

  const advanceTo = (
    source: BlockSource,
    range: { from: number; to?: number | undefined },
    onCommit: AdvanceOptions['onCommit'],
    signal: AbortSignal | undefined,
  ): Promise<Outcome> =>
    advance(deps, held, {
      source,
      fromHeight: range.from,
      toHeight: range.to,
      sourceFromHeight: -1,
      allowDeepReorg,
      atRefused: 'stop',
      onCommit,
      signal,
    })

  async function follow(signal: AbortSignal, onProgress?: OnProgress): Promise<void> {
    const source = sourceOf(undefined)
    const from = config.startHeight ?? 0
    let sourceTip: number | null = null
    const showBackfill: OnProgress = progress => {
      const { height: heldTip, aimHeight } = progress
      // What cannot be told now is told by the next change: following goes on.
      if (aimHeight - heldTip > DEEPEST_REORG)
        void states
          .set({ state: 'backfilling', sentence: '', sourceTip: aimHeight, heldTip })
          .catch(cause => log.warn(sentenceOf(cause)))
      onProgress?.(progress)
    }
    const watch = createFollowWatch(warehouse, 'bitcoin', now)
    const node = createSingleHealth(source.name)
    await keepFollowing(
      {
        log,
        pollMs: config.pollMs ?? 1000,
        watch(fault) {
          if (fault === undefined) node.answered()
          else node.failed(fault)
          return watch.note({
            sourceTip: fault === undefined ? sourceTip : null,
            heldTip: held.rangeAt(from)?.toHeight ?? null,
            endpoints: [node.health()],
          })
        },
        recover,
        async round() {
          sourceTip = null
          const outcome = await advanceTo(source, { from }, createMeter(now, showBackfill), signal)
          sourceTip = (await source.tip(signal)).height
          return stateOf(outcome, source.name)
        },
        tell: told => states.set({ ...told, sourceTip, heldTip: held.rangeAt(from)?.toHeight ?? null }),
        needsPerson: () => false,
      },
      signal,
    )
  }

  /** Repeats work that a passing trouble of node or engine broke off. */
  const persistently = <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    persist(work, {
      log,
      recover,
      isPassing: thrown => isPassing(thrown) || isEngineAway(thrown),
      signal,
    })

  const backfill: Ingest['backfill'] = ({ from, to, source, signal }, onProgress) =>
    persistently(
      () =>
        advanceTo(
          sourceOf(source),
          { from: from ?? config.startHeight ?? 0, to },
          createMeter(now, onProgress),
          signal,
        ),
      signal,
    )

  const parts = opening.move()
  return {
    follow,
    backfill,
    recover,
    ingestFiles(files, options = {}, onProgress) {
      const onCommit = createMeter(now, onProgress)
      return persistently(
        () => ingestFiles(deps, held, files, { ...options, allowDeepReorg, now, onCommit }),
        options.signal,
      )
    },
    status: async () => ({
      state: await readIngestState(warehouse, { family: BITCOIN }),
      ranges: batches.ranges(),
      islandCount: batches.islands().length,
      olderFound: { ...deps.olderFound },
    }),
    verify: options => verify({ warehouse, codec }, options),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function stateOf(outcome: Outcome, sourceName: string): Told {
  switch (outcome.type) {
    case 'idle':
      return { state: 'following', sentence: idleSentence(outcome.why, sourceName) }
    case 'refused':
      return {
        state: 'halted',
        sentence: `Ingest is paused: ${outcome.block.reason} It continues when ${sourceName} offers another block.`,
      }
    case 'halt':
      return { state: 'halted', sentence: haltSentence(outcome, sourceName) }
  }
}

function idleSentence(why: 'same' | 'behind' | 'less_work', sourceName: string): string {
  if (why === 'same') return ''
  if (why === 'behind') return `${sourceName} is behind the indexed blocks. Nothing is rolled back.`
  return `${sourceName} is on a branch with no more work than the indexed one. The next block decides.`
}

export function haltSentence(outcome: Extract<Outcome, { type: 'halt' }>, sourceName: string): string {
  if (outcome.reason === 'other_chain')
    return `${sourceName} has a different genesis block than the indexed chain. Use another ASSAY_HOME for it.`
  return `${sourceName} is on a branch that forks ${outcome.depth} blocks below the latest indexed one, at height ${outcome.forkHeight}. Reorgs of more than 100 blocks require confirmation. Run \`assay ingest --allow-deep-reorg\` to follow it.`
}

async function readStaleHeights(warehouse: Warehouse): Promise<Set<number>> {
  const answer = await warehouse.writer.query({
    query: 'SELECT DISTINCT height FROM base.btc_stale_blocks',
    format: 'JSONEachRow',
  })
  return new Set((await answer.json<{ height: number }>()).map(({ height }) => height))
}
