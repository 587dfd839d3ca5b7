import type { Problem, QueryRun, QueryRunEvent } from '#http/contract.ts'
import type { Statement } from '#kernel/sqlStatements.ts'
import { ApiRefusal } from '../../api.ts'
import { type Cited, queryOf } from './cited/cited.ts'
import { isEnded, type QueryClient, type RunRequest } from './queryClient.ts'
import { lineAndColumn, offsetOf } from './statements.ts'

/** What was wrong, with its place in the text of the tab. */
export type RunProblem = Pick<Problem, 'detail' | 'hint' | 'type' | 'errors' | 'nearest'> & {
  readonly place: { readonly offset: number; readonly line: number; readonly column: number } | undefined
}

export type FirstRows = NonNullable<QueryRunEvent['firstRows']>

/** One statement that was run, or waits for those before it. */
export type Job = {
  readonly statement: Statement
  readonly state: 'waiting' | 'sending' | QueryRun['state']
  readonly run?: QueryRun
  readonly problem?: RunProblem
  /** The stored result shown instead of a run. */
  readonly cited?: Cited
  /** First rows that a long query sent while it ran. They stay if it ends without a result. */
  readonly firstRows?: FirstRows
}

/** A statement to run: `source` is the text of the tab, in which places are told. */
export type JobRequest = RunRequest & {
  readonly statement: Statement
  readonly source: string
  /** Where a place of `sql` is in `source`. */
  toSource(offset: number): number
}

export type TabRuns = { readonly jobs: readonly Job[]; readonly shown: number }

const NONE: TabRuns = { jobs: [], shown: 0 }
const UNREACHED: RunProblem = {
  type: 'about:blank',
  detail: 'The server could not be reached.',
  hint: 'Check the connection and run it again.',
  place: undefined,
}

export const isBusy = ({ jobs }: TabRuns): boolean =>
  jobs.some(({ state }) => ['waiting', 'sending', 'queued', 'running'].includes(state))

/** Runs of all tabs. They go on whichever tab is in front. */
export function createRuns(client: Pick<QueryClient, 'run' | 'read' | 'cancel' | 'follow'>) {
  const all = new Map<string, TabRuns>()
  const aborts = new Map<string, AbortController>()
  const listeners = new Set<() => void>()

  const set = (tab: string, next: TabRuns) => {
    all.set(tab, next)
    for (const listener of listeners) listener()
  }
  const read = (tab: string): TabRuns => all.get(tab) ?? NONE
  const change = (tab: string, at: number, by: Partial<Job>) => {
    const { jobs, shown } = read(tab)
    set(tab, { shown, jobs: jobs.map((job, index) => (index === at ? { ...job, ...by } : job)) })
  }

  /** Runs one statement to its end; true if it succeeded. */
  const perform = async (tab: string, at: number, request: JobRequest, signal: AbortSignal) => {
    const { statement: _, source: __, toSource: ___, ...sent } = request
    const show = ({ firstRows, ...run }: QueryRunEvent) => {
      if (signal.aborted) return
      change(tab, at, {
        run,
        state: run.state,
        ...(firstRows && { firstRows }),
        ...(run.problem && { problem: problemIn(run.problem, request) }),
      })
    }
    change(tab, at, { state: 'sending' })
    const run = await client.run(sent)
    // A cancel that came while the run was being sent could not name it.
    if (signal.aborted) void client.cancel(run.id).catch(() => undefined)
    signal.throwIfAborted()
    show(run)
    if (!isEnded(run)) await client.follow(run.id, show, signal)
    return read(tab).jobs[at]?.state === 'succeeded'
  }

  const begin = (tab: string): AbortSignal => {
    aborts.get(tab)?.abort()
    const abort = new AbortController()
    aborts.set(tab, abort)
    return abort.signal
  }

  return {
    read,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },

    /** Runs statements in order; the first that fails ends it. What still runs in the tab is cancelled. */
    async start(tab: string, requests: readonly JobRequest[]): Promise<void> {
      await this.cancel(tab)
      const signal = begin(tab)
      set(tab, { jobs: requests.map(({ statement }) => ({ statement, state: 'waiting' })), shown: 0 })
      for (const [at, request] of requests.entries()) {
        set(tab, { ...read(tab), shown: at })
        let isDone = false
        try {
          isDone = await perform(tab, at, request, signal)
        } catch (thrown) {
          if (signal.aborted) return
          const problem = thrown instanceof ApiRefusal ? problemIn(thrown.problem, request) : UNREACHED
          change(tab, at, { state: 'failed', problem })
        }
        if (signal.aborted) return
        if (!isDone) {
          const { jobs, shown } = read(tab)
          set(tab, {
            shown,
            jobs: jobs.map(job => (job.state === 'waiting' ? { ...job, state: 'cancelled' } : job)),
          })
          return
        }
      }
    },

    /** Shows a run that was started before the page was opened. */
    async resume(tab: string, id: string, statement: Statement): Promise<void> {
      if (read(tab).jobs.length > 0) return
      const signal = begin(tab)
      let rows: Pick<Job, 'firstRows'> = {}
      const show = ({ firstRows, ...run }: QueryRunEvent) => {
        if (firstRows) rows = { firstRows }
        if (!signal.aborted)
          set(tab, { jobs: [{ statement, run, state: run.state, ...told(run), ...rows }], shown: 0 })
      }
      const told = (run: QueryRun): Pick<Job, 'problem'> =>
        run.problem ? { problem: { ...run.problem, place: undefined } } : {}
      try {
        const run = await client.read(id)
        show(run)
        if (!isEnded(run)) await client.follow(id, show, signal)
      } catch {
        // Runs are kept for a while only: without one the tab begins empty.
      }
    },

    /** Shows a stored result, or why it is unavailable. */
    cite(tab: string, cited: Cited) {
      begin(tab)
      const { sql: text } = queryOf(cited)
      const statement = { text, from: 0, to: text.length }
      const { problem } = cited
      set(tab, {
        shown: 0,
        jobs: [
          problem === null
            ? { statement, state: 'succeeded', cited }
            : { statement, state: 'failed', cited, problem: { ...problem, place: undefined } },
        ],
      })
    },

    /** Ends what runs in a tab, at once on screen. */
    async cancel(tab: string): Promise<void> {
      const before = read(tab)
      if (!isBusy(before)) return
      aborts.get(tab)?.abort()
      set(tab, {
        shown: before.shown,
        jobs: before.jobs.map(job => (isOver(job) ? job : { ...job, state: 'cancelled' })),
      })
      const open = before.jobs.flatMap(job => (job.run && !isEnded(job.run) ? [job.run.id] : []))
      await Promise.all(open.map(id => client.cancel(id).catch(() => undefined)))
    },

    show(tab: string, shown: number) {
      set(tab, { ...read(tab), shown })
    },
  }
}

export type Runs = ReturnType<typeof createRuns>

const isOver = ({ state }: Job): boolean =>
  state === 'succeeded' || state === 'failed' || state === 'cancelled'

function problemIn(problem: Problem, { sql, source, toSource }: JobRequest): RunProblem {
  const { line, column = 1, ...rest } = problem
  if (line === undefined) return { ...rest, place: undefined }
  const offset = toSource(offsetOf(sql, line, column))
  return { ...rest, place: { offset, ...lineAndColumn(source, offset) } }
}
