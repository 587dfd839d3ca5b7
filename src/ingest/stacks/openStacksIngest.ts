import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StacksCodec } from '#chains/stacks/index.ts'
import { isPassing, NodeError, type StacksSource } from '#chains/stacks/node/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { isEngineAway, STACKS, type Warehouse, WarehouseError } from '#warehouse/index.ts'
import type { Range } from '../batchLog.ts'
import { keepFollowing, persist } from '../following.ts'
import { createFollowWatch, createSingleHealth } from '../followWatch.ts'
import { createStateKeeper, type IngestState, readIngestState } from '../ingestState.ts'
import { acquireLock } from '../lock.ts'
import type { PrintCatalogue } from '../rows/stacks/eventRows.ts'
import { type ArchiveOptions, type ArchiveReport, ingestArchive } from './archiveIngest.ts'
import { backfillBlocks, type StacksBackfillOptions, type StacksBackfillReport } from './backfill.ts'
import { createFollower } from './follower.ts'
import { openInbox } from './inbox.ts'
import { openObserver } from './observer.ts'
import type { RawMessage } from './reading/readMessage.ts'
import { createStacksChain, type StacksChain } from './stacksChain.ts'
import { type StacksVerifyOptions, type StacksVerifyReport, verifyStacks } from './verify.ts'

export type StacksIngestConfig = {
  readonly warehouse: Warehouse
  readonly codec: StacksCodec
  readonly prints: PrintCatalogue
  /** Folder of this installation: the lease and waiting messages lie there. */
  readonly home: string
  readonly log: Log
  readonly now?: () => number
  /** Threads that read large groups of messages. Default: one a core, at most 8. */
  readonly threads?: number
}

export type StacksIngest = AsyncDisposable & {
  /** Takes in an archive of events. */
  ingestArchive(file: string, options?: ArchiveOptions): Promise<ArchiveReport>
  /** Receives a node's messages on a port of the loopback interface, and takes them in, until the signal is aborted. */
  observe(port: number, signal: AbortSignal, onOpen?: (port: number) => void): Promise<void>
  /** Follows a source that is asked until the signal; its troubles are waited out. May run beside `observe`. */
  follow(source: StacksSource, options: StacksFollowOptions): Promise<void>
  /** Brings a stretch in from a source that is asked, and returns. Throws what stopped it. */
  backfill(source: StacksSource, options?: StacksBackfillOptions): Promise<StacksBackfillReport>
  status(): Promise<{ readonly state: IngestState | undefined; readonly ranges: readonly Range[] }>
  verify(options?: StacksVerifyOptions): Promise<StacksVerifyReport>
}

export type StacksFollowOptions = {
  readonly signal: AbortSignal
  /** How often the source is asked for the tip. */
  readonly pollMs?: number
  /** First height to hold where nothing is; the newest block unless given. */
  readonly startHeight?: number | undefined
  /** A longer gap below the tip is left to `backfill`. */
  readonly mostGap?: number
  /** Told after each look. */
  readonly onRound?: (at: { readonly sourceTip: number; readonly missing: number }) => void
}

/** Blocks come every ten seconds or so. */
const POLL_MS = 5_000
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 30_000
const GROUP_BYTES = 16 * 2 ** 20

/** Takes the lease of Stacks ingest and recovers what a stop has left. Throws `ingest.locked` while another process holds it. */
export async function openStacksIngest(config: StacksIngestConfig): Promise<StacksIngest> {
  const { warehouse, home, log, now = Date.now } = config
  await using opening = new AsyncDisposableStack()
  opening.use(await acquireLock(home, 'stacks'))
  const chain = opening.use(
    createStacksChain({ threads: Math.min(8, availableParallelism()), ...config, now }),
  )
  await chain.recover()
  const states = createStateKeeper(warehouse, { family: STACKS }, now)
  // What cannot be told now is told by the next change: taking in goes on.
  const tell = (state: IngestState['state'], sentence = '', sourceTip: number | null = null) =>
    states
      .set({ state, sentence, sourceTip, heldTip: chain.tip()?.height ?? null })
      .catch(cause => log.warn(sentenceOf(cause)))

  /** One after the other: an observer and a source that is asked change one chain. */
  let last: Promise<unknown> = Promise.resolve()
  function exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }

  const watch = createFollowWatch(warehouse, 'stacks', now)
  let poster: ReturnType<typeof createSingleHealth> | undefined
  let asked: StacksSource | undefined
  const note = (sourceTip: number | null): Promise<void> =>
    watch.note({
      sourceTip,
      heldTip: chain.tip()?.height ?? null,
      endpoints: [...(poster ? [poster.health()] : []), ...(asked?.health() ?? [])],
    })

  /** Messages are kept until they are in: a failure of the warehouse is waited for. */
  async function applyKept(messages: readonly RawMessage[], signal: AbortSignal): Promise<boolean> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LAST_WAIT_MS, 2 * waitMs)) {
      try {
        await exclusively(() => chain.apply(messages, 'observer'))
        return true
      } catch (thrown) {
        const sentence = sentenceOf(thrown)
        log.warn(sentence)
        await tell('waiting', sentence)
        await delay(waitMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return false
        await exclusively(() => recoverOf(chain, log))
      }
    }
  }

  const parts = opening.move()
  return {
    async ingestArchive(file, options) {
      await tell('backfilling')
      try {
        return await ingestArchive(chain, file, options)
      } catch (thrown) {
        await recoverOf(chain, log)
        throw thrown
      } finally {
        await tell('stopped')
      }
    },
    async observe(port, signal, onOpen) {
      await using inbox = await openInbox(join(home, 'stacks-inbox'), now)
      await using observer = await openObserver({ inbox, port, log })
      onOpen?.(observer.port)
      poster = createSingleHealth(`a node that posts to 127.0.0.1:${observer.port}`)
      while (!signal.aborted) {
        const messages = await inbox.next(GROUP_BYTES, signal)
        if (messages.length === 0 || !(await applyKept(messages, signal))) break
        await inbox.done()
        poster.answered()
        await tell('following')
        // A node that posts tells what is newest by posting it.
        if (asked === undefined)
          await note(chain.tip()?.height ?? null).catch(cause => log.warn(sentenceOf(cause)))
      }
      await tell('stopped')
    },
    async follow(source, { signal, pollMs = POLL_MS, onRound, ...more }) {
      const follower = createFollower({ chain, source, exclusively, log, now, ...more })
      let sourceTip: number | null = null
      await keepFollowing(
        {
          log,
          pollMs,
          watch: fault => {
            asked = source
            return note(fault === undefined ? sourceTip : null)
          },
          async round() {
            sourceTip = (await follower.round(pollMs, signal)).height
            onRound?.({ sourceTip, missing: follower.missing() })
            return { state: 'following', sentence: '' }
          },
          recover: () => exclusively(() => recoverOf(chain, log)),
          tell: ({ state, sentence }) => tell(state, sentence, sourceTip),
          needsPerson: thrown => thrown instanceof NodeError && NEEDS_PERSON.has(thrown.code),
        },
        signal,
      )
    },
    async backfill(source, options = {}) {
      await tell('backfilling')
      try {
        return await persist(() => backfillBlocks({ chain, source, exclusively }, options), {
          log,
          recover: () => recoverOf(chain, log),
          isPassing: thrown => isPassing(thrown) || isChange(thrown) || isEngineAway(thrown),
          signal: options.signal,
        })
      } finally {
        await tell('stopped')
      }
    },
    status: async () => ({
      state: await readIngestState(warehouse, { family: STACKS }),
      ranges: chain.ranges(),
    }),
    verify: options => verifyStacks(warehouse, options),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

const NEEDS_PERSON: ReadonlySet<string> = new Set([
  'node.wrong_chain',
  'node.config',
  'node.none',
  'node.unauthorized',
  'node.forbidden',
  'node.disagree',
])

const isChange = (thrown: unknown): boolean =>
  thrown instanceof NodeError && (thrown.code === 'node.reorged' || thrown.code === 'node.gap')

/** What the warehouse holds is the truth after any failure. */
async function recoverOf(chain: StacksChain, log: Log): Promise<void> {
  try {
    await chain.recover()
  } catch (cause) {
    if (!(cause instanceof WarehouseError)) throw cause
    log.warn(sentenceOf(cause))
  }
}
