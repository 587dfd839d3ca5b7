import { ecosystemsTable, overlapTable, programmesTable } from './ecosystems.ts'
import { botsTable, excludedTable } from './excluded.ts'
import { repositoriesTable } from './repositories.ts'
import type { DeveloperTable } from './table.ts'

export type { DeveloperTable } from './table.ts'

/** Tables about those who build, by the name that the page and the API use. */
export const DEVELOPER_TABLES: Readonly<Record<string, DeveloperTable>> = {
  ecosystems: ecosystemsTable,
  repositories: repositoriesTable,
  overlap: overlapTable,
  excluded: excludedTable,
  programs: botsTable,
  programmes: programmesTable,
}
