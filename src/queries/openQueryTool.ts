import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { type FileReaderConfig, openFileReader, type Schema, type Warehouse } from '#warehouse/index.ts'
import { createEstimate, type Estimate } from './estimate.ts'
import type { Executor } from './execute.ts'
import { createProvenance, type Provenance } from './provenance/createProvenance.ts'
import { createRunRows } from './queue/runRows.ts'
import type { SharedTurns } from './queue/sharedTurns.ts'
import { createResults, type Results } from './results/createResults.ts'
import { createFirstRows } from './results/firstRows.ts'
import { openResultFiles } from './results/resultFiles.ts'
import { createRuns, type Run, type Runs, type RunsDeps } from './runs/createRuns.ts'
import { createHistory, type History } from './runs/history.ts'
import { createRecorder, type RecordRun } from './runs/recordRun.ts'
import { type Comments, createComments } from './saved/createComments.ts'
import { createSavedQueries, type SavedQueries } from './saved/createSaved.ts'
import { createScheduler, type Scheduler, type SchedulerDeps } from './schedules/createScheduler.ts'
import { createSchedules, type Schedules } from './schedules/createSchedules.ts'
import { createDrafts, DRAFT_BYTES, type Drafts } from './uploads/createDrafts.ts'
import { createUploads, type Uploads } from './uploads/createUploads.ts'
import { UPLOAD_LIMITS, type UploadLimits } from './uploads/uploadLimits.ts'

/** Between two looks for schedules that are due. */
const SCHEDULE_LOOK_MS = 20_000

export type QueryTool = AsyncDisposable & {
  readonly executor: Executor
  readonly estimate: Estimate
  readonly runs: Runs
  readonly results: Results
  readonly history: History
  /** For queries that run outside of `runs`. */
  readonly recordRun: RecordRun
  readonly saved: SavedQueries
  readonly comments: Comments
  readonly schedules: Schedules
  readonly scheduler: Scheduler
  readonly uploads: Uploads
  readonly drafts: Drafts
  readonly provenance: Provenance
  /** Current data version. */
  dataVersion(): string
}

export type QueryToolConfig = {
  readonly reader: Omit<FileReaderConfig, 'log'>
  /** How much disk all stored results may take, bytes. */
  readonly resultBytes: number
  readonly executor: Executor
  readonly uploadLimits?: UploadLimits
  /** Disk for uploaded files not yet saved as a table, bytes. */
  readonly draftBytes?: number
  readonly warehouse: Pick<Warehouse, 'progressOf' | 'uploadAccess' | 'reader' | 'writer' | 'changeMark'>
  /** Tables and views of the warehouse. */
  readonly schema: Schema
  /** The queue that `executor` shares with other servers. */
  readonly turns?: SharedTurns
  readonly data: RunsDeps['data']
  /** Where history and saved queries are. */
  readonly store: Pick<Store, 'query'>
  /** Whether an owner may still run scheduled queries; nobody may unless given. */
  readonly mayRun?: SchedulerDeps['mayRun']
  /** Notifies the owner when a schedule starts to fail or pauses. */
  readonly tellFailure?: SchedulerDeps['tell']
  /** Runs scheduled queries when they are due. */
  readonly isScheduling?: boolean
  /** The problem that a reader sees for what was thrown. */
  readonly problemOf: (thrown: unknown) => unknown
  readonly log: Log
}

const SWEEP_MS = 10 * 60_000

/** Runs of user queries with stored results. The engine that reads results starts with the first of them. */
export async function openQueryTool({
  reader: readerConfig,
  resultBytes,
  executor,
  turns,
  warehouse,
  uploadLimits = UPLOAD_LIMITS,
  draftBytes = DRAFT_BYTES,
  schema,
  data,
  store,
  mayRun = async () => false,
  tellFailure,
  isScheduling = false,
  problemOf,
  log,
}: QueryToolConfig): Promise<QueryTool> {
  await using opening = new AsyncDisposableStack()
  const reader = opening.use(await openFileReader({ ...readerConfig, log }))
  const files = opening.use(await openResultFiles(reader.folder, resultBytes, log))
  const results = createResults(reader, files)
  const history = createHistory(store.query)
  const saved = createSavedQueries(store.query)
  const drafts = await createDrafts(reader, uploadLimits, draftBytes)
  const uploads = createUploads({ warehouse, store, drafts, limits: uploadLimits, log })
  const sweep = () =>
    uploads
      .sweep()
      .catch(cause => log.warn('Old uploads could not be removed.', { cause: sentenceOf(cause) }))
  if (warehouse.uploadAccess !== undefined)
    uploads.protect().catch(cause =>
      log.warn(`Uploads are refused: ${sentenceOf(cause)}`, {
        hint: cause instanceof AssayError ? cause.hint : undefined,
      }),
    )
  const sweeping = setInterval(sweep, SWEEP_MS).unref()
  opening.defer(() => clearInterval(sweeping))
  const rows = createRunRows(store, problemOf)
  if (turns !== undefined) opening.use(everyMinute(() => rows.sweep().catch(() => {})))
  const runs = createRuns({
    executor,
    results,
    files,
    firstRowsOf: createFirstRows(reader),
    progressOf: id => warehouse.progressOf(id),
    data,
    problemOf,
    ...(turns && { shared: { turns, rows } }),
    onEnd(run, { owner, hasHistory }) {
      if (!hasHistory) return
      history
        .add(owner, run, run.state === 'failed' ? problemOf(run.error) : null)
        .catch(cause =>
          log.warn('A query run could not be added to the history.', { cause: sentenceOf(cause) }),
        )
      pinSaved(run).catch(cause =>
        log.warn('The result of a saved query could not be pinned.', { cause: sentenceOf(cause) }),
      )
    },
    log,
  })
  /** Pins the results of saved queries. */
  async function pinSaved({ owner, sql, result }: Run): Promise<void> {
    if (result !== null && (await saved.isSaved(owner, sql))) await results.pin(result.hash, owner)
  }
  const scheduler = createScheduler({
    query: store.query,
    runs,
    mayRun,
    problemOf,
    pin: results.pin,
    ...(tellFailure && { tell: tellFailure }),
    log,
  })
  if (isScheduling) opening.use(repeatedly(signal => scheduler.tick(signal), log))
  const opened = opening.move()
  return {
    executor,
    estimate: createEstimate(executor),
    runs,
    results,
    history,
    recordRun: createRecorder(history, { problemOf, log }),
    saved,
    comments: createComments(store.query),
    schedules: createSchedules({ query: store.query, check: executor.check }),
    scheduler,
    uploads,
    drafts,
    provenance: createProvenance(warehouse, schema),
    dataVersion: () => data.version(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Looks for due schedules until it is disposed. What cannot be reached now is found with the next look. */
function repeatedly(tick: (signal: AbortSignal) => Promise<unknown>, log: Log): AsyncDisposable {
  const ending = new AbortController()
  let ticking: Promise<unknown> = Promise.resolve()
  let isTicking = false
  const timer = setInterval(() => {
    if (isTicking) return
    isTicking = true
    ticking = tick(ending.signal)
      .catch(cause => log.warn('Scheduled queries could not be looked for.', { cause: sentenceOf(cause) }))
      .finally(() => {
        isTicking = false
      })
  }, SCHEDULE_LOOK_MS).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      ending.abort()
      await ticking
    },
  }
}

function everyMinute(act: () => void): Disposable {
  const timer = setInterval(act, 60_000).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
