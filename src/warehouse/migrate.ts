import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Column, Table } from '#kernel/table.ts'
import {
  addColumnsSql,
  BASE_DATABASE,
  changeProjectionsSql,
  changeSettingsSql,
  changeTypesSql,
  commentColumnsSql,
  createDatabaseSql,
  createFillSql,
  createTableSql,
  onCluster,
} from './ddl.ts'
import { WarehouseError } from './errors.ts'
import { layersOfHere, tablesOfHere } from './layerNames.ts'
import type { Schema } from './schema.ts'
import { columnType, sqlColumns, sqlString } from './types.ts'
import type { View } from './view.ts'
import { knownTypes } from './viewTypes.ts'

export type Migration = {
  /** What was done, a line each; empty when the warehouse was as declared. */
  readonly changes: readonly string[]
}

type Held = { table: string; name: string; type: string; comment: string }

/**
 * Makes databases, tables, fills and views as declared, and adds columns that tables lack. Throws `warehouse.migration`,
 * before it has changed anything, if a declaration would lose what is held: a column of another type, another order. A
 * closed set may get more names at its end, a column may become one that can be without a value, and numbers whose sign
 * was declared wrongly are read as unsigned.
 * A fingerprint of the declarations is kept in `base.schema_versions`, so an unchanged warehouse costs one read.
 */
export async function migrate(
  client: ClickHouseClient,
  schema: Schema,
  cluster?: string,
): Promise<Migration> {
  const run = (query: string) => client.command({ query })
  await run(createDatabaseSql(BASE_DATABASE, cluster))
  await run(versionsSql(cluster))
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([schema, cluster]))
    .digest('hex')
  if ((await newestVersion(client)) === fingerprint) return { changes: [] }

  const layers = await layersOfHere(client, schema)
  const held = await heldColumns(client)
  const orders = await heldOrders(client)
  const projections = await heldProjections(client)
  const plans = tablesOfHere(schema, layers).map(table => {
    const plan = planOf(table, held, orders.get(table.name), cluster)
    const isNew = !held.some(column => column.table === table.name)
    const ofRows = isNew ? [] : changeProjectionsSql(table, projections.get(table.name) ?? [], cluster)
    return { ...plan, statements: [...plan.statements, ...ofRows] }
  })
  await Promise.all(
    plans.map(async ({ statements }) => {
      for (const sql of statements) await run(sql)
    }),
  )
  for (const one of schema.baseViews)
    await createView(client, BASE_DATABASE, one, await askTypes(client, one), cluster)
  // Rows that arrive between the two statements would be missed: migrations run before ingest.
  for (const fill of schema.fills) for (const sql of createFillSql(fill, cluster)) await run(sql)
  // Views whose types are known need nothing to be there first; the others may read them, in declared order.
  const asked: View[] = []
  await Promise.all(
    schema.views.map(async one => {
      const types = knownTypes(one, layers)
      if (types === undefined) asked.push(one)
      else await createView(client, 'default', one, types, cluster)
    }),
  )
  for (const one of asked) await createView(client, 'default', one, await askTypes(client, one), cluster)
  await run(`INSERT INTO ${BASE_DATABASE}.schema_versions SELECT ${sqlString(fingerprint)}, now64(3, 'UTC')`)
  const changes = plans.flatMap(({ change }) => (change === undefined ? [] : [change]))
  return { changes: [...changes, `${schema.views.length} views made`] }
}

const versionsSql = (
  cluster?: string,
): string => `CREATE TABLE IF NOT EXISTS ${BASE_DATABASE}.schema_versions${onCluster(cluster)}
(
  fingerprint String COMMENT 'SHA-256 of the declarations',
  applied_at DateTime64(3, 'UTC') COMMENT 'when they were applied, UTC'
)
ENGINE = ${cluster === undefined ? 'MergeTree()' : `ReplicatedMergeTree('/clickhouse/tables/all/${BASE_DATABASE}/schema_versions', '{shard}-{replica}')`}
ORDER BY applied_at
COMMENT 'One row per change of the declared schema.'`

async function newestVersion(client: ClickHouseClient): Promise<string | undefined> {
  const [newest] = await rowsOf<{ fingerprint: string }>(
    client,
    `SELECT fingerprint FROM ${BASE_DATABASE}.schema_versions ORDER BY applied_at DESC LIMIT 1`,
  )
  return newest?.fingerprint
}

const heldColumns = (client: ClickHouseClient): Promise<Held[]> =>
  rowsOf<Held>(
    client,
    `SELECT table, name, type, comment FROM system.columns WHERE database = '${BASE_DATABASE}' ORDER BY table, position`,
  )

async function heldOrders(client: ClickHouseClient): Promise<Map<string, string>> {
  const rows = await rowsOf<{ name: string; sorting_key: string }>(
    client,
    `SELECT name, sorting_key FROM system.tables WHERE database = '${BASE_DATABASE}' AND sorting_key != ''`,
  )
  return new Map(rows.map(({ name, sorting_key }) => [name, sorting_key]))
}

/** Names of projections by declared table; on a cluster the rows’ own table has them. */
async function heldProjections(client: ClickHouseClient): Promise<Map<string, string[]>> {
  const rows = await rowsOf<{ table: string; names: string[] }>(
    client,
    `SELECT replaceRegexpOne(table, '_local$', '') AS table, groupUniqArray(name) AS names FROM system.projections WHERE database = '${BASE_DATABASE}' GROUP BY table`,
  )
  return new Map(rows.map(({ table, names }) => [table, names]))
}

function planOf(
  table: Table,
  held: readonly Held[],
  order: string | undefined,
  cluster: string | undefined,
): { statements: string[]; change?: string } {
  const now = held.filter(column => column.table === table.name)
  if (now.length === 0)
    return { statements: createTableSql(table, cluster), change: `table ${table.name} made` }
  const declared = sqlColumns(table)
  const names = new Set(declared.map(({ name }) => name))
  for (const { name, type } of now) {
    if (!names.has(name))
      throw refusal(table, `column ${name} is held and not declared: dropping it would lose it`)
    const column = declared.find(each => each.name === name)!.column
    if (columnType(column) !== type && !isConvertible(type, column))
      throw refusal(table, `column ${name} is held as ${type} and declared as ${columnType(column)}`)
  }
  if (order !== undefined && bare(order) !== bare(table.orderBy.join()))
    throw refusal(
      table,
      `rows are held in the order (${order.replace(/^\((.*)\)$/, '$1')}) and declared in (${table.orderBy.join(', ')})`,
    )
  const missing = declared.map(({ name }) => name).filter(name => !now.some(column => column.name === name))
  const outdated = now
    .filter(({ name, comment }) => declared.find(each => each.name === name)?.column.doc !== comment)
    .map(({ name }) => name)
  const longer = now
    .filter(({ name, type }) => columnType(declared.find(each => each.name === name)!.column) !== type)
    .map(({ name }) => name)
  const told = [
    ...(missing.length === 0 ? [] : [`${missing.join(', ')} added`]),
    ...(longer.length === 0 ? [] : [`types of ${longer.join(', ')} changed`]),
  ]
  return {
    statements: [
      ...(longer.length === 0 ? [] : changeTypesSql(table, longer, cluster)),
      ...(missing.length === 0 ? [] : addColumnsSql(table, missing, cluster)),
      ...(outdated.length === 0 ? [] : [commentColumnsSql(table, outdated, cluster)]),
      ...changeSettingsSql(table, cluster),
    ],
    ...(told.length === 0 ? {} : { change: `table ${table.name}: ${told.join('; ')}` }),
  }
}

/** A closed set with more names at its end: rows keep their codes, the engine changes nothing but the declaration. */
function isLongerSet(held: string, declared: string): boolean {
  const [before, after] = [held, declared].map(type => /^((?:Nullable\()?Enum8\()(.*?)\)+$/.exec(type))
  return before != null && after != null && before[1] === after[1] && after[2]!.startsWith(`${before[2]}, `)
}

/** The engine changes the type without losing a value: a longer set, one that may have no value, or a former declaration. */
function isConvertible(held: string, column: Column): boolean {
  const declared = columnType(column)
  if (declared === `Nullable(${held})` || isLongerSet(held, declared)) return true
  const { formerly, ...rest } = column
  return formerly !== undefined && held === columnType({ ...rest, kind: formerly })
}

/** The engine writes a key of one column with parentheses, a longer one without. */
const bare = (key: string): string => key.replaceAll(/[\s()]/g, '')

type Types = Readonly<Record<string, string>>

/** Types of a view's columns in their order, as the engine tells them. What a statement gives is dear to find out. */
export async function askTypes(client: ClickHouseClient, { sql }: View): Promise<Types> {
  const columns = await rowsOf<{ name: string; type: string }>(client, `DESCRIBE TABLE (${sql})`)
  return Object.fromEntries(columns.map(({ name, type }) => [name, type]))
}

/** Views carry their columns' types and comments. */
async function createView(
  client: ClickHouseClient,
  database: string,
  { name, doc, columns, sql }: View,
  types: Types,
  cluster: string | undefined,
): Promise<void> {
  const unknown = Object.keys(columns).find(column => types[column] === undefined)
  if (unknown !== undefined)
    throw new WarehouseError(
      'warehouse.view',
      `View ${name} documents ${unknown}, a column that it does not have.`,
    )
  const list = Object.entries(types).map(([column, type]) => {
    const about = columns[column]
    return `  ${column} ${type}${about === undefined ? '' : ` COMMENT ${sqlString(about)}`}`
  })
  await client.command({
    query: `CREATE OR REPLACE VIEW ${database}.${name}${onCluster(cluster)}\n(\n${list.join(',\n')}\n)\nAS ${sql}\nCOMMENT ${sqlString(doc)}`,
  })
}

async function rowsOf<Row>(client: ClickHouseClient, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow' })
  return result.json<Row>()
}

const refusal = (table: Table, what: string): WarehouseError =>
  new WarehouseError('warehouse.migration', `Table ${BASE_DATABASE}.${table.name}: ${what}.`, {
    hint: 'Nothing was changed. Start in an empty ASSAY_HOME, or write the rows into a table of the new form.',
  })
