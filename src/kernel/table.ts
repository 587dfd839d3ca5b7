/**
 * Tables are declared once, as values. DDL, row type, bulk encoder, migrations and the schema page all follow from the
 * declaration. This file knows types only; `warehouse/` turns a declaration into SQL and bytes.
 */

/** How a column is kept and which array carries it in bulk (see `ColumnDataOf`). */
export type ColumnKind =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'u128'
  | 'u256'
  | 'i32'
  | 'i64'
  | 'f64'
  | 'bool'
  | 'date'
  | 'time'
  | 'bytes'
  | 'blob'
  | 'text'
  | 'enum'
  | 'layer'

export type Column<Value = unknown, Kind extends ColumnKind = ColumnKind> = {
  readonly kind: Kind
  readonly doc: string
  readonly nullable: boolean
  /** `bytes` only: how many. */
  readonly byteLength?: number
  /** `enum`: the closed set, in code order: the n-th name has code n. `layer`: what stands before the layers. */
  readonly values?: readonly string[]
  /** Compression codec in ClickHouse's words, if the default is not the best one. */
  readonly codec?: string
  /** What older warehouses declared: their bits stay and are read as the new kind. Kinds of one width, `i32` to `u32`. */
  readonly formerly?: 'i32'
  /** Carries the row's TypeScript type; never present at run time. */
  readonly value?: Value
}

type More = { codec?: string; formerly?: 'i32' }
const column = <Value, Kind extends ColumnKind>(
  kind: Kind,
  doc: string,
  more: More = {},
): Column<Value, Kind> => ({
  kind,
  doc,
  nullable: false,
  ...more,
})

export const u8 = (doc: string, more?: More) => column<number, 'u8'>('u8', doc, more)
export const u16 = (doc: string, more?: More) => column<number, 'u16'>('u16', doc, more)
export const u32 = (doc: string, more?: More) => column<number, 'u32'>('u32', doc, more)
/** Amounts: satoshis, wei parts. In TypeScript a bigint, never a number. */
export const u64 = (doc: string, more?: More) => column<bigint, 'u64'>('u64', doc, more)
/** Sums of amount × seconds, which pass 2^64; in bulk two words a row, the low one first. */
export const u128 = (doc: string, more?: More) => column<bigint, 'u128'>('u128', doc, more)
/** Amounts of chains that count in 256 bits: wei, token base units; in bulk four words a row, the lowest first. */
export const u256 = (doc: string, more?: More) => column<bigint, 'u256'>('u256', doc, more)
export const i32 = (doc: string, more?: More) => column<number, 'i32'>('i32', doc, more)
export const i64 = (doc: string, more?: More) => column<bigint, 'i64'>('i64', doc, more)
/** Prices and ratios only: no on-chain amount is ever a float. */
export const f64 = (doc: string, more?: More) => column<number, 'f64'>('f64', doc, more)
export const bool = (doc: string, more?: More) => column<boolean, 'bool'>('bool', doc, more)
/** A UTC date; in bulk: days since 1970-01-01; in a row: `YYYY-MM-DD`. */
export const date = (doc: string, more?: More) => column<string, 'date'>('date', doc, more)
/** A UTC time of second precision; in bulk and in a row: seconds since 1970-01-01. */
export const time = (doc: string, more?: More) => column<number, 'time'>('time', doc, more)
/** Exactly `byteLength` bytes. Hashes are kept in display order, so that `lower(hex(txid))` is the txid. */
export const bytes = (byteLength: number, doc: string, more: More = {}): Column<Uint8Array, 'bytes'> => ({
  ...column<Uint8Array, 'bytes'>('bytes', doc, more),
  byteLength,
})
/** Bytes of any length. */
export const blob = (doc: string, more?: More) => column<Uint8Array, 'blob'>('blob', doc, more)
export const text = (doc: string, more?: More) => column<string, 'text'>('text', doc, more)
export const oneOf = <const Name extends string>(
  values: readonly Name[],
  doc: string,
  more: More = {},
): Column<Name, 'enum'> => ({ ...column<Name, 'enum'>('enum', doc, more), values })
/**
 * The name of an EVM layer of the catalogue, or one of `others`. The engine keeps it as a code; which layer has which one,
 * each warehouse says for itself (`warehouse/layerNames.ts`), so rows carry the name, in bulk and alone.
 */
export const layerName = (
  doc: string,
  { others = [], ...more }: More & { others?: readonly string[] } = {},
): Column<string, 'layer'> => ({ ...column<string, 'layer'>('layer', doc, more), values: others })
/** `null` means known to be unknown (a prevout not given, a fee that cannot be computed). */
export const nullable = <Value, Kind extends ColumnKind>(
  of: Column<Value, Kind>,
): Column<Value | null, Kind> =>
  ({
    ...of,
    nullable: true,
  }) as Column<Value | null, Kind>

export type Columns = Readonly<Record<string, Column>>

export type Table<Name extends string = string, Cols extends Columns = Columns> = {
  readonly name: Name
  /** One sentence: what a row is. */
  readonly doc: string
  /** Keys are camelCase; the column in SQL is the same word in snake_case. */
  readonly columns: Cols
  /** SQL column names, or expressions over them. */
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  /** `MergeTree` unless said. */
  readonly engine?: string
  /** Skip indexes: `name` → `expression TYPE kind GRANULARITY n`. */
  readonly indexes?: Readonly<Record<string, string>>
  /**
   * What the engine keeps beside the rows and reads instead of them where that answers a question: name → `SELECT …` without `FROM`. One that
   * selects something else takes another name.
   */
  readonly projections?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, string | number>>
}

export const table = <const Name extends string, const Cols extends Columns>(
  name: Name,
  rest: Omit<Table<Name, Cols>, 'name'>,
): Table<Name, Cols> => ({ name, ...rest })

/** The type of one row of a table. */
export type RowOf<T extends Table> = {
  -readonly [K in keyof T['columns']]: T['columns'][K] extends Column<infer Value> ? Value : never
}

/** Values of any length one after the other: row i is `bytes.subarray(offsets[i], offsets[i + 1])`. */
export type VarBytes = { readonly bytes: Uint8Array; readonly offsets: Uint32Array }

type DataOfKind = {
  u8: Uint8Array
  u16: Uint16Array
  u32: Uint32Array
  u64: BigUint64Array
  u128: BigUint64Array
  u256: BigUint64Array
  i32: Int32Array
  i64: BigInt64Array
  f64: Float64Array
  bool: Uint8Array
  date: Uint16Array
  time: Uint32Array
  bytes: Uint8Array
  blob: VarBytes
  text: VarBytes | readonly string[]
  enum: Uint8Array
  layer: VarBytes | readonly string[]
}

/** What carries one column of many rows in bulk. `nulls[i]` is 1 where row i has no value. */
export type ColumnDataOf<C> =
  C extends Column<infer Value, infer Kind>
    ? null extends Value
      ? { readonly values: DataOfKind[Kind]; readonly nulls: Uint8Array }
      : DataOfKind[Kind]
    : never

/** Many rows of a table, column by column: the form the codec and the bulk encoder share. */
export type ColumnsOf<T extends Table> = { readonly rowCount: number } & {
  readonly [K in keyof T['columns']]: ColumnDataOf<T['columns'][K]>
}

/** `blockTime` → `block_time`: the one place where a TypeScript name becomes an SQL name. */
export const snake = (camel: string): string =>
  camel.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`)
