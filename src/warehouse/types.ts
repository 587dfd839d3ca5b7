import { assertNever } from '#kernel/errors.ts'
import { type Column, type Columns, snake, type Table } from '#kernel/table.ts'

/** The ClickHouse type of a declared column, spelled as `system.columns` spells it. */
export function columnType(column: Column): string {
  const type = baseType(column)
  return column.nullable ? `Nullable(${type})` : type
}

function baseType(column: Column): string {
  switch (column.kind) {
    case 'u8':
      return 'UInt8'
    case 'u16':
      return 'UInt16'
    case 'u32':
      return 'UInt32'
    case 'u64':
      return 'UInt64'
    case 'u128':
      return 'UInt128'
    case 'u256':
      return 'UInt256'
    case 'i32':
      return 'Int32'
    case 'i64':
      return 'Int64'
    case 'f64':
      return 'Float64'
    case 'bool':
      return 'Bool'
    case 'date':
      return 'Date'
    case 'time':
      return "DateTime('UTC')"
    case 'bytes':
      return `FixedString(${column.byteLength ?? 0})`
    case 'blob':
    case 'text':
      return 'String'
    case 'enum':
      return `Enum8(${(column.values ?? []).map((name, code) => `${sqlString(name)} = ${code}`).join(', ')})`
    default:
      return assertNever(column.kind)
  }
}

/** A text as an SQL literal. */
export const sqlString = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Columns in declared order, with their SQL names. */
export const sqlColumns = (table: Table): { key: string; name: string; column: Column }[] =>
  Object.entries(table.columns satisfies Columns).map(([key, column]) => ({ key, name: snake(key), column }))
