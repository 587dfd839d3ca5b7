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
      return enumType(column.values ?? [])
    case 'layer':
      return layersType(column.values ?? [])
    default:
      return assertNever(column.kind)
  }
}

const enumType = (names: readonly string[]): string =>
  `Enum8(${names.map((name, code) => `${sqlString(name)} = ${code}`).join(', ')})`

/** Stands for the layers in a declared type: which there are, and in which order, is known where the rows lie. */
const LAYERS_OF_HERE = '…layers'
const layersType = (others: readonly string[]): string => enumType([...others, LAYERS_OF_HERE])

/** A declared type, or several in a text, with the layers of a warehouse in their places. */
export const withLayers = (type: string, layers: readonly string[]): string =>
  type
    .replaceAll(/(?:, )?'…layers' = (\d+)/g, (_, code: string) =>
      layers.map((layer, i) => `, ${sqlString(layer)} = ${Number(code) + i}`).join(''),
    )
    .replaceAll('Enum8(, ', 'Enum8(')

/** The other way round: a type as the engine tells it, as it is declared. */
export const withoutLayers = (type: string, layers: readonly string[]): string =>
  layers.length === 0
    ? type
    : type.replaceAll(/Enum8\([^)]*\)/g, set => {
        const first = / = (\d+)/.exec(set.slice(set.indexOf(sqlString(layers[0]!))))?.[1] ?? '0'
        const named = layers.map((layer, i) => `${sqlString(layer)} = ${Number(first) + i}`).join(', ')
        return set.replace(named, `${sqlString(LAYERS_OF_HERE)} = ${first}`)
      })

/** A text as an SQL literal. */
export const sqlString = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Columns in declared order, with their SQL names. */
export const sqlColumns = (table: Table): { key: string; name: string; column: Column }[] =>
  Object.entries(table.columns satisfies Columns).map(([key, column]) => ({ key, name: snake(key), column }))
