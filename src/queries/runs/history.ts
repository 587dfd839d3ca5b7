import type { Store } from '#store/index.ts'
import type { Run } from './createRuns.ts'

/** A run that has ended, as its owner finds it later. Times are UTC. */
export type PastRun = {
  readonly id: string
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  readonly state: Run['state']
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  /** Address of the result, which may no longer be stored. */
  readonly result: string | null
  readonly isReused: boolean
  readonly problem: unknown
}

export type History = {
  /** `isRepeat`: replaces earlier runs of the same text without a result, such as those of a dashboard. */
  add(owner: string, run: Run, problem: unknown, isRepeat?: boolean): Promise<void>
  /** The newest runs. `search`: words in the query text, case-insensitive. */
  list(
    owner: string,
    window: { limit: number; before: Date | undefined; search?: string | undefined },
  ): Promise<PastRun[]>
  /** Hash of the newest result of each of these texts that the owner ran. */
  resultsOf(owner: string, texts: readonly string[]): Promise<string[]>
  export(owner: string): Promise<unknown>
  deleteAll(owner: string): Promise<void>
}

/** Runs of one owner that are kept. */
const MOST_RUNS = 5_000

export function createHistory(query: Pick<Store, 'query'>['query']): History {
  const list: History['list'] = async (owner, { limit, before, search = '' }) =>
    query<PastRun>(
      `SELECT id::text, sql, parameters, state, created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt",
  result, is_reused AS "isReused", problem
FROM assay.query_runs WHERE owner = $1 AND ($2::timestamptz IS NULL OR created_at < $2)
  AND NOT EXISTS (SELECT FROM unnest($4::text[]) word WHERE position(word IN lower(sql)) = 0)
ORDER BY created_at DESC LIMIT $3`,
      [owner, before ?? null, limit, search.toLowerCase().split(/\s+/).filter(Boolean)],
    )
  return {
    list,
    async add(owner, run, problem, isRepeat = false) {
      // PostgreSQL keeps no zero bytes in texts.
      if (JSON.stringify([run.sql, run.parameters]).includes('\\u0000')) return
      const time = (ms: number | null) => (ms === null ? null : new Date(ms))
      await query(
        `INSERT INTO assay.query_runs
  (id, owner, sql, parameters, state, created_at, started_at, ended_at, result, is_reused, problem)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
        [
          run.id,
          owner,
          run.sql,
          JSON.stringify(run.parameters),
          run.state,
          time(run.createdAt),
          time(run.startedAt),
          time(run.endedAt),
          run.result?.hash ?? null,
          run.isReused,
          problem === null ? null : JSON.stringify(problem),
        ],
      )
      if (isRepeat)
        await query(
          `DELETE FROM assay.query_runs
WHERE owner = $1 AND sql = $2 AND parameters = $3 AND result IS NULL AND id <> $4`,
          [owner, run.sql, JSON.stringify(run.parameters), run.id],
        )
      await query(
        `DELETE FROM assay.query_runs WHERE owner = $1 AND created_at < (
  SELECT created_at FROM assay.query_runs WHERE owner = $1 ORDER BY created_at DESC OFFSET ${MOST_RUNS} LIMIT 1)`,
        [owner],
      )
    },
    async resultsOf(owner, texts) {
      const runs = await query<{ result: string }>(
        `SELECT DISTINCT ON (sql) result FROM assay.query_runs
WHERE owner = $1 AND sql = ANY($2::text[]) AND result IS NOT NULL ORDER BY sql, created_at DESC`,
        [owner, [...texts]],
      )
      return runs.map(({ result }) => result)
    },
    export: owner => list(owner, { limit: MOST_RUNS, before: undefined }),
    async deleteAll(owner) {
      await query('DELETE FROM assay.query_runs WHERE owner = $1', [owner])
      await query('DELETE FROM assay.query_queue WHERE owner = $1', [owner])
      await query('DELETE FROM assay.query_usage WHERE caller = $1', [owner])
    },
  }
}
