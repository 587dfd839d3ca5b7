import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { boundRuns, type JobName, takeDue } from './jobs.ts'
import { holdLease, leaveLease } from './lease.ts'
import { prepareJobs } from './prepareJobs.ts'
import { nameOf, type Runner, type RunnerDeps } from './runner.ts'

export type FollowDeps = Pick<RunnerDeps, 'store' | 'log' | 'sources' | 'catalog' | 'now'> & {
  readonly runner: Runner
  /** How often the leader looks for what is due; a second unless given. */
  readonly tickMs?: number
  /** How long a leader that has died stays one; 15 s unless given. */
  readonly leadMs?: number
}

const QUEUE = 'ask'
const LEADER = 'lead sources'
const STARTING = 'start queue'
const START_MS = 30_000
const TICK_MS = 1_000
const LEAD_MS = 15_000
/** A request that a process took and never ended is asked again after this; longer than any request takes. */
const TAKEN_MS = 120_000
const EXPIRE_S = 100
/** Requests that this process sends at once, to different hosts. */
const AT_ONCE = 4
/** How often the leader compares the store with what is declared and lets go of old history. */
const TIDY_EVERY_MS = 600_000

/**
 * Has every source asked by its cadence until the signal. Among all processes of a store one leads: it puts what is due into
 * the queue. All of them take from it.
 * @throws errors of the store at the start; later ones are told in the log and outlived.
 */
export async function followSources(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { store, log, runner } = deps
  const tell = createTeller(log)
  const boss = new PgBoss({ db: store, schema: 'assay_queue', schedule: false, reindex: false })
  boss.on('error', thrown => tell.failed(thrown))
  await alone(store, runner.holder, signal, () => boss.start())
  try {
    await boss.createQueue(QUEUE, {
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: EXPIRE_S,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 3_600,
    })
    await boss.work<JobName>(
      QUEUE,
      { localConcurrency: AT_ONCE, pollingIntervalSeconds: 1 },
      async ([job]) => {
        if (job === undefined || signal.aborted) return
        try {
          await runner.run(job.data, { isManual: false, signal })
          tell.went()
        } catch (thrown) {
          if (!signal.aborted) log.warn(`Couldn’t poll ${nameOf(job.data)}: ${sentenceOf(thrown)}`)
        }
      },
    )
    await lead(deps, boss, tell, signal)
  } finally {
    await boss.stop({ graceful: true, timeout: 5_000 }).catch(() => {})
    await leaveLease(store, LEADER, runner.holder).catch(() => {})
  }
}

/** The queue makes its tables with its first start, which two processes may not do at once. */
async function alone(
  store: Store,
  holder: string,
  signal: AbortSignal,
  start: () => Promise<unknown>,
): Promise<void> {
  while (!(await holdLease(store, STARTING, holder, START_MS))) await delay(100, undefined, { signal })
  try {
    await start()
  } finally {
    await leaveLease(store, STARTING, holder)
  }
}

/** Leads while this process holds the lease of it. */
async function lead(deps: FollowDeps, boss: PgBoss, tell: Teller, signal: AbortSignal): Promise<void> {
  const { store, runner, sources, catalog, now, tickMs = TICK_MS, leadMs = LEAD_MS } = deps
  let isLeader = false
  let askedMs = Number.NEGATIVE_INFINITY
  let tidiedMs = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    try {
      if (performance.now() - askedMs >= leadMs / 3) {
        askedMs = performance.now()
        isLeader = await holdLease(store, LEADER, runner.holder, leadMs)
        if (!isLeader) tidiedMs = Number.NEGATIVE_INFINITY
      }
      if (isLeader) {
        if (performance.now() - tidiedMs >= TIDY_EVERY_MS) {
          tidiedMs = performance.now()
          await prepareJobs(store, { sources, catalog, jobs: runner.jobs, now: new Date(now()) })
          await boundRuns(store)
        }
        await sendDue(store, boss, { now: now(), tickMs })
      }
      tell.went()
    } catch (thrown) {
      tell.failed(thrown)
      askedMs = Number.NEGATIVE_INFINITY
      tidiedMs = Number.NEGATIVE_INFINITY
    }
    await delay(tickMs, undefined, { signal }).catch(() => {})
  }
}

async function sendDue(store: Store, boss: PgBoss, at: { now: number; tickMs: number }): Promise<void> {
  const due = await takeDue(store, {
    now: new Date(at.now),
    tickMs: at.tickMs,
    until: new Date(at.now + TAKEN_MS),
  })
  for (const job of due) await boss.send(QUEUE, job, { singletonKey: nameOf(job) })
}

type Teller = { failed(thrown: unknown): void; went(): void }

/** A store that is away is told once, not with every look. */
function createTeller(log: Log): Teller {
  let isFailing = false
  return {
    failed(thrown) {
      if (!isFailing) log.warn(`Polling of sources is paused: ${sentenceOf(thrown)}`)
      isFailing = true
    },
    went() {
      if (isFailing) log.info('Polling of sources resumed.')
      isFailing = false
    },
  }
}
