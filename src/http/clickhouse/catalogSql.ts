import { UPLOADS_WORD, type Upload } from '#queries/index.ts'
import { sqlString } from '#warehouse/index.ts'

/**
 * Replacements for the system tables that clients read to list databases, tables and columns. They pass the gate and list only
 * public tables and the caller's uploads. ClickHouse columns that do not apply are empty.
 */
const NO_UUID = "toUUID('00000000-0000-0000-0000-000000000000')"
const NO_NAMES = "CAST([], 'Array(String)')"
const NO_COUNT = "CAST(NULL, 'Nullable(UInt64)')"
const NO_TEXT = "CAST(NULL, 'Nullable(String)')"

const listed = (columns: readonly (readonly [name: string, sql: string])[]): string =>
  columns.map(([name, sql]) => `${sql} AS \`${name}\``).join(', ')

/** Database row for `default` or `uploads`. */
const databaseSql = (name: string): string =>
  `SELECT ${listed([
    ['name', sqlString(name)],
    ['engine', "'Atomic'"],
    ['data_path', "''"],
    ['metadata_path', "''"],
    ['uuid', NO_UUID],
    ['engine_full', "'Atomic'"],
    ['comment', "''"],
  ])}`

const TABLES_SQL = `SELECT ${listed([
  ['database', "'default'"],
  ['name', 'table_name'],
  ['table', 'table_name'],
  ['uuid', NO_UUID],
  ['engine', "'View'"],
  ['is_temporary', 'toUInt8(0)'],
  ['data_paths', NO_NAMES],
  ['metadata_path', "''"],
  ['metadata_modification_time', "toDateTime(0, 'UTC')"],
  ['dependencies_database', NO_NAMES],
  ['dependencies_table', NO_NAMES],
  ['create_table_query', "''"],
  ['engine_full', "''"],
  ['as_select', "''"],
  ['partition_key', "''"],
  ['sorting_key', "''"],
  ['primary_key', "''"],
  ['sampling_key', "''"],
  ['storage_policy', "''"],
  ['total_rows', NO_COUNT],
  ['total_bytes', NO_COUNT],
  ['total_bytes_uncompressed', NO_COUNT],
  ['parts', NO_COUNT],
  ['active_parts', NO_COUNT],
  ['total_marks', NO_COUNT],
  ['lifetime_rows', NO_COUNT],
  ['lifetime_bytes', NO_COUNT],
  ['comment', "ifNull(table_comment, '')"],
  ['has_own_data', 'toUInt8(0)'],
])} FROM information_schema.tables WHERE table_schema = 'default'`

const COLUMNS_SQL = "SELECT * FROM system.columns WHERE database = 'default'"

/** One server, itself. */
const CLUSTERS_SQL = `SELECT ${listed([
  ['cluster', "'default'"],
  ['shard_num', 'toUInt32(1)'],
  ['shard_name', "''"],
  ['shard_weight', 'toUInt32(1)'],
  ['replica_num', 'toUInt32(1)'],
  ['replica_name', "''"],
  ['host_name', "'localhost'"],
  ['host_address', "'127.0.0.1'"],
  ['port', 'toUInt16(0)'],
  ['is_local', 'toUInt8(1)'],
  ['user', "'default'"],
  ['default_database', "'default'"],
  ['errors_count', 'toUInt32(0)'],
  ['slowdowns_count', 'toUInt32(0)'],
  ['estimated_recovery_time', 'toUInt32(0)'],
])}`

const schemataSql = (name: string): string =>
  `SELECT ${listed(
    ['lower', 'upper'].flatMap(letters =>
      (
        [
          ['catalog_name', sqlString(name)],
          ['schema_name', sqlString(name)],
          ['schema_owner', "'default'"],
          ['default_character_set_catalog', NO_TEXT],
          ['default_character_set_schema', NO_TEXT],
          ['default_character_set_name', NO_TEXT],
          ['sql_path', NO_TEXT],
        ] as const
      ).map(([name, sql]) => [letters === 'upper' ? name.toUpperCase() : name, sql] as const),
    ),
  )}`

const SCHEMA_TABLES_SQL = "SELECT * FROM information_schema.tables WHERE table_schema = 'default'"
const SCHEMA_COLUMNS_SQL = "SELECT * FROM information_schema.columns WHERE table_schema = 'default'"

/** Upload fields shown in the catalog. */
export type ListedUpload = Pick<Upload, 'name' | 'fileName' | 'columns' | 'rowCount' | 'bytes'>

/** Queries that list databases, tables and columns for a caller. */
export type Catalog = {
  readonly databases: string
  readonly tables: string
  readonly columns: string
  /** By table name, with `information_schema` in lower and upper case. */
  readonly named: ReadonlyMap<string, string>
  readonly hasUploads: boolean
}

export const isCatalogTable = (name: string): boolean => PUBLIC.named.has(name)

/** The public tables, and these uploads as the database `uploads`. */
export function catalogOf(uploads: readonly ListedUpload[]): Catalog {
  if (uploads.length === 0) return PUBLIC
  const names = ['default', UPLOADS_WORD]
  const tables = uploadTables(uploads)
  const columns = uploadColumns(uploads)
  const both = (all: string, own: string): string => `${all} UNION ALL ${own}`
  return catalog({
    databases: names.map(databaseSql).join(' UNION ALL '),
    schemata: names.map(schemataSql).join(' UNION ALL '),
    tables: both(
      TABLES_SQL,
      `SELECT * REPLACE (${listed([
        ['database', OWN],
        ['name', 'upload.1'],
        ['table', 'upload.1'],
        ['engine', "'MergeTree'"],
        ['total_rows', "CAST(upload.2, 'Nullable(UInt64)')"],
        ['total_bytes', "CAST(upload.3, 'Nullable(UInt64)')"],
        ['comment', 'upload.4'],
      ])}) FROM (${TABLES_SQL} LIMIT 1) ARRAY JOIN ${tables} AS upload`,
    ),
    columns: both(
      COLUMNS_SQL,
      `SELECT * REPLACE (${listed([
        ['database', OWN],
        ['table', 'upload[1]'],
        ['name', 'upload[2]'],
        ['type', 'upload[3]'],
        ['position', 'toUInt64(upload[4])'],
        ['comment', "''"],
      ])}) FROM (${COLUMNS_SQL} AND type = 'String' LIMIT 1) ARRAY JOIN ${columns} AS upload`,
    ),
    schemaTables: both(
      SCHEMA_TABLES_SQL,
      `SELECT * REPLACE (${inBoth([
        ['table_catalog', OWN],
        ['table_schema', OWN],
        ['table_name', 'upload.1'],
        ['table_type', "'BASE TABLE'"],
        ['table_rows', "CAST(upload.2, 'Nullable(UInt64)')"],
        ['data_length', "CAST(upload.3, 'Nullable(UInt64)')"],
        ['table_comment', 'upload.4'],
      ])}) FROM (${SCHEMA_TABLES_SQL} LIMIT 1) ARRAY JOIN ${tables} AS upload`,
    ),
    schemaColumns: both(
      SCHEMA_COLUMNS_SQL,
      `SELECT * REPLACE (${inBoth([
        ['table_catalog', OWN],
        ['table_schema', OWN],
        ['table_name', 'upload[1]'],
        ['column_name', 'upload[2]'],
        ['data_type', 'upload[3]'],
        ['column_type', 'upload[3]'],
        ['is_nullable', "toString(toUInt8(startsWith(upload[3], 'Nullable')))"],
        ['ordinal_position', 'toUInt64(upload[4])'],
        ['column_comment', "''"],
      ])}) FROM (${SCHEMA_COLUMNS_SQL} AND data_type = 'String' LIMIT 1) ARRAY JOIN ${columns} AS upload`,
    ),
    hasUploads: true,
  })
}

type Parts = Omit<Catalog, 'named'> & {
  readonly schemata: string
  readonly schemaTables: string
  readonly schemaColumns: string
}

const catalog = ({ schemata, schemaTables, schemaColumns, ...parts }: Parts): Catalog => ({
  ...parts,
  named: new Map([
    ['system.databases', parts.databases],
    ['system.tables', parts.tables],
    ['system.columns', parts.columns],
    ['system.clusters', CLUSTERS_SQL],
    ['information_schema.schemata', schemata],
    ['information_schema.tables', schemaTables],
    ['information_schema.columns', schemaColumns],
  ]),
})

const PUBLIC: Catalog = catalog({
  databases: databaseSql('default'),
  schemata: schemataSql('default'),
  tables: TABLES_SQL,
  columns: COLUMNS_SQL,
  schemaTables: SCHEMA_TABLES_SQL,
  schemaColumns: SCHEMA_COLUMNS_SQL,
  hasUploads: false,
})

const OWN = sqlString(UPLOADS_WORD)

/** Columns of `information_schema` exist in lower and upper case. */
const inBoth = (columns: readonly (readonly [name: string, sql: string])[]): string =>
  listed(columns.flatMap(([name, sql]) => [[name, sql] as const, [name.toUpperCase(), sql] as const]))

/** A statement can have 100,000 characters, and the client’s own SQL must fit next to these lists. */
const MOST_COMMENTS = 20_000
const MOST_COLUMNS = 50_000

/** SQL array with the name, rows, bytes and comment of each upload. */
function uploadTables(uploads: readonly ListedUpload[]): string {
  const unlisted = new Set(uploads.map(({ name }) => name))
  for (const { name } of listedWhole(uploads)) unlisted.delete(name)
  const comments = uploads.map(({ name, fileName }) =>
    unlisted.has(name)
      ? `Your uploads have too many columns to list here. Run DESCRIBE TABLE ${UPLOADS_WORD}.${name} to see the columns of this one.`
      : `Upload of ${fileName.slice(0, 100)}`,
  )
  const isShort = comments.join('').length <= MOST_COMMENTS
  const rows = uploads.map(
    ({ name, rowCount, bytes }, at) =>
      `(${sqlString(name)}, ${rowCount}, ${bytes}, ${sqlString(isShort ? (comments[at] ?? '') : '')})`,
  )
  return `[${rows.join(', ')}]`
}

/** Uploads whose columns fit. Each lists all or none of its columns. */
function listedWhole(uploads: readonly ListedUpload[]): ListedUpload[] {
  let length = 0
  return uploads.filter(upload => {
    const own = linesOf(upload).join('\n').length
    if (length + own > MOST_COLUMNS) return false
    length += own
    return true
  })
}

const linesOf = ({ name, columns }: ListedUpload): string[] =>
  columns.map((column, at) => [name, column.name, column.type, at + 1].join('\t'))

/** Table, name, type and position of each column in a single literal, which parses faster than thousands. */
const uploadColumns = (uploads: readonly ListedUpload[]): string =>
  `arrayMap(line -> splitByChar('\\t', line), splitByChar('\\n', ${sqlString(listedWhole(uploads).flatMap(linesOf).join('\n'))}))`

/** Functions about the server that are closed to user queries, with what this port answers for them. */
export const serverFunctions = (protocolVersion: number): ReadonlyMap<string, string> =>
  new Map([
    ['displayname', "'Assay'"],
    ['currentuser', "'default'"],
    ['current_user', "'default'"],
    ['user', "'default'"],
    ['revision', `toUInt32(${protocolVersion})`],
    ['servertimezone', "'UTC'"],
  ])
