/** Somebody could reach through the ClickHouse port what the query tool refuses. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { HOSTILE } from '#warehouse/gate/cases.testing.ts'
import { KEYS, openTestPort, type TestPort } from './port.testing.ts'

type Hostile = {
  readonly kind: string
  readonly sql: string
  readonly query?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly code: number
}

const CASES = readFileSync(new URL('./hostilePort.cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Hostile)

/** Statements that the gate refuses and this port answers from the list of public tables. */
const ANSWERED: readonly string[] = [
  'SELECT displayName()',
  'SELECT revision()',
  'SELECT currentUser()',
  'SELECT user()',
  'SELECT * FROM system.tables',
  'SELECT * FROM system.clusters',
  'SELECT * FROM information_schema.schemata',
  'SHOW DATABASES',
  'EXISTS TABLE base.btc_blocks',
  'EXISTS `/etc/hostname`',
  'SHOW TABLES LIKE {p:String}',
]

let port: TestPort
before(async () => {
  port = await openTestPort()
})
after(() => port[Symbol.asyncDispose]())

const keyOf = (name: string | null | undefined): string | null =>
  name === null ? null : name === undefined ? KEYS.member : name === 'withoutScope' ? KEYS.withoutScope : name

/** Sent without a client that would refuse such headers. */
function send({ sql, query = '', key, headers = {} }: Hostile): Promise<{ code: number; body: string }> {
  const given = keyOf(key)
  return new Promise((resolve, reject) => {
    const sent = request(
      `${port.url}/?${query}`,
      {
        method: 'POST',
        headers: {
          ...(given !== null && { authorization: `Basic ${Buffer.from(`x:${given}`).toString('base64')}` }),
          ...headers,
        },
      },
      response =>
        void buffer(response).then(
          bytes =>
            resolve({
              code: Number(response.headers['x-clickhouse-exception-code'] ?? 0),
              body: bytes.toString(),
            }),
          reject,
        ),
    )
    sent.on('error', reject)
    sent.end(sql)
  })
}

describe('hostile requests', () => {
  test('are refused with ClickHouse’s code each, and tell nothing of closed tables', async () => {
    const differing: unknown[] = []
    for (const hostile of CASES) {
      const { code, body } = await send(hostile)
      const isRefused = code === hostile.code && body.startsWith(`Code: ${code}. DB::Exception: `)
      const isQuiet = !/root:|people-|assay_member|x-evil/i.test(body)
      if (!isRefused || !isQuiet) differing.push({ ...hostile, given: code, body: body.slice(0, 300) })
    }
    assert.deepEqual(differing, [])
    assert.equal(existsSync('/tmp/assay-port-x'), false)
  })

  test('that the gate refuses are refused here too, but for questions about the catalog', async () => {
    const answered: string[] = []
    for (const { sql, params = {} } of HOSTILE) {
      const query = new URLSearchParams(
        Object.entries(params).map(([name, value]) => [
          `param_${name}`,
          (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\\', '\\\\'),
        ]),
      )
      const answer = await port.ask(`/?${query}`, { method: 'POST', body: sql })
      const text = await answer.text()
      if (answer.status === 200) {
        answered.push(sql)
        assert.doesNotMatch(text, /\bbase\.[a-z]|\tbase\t|^base$|root:/m, sql)
      } else assert.match(text, /^Code: \d+\. DB::Exception: /, sql)
    }
    assert.deepEqual(answered, ANSWERED)
  })

  test('of any size are cut off, however small they are packed', async () => {
    const bomb = Buffer.alloc(200 * 2 ** 20, ' ')
    for (const [encoding, body] of [
      ['gzip', gzipSync(bomb)],
      ['zstd', zstdCompressSync(bomb)],
      ['identity', Buffer.alloc(2 ** 20 + 1, ' ')],
    ] as const) {
      const answer = await port.ask('/', {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { 'content-encoding': encoding },
      })
      assert.equal(answer.status, 413, encoding)
      assert.match(await answer.text(), /^Code: 307\. DB::Exception: .*after decompression/)
    }
  })

  test('with two lengths or a smuggled second request are refused by the parser', async () => {
    const raw = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(port.port.port, '127.0.0.1', () => socket.end(text))
        buffer(socket).then(bytes => resolve(bytes.toString()), reject)
      })
    const basic = `Authorization: Basic ${Buffer.from(`x:${KEYS.member}`).toString('base64')}`
    const both = await raw(
      `POST / HTTP/1.1\r\nHost: x\r\n${basic}\r\nContent-Length: 8\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /?query=SELECT+1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    assert.match(both, /^HTTP\/1\.1 400 /)
    const twice = await raw(
      `POST / HTTP/1.1\r\nHost: x\r\n${basic}\r\nContent-Length: 8\r\nContent-Length: 9\r\n\r\nSELECT 1`,
    )
    assert.match(twice, /^HTTP\/1\.1 400 /)
    const keys = await raw(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-ClickHouse-Key: assay_wrong\r\nX-ClickHouse-Key: ${KEYS.member}\r\nContent-Length: 8\r\n\r\nSELECT 1`,
    )
    assert.match(keys, /Code: 516\./)
  })

  test('find nothing beside / and the health checks', async () => {
    for (const path of ['/play', '/dashboard', '/metrics', '/proof', '/lease', '/api/v1/sql', '/../ping/x']) {
      const answer = await port.ask(path, { key: null })
      assert.equal(answer.status, 404, path)
    }
    assert.equal((await port.ask('/', { method: 'DELETE' })).status, 405)
  })
})

test('a listing shows public tables alone', async () => {
  for (const sql of [
    'SELECT DISTINCT database FROM system.tables',
    'SELECT DISTINCT database FROM system.columns',
    'SELECT name FROM system.databases',
    'SELECT DISTINCT table_schema FROM information_schema.tables',
    'SELECT DISTINCT table_schema FROM information_schema.columns',
    'SELECT schema_name FROM information_schema.schemata',
    'SHOW DATABASES',
  ])
    assert.equal(await port.text(sql), 'default\n', sql)
  const listed = (await port.text('SHOW TABLES')).trim().split('\n')
  const views = await port.site.warehouse.reader.query({
    query: "SELECT name FROM system.tables WHERE database = 'default' ORDER BY name",
    format: 'JSONEachRow',
  })
  assert.deepEqual(
    listed,
    (await views.json<{ name: string }>()).map(({ name }) => name),
  )
})
