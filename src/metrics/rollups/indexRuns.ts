import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { indexKept } from '#warehouse/tables/indices.ts'
import { INDEX_VIEWS } from '#warehouse/views/indices.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import { markOfText } from './declaration.ts'

/** What publishers say that an index rests on. */
export const INDEX_FIGURES = [
  'token.price',
  'token.mcap',
  'token.supply',
  'token.volume',
  'fees.chain_usd',
] as const

/** What each table is filled with: the views that readers may run themselves. */
const STATEMENTS: readonly (readonly [table: (typeof indexKept)[keyof typeof indexKept], select: string])[] =
  [
    [
      indexKept.snapshots,
      `SELECT
  {run:UInt64}, c.*, if(w.weight > 0, toNullable(w.weight), NULL), if(w.weight > 0, toNullable(w.free_weight), NULL),
  w.is_capped, nullIf(max(w.market_usd) OVER (PARTITION BY c.index_id, c.day), 0)
FROM index_candidates AS c
LEFT JOIN index_weights AS w ON w.index_id = c.index_id AND w.day = c.day AND w.token = c.token`,
    ],
    [
      indexKept.levels,
      `SELECT
  {run:UInt64}, d.index_id, d.day, d.rebalanced_day, d.level, d.level_net, d.level_equal, d.constituents, d.traded,
  d.stale_days, d.spread, d.price_source, d.as_of
FROM index_days AS d`,
    ],
    [
      indexKept.shares,
      `SELECT {run:UInt64}, d.index_id, d.day, part.1, part.2
FROM index_days AS d
ARRAY JOIN CAST(d.weights, 'Array(Tuple(String, Float64))') AS part`,
    ],
  ]

const DECLARED = String(
  markOfText([...INDEX_VIEWS.map(({ sql }) => sql), ...STATEMENTS.map(([, select]) => select)].join('\n')),
)

const MARK_SQL = `SELECT toString((
  {declared:String}, toDate(now('UTC')),
  (SELECT max(loaded_at) FROM ${BASE_DATABASE}.index_rule_loads),
  (SELECT count() FROM ${BASE_DATABASE}.prices),
  (SELECT count() FROM ${BASE_DATABASE}.observations WHERE metric IN (${INDEX_FIGURES.map(id => `'${id}'`).join(', ')})),
  (SELECT count() FROM ${BASE_DATABASE}.sources)
)) AS mark, (
  SELECT argMax(r.mark, r.run) FROM ${BASE_DATABASE}.index_runs AS r
) AS last`

/**
 * Computes all indices anew where rules, statements, prices or what publishers say are others than at the last computation,
 * or a day has ended: never from what was computed before. Returns whether it did. A computation counts once its own row is
 * written, last; the rows of those before it go then.
 */
export async function refreshIndices({ warehouse }: Pick<RollupDeps, 'warehouse'>): Promise<boolean> {
  const { writer } = warehouse
  const [marks] = await ask<{ mark: string; last: string }>(writer, MARK_SQL, { declared: DECLARED })
  if (marks === undefined || marks.mark === marks.last) return false
  const run = BigInt(Date.now()) * 1000n
  for (const [table, select] of STATEMENTS)
    await writer.command({
      query: `INSERT INTO ${BASE_DATABASE}.${table.name} (${Object.keys(table.columns).map(snake).join(', ')})\n${select}`,
      query_params: { run: run.toString() },
    })
  await warehouse.insertRows(indexKept.runs, [
    { run, mark: marks.mark, computedAt: Math.floor(Date.now() / 1000) },
  ])
  for (const { name } of Object.values(indexKept))
    await writer.command({
      query: `DELETE FROM ${BASE_DATABASE}.${name} WHERE run < {run:UInt64}`,
      query_params: { run: run.toString() },
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    })
  return true
}
