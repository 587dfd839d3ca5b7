import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { treasuryKept } from '#warehouse/tables/treasuries.ts'
import { treasuryBalanceDays } from '#warehouse/views/treasuries.ts'
import type { RollupDeps } from '../deps.ts'
import { type Kept, keepRun } from './keepRun.ts'

const { balances, runs } = treasuryKept

const KEPT: Kept = {
  statements: [
    [
      balances,
      `SELECT {run:UInt64}, ${Object.keys(balances.columns).map(snake).slice(1).join(', ')} FROM ${treasuryBalanceDays.name}`,
    ],
  ],
  runs,
  declared: treasuryBalanceDays.sql,
  rests: `(SELECT max(loaded_at) FROM ${BASE_DATABASE}.treasury_holder_loads),
  (SELECT (count(), max(seq)) FROM ${BASE_DATABASE}.btc_batches),
  (SELECT (count(), max(run)) FROM ${BASE_DATABASE}.rollup_runs WHERE rollup = 'btc_address_days')`,
}

/** Keeps what lies on published addresses, after days are counted by address. */
export const refreshTreasuryBalances = (deps: Pick<RollupDeps, 'warehouse'>): Promise<boolean> =>
  keepRun(deps, KEPT)
