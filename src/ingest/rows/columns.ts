import type { Column, ColumnsOf, RowOf, Table } from '#kernel/table.ts'
import { IngestError } from '../errors.ts'

/** A row of a table whose bytes are given as they are, or as `0x…` where a codec has them so. */
export type HexRow<T extends Table> = {
  readonly [K in keyof RowOf<T>]: Uint8Array extends RowOf<T>[K]
    ? `0x${string}` | Uint8Array | (null extends RowOf<T>[K] ? null : never)
    : RowOf<T>[K]
}

/** Rows that are written one by one and leave as columns, ready for the bulk insert. */
export type ColumnWriter<T extends Table> = {
  readonly table: T
  readonly rowCount: number
  add(row: HexRow<T>): void
  /** The columns of the rows so far. The writer starts anew. */
  take(): ColumnsOf<T>
  /** Forgets all rows but the first so many. */
  cut(rowCount: number): void
}

type Cell = {
  add(value: unknown, row: number): void
  take(rowCount: number): unknown
  /** Forgets all rows but the first so many; absent where a row has a fixed place. */
  cut?(rowCount: number): void
}

/** Bytes go from hexadecimal straight into the column: nothing is made in between. Throws `ingest.value` with the column. */
export function openColumns<T extends Table>(table: T): ColumnWriter<T> {
  const keys = Object.keys(table.columns)
  const cells = keys.map(key => cellOf(table, key, table.columns[key]!))
  let rowCount = 0
  return {
    table,
    get rowCount() {
      return rowCount
    },
    add(row) {
      try {
        for (let i = 0; i < keys.length; i++)
          cells[i]!.add((row as Readonly<Record<string, unknown>>)[keys[i]!], rowCount)
      } catch (thrown) {
        for (const cell of cells) cell.cut?.(rowCount)
        throw thrown
      }
      rowCount += 1
    },
    take() {
      const columns: Record<string, unknown> = { rowCount }
      for (const [i, key] of keys.entries()) columns[key] = cells[i]!.take(rowCount)
      rowCount = 0
      // Built key by key from the same declaration that the type is computed from.
      return columns as ColumnsOf<T>
    },
    cut(count) {
      for (const cell of cells) cell.cut?.(count)
      rowCount = count
    },
  }
}

function cellOf(table: Table, key: string, column: Column): Cell {
  const plain = plainCell(table, key, column)
  if (!column.nullable) return plain
  let nulls = new Uint8Array(FIRST)
  return {
    add(value, row) {
      nulls = grown(nulls, row + 1)
      nulls[row] = value === null ? 1 : 0
      plain.add(value === null ? absentOf(column) : value, row)
    },
    take: rowCount => ({ values: plain.take(rowCount), nulls: nulls.slice(0, rowCount) }),
    cut: rowCount => plain.cut?.(rowCount),
  }
}

const FIRST = 256
const U64 = (1n << 64n) - 1n

function plainCell(table: Table, key: string, column: Column): Cell {
  const fault = (value: unknown): IngestError =>
    new IngestError('ingest.value', `${table.name}.${key} cannot hold ${String(value).slice(0, 80)}.`)
  switch (column.kind) {
    case 'u8':
      return numbers(new Uint8Array(FIRST), 0xff, fault)
    case 'u16':
      return numbers(new Uint16Array(FIRST), 0xffff, fault)
    case 'u32':
    case 'time':
      return numbers(new Uint32Array(FIRST), 0xffff_ffff, fault)
    case 'bool':
      return numbers(new Uint8Array(FIRST), 1, fault)
    case 'u64':
      return words(1, fault)
    case 'u128':
      return words(2, fault)
    case 'u256':
      return words(4, fault)
    case 'bytes':
      return fixedBytes(column.byteLength ?? 0, fault)
    case 'blob':
      return blobs()
    case 'text':
    case 'layer':
      return texts()
    case 'enum':
      return choices(column.values ?? [], fault)
    default:
      throw new IngestError(
        'ingest.column',
        `${table.name}.${key} is of a kind that cannot be written row by row.`,
      )
  }
}

function absentOf({ kind, byteLength, values }: Column): unknown {
  if (kind === 'bytes') return `0x${'00'.repeat(byteLength ?? 0)}`
  if (kind === 'u64' || kind === 'u128' || kind === 'u256') return 0n
  if (kind === 'blob') return '0x'
  if (kind === 'text' || kind === 'layer') return ''
  return kind === 'enum' ? values?.[0] : 0
}

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

function numbers(first: Numbers, most: number, fault: (value: unknown) => Error): Cell {
  let values = first
  return {
    add(value, row) {
      const number = Number(value)
      if (!(Number.isInteger(number) && number >= 0 && number <= most)) throw fault(value)
      values = grown(values, row + 1)
      values[row] = number
    },
    take: rowCount => values.slice(0, rowCount),
  }
}

function words(perRow: number, fault: (value: unknown) => Error): Cell {
  const most = (1n << BigInt(64 * perRow)) - 1n
  let values = new BigUint64Array(FIRST * perRow)
  return {
    add(value, row) {
      if (typeof value !== 'bigint' || value < 0n || value > most) throw fault(value)
      if (values.length < (row + 1) * perRow) values = grown(values, (row + 1) * perRow)
      const at = row * perRow
      if (value <= U64) {
        values[at] = value
        for (let i = 1; i < perRow; i++) values[at + i] = 0n
        return
      }
      for (let i = 0; i < perRow; i++) values[at + i] = (value >> BigInt(64 * i)) & U64
    },
    take: rowCount => values.slice(0, rowCount * perRow),
  }
}

function fixedBytes(length: number, fault: (value: unknown) => Error): Cell {
  let values = Buffer.alloc(FIRST * length)
  return {
    add(value, row) {
      const isBytes = value instanceof Uint8Array
      if (isBytes ? value.length !== length : typeof value !== 'string' || value.length !== 2 + 2 * length)
        throw fault(value)
      if (values.length < (row + 1) * length) {
        const larger = Buffer.alloc(values.length * 2)
        values.copy(larger)
        values = larger
      }
      if (isBytes) values.set(value, row * length)
      else values.write((value as string).slice(2), row * length, length, 'hex')
    },
    take: rowCount => new Uint8Array(values.subarray(0, rowCount * length)),
  }
}

function blobs(): Cell {
  let parts: Uint8Array[] = []
  return {
    add: value => {
      parts.push(value instanceof Uint8Array ? value : Buffer.from(String(value).slice(2), 'hex'))
    },
    take() {
      const offsets = new Uint32Array(parts.length + 1)
      for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length
      // Memory of its own, which may go to another thread: `Buffer.concat` shares a pool.
      const bytes = new Uint8Array(offsets[parts.length]!)
      for (const [i, part] of parts.entries()) bytes.set(part, offsets[i])
      parts = []
      return { bytes, offsets }
    },
    cut(rowCount) {
      parts.length = Math.min(parts.length, rowCount)
    },
  }
}

/** Texts go into one growing buffer as they come: an object a text would be most of the work. */
function texts(): Cell {
  let bytes = Buffer.allocUnsafe(FIRST * 16)
  let offsets = new Uint32Array(FIRST + 1)
  let end = 0
  return {
    add(value, row) {
      const text = String(value)
      // No character of JavaScript takes more than three bytes of UTF-8.
      if (bytes.length < end + text.length * 3) {
        const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, end + text.length * 3))
        bytes.copy(larger, 0, 0, end)
        bytes = larger
      }
      end += writeText(bytes, text, end)
      offsets = grown(offsets, row + 2)
      offsets[row + 1] = end
    },
    take(rowCount) {
      const taken = { bytes: new Uint8Array(bytes.subarray(0, end)), offsets: offsets.slice(0, rowCount + 1) }
      end = 0
      return taken
    },
    cut(rowCount) {
      end = offsets[rowCount] ?? 0
    },
  }
}

/** Longest text that is copied faster here than by a call into the engine. */
const SHORT = 20

function writeText(bytes: Buffer, text: string, at: number): number {
  const { length } = text
  if (length <= SHORT) {
    let i = 0
    for (; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) break
      bytes[at + i] = code
    }
    if (i === length) return length
  }
  return bytes.write(text, at, 'utf8')
}

function choices(names: readonly string[], fault: (value: unknown) => Error): Cell {
  const codes = new Map(names.map((name, code) => [name, code]))
  let values = new Uint8Array(FIRST)
  return {
    add(value, row) {
      const code = codes.get(String(value))
      if (code === undefined) throw fault(value)
      values = grown(values, row + 1)
      values[row] = code
    },
    take: rowCount => values.slice(0, rowCount),
  }
}

function grown<A extends Numbers | BigUint64Array<ArrayBuffer>>(values: A, length: number): A {
  if (length <= values.length) return values
  const Larger = values.constructor as new (length: number) => A
  const larger = new Larger(Math.max(length, values.length * 2))
  larger.set(values as never)
  return larger
}
