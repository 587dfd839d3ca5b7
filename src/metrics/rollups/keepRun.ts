import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import { markOfText } from './declaration.ts'

/** What is computed whole and kept, since planning it anew for each reader costs more than reading it. */
export type Kept = {
  /** What each table is filled with: a statement whose first column is `{run:UInt64}`. */
  readonly statements: readonly (readonly [table: Table, select: string])[]
  /** One row per computation: `run`, `mark`, `computed_at`. */
  readonly runs: Table
  /** What the statements follow from beside their own text: it names what they were declared as. */
  readonly declared: string
  /** SQL of parts of a tuple that differs after each change of what the statements rest on. */
  readonly rests: string
}

/**
 * Computes anew where what it rests on, or how it is declared, is another than at the last computation: never from what was computed
 * before. Returns whether it did. A computation counts once its own row is written, last; the rows of those before it go then.
 */
export async function keepRun(
  { warehouse }: Pick<RollupDeps, 'warehouse'>,
  { statements, runs, declared, rests }: Kept,
): Promise<boolean> {
  const { writer } = warehouse
  const [marks] = await ask<{ mark: string; last: string }>(
    writer,
    `SELECT toString((
  {declared:String}, ${rests}
)) AS mark, (
  SELECT argMax(r.mark, r.run) FROM ${BASE_DATABASE}.${runs.name} AS r
) AS last`,
    { declared: String(markOfText(`${declared}\n${statements.map(([, select]) => select).join('\n')}`)) },
  )
  if (marks === undefined || marks.mark === marks.last) return false
  const run = BigInt(Date.now()) * 1000n
  for (const [table, select] of statements)
    await writer.command({
      query: `INSERT INTO ${BASE_DATABASE}.${table.name} (${Object.keys(table.columns).map(snake).join(', ')})\n${select}`,
      query_params: { run: run.toString() },
    })
  await warehouse.insertRows(runs, [{ run, mark: marks.mark, computedAt: Math.floor(Date.now() / 1000) }])
  for (const { name } of [...statements.map(([table]) => table), runs])
    await writer.command({
      query: `DELETE FROM ${BASE_DATABASE}.${name} WHERE run < {run:UInt64}`,
      query_params: { run: run.toString() },
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    })
  return true
}
