/** Values would change on their way into the warehouse. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  blob,
  bool,
  bytes,
  date,
  f64,
  i32,
  i64,
  nullable,
  oneOf,
  type RowOf,
  table,
  text,
  time,
  u8,
  u16,
  u32,
  u64,
  u128,
  u256,
} from '#kernel/table.ts'
import { columnsOfRows } from './encode.ts'
import { openTestWarehouse } from './testing.ts'

const NAMES = ['unknown', "quo'te", 'back\\slash'] as const
const each = {
  u8: u8('u8'),
  u16: u16('u16'),
  u32: u32('u32'),
  u64: u64('u64'),
  u128: u128('u128'),
  u256: u256('u256'),
  i32: i32('i32'),
  i64: i64('i64'),
  f64: f64('f64'),
  bool: bool('bool'),
  date: date('date'),
  time: time('time'),
  bytes: bytes(3, 'bytes'),
  blob: blob('blob'),
  text: text('text'),
  choice: oneOf(NAMES, 'choice'),
}
const everyKind = table('every_kind', {
  doc: 'One row per try.',
  columns: {
    run: u32('which try'),
    seq: u32('position in it'),
    ...each,
    maybeU64: nullable(each.u64),
    maybeTime: nullable(each.time),
    maybeDate: nullable(each.date),
    maybeBytes: nullable(each.bytes),
    maybeText: nullable(each.text),
    maybeChoice: nullable(each.choice),
    maybeF64: nullable(each.f64),
  },
  orderBy: ['run', 'seq'],
})
type Row = RowOf<typeof everyKind>

const day = fc.integer({ min: 0, max: 65_535 }).map(n => new Date(n * 86_400_000).toISOString().slice(0, 10))
const natural = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })
const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 })
const real = fc.double({ noNaN: true, noDefaultInfinity: true })
const three = fc.uint8Array({ minLength: 3, maxLength: 3 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\n\n', "'", '\\N', 'a'.repeat(300)),
)
const row = fc.record<Omit<Row, 'run' | 'seq'>>({
  u8: uint(8),
  u16: uint(16),
  u32: uint(32),
  u64: natural(64),
  u128: natural(128),
  u256: natural(256),
  i32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  i64: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  f64: real,
  bool: fc.boolean(),
  date: day,
  time: uint(32),
  bytes: three,
  blob: fc.uint8Array({ maxLength: 300 }),
  text: anyText,
  choice: fc.constantFrom(...NAMES),
  maybeU64: fc.option(natural(64)),
  maybeTime: fc.option(uint(32)),
  maybeDate: fc.option(day),
  maybeBytes: fc.option(three),
  maybeText: fc.option(anyText),
  maybeChoice: fc.option(fc.constantFrom(...NAMES)),
  maybeF64: fc.option(real),
})

describe('what goes into a table comes out of it', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse({
      schema: { tables: [everyKind], baseViews: [], fills: [], views: [] },
    })
  })
  after(() => warehouse[Symbol.asyncDispose]())

  /** Read in forms that lose nothing: hex for bytes, digits for integers. */
  const readBack = async (run: number): Promise<unknown[][]> => {
    const result = await warehouse.reader.query({
      query: `SELECT u8, u16, u32, toString(u64), toString(u128), toString(u256), i32, toString(i64), f64, bool,
        toString(date), toUInt32(time), hex(bytes), hex(blob), hex(text), toString(choice),
        toString(maybe_u64), toUInt32(maybe_time), toString(maybe_date), hex(maybe_bytes),
        hex(maybe_text), toString(maybe_choice), maybe_f64
        FROM base.every_kind WHERE run = {run:UInt32} ORDER BY seq`,
      query_params: { run },
      format: 'JSONCompactEachRow',
    })
    return result.json<unknown[]>()
  }
  const hex = (value: Uint8Array | string | null) =>
    value === null ? null : Buffer.from(value).toString('hex').toUpperCase()
  const digits = (value: bigint | null) => (value === null ? null : String(value))
  const expected = (r: Omit<Row, 'run' | 'seq'>): unknown[] => [
    r.u8,
    r.u16,
    r.u32,
    String(r.u64),
    String(r.u128),
    String(r.u256),
    r.i32,
    String(r.i64),
    r.f64,
    r.bool,
    r.date,
    r.time,
    hex(r.bytes),
    hex(r.blob),
    hex(r.text),
    r.choice,
    digits(r.maybeU64),
    r.maybeTime,
    r.maybeDate,
    hex(r.maybeBytes),
    hex(r.maybeText),
    r.maybeChoice,
    r.maybeF64,
  ]

  test('rows of every kind, nulls and extremes included', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async rows => {
        run++
        await warehouse.insertRows(
          everyKind,
          rows.map((each, seq) => ({ run, seq, ...each })),
        )
        assert.deepEqual(await readBack(run), rows.map(expected))
      }),
      { numRuns: 40 },
    )
  })

  test('texts of any length keep it, where the length takes another byte to write', async () => {
    const lengths = [0, 1, 63, 64, 65, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152]
    const [sample] = fc.sample(row, { numRuns: 1, seed: 1 })
    const rows = lengths.map((length, seq) => ({ ...sample!, run: 1_000_000, seq, text: 'x'.repeat(length) }))
    await warehouse.insertColumns(everyKind, columnsOfRows(everyKind, rows))
    const result = await warehouse.reader.query({
      query:
        "SELECT toUInt32(length(text)) AS n, toUInt32(countSubstrings(text, 'x')) AS x FROM base.every_kind WHERE run = 1000000 ORDER BY seq",
      format: 'JSONEachRow',
    })
    assert.deepEqual(
      await result.json(),
      lengths.map(n => ({ n, x: n })),
    )
  })

  test('a value outside its column is refused with its place, and nothing is written', async () => {
    const [sample] = fc.sample(row, { numRuns: 1, seed: 1 })
    const bad = { ...sample!, run: 2_000_000, seq: 0, u16: 65_536 }
    await assert.rejects(warehouse.insertRows(everyKind, [bad]), {
      code: 'warehouse.value',
      message: 'every_kind.u16, row 0: 65536 does not fit UInt16',
    })
    assert.deepEqual(await readBack(2_000_000), [])
  })

  test('columns of unequal length are refused before they are sent', async () => {
    const [sample] = fc.sample(row, { numRuns: 1, seed: 1 })
    const columns = columnsOfRows(everyKind, [{ ...sample!, run: 1, seq: 0 }])
    await assert.rejects(warehouse.insertColumns(everyKind, { ...columns, rowCount: 2 }), {
      code: 'warehouse.columns',
      message: 'every_kind.run holds 1 values where 2 belong',
    })
  })
})
