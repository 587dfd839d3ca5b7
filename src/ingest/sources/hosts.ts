import type { Store } from '#store/index.ts'

/** Notes how far apart the requests to each host are; a host that was known keeps the rest that it asked for. */
export async function declareHosts(
  store: Store,
  spacings: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const hosts = JSON.stringify([...spacings].map(([host, spacing_ms]) => ({ host, spacing_ms })))
  await store.query(
    `INSERT INTO assay.source_hosts AS known (host, spacing_ms, next_free)
SELECT host, spacing_ms, $2::timestamptz
FROM jsonb_to_recordset($1::jsonb) AS declared (host text, spacing_ms double precision)
ON CONFLICT (host) DO UPDATE SET spacing_ms = excluded.spacing_ms`,
    [hosts, now],
  )
}

/**
 * Takes the next turn of a host, which no other process then has. Returns when it is; undefined, with nothing taken, where
 * that is later than `before`, and then `free` says when the host is.
 */
export async function takeTurn(
  store: Store,
  host: string,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<{ readonly turn: Date } | { readonly free: Date }> {
  const [taken] = await store.query<{ turn: Date }>(
    `UPDATE assay.source_hosts
SET next_free = greatest(next_free, $2::timestamptz) + spacing_ms * interval '1 millisecond'
WHERE host = $1 AND next_free <= $3::timestamptz
RETURNING next_free - spacing_ms * interval '1 millisecond' AS turn`,
    [host, now, before],
  )
  if (taken !== undefined) return taken
  const [known] = await store.query<{ free: Date }>(
    'SELECT next_free AS free FROM assay.source_hosts WHERE host = $1',
    [host],
  )
  return { free: known?.free ?? before }
}

/** Nothing is sent to the host before then, by nobody. */
export async function restHost(store: Store, host: string, until: Date): Promise<void> {
  await store.query('UPDATE assay.source_hosts SET next_free = greatest(next_free, $2) WHERE host = $1', [
    host,
    until,
  ])
}

const FIRST_REST_S = 15
const LONGEST_REST_S = 900

/** A host that cannot be reached is left alone, longer each time: no other request of it would fare better. */
export async function noteUnreachable(store: Store, host: string, now: Date): Promise<void> {
  await store.query(
    `UPDATE assay.source_hosts SET
  failures = failures + 1,
  next_free = greatest(
    next_free,
    $2::timestamptz + least($3 * power(2, least(failures, 12)), $4) * interval '1 second'
  )
WHERE host = $1`,
    [host, now, FIRST_REST_S, LONGEST_REST_S],
  )
}

export async function noteReached(store: Store, host: string): Promise<void> {
  await store.query('UPDATE assay.source_hosts SET failures = 0 WHERE host = $1 AND failures > 0', [host])
}
