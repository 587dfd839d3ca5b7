import type { Catalog } from '#catalog/index.ts'
import { missingKey, type SourceJobState, type SourceStates } from '#ingest/sources/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { LiveSource } from '#sources/live.ts'
import type { Schedule } from './contract.ts'

export type ScheduleDeps = {
  /** Every source that could be asked. */
  readonly declared: readonly LiveSource[]
  /** Those that this installation asks. */
  readonly asked: readonly LiveSource[]
  readonly keys: Readonly<Record<string, string | undefined>>
  readonly catalog: Catalog
  /** What the store knows of them. */
  readonly states: () => Promise<SourceStates>
}

type Request = Schedule['requests'][number]

/** A page about state must come while the state is out of reach. */
const PATIENCE_MS = 3_000

/** How publishers are asked: each request with its last success, its next run and what went wrong. Never throws. */
export async function readSchedule(deps: ScheduleDeps): Promise<Schedule> {
  const { declared, asked, keys, catalog } = deps
  const requestsOf = (known: readonly SourceJobState[]): Request[] => {
    const jobs = new Map(known.map(job => [`${job.source} ${job.about}`, job]))
    const isAsked = new Set(asked.map(({ id }) => id))
    return declared.flatMap(source => {
      const variable = missingKey(source, keys)
      const needs =
        variable !== undefined ? `Set ${variable}.` : isAsked.has(source.id) ? '' : 'SOURCES leaves it out.'
      return source
        .requests(catalog)
        .map(({ about }) => requestOf(source, about, needs, jobs.get(`${source.id} ${about}`)))
    })
  }
  if (asked.length === 0)
    return {
      state: 'off',
      sentence:
        'Sources are not polled. SOURCES is off, or this is not mainnet. Indexed data stays unchanged.',
      requests: requestsOf([]),
    }
  try {
    const { leaderUntil, jobs } = await inTime(deps.states())
    return {
      state: leaderUntil === null ? 'unled' : 'led',
      sentence:
        leaderUntil === null
          ? 'No process polls sources at the moment. Run `assay start`, `assay work` or `assay sources follow`.'
          : 'Sources are polled on their schedule.',
      requests: requestsOf(jobs),
    }
  } catch (thrown) {
    return {
      state: 'unknown',
      sentence: `Couldn't read the schedule: ${sentenceOf(thrown)}`,
      requests: requestsOf([]),
    }
  }
}

function requestOf(
  source: LiveSource,
  about: string,
  needs: string,
  job: SourceJobState | undefined,
): Request {
  const iso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null
  const isAsked = needs === ''
  return {
    source: source.id,
    name: source.name,
    about,
    cadenceSeconds: source.cadenceSeconds,
    state: !isAsked
      ? 'not_asked'
      : job === undefined || job.outcome === null
        ? 'new'
        : job.outcome === 'refused' || job.outcome === 'failed'
          ? job.outcome
          : 'answers',
    needs,
    nextRun: isAsked ? iso(job?.nextRun) : null,
    lastAttempt: iso(job?.lastAttempt),
    lastSuccess: iso(job?.lastSuccess),
    reason: job?.reason ?? null,
    failures: job?.failures ?? 0,
    refusals: job?.refusals ?? 0,
    refusedValues: job?.refusedValues ?? 0,
    refusedNamed: [...(job?.refusedNamed ?? [])],
    runs: job?.runs ?? 0,
    failedRuns: job?.failedRuns ?? 0,
  }
}

async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store is slow to answer.')), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
