import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StacksCodec } from '#chains/stacks/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { STACKS, type Warehouse, WarehouseError } from '#warehouse/index.ts'
import type { Range } from '../batchLog.ts'
import { createStateKeeper, type IngestState, readIngestState } from '../ingestState.ts'
import { acquireLock } from '../lock.ts'
import type { PrintCatalogue } from '../rows/stacks/eventRows.ts'
import type { VerifyOptions, VerifyReport } from '../verify.ts'
import { type ArchiveOptions, type ArchiveReport, ingestArchive } from './archiveIngest.ts'
import { openInbox } from './inbox.ts'
import { openObserver } from './observer.ts'
import type { RawMessage } from './reading/readMessage.ts'
import { createStacksChain, type StacksChain } from './stacksChain.ts'
import { verifyStacks } from './verify.ts'

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
  status(): Promise<{ readonly state: IngestState | undefined; readonly ranges: readonly Range[] }>
  verify(options?: Omit<VerifyOptions, 'source'>): Promise<VerifyReport>
}

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
  const tell = (state: IngestState['state'], sentence = '') =>
    states
      .set({ state, sentence, sourceTip: null, heldTip: chain.tip()?.height ?? null })
      .catch(cause => log.warn(sentenceOf(cause)))

  /** Messages are kept until they are in: a failure of the warehouse is waited for. */
  async function applyKept(messages: readonly RawMessage[], signal: AbortSignal): Promise<boolean> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LAST_WAIT_MS, 2 * waitMs)) {
      try {
        await chain.apply(messages, 'observer')
        return true
      } catch (thrown) {
        const sentence = sentenceOf(thrown)
        log.warn(sentence)
        await tell('waiting', sentence)
        await delay(waitMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return false
        await recoverOf(chain, log)
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
      while (!signal.aborted) {
        const messages = await inbox.next(GROUP_BYTES, signal)
        if (messages.length === 0 || !(await applyKept(messages, signal))) break
        await inbox.done()
        await tell('following')
      }
      await tell('stopped')
    },
    status: async () => ({
      state: await readIngestState(warehouse, { family: STACKS }),
      ranges: chain.ranges(),
    }),
    verify: options => verifyStacks(warehouse, options),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** What the warehouse holds is the truth after any failure. */
async function recoverOf(chain: StacksChain, log: Log): Promise<void> {
  try {
    await chain.recover()
  } catch (cause) {
    if (!(cause instanceof WarehouseError)) throw cause
    log.warn(sentenceOf(cause))
  }
}
