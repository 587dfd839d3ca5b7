import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { treasuryKept } from '#warehouse/tables/treasuries.ts'
import { treasuryBalanceDays } from '#warehouse/views/treasuries.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import { markOfText } from './declaration.ts'

const { balances, runs } = treasuryKept

const DECLARED = String(markOfText(treasuryBalanceDays.sql))

const MARK_SQL = `SELECT toString((
  {declared:String},
  (SELECT max(loaded_at) FROM ${BASE_DATABASE}.treasury_holder_loads),
  (SELECT (count(), max(seq)) FROM ${BASE_DATABASE}.btc_batches),
  (SELECT (count(), max(run)) FROM ${BASE_DATABASE}.rollup_runs WHERE rollup = 'btc_address_days')
)) AS mark, (
  SELECT argMax(r.mark, r.run) FROM ${BASE_DATABASE}.${runs.name} AS r
) AS last`

/**
 * Computes what lies on published addresses anew where addresses, blocks or days counted by address are others than at the last
 * computation: statements are read by many figures, and each reading would plan the sum over all days again. A computation
 * counts once its own row is written, last; the rows of those before it go then.
 */
export async function refreshTreasuryBalances({ warehouse }: Pick<RollupDeps, 'warehouse'>): Promise<void> {
  const { writer } = warehouse
  const [marks] = await ask<{ mark: string; last: string }>(writer, MARK_SQL, { declared: DECLARED })
  if (marks === undefined || marks.mark === marks.last) return
  const run = BigInt(Date.now()) * 1000n
  const columns = Object.keys(balances.columns).map(snake)
  await writer.command({
    query: `INSERT INTO ${BASE_DATABASE}.${balances.name} (${columns.join(', ')})
SELECT {run:UInt64}, ${columns.slice(1).join(', ')}
FROM ${treasuryBalanceDays.name}`,
    query_params: { run: run.toString() },
  })
  await warehouse.insertRows(runs, [{ run, mark: marks.mark, computedAt: Math.floor(Date.now() / 1000) }])
  for (const { name } of [balances, runs])
    await writer.command({
      query: `DELETE FROM ${BASE_DATABASE}.${name} WHERE run < {run:UInt64}`,
      query_params: { run: run.toString() },
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    })
}
