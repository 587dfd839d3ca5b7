import { StoreError } from '#store/index.ts'
import type { Run, RunRequest } from '../runs/createRuns.ts'
import type { QueueStore } from './sharedTurns.ts'

/** What another server needs to run a query anew. */
export type RunOrder = {
  readonly isFresh: RunRequest['isFresh']
  readonly dataVersion?: string | undefined
  readonly caller: string
  readonly role: 'guest' | 'member'
  readonly hasHistory: boolean
  readonly uploadsOf?: string | undefined
}

/** Runs of all servers, in the store. */
export type RunRows = {
  /** A run of any server, as its server last wrote it; undefined if it is unknown, forgotten or of another owner. */
  read(id: string, owner: string): Promise<Run | undefined>
  /** Has the server of the run stop it. */
  cancel(id: string, owner: string): Promise<void>
  /** Writes what a run has come to meanwhile. */
  note(run: Run, server: string): Promise<void>
  /** Writes the end of a run. `isFree`: its query has no slot any more. Does nothing for a run that another server took over. */
  end(run: Run, order: RunOrder, more: { server: string; isFree: boolean }): Promise<void>
  /** Removes runs that ended long ago, and the oldest beyond what all may take. */
  sweep(): Promise<void>
}

/** Runs that have ended stay so long, and so many: in all, of one owner, and by the length of their text. */
const KEPT_MINUTES = 60
const KEPT = 5_000
const KEPT_OF_OWNER = 200
const KEPT_CHARACTERS = 32_000_000

export function createRunRows(store: QueueStore, problemOf: (thrown: unknown) => unknown): RunRows {
  return {
    async read(id, owner) {
      const [row] = await store
        .query<{ state: Run['state']; run: string; is_lost: boolean }>(
          `SELECT state, run, held_until < clock_timestamp() AS is_lost
FROM assay.query_queue WHERE id = $1 AND owner = $2`,
          [id, owner],
        )
        .catch(cause => {
          if (cause instanceof StoreError) return []
          throw cause
        })
      return row && runOfRow(row)
    },
    async cancel(id, owner) {
      await store.query(
        `UPDATE assay.query_queue SET is_cancelled = true
WHERE id = $1 AND owner = $2 AND state IN ('queued', 'running')`,
        [id, owner],
      )
    },
    async note(run, server) {
      await store.query(
        "UPDATE assay.query_queue SET run = $3 WHERE id = $1 AND server = $2 AND state IN ('queued', 'running')",
        [run.id, server, runText(run, problemOf)],
      )
    },
    async end(run, { caller, role, ...order }, { server, isFree }) {
      await store.query(
        `INSERT INTO assay.query_queue AS known
  (id, server, held_until, state, caller, is_member, is_patient, most, shared_from, query_id, owner, request, run)
VALUES ($1, $2, clock_timestamp(), $3, $4, $5, true, 0, 0, $10, $6, $7, $8)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, run = excluded.run, changed_at = clock_timestamp(),
  occupies = known.occupies AND NOT $9
WHERE known.server = excluded.server AND known.state IN ('queued', 'running')`,
        [
          run.id,
          server,
          run.state,
          caller,
          role === 'member',
          run.owner,
          requestText({ caller, role, ...order }),
          runText(run, problemOf),
          isFree,
          run.id,
        ],
      )
    },
    async sweep() {
      await store.query("DELETE FROM assay.query_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 1")
      await store.query(
        `DELETE FROM assay.query_queue WHERE id IN (
  SELECT id FROM (
    SELECT id, changed_at, row_number() OVER (PARTITION BY owner ORDER BY changed_at DESC) AS nth,
      row_number() OVER newest AS at, sum(length(run)) OVER newest AS characters
    FROM assay.query_queue WHERE state NOT IN ('queued', 'running') AND NOT occupies
    WINDOW newest AS (ORDER BY changed_at DESC)
  ) ended
  WHERE nth > $1 OR at > $2 OR characters > $3 OR changed_at < clock_timestamp() - $4 * interval '1 minute')`,
        [KEPT_OF_OWNER, KEPT, KEPT_CHARACTERS, KEPT_MINUTES],
      )
    },
  }
}

export const requestText = (order: RunOrder): string => JSON.stringify(order)
export const orderOf = (request: string): RunOrder => JSON.parse(request) as RunOrder

/** A run as text. Its error is the problem that readers see. */
export const runText = (run: Run, problemOf: (thrown: unknown) => unknown): string =>
  JSON.stringify({
    ...run,
    firstRows: undefined,
    error: null,
    problem: run.problem ?? (run.state === 'failed' ? problemOf(run.error) : null),
  })

export const runOfText = (text: string): Run => JSON.parse(text) as Run

function runOfRow({ state, run, is_lost }: { state: Run['state']; run: string; is_lost: boolean }): Run {
  const known = runOfText(run)
  if (state !== 'queued' && state !== 'running') return known
  return {
    ...known,
    state,
    queue:
      state === 'running'
        ? null
        : (known.queue ?? {
            position: 1,
            reason: is_lost
              ? 'The server of this run ended. Another one takes it over.'
              : 'Waiting for a slot.',
          }),
  }
}
