export type TypeName = {
  readonly name: string
  /** The type that it stands for. */
  readonly ofType: string
  /** Whether it may be written in any case. */
  readonly isAnyCase: boolean
}

// Names of types from the engine's `system.data_type_families` (chdb 3.4, ClickHouse 26.7). The test lists what a new version adds.

/** Written as they stand here. */
const EXACT = `
  AggregateFunction Array BFloat16 Dynamic Enum16 Enum8 FixedString Float32 Float64 Geometry IPv4 IPv6 Int128
  Int16 Int256 Int32 Int64 Int8 IntervalDay IntervalHour IntervalMicrosecond IntervalMillisecond
  IntervalMinute IntervalMonth IntervalNanosecond IntervalQuarter IntervalSecond IntervalWeek IntervalYear
  LineString LowCardinality Map MultiLineString MultiPolygon Nested Nothing Nullable Point Polygon QBit Ring
  SimpleAggregateFunction String Tuple UInt128 UInt16 UInt256 UInt32 UInt64 UInt8 UUID Variant
`

/** Written in any case. */
const ANY_CASE = `
  Bool Date Date32 DateTime DateTime32 DateTime64 Decimal Decimal128 Decimal256 Decimal32 Decimal64 Enum JSON
  Time Time64
`

/** Other names of a type, in any case. */
const ALIASES: Readonly<Record<string, string>> = {
  Bool: 'bool, boolean',
  DateTime: 'TIMESTAMP',
  Decimal: 'DEC, FIXED, NUMERIC',
  Enum: 'ENUM',
  FixedString: 'BINARY',
  Float32: 'FLOAT, REAL, SINGLE',
  Float64: 'DOUBLE, DOUBLE PRECISION',
  IPv4: 'INET4',
  IPv6: 'INET6',
  Int16: 'SMALLINT, SMALLINT SIGNED',
  Int32: 'INT, INT SIGNED, INTEGER, INTEGER SIGNED, MEDIUMINT, MEDIUMINT SIGNED',
  Int64: 'BIGINT, BIGINT SIGNED, SIGNED',
  Int8: 'BYTE, INT1, INT1 SIGNED, TINYINT, TINYINT SIGNED',
  String:
    'BINARY LARGE OBJECT, BINARY VARYING, BLOB, BYTEA, CHAR, CHAR LARGE OBJECT, CHAR VARYING, CHARACTER, CHARACTER LARGE OBJECT, CHARACTER VARYING, CLOB, LONGBLOB, LONGTEXT, MEDIUMBLOB, MEDIUMTEXT, NATIONAL CHAR, NATIONAL CHAR VARYING, NATIONAL CHARACTER, NATIONAL CHARACTER LARGE OBJECT, NATIONAL CHARACTER VARYING, NCHAR, NCHAR LARGE OBJECT, NCHAR VARYING, NVARCHAR, TEXT, TINYBLOB, TINYTEXT, VARBINARY, VARCHAR, VARCHAR2',
  UInt16: 'SMALLINT UNSIGNED, YEAR',
  UInt32: 'INT UNSIGNED, INTEGER UNSIGNED, MEDIUMINT UNSIGNED',
  UInt64: 'BIGINT UNSIGNED, BIT, SET, UNSIGNED',
  UInt8: 'INT1 UNSIGNED, TINYINT UNSIGNED',
}

const wordsOf = (names: string): string[] => names.trim().split(/\s+/)

export const TYPE_NAMES: readonly TypeName[] = [
  ...wordsOf(EXACT).map(name => ({ name, ofType: name, isAnyCase: false })),
  { name: 'GEOMETRY', ofType: 'Geometry', isAnyCase: false },
  ...wordsOf(ANY_CASE).map(name => ({ name, ofType: name, isAnyCase: true })),
  ...Object.entries(ALIASES).flatMap(([ofType, names]) =>
    names.split(', ').map(name => ({ name, ofType, isAnyCase: true })),
  ),
]
