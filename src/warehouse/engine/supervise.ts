import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type AvailabilityWatch, createAvailability } from '#kernel/availability.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { watchPings } from '#kernel/watchPings.ts'
import { ended } from '#processes/processes.ts'
import { WarehouseError } from '../errors.ts'
import { endpointOf, logOf, tokenOf } from './folder.ts'
import { createLauncher, HUNG_START_MS, type LaunchConfig, type Launcher } from './launch.ts'
import { changeMarkOf, type Lease, leasesOf, ping, takeLease } from './link.ts'
import { endEngine, isEngine, lockHolder } from './processes.ts'
import type { Endpoint } from './start.ts'
import { isOtherUser, userSentence } from './user.ts'

export type EngineConfig = LaunchConfig & {
  /** How long to wait at first for a holder that neither shares nor ends. */
  readonly startTimeoutMs?: number
  /** How long a running engine may leave a ping without an answer before it is ended and started again. */
  readonly silenceMs?: number
  /** How long a question waits for an engine that is away before it fails. */
  readonly patienceMs?: number
}

/** The engine process as its users see it: always the one that runs now. */
export type Engine = AsyncDisposable & {
  readonly folder: string
  /** What every request carries as its password; kept in the folder, readable by its owner only. */
  readonly token: string
  /** Whether it answers, from memory. */
  readonly availability: AvailabilityWatch
  /**
   * The running process. Waits while it is being started again; throws `warehouse.engine_gone` after `patienceMs`, and at once
   * in a crash loop. The next question may find it running again.
   */
  endpoint(): Promise<Endpoint>
  /** The same, once it answers: for those whose connection has just been lost. */
  alive(): Promise<Endpoint>
  /**
   * A text that changes with each statement that may have changed rows, whichever process sent it; undefined while the engine
   * does not answer.
   */
  changeMark(): Promise<string | undefined>
}

/** So many deaths, each soon after the start, are a crash loop: questions fail at once instead of waiting. */
const CRASH_LOOP = 5
/** Who lives longer has recovered; a slow machine may need most of a minute for a start alone. */
const SHORT_LIFE_MS = 60_000
/** Least time from one start to the next, by deaths in a row: a crash loop must not take the whole machine. */
const LONGEST_GAP_MS = 10_000
const START_TIMEOUT_MS = 60_000
/** Longer than a machine with too much to do lets it wait. */
const SILENCE_MS = 30_000
const PATIENCE_MS = 30_000
const LEASE_TIMEOUT_MS = 5_000
/** How often the folder is looked at for an engine that another process has started. */
const LOOK_MS = 50
/** Longest pause between starts of our own while another process holds the data. */
const LONGEST_HELD_GAP_MS = 5_000

/**
 * Joins the engine process of the folder, or starts it: whoever comes first. It serves all processes that hold a lease
 * and ends with the last of them. When it is lost, each of them joins the next one or starts it, and never stops trying: a crash
 * loop slows down, and says so. One that lives but says nothing is ended. Throws `warehouse.locked` or
 * `warehouse.engine_start` where the first attempt fails, since somebody waits at the terminal to hear of it.
 */
export async function openEngine(config: EngineConfig): Promise<Engine> {
  await mkdir(config.folder, { recursive: true, mode: 0o700 })
  const token = await readToken(config.folder)
  const closing = new AbortController()
  const entry = { config, token, launcher: createLauncher(config, token) }
  const first = await enter(entry, { signal: closing.signal })
  const held = holdOn(entry, first, closing.signal)
  const { patienceMs = PATIENCE_MS } = config
  const endpoint = async (): Promise<Endpoint> => {
    if (held.isCrashLoop()) throw engineGone(config.folder, held.availability)
    return (
      (await within(held.entered(), patienceMs)) ??
      Promise.reject(engineGone(config.folder, held.availability))
    )
  }
  return {
    folder: config.folder,
    token,
    availability: held.availability,
    endpoint,
    async alive() {
      const deadline = AbortSignal.timeout(patienceMs)
      for (;;) {
        const found = await endpoint()
        if (await ping(found, deadline)) return found
        if (deadline.aborted) throw engineGone(config.folder, held.availability)
        await delay(LOOK_MS)
      }
    },
    async changeMark() {
      const lease = held.lease()
      return lease && changeMarkOf(lease.endpoint, token, LEASE_TIMEOUT_MS)
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      const lease = held.lease()
      if (lease === undefined) return
      // Who leaves last sees it end, so that the folder may go or be opened anew.
      const isLast =
        config.graceMs === 0 && ((await leasesOf(lease.endpoint, token, LEASE_TIMEOUT_MS)) ?? 2) <= 1
      lease.giveUp()
      if (isLast) await ended(lease.endpoint.pid)
    },
  }
}

type Held = {
  readonly availability: AvailabilityWatch
  /** Undefined while there is none. */
  lease(): Lease | undefined
  /** The running engine, once there is one; never rejects. */
  entered(): Promise<Endpoint>
  isCrashLoop(): boolean
}

/** Keeps hold of an engine until the signal is aborted: whenever one is lost, the next is joined or started. */
function holdOn(entry: Entry, first: Lease, signal: AbortSignal): Held {
  const { log, silenceMs = SILENCE_MS } = entry.config
  const availability = createAvailability()
  let lease: Lease | undefined = first
  let entered = Promise.withResolvers<Endpoint>()
  let deaths = 0

  /** A process that hangs never gives back what waits for it; one that has ended is started again. */
  const watch = (endpoint: Endpoint, until: AbortSignal): Promise<void> =>
    watchPings(
      {
        ping: signal => ping(endpoint, signal, true),
        availability,
        away: 'The data engine does not answer.',
        silenceMs,
        handleSilence() {
          log.warn('the warehouse engine does not answer and is ended', { pid: endpoint.pid })
          void endEngine(endpoint.pid, entry.config.folder)
        },
      },
      until,
    )

  async function keep(): Promise<void> {
    for (let current = first; ; ) {
      lease = current
      entered.resolve(current.endpoint)
      availability.up()
      const bornAt = Date.now()
      const watching = new AbortController()
      void watch(current.endpoint, watching.signal)
      await current.ended
      watching.abort()
      lease = undefined
      if (signal.aborted) return
      entered = Promise.withResolvers()
      deaths = Date.now() - bornAt < SHORT_LIFE_MS ? deaths + 1 : 1
      availability.away(deathSentence(deaths))
      log.warn('the warehouse engine ended unexpectedly', { deathsInARow: deaths })
      const next = await reenter(bornAt + gapMs(deaths))
      if (next === undefined) return
      current = next
    }
  }

  /** Undefined once the signal is aborted. */
  async function reenter(notBefore: number): Promise<Lease | undefined> {
    let said = ''
    const hung = watchForHung()
    for (let failures = 1; ; failures++) {
      try {
        const next = await enter(entry, { notBefore, hung, signal })
        if (!signal.aborted) return next
        next.giveUp()
        return undefined
      } catch (cause) {
        if (signal.aborted) return undefined
        const sentence = sentenceOf(cause)
        availability.away(sentence)
        // Said once, not at every attempt.
        if (sentence !== said)
          log.warn('the warehouse engine cannot be entered; trying again', { cause: sentence })
        said = sentence
        notBefore = Date.now() + gapMs(failures + 1)
      }
    }
  }

  void keep()
  return {
    availability,
    lease: () => lease,
    entered: () => entered.promise,
    isCrashLoop: () => lease === undefined && deaths >= CRASH_LOOP,
  }
}

/** The first restart is immediate, later ones are 0.5 s, 1 s, 2 s … after the start before. */
const gapMs = (deaths: number): number => (deaths < 2 ? 0 : Math.min(LONGEST_GAP_MS, 500 * 2 ** (deaths - 2)))

const deathSentence = (deaths: number): string =>
  deaths < CRASH_LOOP
    ? 'The data engine ended unexpectedly and is being started again.'
    : `The data engine ended ${deaths} times in a row, each time within a minute of its start. It is started again every ${LONGEST_GAP_MS / 1_000} seconds.`

/** What a promise gives within that time; undefined after it. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const over = new AbortController()
  try {
    return await Promise.race([promise, delay(ms, undefined, { signal: over.signal })])
  } finally {
    over.abort()
  }
}

/** The folder's token, made by whoever comes first. */
async function readToken(folder: string): Promise<string> {
  const file = tokenOf(folder)
  const fresh = randomBytes(24).toString('base64url')
  const draft = `${file}.${fresh.slice(0, 8)}`
  await writeFile(draft, fresh, { mode: 0o600 })
  // A link is made whole or not at all, so nobody reads half a token.
  await link(draft, file).catch(() => {})
  await rm(draft)
  return await readFile(file, 'utf8')
}

/** What it takes to get into the engine of a folder. */
type Entry = { readonly config: EngineConfig; readonly token: string; readonly launcher: Launcher }

type EnterOptions = {
  /** Earliest start of an engine of our own, milliseconds since 1970. */
  readonly notBefore?: number
  /** Given where attempts follow each other: a holder hangs across all of them. */
  readonly hung?: HungWatch
  readonly signal: AbortSignal
}

type HungWatch = { endIfHung(holder: number | undefined, folder: string): Promise<void> }

/** Ends an engine of ours that has held the data for minutes without becoming usable: its start or its end hangs. */
function watchForHung(): HungWatch {
  let seen: { pid: number | undefined; sinceMs: number } = { pid: undefined, sinceMs: 0 }
  return {
    async endIfHung(holder, folder) {
      if (holder !== seen.pid) seen = { pid: holder, sinceMs: Date.now() }
      if (holder === undefined || Date.now() - seen.sinceMs < HUNG_START_MS) return
      await endEngine(holder, folder)
    },
  }
}

/**
 * Joins the engine of the folder, whoever started it, or starts one. A holder of ours that does not answer is ended. Throws where nothing came of it within the time of the configuration.
 */
async function enter(
  { config, token, launcher }: Entry,
  { notBefore = 0, hung = watchForHung(), signal }: EnterOptions,
): Promise<Lease> {
  const { folder, startTimeoutMs = START_TIMEOUT_MS, silenceMs = SILENCE_MS, log } = config
  let deadline = Math.max(Date.now(), notBefore) + startTimeoutMs
  let startAt = notBefore
  let pauseMs = LOOK_MS
  let silentMs = 0
  let refusals = 0
  const leaseTimeoutMs = Math.min(LEASE_TIMEOUT_MS, silenceMs)
  for (;;) {
    signal.throwIfAborted()
    const known = await readEndpoint(folder)
    const taken = known === undefined ? 'refused' : await takeLease(known, token, leaseTimeoutMs)
    if (typeof taken === 'object') {
      warnOfOtherUser(config, taken.endpoint)
      return taken
    }
    const holder = await lockHolder(folder)
    await hung.endIfHung(holder, folder)
    const isStill = known !== undefined && taken === 'silent' && holder === known.pid
    if (isStill && (await isEngine(known.pid, folder))) {
      // One of ours, which stands still: there is no other to start as long as it lives.
      silentMs += leaseTimeoutMs
      deadline = Date.now() + startTimeoutMs
      if (silentMs < silenceMs) continue
      log.warn('the warehouse engine does not answer and is ended', { pid: known.pid })
      await endEngine(known.pid, folder)
      await ended(known.pid)
      silentMs = 0
      continue
    }
    // A holder may be ending, or have just been started by another process: trying costs a process each time.
    if (Date.now() >= (holder === undefined ? notBefore : startAt)) {
      const started = await launcher.start()
      if ('port' in started) continue
      const now = await lockHolder(folder)
      const isHeld = now !== undefined || started.isHeld
      if (isHeld ? Date.now() >= deadline : ++refusals === 3) {
        if (isHeld || !(await launcher.giveUpLayer())) throw openFailure(folder, started.refusal, now)
        refusals = 0
        continue
      }
      startAt = Date.now() + pauseMs
      pauseMs = Math.min(2 * pauseMs, LONGEST_HELD_GAP_MS)
    }
    await delay(LOOK_MS)
  }
}

function warnOfOtherUser({ confinement = {}, folder, log }: EngineConfig, { pid, user }: Endpoint): void {
  const choice = confinement.user ?? 'auto'
  if (user === undefined || !isOtherUser(choice, user, folder)) return
  log.warn('WAREHOUSE_USER is ignored until the warehouse engine restarts', {
    pid,
    engine: userSentence(user),
    setting: typeof choice === 'object' ? `${choice.uid}:${choice.gid}` : choice,
  })
}

async function readEndpoint(folder: string): Promise<Endpoint | undefined> {
  try {
    return JSON.parse(await readFile(endpointOf(folder), 'utf8')) as Endpoint
  } catch {
    // Not written yet, or cut off when the machine went down: the next start writes it anew.
    return undefined
  }
}

function openFailure(folder: string, refusal: string, holder: number | undefined): WarehouseError {
  if (holder !== undefined)
    return new WarehouseError(
      'warehouse.locked',
      `The warehouse at ${folder} is held by process ${holder}, which gives no access to it.`,
      { facts: { pid: holder }, hint: 'End that process, or choose another ASSAY_HOME.' },
    )
  return new WarehouseError('warehouse.engine_start', `The warehouse engine did not start: it ${refusal}.`, {
    hint: `Its last words are in ${logOf(folder)}.`,
  })
}

function engineGone(folder: string, availability: AvailabilityWatch): WarehouseError {
  const now = availability.current()
  return new WarehouseError(
    'warehouse.engine_gone',
    now.isUp ? 'The data engine does not answer.' : now.sentence,
    { hint: `It is retried without end. Its log is ${logOf(folder)}.` },
  )
}
