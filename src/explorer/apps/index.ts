import { cohortsTable } from './cohorts.ts'
import { comparedExchangeTable, comparedLenderTable } from './compared.ts'
import { poolsTable, routesTable, swapsTable, tradersTable } from './dexTables.ts'
import { stakingEventsTable, unknownPrintsTable, vaultEventsTable, vaultsTable } from './events.ts'
import { functionsTable } from './functions.ts'
import { governanceTable } from './governance.ts'
import { healthTable, ladderTable } from './ladder.ts'
import { curvesTable, liquidationsTable, marketsTable } from './lending.ts'
import { oraclesTable } from './oracles.ts'
import type { AppTable } from './table.ts'
import { holdersTable, tokenTradesTable } from './token.ts'

export {
  type App,
  type AppColumn,
  type AppRow,
  type AppTable,
  appOf,
  CELL_FORMS,
  readAppTable,
} from './table.ts'

/** Tables that pages of applications show, by the name that their declarations use. */
export const APP_TABLES: Readonly<Record<string, AppTable>> = {
  functions: functionsTable,
  governance: governanceTable,
  markets: marketsTable,
  curves: curvesTable,
  liquidations: liquidationsTable,
  ladder: ladderTable,
  health: healthTable,
  oracles: oraclesTable,
  vaults: vaultsTable,
  staking_events: stakingEventsTable,
  vault_events: vaultEventsTable,
  unknown_prints: unknownPrintsTable,
  cohorts: cohortsTable,
  compared_exchange: comparedExchangeTable,
  compared_lender: comparedLenderTable,
  pools: poolsTable,
  routes: routesTable,
  traders: tradersTable,
  swaps: swapsTable,
  holders: holdersTable,
  token_trades: tokenTradesTable,
}
