/** Grafana, Metabase and programs with a ClickHouse client could not read Assay, or would read wrong rows. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { createClient as createWebClient } from '@clickhouse/client-web'
import { KEYS, openTestPort, type TestPort } from './port.testing.ts'
import { differingAnswers, PROGRAMS } from './recorded.testing.ts'

let port: TestPort
before(async () => {
  port = await openTestPort()
})
after(() => port[Symbol.asyncDispose]())

/** Errors are what these tests look at. */
const QUIET = { level: ClickHouseLogLevel.OFF }
const SUM_OF_10_000 = (9999 * 10_000) / 2

describe('@clickhouse/client', () => {
  const open = (more: Parameters<typeof createClient>[0] = {}) =>
    createClient({ url: port.url, username: 'anybody', password: KEYS.member, log: QUIET, ...more })

  test('greets, binds parameters, lists tables and streams rows', async () => {
    for (const isCompressed of [false, true]) {
      await using client = open({ compression: { response: isCompressed } })
      assert.equal((await client.ping({ select: true })).success, true)
      const bound = await client.query({
        query: 'SELECT {n:UInt8} AS n, {t:String} AS t, {l:Array(String)} AS l, {d:Date} AS d',
        query_params: { n: 7, t: "a\tb'\\c", l: ["x'y", 'z'], d: '2026-01-02' },
        format: 'JSONEachRow',
      })
      assert.deepEqual(await bound.json(), [{ n: 7, t: "a\tb'\\c", l: ["x'y", 'z'], d: '2026-01-02' }])
      const tables = await (await client.query({ query: 'SHOW TABLES', format: 'JSON' })).json<{
        name: string
      }>()
      assert.ok(tables.data.some(({ name }) => name === 'btc_blocks'))
      const streamed = await client.query({
        query: 'SELECT number AS n FROM numbers(10000)',
        format: 'JSONEachRow',
      })
      let sum = 0
      for await (const rows of streamed.stream<{ n: string }>())
        for (const row of rows) sum += Number(row.json<{ n: string }>().n)
      assert.equal(sum, SUM_OF_10_000)
    }
  })

  test('reads errors with code and name', async () => {
    await using client = open()
    await assert.rejects(client.query({ query: 'SELECT nope FROM btc_blocks' }), {
      code: '47',
      type: 'UNKNOWN_IDENTIFIER',
    })
    await using stranger = open({ password: 'assay_wrong' })
    await assert.rejects(stranger.query({ query: 'SELECT 1' }), {
      code: '516',
      type: 'AUTHENTICATION_FAILED',
    })
  })

  test('runs with the settings that Cube sends in its read-only mode, and is told which one it cannot have', async () => {
    const clickhouse_settings = { send_progress_in_http_headers: 0 } as const
    await using client = open({
      clickhouse_settings,
      application: 'CubeDev_Cube/1.7.43',
      database: 'default',
    })
    const answer = await client.query({ query: 'SELECT 1 AS one', format: 'JSONCompact' })
    assert.deepEqual((await answer.json<[number]>()).data, [[1]])
    assert.equal(answer.response_headers['x-clickhouse-format'], 'JSONCompact')
    await assert.rejects(
      client.query({ query: 'SELECT 1', clickhouse_settings: { join_use_nulls: 1 } }),
      /Cannot modify 'join_use_nulls' setting in readonly mode/,
    )
    await client.command({ query: "KILL QUERY WHERE query_id = 'no such query'" })
  })
})

test('@clickhouse/client-web binds parameters, lists tables, streams rows and reads errors', async () => {
  await using client = createWebClient({
    url: port.url,
    username: 'anybody',
    password: KEYS.member,
    log: QUIET,
  })
  const bound = await client.query({
    query: 'SELECT {n:UInt8} AS n',
    query_params: { n: 7 },
    format: 'JSONEachRow',
  })
  assert.deepEqual(await bound.json(), [{ n: 7 }])
  const tables = await (await client.query({ query: 'SHOW TABLES', format: 'JSON' })).json<{ name: string }>()
  assert.ok(tables.data.some(({ name }) => name === 'btc_blocks'))
  const streamed = await client.query({
    query: 'SELECT number AS n FROM numbers(10000)',
    format: 'JSONEachRow',
  })
  let sum = 0
  const reader = streamed.stream<{ n: string }>().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read())
    for (const row of next.value) sum += Number(row.json<{ n: string }>().n)
  assert.equal(sum, SUM_OF_10_000)
  await assert.rejects(client.query({ query: 'SELECT nope FROM btc_blocks' }), { code: '47' })
})

type OldClient = {
  query(
    sql: string,
    more?: { params: Record<string, unknown> },
  ): { toPromise(): Promise<Record<string, unknown>[]>; stream(): AsyncIterable<Record<string, unknown>> }
}

test('clickhouse binds parameters, lists tables, streams rows and reads errors', async () => {
  const { ClickHouse } = createRequire(import.meta.url)('clickhouse') as {
    ClickHouse: new (options: object) => OldClient
  }
  const client = new ClickHouse({
    url: 'http://127.0.0.1',
    port: port.port.port,
    basicAuth: { username: 'anybody', password: KEYS.member },
    format: 'json',
    config: {
      session_id: 's',
      session_timeout: 60,
      output_format_json_quote_64bit_integers: 0,
      database: 'default',
    },
  })
  const bound = await client.query('SELECT {n:UInt8} AS n', { params: { n: 7 } }).toPromise()
  assert.deepEqual(bound, [{ n: 7 }])
  const tables = await client.query('SHOW TABLES').toPromise()
  assert.ok(tables.some(({ name }) => name === 'btc_blocks'))
  let sum = 0
  for await (const { n } of client.query('SELECT number AS n FROM numbers(10000)').stream()) sum += Number(n)
  assert.equal(sum, SUM_OF_10_000)
  await assert.rejects(client.query('SELECT nope FROM btc_blocks').toPromise(), /nope.*UNKNOWN_IDENTIFIER/)
})

describe('recorded requests of drivers', () => {
  for (const program of PROGRAMS)
    test(`of ${program} are answered with the status, format and rows that it expects`, async () => {
      assert.deepEqual(await differingAnswers(port, program), [])
    })
})
