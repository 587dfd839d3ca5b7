import { setTimeout as delay } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { IngestStateRow } from '#warehouse/tables/batches.ts'

/** Waits after failures: doubled each time up to the last. */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 30_000
const MOST_ATTEMPTS = 6

export type Told = Pick<IngestStateRow, 'state' | 'sentence'>

export type FollowWork = {
  readonly log: Log
  readonly pollMs: number
  /** Brings in what is new, and says how that ended. */
  round(): Promise<Told>
  /** Removes what a failure left unfinished. */
  recover(): Promise<unknown>
  tell(told: Told): Promise<void>
  /** Notes how sources fare, after each round; `fault` is why it failed. */
  watch?(fault: string | undefined): Promise<void>
  /** Whether a failure waits for a person rather than for better times. */
  needsPerson(thrown: unknown): boolean
}

/**
 * Follows a chain until the signal: troubles of its nodes and of the engine are told and waited out. What is neither is a
 * defect and is thrown.
 */
export async function keepFollowing(work: FollowWork, signal: AbortSignal): Promise<void> {
  const { log } = work
  let waitMs = FIRST_WAIT_MS
  // What cannot be told now is told by the next change: following goes on.
  const tell = (told: Told): Promise<void> => work.tell(told).catch(cause => log.warn(sentenceOf(cause)))
  const watch = async (fault?: string): Promise<void> =>
    work.watch?.(fault).catch(cause => log.warn(sentenceOf(cause)))
  /** The same trouble is said once, however long it lasts. */
  let said = ''
  while (!signal.aborted) {
    let pauseMs = work.pollMs
    try {
      const told = await work.round()
      await tell(told)
      await watch()
      if (said !== '') log.info('Following goes on.')
      said = ''
      if (told.state === 'halted') pauseMs = Math.max(pauseMs, LAST_WAIT_MS)
      waitMs = FIRST_WAIT_MS
    } catch (thrown) {
      if (signal.aborted) break
      if (!isTrouble(thrown)) throw thrown
      const sentence = sentenceOf(thrown)
      if (sentence !== said) log.warn(sentence, thrown instanceof AssayError ? { code: thrown.code } : {})
      said = sentence
      await work.recover().catch(cause => log.warn(sentenceOf(cause)))
      await tell({ state: work.needsPerson(thrown) ? 'halted' : 'waiting', sentence })
      await watch(sentence)
      pauseMs = waitMs
      waitMs = Math.min(LAST_WAIT_MS, waitMs * 2)
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
  await tell({ state: 'stopped', sentence: '' })
}

/** Known by their class: what nodes, the engine and blocks that do not fit throw. */
const isTrouble = (thrown: unknown): boolean =>
  thrown instanceof AssayError || thrown instanceof ClickHouseError

export type PersistOptions = {
  readonly log: Log
  recover(): Promise<unknown>
  /** Whether the same work may succeed in a moment. */
  isPassing(thrown: unknown): boolean
  readonly signal?: AbortSignal | undefined
}

/** Repeats work that a passing trouble broke off: what is committed is not done again. Throws the last of six. */
export async function persist<T>(
  work: () => Promise<T>,
  { log, recover, isPassing, signal }: PersistOptions,
): Promise<T> {
  for (let attempt = 1, waitMs = FIRST_WAIT_MS; ; attempt++, waitMs *= 2) {
    try {
      return await work()
    } catch (thrown) {
      await recover().catch(() => {})
      if (!isPassing(thrown) || attempt === MOST_ATTEMPTS) throw thrown
      log.warn(sentenceOf(thrown), { attempt })
      await delay(waitMs, undefined, { signal })
    }
  }
}
