import type { Table } from '#kernel/table.ts'
import { BASE_DATABASE } from './ddl.ts'
import type { BatchLogTable, IngestStatesTable } from './tables/batches.ts'
import { columnType, sqlString } from './types.ts'
import { committedView, plainView, type View, view } from './view.ts'

/**
 * Chains whose rows are committed through one log: a statement builds the set of live batches of its family alone, and
 * families never wait for one another. Tables are named by the family: `btc_batches`, `btc_blocks`.
 */
export type BatchFamily = {
  /** How the names of its tables begin: `btc`. */
  readonly prefix: string
  readonly log: BatchLogTable
  /** Tables whose rows belong to a batch; each has `height`. */
  readonly tables: readonly Table[]
  /** One of `tables`: `height`, `hash`, and `block_time` where its source says it. */
  readonly blocks: Table
  readonly stale: Table
  readonly states: IngestStatesTable
  /** What names a batch: `batch`, after `chain` where the log serves many chains. */
  readonly key: readonly string[]
  /** The batches that readers see, in `base`. */
  readonly live: View
}

/** One chain of a family; `chain` is its name where the family has many. */
export type ChainOfFamily = { readonly family: BatchFamily; readonly chain?: string | undefined }

type Declared = Omit<BatchFamily, 'key' | 'live'>

export function batchFamily(declared: Declared): BatchFamily {
  const isOfMany = 'chain' in declared.log.columns
  const key = isOfMany ? ['chain', 'batch'] : ['batch']
  return {
    ...declared,
    key,
    live: view(`${declared.prefix}_live_batches`, {
      doc: 'One row per batch that is committed and not taken back.',
      columns: { ...(isOfMany ? { chain: 'the chain' } : {}), batch: 'the batch' },
      types: { ...chainType(declared.log), batch: 'UInt32' },
      sql: `SELECT ${key.join(', ')}
FROM ${BASE_DATABASE}.${declared.log.name}
GROUP BY ${key.join(', ')}
HAVING argMax(is_live, seq)`,
    }),
  }
}

/** SQL: whether a row of a batch table is one that readers see. `of` names the table where a statement has several. */
export function isLiveSql({ key, live }: BatchFamily, of?: string): string {
  const columns = key.map(column => (of === undefined ? column : `${of}.${column}`))
  const [left] = columns.length === 1 ? columns : [`(${columns.join(', ')})`]
  return `${left} IN (SELECT ${key.join(', ')} FROM ${BASE_DATABASE}.${live.name})`
}

/** SQL: whether a row is of this chain, with ` AND ` behind it; empty where its family has no other. */
export const ofChainSql = ({ chain }: ChainOfFamily, of?: string): string =>
  chain === undefined ? '' : `${of === undefined ? '' : `${of}.`}chain = ${sqlString(chain)} AND `

/** Rows as the tables of a family hold them: with the name of the chain where the family has many. */
export const rowsOfChain = <Row extends object>(
  { chain }: ChainOfFamily,
  rows: readonly Row[],
): readonly Row[] => (chain === undefined ? rows : rows.map(row => ({ ...row, chain })))

/** The public faces of a family: rows of live batches alone, its log, what lost, what it does, what is held. */
export const familyViews = (family: BatchFamily): View[] => [
  ...family.tables.map(table => committedView(table, isLiveSql(family))),
  ...[family.log, family.stale, family.states].map(plainView),
  coverageView(family),
]

/** The type of the column `chain`, where a log has it. */
function chainType({ columns }: Table): Record<string, string> {
  const { chain } = columns
  return chain === undefined ? {} : { chain: columnType(chain) }
}

function coverageView(family: BatchFamily): View {
  const { prefix, key, log, blocks } = family
  const [of, partition] = key.includes('chain') ? ['chain, ', 'PARTITION BY chain '] : ['', '']
  const names = key.join(', ')
  return view(`${prefix}_coverage`, {
    doc: 'One row per contiguous range of heights whose blocks are held.',
    columns: {
      ...(of === '' ? {} : { chain: 'the chain' }),
      from_height: 'lowest height of the range',
      to_height: 'highest height of the range',
      block_count: 'blocks in the range',
    },
    types: {
      ...chainType(log),
      from_height: 'UInt32',
      to_height: 'UInt32',
      block_count: 'Int64',
    },
    sql: `WITH
  live AS (
    SELECT ${names}, from_height, to_height, block_count
    FROM ${BASE_DATABASE}.${log.name}
    WHERE ${isLiveSql(family)}
    ORDER BY seq DESC
    LIMIT 1 BY ${names}
  ),
  ranges AS (
    SELECT ${of}from_height, to_height
    FROM live
    WHERE block_count = to_height - from_height + 1
    UNION ALL
    SELECT ${of}height AS from_height, height AS to_height
    FROM ${BASE_DATABASE}.${blocks.name}
    WHERE ${key.length === 1 ? names : `(${names})`} IN (SELECT ${names} FROM live WHERE block_count != to_height - from_height + 1)
  ),
  marked AS (
    SELECT
      ${of}from_height,
      to_height,
      from_height > max(to_height) OVER (
        ${partition}ORDER BY from_height, to_height ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) + 1 AS opens
    FROM ranges
  ),
  grouped AS (
    SELECT ${of}from_height, to_height, sum(opens) OVER (${partition}ORDER BY from_height, to_height) AS stretch
    FROM marked
  )
SELECT
  ${of}min(grouped.from_height) AS from_height,
  max(grouped.to_height) AS to_height,
  max(grouped.to_height) - min(grouped.from_height) + 1 AS block_count
FROM grouped
GROUP BY ${of}grouped.stretch
ORDER BY ${of}from_height`,
  })
}
