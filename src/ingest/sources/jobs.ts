import type { RefusedValue } from '#sources/parts.ts'
import type { Store } from '#store/index.ts'
import type { Suspects } from './jumps.ts'
import type { Outcome } from './schedule.ts'

/** A request of a source, by name. */
export type JobName = { readonly source: string; readonly about: string }

export type Job = JobName & {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly failures: number
  readonly suspects: unknown
  /** Values refused of the last answer that was otherwise used. */
  readonly refusedValues: number
}

/** What a run came to, as it is kept. */
export type Run = JobName & {
  readonly startedAt: Date
  readonly tookMs: number
  readonly outcome: Outcome
  readonly code: string | null
  readonly reason: string | null
  readonly status: number | null
  readonly bytes: number
  /** Rows that were kept. */
  readonly figures: number
  readonly isManual: boolean
  readonly nextDue: Date
  readonly failures: number
  /** Marks of an answer that was kept; null leaves those of the last one. */
  readonly marks: { readonly etag: string | null; readonly lastModified: string | null } | null
  readonly suspects: Suspects | null
  /** Values refused of an answer that was otherwise used; null leaves those of the last one. */
  readonly refused: readonly RefusedValue[] | null
  readonly refusal: { readonly field: string; readonly body: Buffer; readonly bytes: number } | null
}

/** Of a refused answer this much is kept, and so many answers of a job and in all. */
const MOST_BODY_BYTES = 64 * 1024
const MOST_REFUSALS_OF_JOB = 5
const MOST_REFUSALS = 500
/** Of refused values these many are named. */
const MOST_NAMED = 20
const MOST_REASON = 300
/** History: the newest runs of all jobs. */
const MOST_RUNS = 50_000

/** Makes the jobs those that are declared: new ones are due at once, others keep what is known of them. */
export async function declareJobs(
  store: Store,
  jobs: readonly (JobName & { readonly host: string })[],
  now: Date,
): Promise<void> {
  const declared = JSON.stringify(jobs.map(({ source, about, host }) => ({ source, about, host })))
  await store.query(
    `WITH declared AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS declared (source text, about text, host text)
), gone AS (
  DELETE FROM assay.source_jobs AS job
  WHERE NOT EXISTS (SELECT FROM declared WHERE declared.source = job.source AND declared.about = job.about)
)
INSERT INTO assay.source_jobs AS job (source, about, host, next_due)
SELECT source, about, host, $2::timestamptz FROM declared
ON CONFLICT (source, about) DO UPDATE SET host = excluded.host WHERE job.host <> excluded.host`,
    [declared, now],
  )
}

/** What is known of a job; undefined for one that is not declared in the store. */
export async function readJob(store: Store, { source, about }: JobName): Promise<Job | undefined> {
  const [job] = await store.query<Job>(
    `SELECT source, about, etag, last_modified AS "lastModified", failures, suspects, refused_values AS "refusedValues"
FROM assay.source_jobs WHERE source = $1 AND about = $2`,
    [source, about],
  )
  return job
}

/**
 * The jobs that are due, of each host so many as it takes within the coming `tickMs`, the longest due first. They count
 * as being asked until `until`: whoever takes one and dies has it asked again then.
 */
export async function takeDue(
  store: Store,
  { now, tickMs, until }: { readonly now: Date; readonly tickMs: number; readonly until: Date },
): Promise<JobName[]> {
  return await store.query<JobName>(
    `WITH due AS (
  SELECT
    job.source, job.about, host.spacing_ms,
    row_number() OVER (PARTITION BY job.host ORDER BY job.next_due, job.source, job.about) AS place
  FROM assay.source_jobs AS job
  JOIN assay.source_hosts AS host ON host.host = job.host
  WHERE job.next_due <= $1::timestamptz AND host.next_free <= $1::timestamptz + $2::double precision * interval '1 millisecond'
)
UPDATE assay.source_jobs AS job
SET next_due = $3::timestamptz
FROM due
WHERE job.source = due.source AND job.about = due.about
  AND due.place <= greatest(1, floor($2::double precision / due.spacing_ms))
RETURNING job.source, job.about`,
    [now, tickMs, until],
  )
}

/** Puts a job off: its host takes nothing before then. */
export async function putOff(store: Store, { source, about }: JobName, until: Date): Promise<void> {
  await store.query('UPDATE assay.source_jobs SET next_due = $3 WHERE source = $1 AND about = $2', [
    source,
    about,
    until,
  ])
}

/** Notes a run: its line of history, the job's state, the refused answer. All of it or nothing. */
export async function noteRun(store: Store, run: Run): Promise<void> {
  await store.query(
    `WITH run AS (
  INSERT INTO assay.source_runs (source, about, started_at, took_ms, outcome, reason, http_status, bytes, figures, is_manual)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
), refusal AS (
  INSERT INTO assay.source_refusals (source, about, refused_at, code, field, reason, body, body_bytes)
  SELECT $1, $2, $3, $11, $12, $6, $13, $14 WHERE $13::bytea IS NOT NULL
)
UPDATE assay.source_jobs SET
  next_due = $15,
  last_attempt = $3,
  last_success = CASE WHEN $16::boolean THEN $3 ELSE last_success END,
  outcome = $5,
  reason = $6,
  failures = $17,
  etag = CASE WHEN $18::boolean THEN $19 ELSE etag END,
  last_modified = CASE WHEN $18::boolean THEN $20 ELSE last_modified END,
  suspects = $21::jsonb,
  refused_values = coalesce($22::integer, refused_values),
  refused_named = coalesce($23::jsonb, refused_named)
WHERE source = $1 AND about = $2`,
    [
      run.source,
      run.about,
      run.startedAt,
      run.tookMs,
      run.outcome,
      run.reason,
      run.status,
      run.bytes,
      run.figures,
      run.isManual,
      run.code ?? '',
      run.refusal?.field ?? '',
      run.refusal?.body.subarray(0, MOST_BODY_BYTES) ?? null,
      run.refusal?.bytes ?? 0,
      run.nextDue,
      run.failures === 0,
      run.failures,
      run.marks !== null,
      run.marks?.etag ?? null,
      run.marks?.lastModified ?? null,
      run.suspects === null ? null : JSON.stringify(run.suspects),
      run.refused?.length ?? null,
      run.refused === null
        ? null
        : JSON.stringify(run.refused.slice(0, MOST_NAMED).map(({ reason }) => reason.slice(0, MOST_REASON))),
    ],
  )
  if (run.refusal !== null) await boundRefusals(store, run)
}

async function boundRefusals(store: Store, { source, about }: JobName): Promise<void> {
  await store.query(
    `DELETE FROM assay.source_refusals
WHERE id IN (
  SELECT id FROM assay.source_refusals WHERE source = $1 AND about = $2 ORDER BY id DESC OFFSET $3
) OR id IN (
  SELECT id FROM assay.source_refusals ORDER BY id DESC OFFSET $4
)`,
    [source, about, MOST_REFUSALS_OF_JOB, MOST_REFUSALS],
  )
}

/** Lets go of the oldest history. */
export async function boundRuns(store: Store): Promise<void> {
  await store.query(
    'DELETE FROM assay.source_runs WHERE id <= (SELECT max(id) FROM assay.source_runs) - $1',
    [MOST_RUNS],
  )
}
