import { Arena } from '#kernel/arena.ts'
import { copyBytes, withView } from '#kernel/bytes.ts'
import { assertNever } from '#kernel/errors.ts'
import type { Column, ColumnsOf, RowOf, Table, VarBytes } from '#kernel/table.ts'
import { WarehouseError } from './errors.ts'
import { columnType, sqlColumns } from './types.ts'

/** Typed arrays as the kernel declares them, before a column's kind is known. */
type NumberArray = NodeJS.TypedArray
type Values = NumberArray | VarBytes | readonly string[]
type Data = Values | { readonly values: Values; readonly nulls: Uint8Array }

const utf8 = new TextEncoder()

/**
 * Many rows as one block of ClickHouse's `Native` format: a list of parts to be sent one after the other. Fixed-size
 * columns are views of the given arrays, not copies: leave the arrays alone until the insert has settled. With `arena`,
 * other columns lie in it.
 * Throws `warehouse.columns` if an array is missing or has the wrong length.
 */
export function encodeNative<T extends Table>(
  table: T,
  columns: ColumnsOf<T>,
  arena = new Arena(),
): Uint8Array[] {
  const { rowCount } = columns
  const declared = sqlColumns(table)
  const parts: Uint8Array[] = [varuints(declared.length, rowCount)]
  for (const { key, name, column } of declared) {
    parts.push(header(name, sentType(column)))
    // The mapped type of `columns` is not indexable by a plain string; `Data` is the union of its values.
    const data = (columns as unknown as Readonly<Record<string, Data | undefined>>)[key]
    if (data === undefined) throw wrongLength(table, key, 'nothing', rowCount)
    if (!column.nullable) {
      parts.push(encodeColumn(table, key, column, data as Values, rowCount, arena))
      continue
    }
    const { values, nulls } = data as { values: Values; nulls: Uint8Array }
    if (nulls.length !== rowCount) throw wrongLength(table, `${key}.nulls`, nulls.length, rowCount)
    parts.push(nulls, encodeColumn(table, key, column, values, rowCount, arena))
  }
  return parts
}

/** Names of layers go as texts: the engine knows their codes. */
const sentType = (column: Column): string =>
  columnType(column.kind === 'layer' ? { ...column, kind: 'text' } : column)

/** Rows as columns, for the few rows that come one by one. Throws `warehouse.value` on a value outside its column. */
export function columnsOfRows<T extends Table>(table: T, rows: readonly RowOf<T>[]): ColumnsOf<T> {
  const columns: Record<string, unknown> = { rowCount: rows.length }
  for (const { key, column } of sqlColumns(table)) {
    const cells = rows.map(row => (row as Readonly<Record<string, unknown>>)[key])
    const values = packCells(table, key, column, cells)
    columns[key] = column.nullable
      ? { values, nulls: Uint8Array.from(cells, cell => (cell === null ? 1 : 0)) }
      : values
  }
  // Built key by key from the same declaration that the type is computed from.
  return columns as ColumnsOf<T>
}

function encodeColumn(
  table: Table,
  key: string,
  column: Column,
  values: Values,
  rowCount: number,
  arena: Arena,
): Uint8Array {
  if (column.kind === 'blob' || column.kind === 'text' || column.kind === 'layer') {
    const strings = 'offsets' in values ? values : packStrings(values as readonly string[])
    if (strings.offsets.length !== rowCount + 1)
      throw wrongLength(table, `${key}.offsets`, strings.offsets.length, rowCount + 1)
    return encodeStrings(strings, rowCount, arena)
  }
  const array = values as NumberArray
  const expected = rowCount * itemsPerRow(column)
  if (array.length !== expected) throw wrongLength(table, key, array.length, expected)
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** Array items that make one row. */
function itemsPerRow({ kind, byteLength }: Column): number {
  if (kind === 'bytes') return byteLength ?? 0
  if (kind === 'u256') return 4
  return kind === 'u128' ? 2 : 1
}

/** Each value as its length in LEB128 and its bytes. */
function encodeStrings({ bytes, offsets }: VarBytes, rowCount: number, arena: Arena): Uint8Array {
  const start = offsets[0] ?? 0
  const end = offsets[rowCount] ?? 0
  let capacity = end - start + rowCount
  for (let row = 0; row < rowCount; row++) {
    const length = offsets[row + 1]! - offsets[row]!
    if (length > 127) capacity += length > 2_097_151 ? 4 : length > 16_383 ? 2 : 1
  }
  const out = arena.u8(capacity, 'overwritten')
  const source = withView(bytes)
  const target = withView(out)
  let at = 0
  let from = start
  for (let row = 0; row < rowCount; row++) {
    const to = offsets[row + 1]!
    let length = to - from
    while (length > 127) {
      out[at++] = (length & 127) | 128
      length >>>= 7
    }
    out[at++] = length
    copyBytes(target, at, source, from, to - from)
    at += to - from
    from = to
  }
  return at === capacity ? out : out.subarray(0, at)
}

function packStrings(texts: readonly string[]): VarBytes {
  return packBytes(texts.map(text => utf8.encode(text)))
}

function packBytes(values: readonly Uint8Array[]): VarBytes {
  const offsets = new Uint32Array(values.length + 1)
  values.forEach((value, i) => {
    offsets[i + 1] = offsets[i]! + value.length
  })
  const bytes = new Uint8Array(offsets[values.length]!)
  values.forEach((value, i) => {
    bytes.set(value, offsets[i]!)
  })
  return { bytes, offsets }
}

function packCells(table: Table, key: string, column: Column, cells: readonly unknown[]): Values {
  const where = (row: number) => `${table.name}.${key}, row ${row}`
  const of = <V>(check: (value: unknown) => value is V, absent: V): V[] =>
    cells.map((cell, row) => {
      if (cell === null && column.nullable) return absent
      if (check(cell)) return cell
      throw new WarehouseError(
        'warehouse.value',
        `${where(row)}: ${String(cell)} does not fit ${columnType(column)}`,
      )
    })
  const integer = (min: number, max: number) =>
    of((v): v is number => typeof v === 'number' && Number.isInteger(v) && v >= min && v <= max, 0)
  switch (column.kind) {
    case 'u8':
      return Uint8Array.from(integer(0, 0xff))
    case 'u16':
      return Uint16Array.from(integer(0, 0xffff))
    case 'u32':
    case 'time':
      return Uint32Array.from(integer(0, 0xffff_ffff))
    case 'i32':
      return Int32Array.from(integer(-0x8000_0000, 0x7fff_ffff))
    case 'u64':
      return BigUint64Array.from(
        of((v): v is bigint => typeof v === 'bigint' && v >= 0n && v < 1n << 64n, 0n),
      )
    case 'u128': {
      const values = of((v): v is bigint => typeof v === 'bigint' && v >= 0n && v < 1n << 128n, 0n)
      return BigUint64Array.from(values.flatMap(v => [BigInt.asUintN(64, v), v >> 64n]))
    }
    case 'u256': {
      const values = of((v): v is bigint => typeof v === 'bigint' && v >= 0n && v < 1n << 256n, 0n)
      const words = (v: bigint) => [v, v >> 64n, v >> 128n, v >> 192n].map(word => BigInt.asUintN(64, word))
      return BigUint64Array.from(values.flatMap(words))
    }
    case 'i64':
      return BigInt64Array.from(
        of((v): v is bigint => typeof v === 'bigint' && v >= -(1n << 63n) && v < 1n << 63n, 0n),
      )
    case 'f64':
      return Float64Array.from(of((v): v is number => typeof v === 'number', 0))
    case 'bool':
      return Uint8Array.from(
        of((v): v is boolean => typeof v === 'boolean', false),
        Number,
      )
    case 'date':
      return Uint16Array.from(
        of((v): v is string => typeof v === 'string' && daysOf(v) !== undefined, '1970-01-01'),
        day => daysOf(day)!,
      )
    case 'bytes': {
      const length = column.byteLength ?? 0
      const isExact = (v: unknown): v is Uint8Array => v instanceof Uint8Array && v.length === length
      return packBytes(of(isExact, new Uint8Array(length))).bytes
    }
    case 'blob':
      return packBytes(of((v): v is Uint8Array => v instanceof Uint8Array, new Uint8Array(0)))
    case 'text':
    case 'layer':
      return of((v): v is string => typeof v === 'string', '')
    case 'enum': {
      const names = column.values ?? []
      const isName = (v: unknown): v is string => typeof v === 'string' && names.includes(v)
      return Uint8Array.from(of(isName, names[0] ?? ''), name => names.indexOf(name))
    }
    default:
      return assertNever(column.kind)
  }
}

/** Days since 1970-01-01 of `YYYY-MM-DD`, within ClickHouse's `Date` (to 2149-06-06). */
function daysOf(day: string): number | undefined {
  const ms = Date.parse(`${day}T00:00:00Z`)
  const days = ms / 86_400_000
  const isReal = /^\d{4}-\d{2}-\d{2}$/.test(day) && Number.isInteger(days) && days >= 0 && days <= 65_535
  return isReal && new Date(ms).toISOString().startsWith(day) ? days : undefined
}

function header(name: string, type: string): Uint8Array {
  const nameBytes = utf8.encode(name)
  const typeBytes = utf8.encode(type)
  return Buffer.concat([varuints(nameBytes.length), nameBytes, varuints(typeBytes.length), typeBytes])
}

function varuints(...numbers: number[]): Uint8Array {
  const out: number[] = []
  for (let n of numbers) {
    while (n > 127) {
      out.push((n % 128) | 128)
      n = Math.floor(n / 128)
    }
    out.push(n)
  }
  return Uint8Array.from(out)
}

const wrongLength = (table: Table, key: string, got: number | string, expected: number): WarehouseError =>
  new WarehouseError('warehouse.columns', `${table.name}.${key} holds ${got} values where ${expected} belong`)
