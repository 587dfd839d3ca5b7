import type { PoolClient } from 'pg'
import { StoreError } from './errors.ts'
import { MIGRATIONS } from './migrations.ts'

/** Any number; the same in every process. */
const LOCK = 7_411_003

/**
 * Brings the tables up to date, one process at a time, all or nothing. Throws `store.newer` for a store that a newer
 * release has written to.
 */
export async function migrate(client: PoolClient): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  await client.query('CREATE SCHEMA IF NOT EXISTS assay')
  await client.query(
    'CREATE TABLE IF NOT EXISTS assay.migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const { rows } = await client.query<{ newest: number }>(
    'SELECT coalesce(max(number), 0)::integer AS newest FROM assay.migrations',
  )
  const newest = rows[0]?.newest ?? 0
  if (newest > MIGRATIONS.length)
    throw new StoreError(
      'store.newer',
      `The store has tables of a newer release: step ${newest}, this one knows ${MIGRATIONS.length}.`,
      { hint: 'Run that release, or give this one another ASSAY_HOME or DATABASE_URL.' },
    )
  for (const [i, { name, sql }] of MIGRATIONS.entries()) {
    if (i < newest) continue
    await client.query(sql)
    await client.query('INSERT INTO assay.migrations (number, name) VALUES ($1, $2)', [i + 1, name])
  }
  await client.query('COMMIT')
}
