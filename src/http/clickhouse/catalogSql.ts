/**
 * What clients read to list databases, tables and columns, as queries that the gate permits: public tables alone. Columns
 * that ClickHouse has and that mean nothing here are empty.
 */
const NO_UUID = "toUUID('00000000-0000-0000-0000-000000000000')"
const NO_NAMES = "CAST([], 'Array(String)')"
const NO_COUNT = "CAST(NULL, 'Nullable(UInt64)')"
const NO_TEXT = "CAST(NULL, 'Nullable(String)')"

const listed = (columns: readonly (readonly [name: string, sql: string])[]): string =>
  columns.map(([name, sql]) => `${sql} AS \`${name}\``).join(', ')

export const DATABASES_SQL = `SELECT ${listed([
  ['name', "'default'"],
  ['engine', "'Atomic'"],
  ['data_path', "''"],
  ['metadata_path', "''"],
  ['uuid', NO_UUID],
  ['engine_full', "'Atomic'"],
  ['comment', "''"],
])}`

export const TABLES_SQL = `SELECT ${listed([
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

export const COLUMNS_SQL = "SELECT * FROM system.columns WHERE database = 'default'"

const SCHEMATA_SQL = `SELECT ${listed(
  ['lower', 'upper'].flatMap(letters =>
    (
      [
        ['catalog_name', "'default'"],
        ['schema_name', "'default'"],
        ['schema_owner', "'default'"],
        ['default_character_set_catalog', NO_TEXT],
        ['default_character_set_schema', NO_TEXT],
        ['default_character_set_name', NO_TEXT],
        ['sql_path', NO_TEXT],
      ] as const
    ).map(([name, sql]) => [letters === 'upper' ? name.toUpperCase() : name, sql] as const),
  ),
)}`

/** By name as clients write it, `information_schema` in either case. */
export const CATALOG_TABLES: ReadonlyMap<string, string> = new Map([
  ['system.databases', DATABASES_SQL],
  ['system.tables', TABLES_SQL],
  ['system.columns', COLUMNS_SQL],
  ['information_schema.schemata', SCHEMATA_SQL],
  ['information_schema.tables', "SELECT * FROM information_schema.tables WHERE table_schema = 'default'"],
  ['information_schema.columns', "SELECT * FROM information_schema.columns WHERE table_schema = 'default'"],
])

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
