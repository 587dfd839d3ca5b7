/** Large reads and writes would fail, leak memory or leave queries running. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createClient } from '@clickhouse/client'
import { until } from '#kernel/until.testing.ts'
import { CLIENT_OPTIONS } from './client.ts'
import { openTestWarehouse } from './testing.ts'

const MIB = 2 ** 20

describe('the warehouse through the official client', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
    await warehouse.writer.command({
      query: 'CREATE TABLE base.numbers (n UInt64, s String) ENGINE = MergeTree ORDER BY n',
    })
  })
  after(() => warehouse[Symbol.asyncDispose]())
  beforeEach(() => warehouse.writer.command({ query: 'TRUNCATE TABLE base.numbers' }))

  const anonymous = async () => (await warehouse.memory()).anonymousBytes!
  const endpoint = async () =>
    JSON.parse(await readFile(join(warehouse.home, 'warehouse', 'endpoint.json'), 'utf8')) as {
      port: number
    }
  const token = () => readFile(join(warehouse.home, 'warehouse', 'token'), 'utf8')
  const directClient = async (more: Parameters<typeof createClient>[0]) =>
    createClient({
      ...CLIENT_OPTIONS,
      url: `http://127.0.0.1:${(await endpoint()).port}`,
      username: 'reader',
      password: await token(),
      ...more,
    })
  const count = async () => {
    const result = await warehouse.reader.query({
      query: 'SELECT toUInt32(count()) AS n FROM base.numbers',
      format: 'JSONEachRow',
    })
    return (await result.json<{ n: number }>())[0]!.n
  }

  test('six million rows stream out while the engine’s memory stays flat', async () => {
    let rows = 0
    const at: number[] = []
    const result = await warehouse.reader.query({
      query: 'SELECT number AS n, toString(number) AS s FROM numbers(6000000)',
      format: 'JSONEachRow',
    })
    for await (const chunk of result.stream()) {
      rows += chunk.length
      if (rows >= (at.length + 1) * 1_000_000) at.push(await anonymous())
    }
    assert.equal(rows, 6_000_000)
    const grown = Math.max(...at.slice(1)) - at[0]!
    assert.ok(grown < 96 * MIB, `grew by ${grown / MIB} MiB after the first sixth`)
  })

  test('a million rows stream in as text while the engine’s memory stays flat', async () => {
    const beforeBytes = await anonymous()
    const lines = function* () {
      for (let n = 0; n < 1_000_000; n += 10_000)
        yield Array.from({ length: 10_000 }, (_, i) => `${n + i}\tvalue ${n + i}\n`).join('')
    }
    await warehouse.writer.insert({
      table: 'base.numbers',
      values: Readable.from(lines(), { objectMode: false }),
      format: 'TabSeparated',
    })
    assert.equal(await count(), 1_000_000)
    const grown = (await anonymous()) - beforeBytes
    assert.ok(grown < 160 * MIB, `grew by ${grown / MIB} MiB`)
  })

  test('rows go in by objects, by Parquet and by Arrow, and the summary counts them', async () => {
    const { summary } = await warehouse.writer.insert({
      table: 'base.numbers',
      values: [
        { n: '18446744073709551615', s: '' },
        { n: 1, s: 'line\n\nbreak' },
      ],
      format: 'JSONEachRow',
    })
    assert.equal(summary?.written_rows, '2')
    for (const format of ['Parquet', 'ArrowStream', 'Native', 'RowBinary', 'CSVWithNames']) {
      const { stream } = await warehouse.reader.exec({
        query: `SELECT n, s FROM base.numbers WHERE n = 1 LIMIT 1 FORMAT ${format}`,
      })
      const inserted = await warehouse.writer.exec({
        query: `INSERT INTO base.numbers FORMAT ${format}`,
        values: stream,
      })
      inserted.stream.resume()
    }
    const result = await warehouse.reader.query({
      query:
        'SELECT toString(n) AS n, s, toUInt32(count()) AS times FROM base.numbers GROUP BY n, s ORDER BY length(n)',
      format: 'JSONEachRow',
    })
    assert.deepEqual(await result.json(), [
      { n: '1', s: 'line\n\nbreak', times: 6 },
      { n: '18446744073709551615', s: '', times: 1 },
    ])
  })

  test('rows that do not fit are refused, and the next insert works', async () => {
    const insert = (values: unknown[]) =>
      warehouse.writer.insert({ table: 'base.numbers', values, format: 'JSONEachRow' })
    await assert.rejects(insert([{ n: 'seven', s: '' }]), { type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED' })
    await assert.rejects(
      warehouse.writer.insert({ table: 'base.nowhere', values: [{ n: 1 }], format: 'JSONEachRow' }),
      { type: 'UNKNOWN_TABLE' },
    )
    await insert([{ n: 1, s: 'a' }])
    assert.equal(await count(), 1)
  })

  test('a sender who breaks off leaves no part of the rows behind', async () => {
    const giveUp = new AbortController()
    const rows = async function* () {
      yield '1\tone\n'.repeat(50_000)
      giveUp.abort()
      await new Promise(() => {})
    }
    await assert.rejects(
      warehouse.writer.insert({
        table: 'base.numbers',
        values: Readable.from(rows(), { objectMode: false }),
        format: 'TabSeparated',
        abort_signal: giveUp.signal,
      }),
    )
    // One insert runs on the same pipe at a time: when this one is done, so is the broken one.
    for (let i = 0; i < 3; i++)
      await warehouse.writer.insert({
        table: 'base.numbers',
        values: [{ n: 2, s: 'two' }],
        format: 'JSONEachRow',
      })
    const result = await warehouse.reader.query({
      query: 'SELECT DISTINCT s FROM base.numbers',
      format: 'JSONEachRow',
    })
    assert.deepEqual(await result.json(), [{ s: 'two' }])
  })

  test('results come in whole where the format has a head or a foot', async () => {
    const query = 'SELECT number AS n FROM numbers(200000)'
    const json = await (await warehouse.reader.query({ query, format: 'JSON' })).json<{ n: string }>()
    assert.equal(json.data.length, 200_000)
    assert.equal(json.rows, 200_000)
    const csv = await (await warehouse.reader.query({ query, format: 'CSVWithNames' })).text()
    assert.equal(csv.split('\n').filter(line => line === '"n"').length, 1)
    const { stream } = await warehouse.reader.exec({ query: `${query} FORMAT Parquet` })
    const parquet = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
    assert.equal(parquet.subarray(-4).toString(), 'PAR1')
  })

  test('compression works both ways, in each coding that the client knows', async () => {
    for (const codec of ['gzip', 'zstd', 'br'] as const) {
      const client = await directClient({
        username: 'writer',
        compression: { request: { codec }, response: { codec } },
      })
      await client.insert({
        table: 'base.numbers',
        values: Array.from({ length: 2000 }, (_, n) => ({ n, s: 'same' })),
        format: 'JSONEachRow',
      })
      const result = await client.query({
        query: 'SELECT toUInt32(sum(n)) AS n FROM base.numbers',
        format: 'JSONEachRow',
      })
      assert.equal(result.response_headers['content-encoding'], codec)
      assert.deepEqual(await result.json(), [{ n: 1_999_000 }])
      await warehouse.writer.command({ query: 'TRUNCATE TABLE base.numbers' })
      await client.close()
    }
  })

  test('rows in a coding that they do not have are refused, and the engine lives on', async () => {
    const { port } = await endpoint()
    const response = await fetch(
      `http://127.0.0.1:${port}/?query=${encodeURIComponent('INSERT INTO base.numbers FORMAT TSV')}`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`writer:${await token()}`).toString('base64')}`,
          'content-encoding': 'gzip',
        },
        body: 'this is no gzip',
      },
    )
    assert.equal(response.status, 400)
    assert.match(await response.text(), /^Code: 36\. DB::Exception: The rows broke off: /)
    assert.equal(await count(), 0)
  })

  test('forty readers who go away at any moment leave the engine as it was', async () => {
    const before = await readFile(join(warehouse.home, 'warehouse', 'endpoint.json'), 'utf8')
    const client = await directClient({ compression: { response: true } })
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const away = new AbortController()
        const asked = (i % 2 === 0 ? client : warehouse.reader).query({
          query: 'SELECT number AS n, toString(number) AS s FROM numbers(1000000)',
          format: 'JSONEachRow',
          abort_signal: away.signal,
        })
        if (i % 4 < 2) setImmediate(() => away.abort())
        const result = await asked.catch(() => undefined)
        if (result === undefined) return
        for await (const _ of result.stream()) break
      }),
    )
    await client.close()
    assert.equal(await count(), 0)
    assert.equal(await readFile(join(warehouse.home, 'warehouse', 'endpoint.json'), 'utf8'), before)
  })

  test('parameters arrive as they were given', async () => {
    const values = {
      text: "it's\ta \\ \n 'line'",
      list: [1, 2],
      none: null,
      day: '2024-01-02',
      big: '18446744073709551615',
    }
    const result = await warehouse.guest.query({
      query:
        'SELECT {text:String} AS text, {list:Array(UInt8)} AS list, {none:Nullable(String)} AS none, {day:Date} AS day, toString({big:UInt64}) AS big',
      query_params: values,
      format: 'JSONEachRow',
    })
    assert.deepEqual(await result.json(), [values])
  })

  test('concurrent statements keep their own parameters and settings', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const result = await warehouse.reader.query({
          query: "SELECT {i:UInt32} AS i, toString(getSetting('max_block_size')) AS size",
          query_params: { i },
          clickhouse_settings: { max_block_size: String(1000 + i) },
          format: 'JSONEachRow',
        })
        assert.deepEqual(await result.json(), [{ i, size: String(1000 + i) }])
      }),
    )
  })

  test('an error in the middle of a result reaches the reader', async () => {
    const result = await warehouse.reader.query({
      query: 'SELECT throwIf(number = 400000) AS x FROM numbers(500000)',
      format: 'JSONEachRow',
    })
    await assert.rejects(result.json(), { type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' })
  })

  test('progress comes between the rows', async () => {
    const result = await warehouse.reader.query({
      query: 'SELECT toUInt32(sum(sleepEachRow(0.1))) AS n FROM numbers(5)',
      format: 'JSONEachRowWithProgress',
    })
    const lines: object[] = []
    for await (const rows of result.stream()) for (const row of rows) lines.push(row.json<object>())
    const kinds = lines.map(line => Object.keys(line)[0])
    assert.ok(kinds.includes('progress'), String(kinds))
    assert.deepEqual(lines.at(-1), { row: { n: 0 } })
  })

  const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1'
  const isRunning = async (id: string) => {
    const result = await warehouse.reader.query({
      query: "SELECT 1 FROM system.processes WHERE Settings['log_comment'] = {id:String}",
      query_params: { id },
      format: 'JSONEachRow',
    })
    return (await result.json()).length > 0
  }
  const started = (id: string) => until(`${id} runs`, () => isRunning(id), { betweenMs: 1 })

  test('a statement is cancelled by its id', async () => {
    const lost = assert.rejects(
      warehouse.guest.query({ query: endless, query_id: 'long-one', format: 'JSONEachRow' }),
      { type: 'QUERY_WAS_CANCELLED' },
    )
    await started('long-one')
    assert.equal(await warehouse.kill('long-one'), true)
    await lost
    assert.equal(await warehouse.kill('long-one'), false)
  })

  test('a reader who goes away stops the statement', async () => {
    const away = new AbortController()
    const lost = assert.rejects(
      warehouse.reader.query({
        query: endless,
        query_id: 'left-alone',
        format: 'JSONEachRow',
        abort_signal: away.signal,
      }),
    )
    await started('left-alone')
    away.abort()
    await lost
    await until('left-alone ends', async () => !(await isRunning('left-alone')))
  })

  test('an id that is running already is refused', async () => {
    const first = warehouse.reader
      .query({ query: endless, query_id: 'twice', format: 'JSONEachRow' })
      .catch(cause => cause)
    await started('twice')
    await assert.rejects(
      warehouse.reader.query({ query: 'SELECT 1', query_id: 'twice', format: 'JSONEachRow' }),
      { type: 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING' },
    )
    await warehouse.kill('twice')
    await first
  })

  test('two statements in one text are refused, a semicolon in a text or at the end is none', async () => {
    for (const format of ['JSONCompact', 'JSONEachRow'] as const) {
      const ask = (query: string) => warehouse.reader.query({ query, format })
      await assert.rejects(ask('SELECT 1 AS n;\nSELECT 2 AS n'), /[Mm]ulti-?statements/)
      const answer = await ask("SELECT '; SELECT 2' AS s -- ; SELECT 3")
      assert.match(await answer.text(), /; SELECT 2/)
      assert.match(await (await ask('SELECT 5 AS n;\n')).text(), /5/)
    }
  })

  test('our own reads cannot write', async () => {
    await assert.rejects(warehouse.reader.command({ query: 'DROP TABLE base.numbers' }), { type: 'READONLY' })
  })

  test('nobody gets in without the token', async () => {
    for (const wrong of [{ password: 'guess' }, { username: 'default' }]) {
      const client = await directClient(wrong)
      await assert.rejects(client.query({ query: 'SELECT 1' }), { type: 'AUTHENTICATION_FAILED' })
      await client.close()
    }
  })

  test('sessions are refused with a reason', async () => {
    await assert.rejects(warehouse.reader.query({ query: 'SELECT 1', session_id: 'mine' }), {
      type: 'NOT_IMPLEMENTED',
    })
  })
})
