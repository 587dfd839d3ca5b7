import type { Table } from '#kernel/table.ts'
import { columnType, sqlColumns, sqlString } from './types.ts'

/** Physical tables live here; people read the views of the same name in `default`. */
export const BASE_DATABASE = 'base'

/** Rows of a local table live in this suffix when a `Distributed` table stands in front of them. */
const LOCAL_SUFFIX = '_local'

/** `CREATE DATABASE`, on every node of the cluster if there is one. */
export const createDatabaseSql = (name: string, cluster?: string): string =>
  `CREATE DATABASE IF NOT EXISTS ${name}${onCluster(cluster)}`

/**
 * The statements that make a table: one on a single engine; on a cluster the replicated table that holds a node's rows,
 * and the `Distributed` table of the declared name that spreads reads and inserts over all nodes.
 */
export function createTableSql(table: Table, cluster?: string): string[] {
  const engine = table.engine ?? 'MergeTree'
  if (cluster === undefined)
    return [createSql(table, table.name, `${engine}${engine.includes('(') ? '' : '()'}`)]
  const local = table.name + LOCAL_SUFFIX
  const path = `'/clickhouse/tables/{shard}/${BASE_DATABASE}/${local}', '{replica}'`
  const [family = engine, more = ''] = engine.replace(/\)$/, '').split(/\((.*)/s)
  const replicated = `Replicated${family}(${more === '' ? path : `${path}, ${more}`})`
  return [
    createSql(table, local, replicated, cluster),
    `CREATE TABLE IF NOT EXISTS ${BASE_DATABASE}.${table.name}${onCluster(cluster)} AS ${BASE_DATABASE}.${local}
ENGINE = Distributed(${sqlString(cluster)}, ${BASE_DATABASE}, ${local}, ${shardingKey(table)})
COMMENT ${sqlString(table.doc)}`,
  ]
}

/** Rows of one table that the engine writes into another as they arrive. */
export type Fill = {
  readonly name: string
  /** The table whose inserts it sees; `sql` reads it as `base.<source>`. */
  readonly source: string
  /** A table with the columns of `sql`. */
  readonly target: string
  readonly sql: string
}

/** The statements that make a fill anew. On a cluster it works where rows land, and the target spreads them. */
export function createFillSql({ name, source, target, sql }: Fill, cluster?: string): string[] {
  const from = `${BASE_DATABASE}.${source}`
  const select = cluster === undefined ? sql : sql.replaceAll(from, from + LOCAL_SUFFIX)
  return [
    `DROP VIEW IF EXISTS ${BASE_DATABASE}.${name}${onCluster(cluster)}`,
    `CREATE MATERIALIZED VIEW ${BASE_DATABASE}.${name}${onCluster(cluster)} TO ${BASE_DATABASE}.${target} AS\n${select}`,
  ]
}

/** Adds the columns that a table lacks, in declared order, on every table that stands for it. */
export function addColumnsSql(table: Table, missing: readonly string[], cluster?: string): string[] {
  const columns = sqlColumns(table)
  const names = cluster === undefined ? [table.name] : [table.name + LOCAL_SUFFIX, table.name]
  return names.map(
    name =>
      `ALTER TABLE ${BASE_DATABASE}.${name}${onCluster(cluster)}\n  ${columns
        .flatMap(({ name: column }, i) => {
          if (!missing.includes(column)) return []
          const before = columns[i - 1]
          return [
            `ADD COLUMN ${columnSql(columns[i]!)} ${before === undefined ? 'FIRST' : `AFTER ${before.name}`}`,
          ]
        })
        .join(',\n  ')}`,
  )
}

/** Brings types in line with the declaration, on every table that stands for it. */
export function changeTypesSql(table: Table, names: readonly string[], cluster?: string): string[] {
  const changes = sqlColumns(table)
    .filter(({ name }) => names.includes(name))
    .map(({ name, column }) => `MODIFY COLUMN ${name} ${columnType(column)}`)
  const tables = cluster === undefined ? [table.name] : [table.name + LOCAL_SUFFIX, table.name]
  return tables.map(
    name => `ALTER TABLE ${BASE_DATABASE}.${name}${onCluster(cluster)}\n  ${changes.join(',\n  ')}`,
  )
}

/** Brings column comments in line with the declaration. */
export const commentColumnsSql = (table: Table, names: readonly string[], cluster?: string): string =>
  `ALTER TABLE ${BASE_DATABASE}.${table.name}${onCluster(cluster)}\n  ${sqlColumns(table)
    .filter(({ name }) => names.includes(name))
    .map(({ name, column }) => `COMMENT COLUMN ${name} ${sqlString(column.doc)}`)
    .join(',\n  ')}`

/** Brings settings in line with the declaration, but for those that a table keeps from its making. */
export function changeSettingsSql(table: Table, cluster?: string): string[] {
  const settings = Object.entries(table.settings ?? {}).filter(([name]) => name !== 'index_granularity')
  if (settings.length === 0) return []
  const name = cluster === undefined ? table.name : table.name + LOCAL_SUFFIX
  const list = settings.map(([key, value]) => `${key} = ${value}`).join(', ')
  return [`ALTER TABLE ${BASE_DATABASE}.${name}${onCluster(cluster)} MODIFY SETTING ${list}`]
}

/** Keeps the declared projections that a table lacks, of the rows that are there too, and lets go of those that are declared no more. */
export function changeProjectionsSql(table: Table, held: readonly string[], cluster?: string): string[] {
  const name = cluster === undefined ? table.name : table.name + LOCAL_SUFFIX
  const alter = `ALTER TABLE ${BASE_DATABASE}.${name}${onCluster(cluster)}`
  const declared = Object.entries(table.projections ?? {})
  return [
    ...held
      .filter(each => !declared.some(([projection]) => projection === each))
      .map(each => `${alter} DROP PROJECTION ${each}`),
    ...declared
      .filter(([projection]) => !held.includes(projection))
      .flatMap(([projection, select]) => [
        `${alter} ADD PROJECTION ${projection} (${select})`,
        `${alter} MATERIALIZE PROJECTION ${projection}`,
      ]),
  ]
}

export const onCluster = (cluster: string | undefined): string =>
  cluster === undefined ? '' : ` ON CLUSTER ${sqlString(cluster)}`

type SqlColumn = ReturnType<typeof sqlColumns>[number]

function columnSql({ name, column }: SqlColumn): string {
  const codec = column.codec === undefined ? '' : ` CODEC(${column.codec})`
  return `${name} ${columnType(column)} COMMENT ${sqlString(column.doc)}${codec}`
}

function createSql(table: Table, name: string, engine: string, cluster?: string): string {
  const indexes = Object.entries(table.indexes ?? {}).map(([index, rest]) => `INDEX ${index} ${rest}`)
  const projections = Object.entries(table.projections ?? {}).map(
    ([projection, select]) => `PROJECTION ${projection} (${select})`,
  )
  const settings = Object.entries(table.settings ?? {}).map(([key, value]) => `${key} = ${value}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${BASE_DATABASE}.${name}${onCluster(cluster)}`,
    `(\n  ${[...sqlColumns(table).map(columnSql), ...indexes, ...projections].join(',\n  ')}\n)`,
    `ENGINE = ${engine}`,
    ...(table.partitionBy === undefined ? [] : [`PARTITION BY ${table.partitionBy}`]),
    `ORDER BY (${table.orderBy.join(', ')})`,
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
    `COMMENT ${sqlString(table.doc)}`,
  ].join('\n')
}

/** Rows that are read together stay on one node: blocks by height, the rest by the first key column. */
function shardingKey(table: Table): string {
  const first = table.orderBy[0] ?? 'rand()'
  const column = sqlColumns(table).find(({ name }) => name === first)?.column
  const isInteger = column !== undefined && /^[ui]\d+$|^time$|^date$/.test(column.kind)
  return first === 'height' ? 'intDiv(height, 1000)' : isInteger ? first : `cityHash64(${first})`
}
