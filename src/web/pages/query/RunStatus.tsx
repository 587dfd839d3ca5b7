import { Link } from 'react-router'
import type { QueryEstimate, QueryRun } from '#http/contract.ts'
import { chainBlocks, chainBlocksList } from '../../format/chainBlocks.ts'
import { counted } from '../../format/counted.ts'
import { timeText } from '../../format/day.ts'
import { figureText, grouped } from '../../format/figure.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { CitedFacts } from './cited/CitedFacts.tsx'
import type { Cited } from './cited/cited.ts'
import styles from './RunStatus.module.css'
import { isBusy, type Job, type RunProblem, type TabRuns } from './runs.ts'

type Props = {
  runs: TabRuns
  limits: QueryEstimate['limits'] | undefined
  /** Whether a higher limit can be bought. */
  isGuest: boolean
  /** Whether the text or a parameter changed after the run. */
  isChanged: boolean
  onShow: (at: number) => void
  onCancel: () => void
  onRunAgain: () => void
  onPlace: (offset: number) => void
  onFix: (problem: RunProblem, name: string) => void
}

const count = (value: number): string => figureText(value, 'n').text
const bytes = (value: number): string => figureText(value, 'bytes').text
const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** `First 10,000 rows` for a truncated result. */
const rowsText = ({ rowCount, isTruncated }: NonNullable<QueryRun['result']>): string =>
  `${isTruncated ? 'First ' : ''}${counted(rowCount, 'row')}`

/** Names that may be meant come in the hint too, where some problems have only them. */
const SUGGESTION = /^(?:Maybe you|Did you) meant? (\S+(?:(?:, | or )\S+)*)[.?](?:\s+|$)/

const nearestOf = ({ nearest, hint }: RunProblem): readonly string[] =>
  nearest ?? SUGGESTION.exec(hint ?? '')?.[1]?.split(/, | or /) ?? []

const STATE: Record<Job['state'], string> = {
  waiting: 'waiting',
  sending: 'starting',
  queued: 'queued',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'canceled',
}

/** What comes of a run, from its place in the queue to what its result rests on. */
export function RunStatus(props: Props) {
  const { runs, onShow, onCancel } = props
  const job = runs.jobs[runs.shown]
  return (
    <div className={styles.status} data-state={job?.state ?? 'none'}>
      {runs.jobs.length > 1 && (
        <fieldset className={styles.jobs} aria-label="Statements">
          {runs.jobs.map(({ statement, state, run }, at) => (
            <button
              key={statement.from}
              type="button"
              aria-pressed={at === runs.shown}
              title={statement.text.slice(0, 400)}
              data-state={state}
              onClick={() => onShow(at)}
            >
              {at + 1} <span>{run?.result?.isTruncated ? rowsText(run.result) : STATE[state]}</span>
            </button>
          ))}
        </fieldset>
      )}
      <div aria-live="polite" className={styles.live}>
        {props.isChanged && !isBusy(runs) && (
          <p className={styles.changed}>The query changed after this run. Run it to update the result.</p>
        )}
        {job && <RunMessage {...props} job={job} />}
      </div>
      {isBusy(runs) && (
        <Button small onClick={onCancel} aria-keyshortcuts="Escape">
          <Icon name="stop" /> Cancel
        </Button>
      )}
    </div>
  )
}

function RunMessage({ job, ...props }: Props & { job: Job }) {
  switch (job.state) {
    case 'waiting':
      return <p>Waiting for the statement before it.</p>
    case 'sending':
      return <Pending>Starting…</Pending>
    case 'queued':
      return (
        <Pending>
          {job.run?.queue
            ? `Number ${job.run.queue.position} in the queue. ${job.run.queue.reason}`
            : 'Queued.'}
        </Pending>
      )
    case 'running':
      return <Running run={job.run} />
    case 'cancelled':
      return <p>Canceled. No result was saved.</p>
    case 'failed':
      return job.problem ? (
        <Failed {...props} problem={job.problem} mayRun={Boolean(job.cited?.query)} />
      ) : (
        <p>The query failed. Run it again.</p>
      )
    case 'succeeded':
      return job.run?.result ? (
        <Done {...props} isReused={job.run.isReused} result={job.run.result} />
      ) : job.cited?.found ? (
        <Done {...props} isReused result={job.cited.found.result} cited={job.cited} />
      ) : null
  }
}

const Pending = ({ children }: { children: React.ReactNode }) => (
  <p className={styles.line}>
    <span className={styles.turning} aria-hidden="true" /> <span>{children}</span>
  </p>
)

function Running({ run }: { run: QueryRun | undefined }) {
  const progress = run?.progress
  if (!progress) return <Pending>Running…</Pending>
  const { readRows, totalRows, memoryBytes, elapsedMs } = progress
  const isKnown = totalRows !== null && totalRows > 0
  return (
    <div className={styles.running}>
      <progress
        aria-label="Rows read"
        {...(isKnown && { max: totalRows, value: Math.min(readRows, totalRows) })}
      />
      {/* Too many changes to be read out one by one. */}
      <p aria-hidden="true">
        {isKnown ? `${count(readRows)} of ${count(totalRows)} rows read` : `${count(readRows)} rows read`} ·{' '}
        {bytes(memoryBytes)} memory · {seconds(elapsedMs)}
      </p>
    </div>
  )
}

/** `mayRun`: the stored result is gone, but its query can still run. */
function Failed({
  problem,
  mayRun,
  onPlace,
  onFix,
  onRunAgain,
}: Pick<Props, 'onPlace' | 'onFix' | 'onRunAgain'> & { problem: RunProblem; mayRun: boolean }) {
  const { place, detail, hint, type } = problem
  const nearest = nearestOf(problem)
  return (
    <div id="query-problem" className={styles.problem}>
      <Icon name="warning" />
      <div>
        <p>
          {place && (
            <button type="button" className={styles.place} onClick={() => onPlace(place.offset)}>
              Line {place.line}, column {place.column}
            </button>
          )}{' '}
          {detail}
        </p>
        {nearest.length > 0 && (
          <p className={styles.fixes}>
            <span>Did you mean</span>
            {nearest.map(name => (
              <button key={name} type="button" onClick={() => onFix(problem, name)}>
                {name}
              </button>
            ))}
          </p>
        )}
        <p className={styles.hint}>
          {hint?.replace(SUGGESTION, '')}{' '}
          {type.startsWith('/errors/') && (
            <Link to={type} target="_blank">
              About this error
            </Link>
          )}
        </p>
        {mayRun && <RunAgain onRunAgain={onRunAgain}>Run on current data</RunAgain>}
      </div>
    </div>
  )
}

/** Without JavaScript, it submits the form, which runs the query in it. */
const RunAgain = ({ onRunAgain, children }: Pick<Props, 'onRunAgain'> & { children: React.ReactNode }) => (
  <button
    type="submit"
    className={styles.again}
    aria-keyshortcuts="Control+Alt+Enter Meta+Alt+Enter"
    onClick={event => {
      event.preventDefault()
      onRunAgain()
    }}
  >
    {children}
  </button>
)

function Done({
  isReused,
  result,
  cited,
  limits,
  isGuest,
  onRunAgain,
}: Pick<Props, 'limits' | 'isGuest' | 'onRunAgain'> & {
  isReused: boolean
  result: NonNullable<QueryRun['result']>
  cited?: Cited
}) {
  const { rowLimit, isTruncated, elapsedMs, readRows, readBytes, asOf } = result
  return (
    <div className={styles.done}>
      <p>
        <strong>{rowsText(result)}</strong> · {seconds(elapsedMs)}
        {readRows !== null &&
          ` · at least ${count(readRows)} rows read${readBytes === null ? '' : ` (${bytes(readBytes)})`}`}
        {cited ? null : asOf.length > 0 ? (
          <>
            {' '}
            · <span title={chainBlocksList(asOf)}>indexed to {chainBlocks(asOf)}</span>
          </>
        ) : (
          ` · run ${timeText(result.createdAt)}`
        )}
        {isReused && (
          <span className={styles.reused} title={`Computed ${timeText(result.createdAt)} on the same data`}>
            Stored result
          </span>
        )}{' '}
        <RunAgain onRunAgain={onRunAgain}>{cited ? 'Run again on current data' : 'Run again'}</RunAgain>
      </p>
      {cited?.found && <CitedFacts cited={cited} found={cited.found} />}
      {isTruncated && (
        <p className={styles.cut} role="note">
          The result has more than {grouped(String(rowLimit))} rows, and the rest was cut. Aggregate or filter
          the query to get fewer rows, or page through it with ORDER BY, LIMIT and OFFSET.
          {isGuest && (limits === undefined || limits.rows < 1_000_000) && (
            <>
              {' '}
              <Link to="/pricing">Premium</Link> returns up to 1,000,000 rows.
            </>
          )}
        </p>
      )}
    </div>
  )
}
