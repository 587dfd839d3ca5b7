import type { Store } from '#store/index.ts'
import type { JobName } from './jobs.ts'
import type { Outcome } from './schedule.ts'

/** Where a request of a source stands. Times are null where it did not happen yet. */
export type SourceJobState = JobName & {
  readonly nextRun: Date
  readonly lastAttempt: Date | null
  readonly lastSuccess: Date | null
  readonly outcome: Outcome | null
  /** Why the last run was no success, or why another address than the first answered, as a sentence. */
  readonly reason: string | null
  readonly failures: number
  /** Refused answers that are kept. */
  readonly refusals: number
  /** Values refused of the last answer that was otherwise used, and why, of the first of them. */
  readonly refusedValues: number
  readonly refusedNamed: readonly string[]
  /** Runs of the last day, and how many of them failed or were refused. */
  readonly runs: number
  readonly failedRuns: number
}

export type SourceStates = {
  /** When a process that leads will have lost the lead unless it speaks up; null where none leads. */
  readonly leaderUntil: Date | null
  readonly jobs: readonly SourceJobState[]
}

/** The state of every request that the store knows. */
export async function readSourceStates(store: Store): Promise<SourceStates> {
  const [leader] = await store.query<{ until: Date }>(
    "SELECT held_until AS until FROM assay.leases WHERE name = 'lead sources' AND held_until > clock_timestamp()",
  )
  const jobs = await store.query<SourceJobState>(
    `SELECT
  job.source, job.about,
  job.next_due AS "nextRun",
  job.last_attempt AS "lastAttempt",
  job.last_success AS "lastSuccess",
  job.outcome, job.reason, job.failures,
  job.refused_values AS "refusedValues", job.refused_named AS "refusedNamed",
  (SELECT count(*)::integer FROM assay.source_refusals AS refusal
    WHERE refusal.source = job.source AND refusal.about = job.about) AS refusals,
  coalesce(run.runs, 0) AS runs,
  coalesce(run.failed, 0) AS "failedRuns"
FROM assay.source_jobs AS job
LEFT JOIN (
  SELECT source, about, count(*)::integer AS runs,
    count(*) FILTER (WHERE outcome IN ('refused', 'failed'))::integer AS failed
  FROM assay.source_runs
  WHERE started_at > now() - interval '1 day'
  GROUP BY source, about
) AS run ON run.source = job.source AND run.about = job.about
ORDER BY job.source, job.about`,
  )
  return { leaderUntil: leader?.until ?? null, jobs }
}
