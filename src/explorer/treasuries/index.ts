import { conservationTable, fallTable, fundsTable, holdersTable, listTable, movesTable } from './all.ts'
import {
  addressesTable,
  eventsTable,
  evidenceTable,
  flowsTable,
  instrumentsTable,
  peersTable,
  shockTable,
} from './one.ts'
import type { TreasuryTable } from './table.ts'

export type { TreasuryTable } from './table.ts'

/** Tables over all holders of bitcoin, by the name that pages and the API use. */
export const TREASURIES_TABLES: Readonly<Record<string, TreasuryTable>> = {
  holders: holdersTable,
  moves: movesTable,
  fall: fallTable,
  funds: fundsTable,
  conservation: conservationTable,
  list: listTable,
}

/** Tables about one holder. */
export const TREASURY_TABLES: Readonly<Record<string, TreasuryTable>> = {
  evidence: evidenceTable,
  events: eventsTable,
  instruments: instrumentsTable,
  shock: shockTable,
  peers: peersTable,
  addresses: addressesTable,
  flows: flowsTable,
}
