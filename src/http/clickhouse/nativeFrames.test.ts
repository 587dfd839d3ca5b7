/** Grafana would fail to decode results, or read one column into another. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { framed } from './nativeFrames.ts'
import { openTestPort, type TestPort } from './port.testing.ts'

let port: TestPort
before(async () => {
  port = await openTestPort()
})
after(() => port[Symbol.asyncDispose]())

const INFO = '01 00 02 ffffffff 00'.replaceAll(' ', '')

const native = async (sql: string, query = ''): Promise<Buffer> => {
  const answer = await port.ask(`/?default_format=Native&${query}`, { method: 'POST', body: sql })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(answer.status, 200, bytes.toString())
  return bytes
}

test('a block has its information and a byte in each column, as clickhouse-go reads them', async () => {
  const answer = await native("SELECT toUInt8(5) AS a, 'xy' AS b", 'client_protocol_version=54483')
  const column = (name: string, type: string, value: string) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([type.length]),
      Buffer.from(type),
      Buffer.from([0]),
      Buffer.from(value, 'hex'),
    ])
  const expected = Buffer.concat([
    Buffer.from(`${INFO}0201`, 'hex'),
    column('a', 'UInt8', '05'),
    column('b', 'String', '027879'),
  ])
  assert.equal(answer.toString('hex'), expected.toString('hex'))
})

test('an old client gets the information alone, and one without a version the plain form', async () => {
  const sql = 'SELECT toUInt8(5) AS a'
  const plain = (await native(sql)).toString('hex')
  assert.equal((await native(sql, 'client_protocol_version=54000')).toString('hex'), INFO + plain)
  assert.equal((await native(sql, 'client_protocol_version=0')).toString('hex'), plain)
})

test('a framed result that was read whole is a success, and one that was left is canceled', async () => {
  const runOf = async (sql: string) => {
    await until('the run is in the history', () => port.history.some(run => run.sql === sql))
    return port.history.findLast(run => run.sql === sql)?.state
  }
  for (const rows of [3, 300_000])
    for (const more of ['', '&compress=1', '&enable_http_compression=1']) {
      const sql = `SELECT number, toString(number) FROM numbers(${rows})${' '.repeat(more.length)}`
      await native(sql, `client_protocol_version=54483${more}`)
      assert.equal(await runOf(sql), 'succeeded', `${rows} rows ${more}`)
    }
  const sql = "SELECT number, repeat('x', 200) FROM numbers(900000)"
  const leave = new AbortController()
  const answer = await port.ask('/?default_format=Native&client_protocol_version=54483', {
    method: 'POST',
    body: sql,
    signal: leave.signal,
  })
  await answer.body?.getReader().read()
  leave.abort()
  assert.equal(await runOf(sql), 'cancelled')
})

/** A column of each form, with values of many lengths. */
const COLUMNS = [
  'number',
  'toString(number)',
  "repeat('é', number % 300)",
  'toNullable(if(number % 3 = 0, NULL, number))',
  'range(number % 5)',
  "arrayMap(x -> [toString(x), 'q'], range(number % 4))",
  "toLowCardinality(if(number % 2 = 0, '', toString(number % 700)))",
  "CAST(if(number % 3 = 0, NULL, toString(number % 7)), 'LowCardinality(Nullable(String))')",
  "CAST([toString(number % 9)], 'Array(LowCardinality(String))')",
  "CAST(range(number % 2), 'Array(LowCardinality(String))')",
  "CAST((number, 'x'), 'Tuple(a UInt64, `b c` String)')",
  'map(toString(number), [number])',
  "toFixedString('abc', 5)",
  "toDateTime64('2026-01-02 03:04:05', 6, 'UTC')",
  'toDecimal128(number, 10)',
  "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')",
  "toIPv6('::1')",
  'NULL',
  'INTERVAL 1 DAY',
  "CAST('a b', 'Enum8(\\'a b\\' = 1, \\'c,)\\' = 2)')",
  "CAST(number, 'Int256')",
  "CAST((1, 2), 'Point')",
] as const

/** By our own reader: user queries may write fewer types. */
async function engineBlocks(columns: readonly string[], rows: number): Promise<Buffer> {
  const { stream } = await port.site.warehouse.reader.exec({
    query: `SELECT ${columns.map((column, i) => `${column} AS c${i}`).join(', ')} FROM numbers(${rows}) FORMAT Native`,
  })
  return buffer(stream)
}

const framesOf = (pieces: readonly Buffer[], version: number): Promise<Buffer> =>
  buffer(Readable.from(framed(Readable.from(pieces), version)))

test('columns of every form keep all bytes', async () => {
  for (const rows of [0, 1, 2, 1000, 150_000]) {
    const plain = await engineBlocks(rows > 1000 ? COLUMNS.slice(0, 8) : COLUMNS, rows)
    const frames = (await framesOf([plain], 54_000)).toString('latin1')
    // Without the information between blocks it is what the engine wrote.
    const unframed = frames.split(Buffer.from(INFO, 'hex').toString('latin1')).join('')
    assert.ok(Buffer.from(unframed, 'latin1').equals(plain), `${rows} rows`)
  }
})

test('pieces of any size give the same frames', async () => {
  const plain = await engineBlocks(COLUMNS, 50)
  const whole = await framesOf([plain], 54_454)
  for (const size of [1, 2, 3, 7, 100]) {
    const pieces = Array.from({ length: Math.ceil(plain.length / size) }, (_, i) =>
      plain.subarray(i * size, (i + 1) * size),
    )
    assert.ok((await framesOf(pieces, 54_454)).equals(whole), `pieces of ${size}`)
  }
})

test('a column that cannot be framed is refused with the way out', async () => {
  const answer = await port.ask('/?default_format=Native&client_protocol_version=54483', {
    method: 'POST',
    body: "SELECT CAST(1, 'Dynamic') AS x",
  })
  assert.match(await answer.text(), /Code: 4\d\d?\. DB::Exception: /)
  assert.notEqual(answer.status, 200)
})
