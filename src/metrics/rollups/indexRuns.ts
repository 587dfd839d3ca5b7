import { BASE_DATABASE } from '#warehouse/index.ts'
import { indexKept } from '#warehouse/tables/indices.ts'
import { INDEX_VIEWS } from '#warehouse/views/indices.ts'
import type { RollupDeps } from '../deps.ts'
import { type Kept, keepRun } from './keepRun.ts'

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

const KEPT: Kept = {
  statements: STATEMENTS,
  runs: indexKept.runs,
  declared: INDEX_VIEWS.map(({ sql }) => sql).join('\n'),
  // Ages of prices end with a day.
  rests: `toDate(now('UTC')),
  (SELECT max(loaded_at) FROM ${BASE_DATABASE}.index_rule_loads),
  (SELECT count() FROM ${BASE_DATABASE}.prices),
  (SELECT count() FROM ${BASE_DATABASE}.observations WHERE metric IN (${INDEX_FIGURES.map(id => `'${id}'`).join(', ')})),
  (SELECT count() FROM ${BASE_DATABASE}.sources)`,
}

/** Keeps all indices, anew where rules, prices or what publishers say are others, or a day has ended. */
export const refreshIndices = (deps: Pick<RollupDeps, 'warehouse'>): Promise<boolean> => keepRun(deps, KEPT)
