import type { AppTable } from '../apps/table.ts'

/** A table of the page about developers: one statement on public tables, which readers may open and run. */
export type DeveloperTable = Omit<AppTable, 'sql'> & { readonly sql: () => string }

export const NOT_READ =
  'No history is read: the recorded ones come with the bundled snapshot, clones with DEVELOPERS=on.'

/** CTE: the newest day that is counted. */
export const NEWEST = "newest AS (SELECT max(day) AS day FROM dev_days WHERE ecosystem = 'ecosystems')"
