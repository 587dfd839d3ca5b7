import type { AccountsDeps, Note } from './config.ts'

/** Writes down who did what, in the store and in the log. Kept for a year. */
export const createNote =
  ({ store, log, now }: Pick<AccountsDeps, 'store' | 'log' | 'now'>): Note =>
  async (event, { person, asker, facts = {} }) => {
    log.info(`people: ${event}`, { ...(person !== undefined && { person }), ...facts })
    await store.query(
      'INSERT INTO assay.audit_log (at, event, person, asker, facts) VALUES ($1, $2, $3, $4, $5)',
      [new Date(now()), event, person ?? null, asker ?? null, facts],
    )
  }
