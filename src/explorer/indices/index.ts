import { indicesTable } from './all.ts'
import { correlationsTable } from './correlations.ts'
import { contributionsTable, membersTable, rebalancingsTable, rebuildTable, snapshotTable } from './one.ts'
import type { IndexTable } from './table.ts'

export { type IndexMarket, inputsSql, readIndexMarket } from './market.ts'
export type { IndexTable } from './table.ts'

/** Tables over all indices, by the name that the page and the API use. */
export const INDICES_TABLES: Readonly<Record<string, IndexTable>> = {
  indices: indicesTable,
  correlations: correlationsTable,
}

/** Tables about one index. */
export const INDEX_TABLES: Readonly<Record<string, IndexTable>> = {
  members: membersTable,
  rebalancings: rebalancingsTable,
  snapshot: snapshotTable,
  contributions: contributionsTable,
  rebuild: rebuildTable,
}
