/** Cached answers would differ from fresh ones, or an abandoned query would keep running. */
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Facts } from '#kernel/errors.ts'
import { until } from '#kernel/until.testing.ts'
import { btcBatches } from '#warehouse/tables/bitcoin.ts'
import { BODY_PACE } from './bodyDeadlines.ts'
import hostile from './hostile.fixture.json' with { type: 'json' }
import { baseHeaders } from './security.ts'
import { openTestSite, type TestSite } from './testing.ts'

/** What the server logged, by level. */
const logged: { level: string; message: string; path: unknown }[] = []
const logAs = (level: string) => (message: string, facts?: Facts) =>
  void logged.push({ level, message, path: facts?.path })
const log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') }

let site: TestSite
let port: number
before(async () => {
  site = await openTestSite({ log, bodyPace: { ...BODY_PACE, wholeMs: 300 } })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  port = (site.app.server.address() as { port: number }).port
})
after(() => site[Symbol.asyncDispose]())

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** A request as it goes over the wire: nothing is unpacked or followed. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}

const BLOCKS = '/api/v1/bitcoin/blocks'
/** What differs between two answers to one question. */
const PASSING = ['date', 'x-request-id', 'connection', 'keep-alive']
const lasting = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !PASSING.includes(name))
      .sort(),
  )

test('a kept answer leaves with the same headers and bytes as when it was made', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const path = `${BLOCKS}?limit=${encoding.length}`
    const first = await get(path, { 'accept-encoding': encoding })
    const second = await get(path, { 'accept-encoding': encoding })
    assert.deepEqual(lasting(second.headers), lasting(first.headers))
    assert.deepEqual(second.bytes, first.bytes)
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
  }
})

test('an answer is packed as the asker can unpack it', async () => {
  const plain = await get(BLOCKS)
  const brotli = await get(BLOCKS, { 'accept-encoding': 'gzip, br' })
  const gzip = await get(BLOCKS, { 'accept-encoding': 'gzip' })
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
  assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
  assert.ok(brotli.bytes.length < plain.bytes.length / 2)
})

test('who holds the answer hears 304, whatever way it was asked, until the data changes', async () => {
  const path = '/api/v1/metrics'
  const { headers } = await get(path)
  const etag = String(headers.etag)
  assert.match(etag, /^W\/"/)
  for (const held of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const again = await get(path, { 'if-none-match': held })
    assert.equal(again.status, 304)
    assert.equal(again.bytes.length, 0)
    assert.equal(again.headers.etag, etag)
  }
  assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
})

test('the order of parameters makes no other answer, the Accept header does', async () => {
  const one = await get('/api/v1/metrics/fees.total?from=2009-01-01&to=2009-02-01')
  const other = await get('/api/v1/metrics/fees.total?to=2009-02-01&from=2009-01-01')
  assert.equal(one.headers.etag, other.headers.etag)
  const csv = await get('/api/v1/metrics/fees.total?from=2009-01-01&to=2009-02-01', { accept: 'text/csv' })
  assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
  const json = await get('/api/v1/metrics/fees.total?from=2009-01-01&to=2009-02-01', { accept: '*/*' })
  assert.match(json.headers['content-type'] ?? '', /^application\/json/)
})

test('HEAD gives the headers of GET and no body', async () => {
  const path = `${BLOCKS}/170`
  const head = await get(path, {}, 'HEAD')
  const got = await get(path)
  const headAgain = await get(path, {}, 'HEAD')
  for (const { status, headers, bytes } of [head, headAgain]) {
    assert.equal(status, 200)
    assert.equal(bytes.length, 0)
    assert.deepEqual(lasting(headers), lasting(got.headers))
  }
})

test('every answer may load nothing, stands in no frame and has an id', async () => {
  for (const path of [BLOCKS, '/meta.json', '/api/v1/nothing', '/healthz']) {
    const { headers } = await get(path)
    assert.match(String(headers['content-security-policy']), /default-src 'none'; frame-ancestors 'none'/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['x-request-id']), /^[\w-]{8,}$/)
  }
})

/** What the server answers to these very bytes. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', part => {
      answer += part
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })

test('a path that a browser could take to another host is a bad request, however often it is sent', async () => {
  for (const target of hostile.targets)
    for (const _ of [1, 2]) {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 400 /, target)
      assert.doesNotMatch(answer, /^location:/im, target)
      assert.match(answer, /^content-security-policy: default-src 'none'/im, target)
    }
})

test('what is no request, or too long a one, is a problem too', async () => {
  const long = await get(`/api/v1/metrics?x=${'a'.repeat(40_000)}`)
  assert.equal(long.status, 431)
  assert.match(String(long.headers['content-type']), /^application\/problem\+json/)
  assert.equal(JSON.parse(long.bytes.toString()).code, 'http.headers_too_large')
  for (const text of hostile.requests) {
    const answer = await raw(text)
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, text)
    assert.match(answer, /"code":"http\.malformed"/, text)
    for (const [name, value] of Object.entries(baseHeaders('http://localhost:4400')))
      assert.ok(answer.includes(`\r\n${name}: ${value}\r\n`), `${JSON.stringify(text)}: ${name}`)
    assert.ok(answer.includes('\r\ncache-control: no-store\r\n'), text)
  }
})

test('new rows give new answers', async () => {
  const path = `${BLOCKS}?limit=50`
  const before = await get(path)
  await takeBack(100_000)
  await site.version.refresh()
  const after = await get(path)
  assert.notEqual(after.headers.etag, before.headers.etag)
  assert.doesNotMatch(after.bytes.toString(), /"height":100000,/)
})

/** As a reorg does it: a newer decision about the batch. */
async function takeBack(height: number): Promise<void> {
  const answer = await site.warehouse.reader.query({
    query:
      'SELECT batch, toUInt32(max(seq)) AS seq FROM base.btc_batches WHERE from_height = {height:UInt32} GROUP BY batch',
    query_params: { height },
    format: 'JSONEachRow',
  })
  const [found] = await answer.json<{ batch: number; seq: number }>()
  assert.ok(found)
  const { batch, seq } = found
  const zeros = new Uint8Array(32)
  await site.warehouse.insertRows(btcBatches, [
    {
      ...{ batch, seq: BigInt(seq + 1), isLive: false, isIsland: true, fromHeight: height, toHeight: height },
      ...{ firstPrevHash: zeros, lastHash: zeros, blockCount: 1, origin: 'block_file', reason: 'reorg' },
      decidedAt: 1_800_000_000,
    },
  ])
}

test('a query whose asker goes away stops in the engine', async () => {
  const runningCount = async (): Promise<number> => {
    const answer = await site.warehouse.writer.query({
      query:
        "SELECT count() AS n FROM system.processes WHERE query LIKE '%cityHash64(number)%' AND query NOT LIKE '%system.processes%'",
      format: 'JSONEachRow',
    })
    return Number((await answer.json<{ n: string }>())[0]?.n)
  }
  const sql = 'SELECT max(cityHash64(number)) FROM numbers(1000000000000)'
  for (const [path, body] of [
    ['/api/v1/sql', { sql }],
    ['/api/v1/queries/runs', { sql, format: 'csv' }],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers })
    request.on('error', () => {})
    request.end(JSON.stringify(body))
    await until('the query runs', async () => (await runningCount()) > 0)
    request.destroy()
    await until(`the query of a caller who left ${path} ends`, async () => (await runningCount()) === 0)
  }
})

test('a body that comes too late, or not at all, is logged as the client’s doing and not as an error', async () => {
  const path = '/api/v1/sql'
  const open = (sent: string, more = '') => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n${more}\r\n${sent}`,
    )
    return socket
  }
  const told = () => logged.filter(each => each.path === path)
  const slow = open('{"sql"')
  let text = ''
  slow.on('data', chunk => {
    text += chunk
  })
  await until('the client is told', () => /^HTTP\/1\.1 408 /.test(text))
  slow.destroy()
  await until('it is logged', () => told().length === 1)
  const gone = open('{', 'expect: 100-continue\r\n')
  gone.once('data', () => gone.destroy())
  await until('a client that went is logged', () => told().length === 2)
  assert.deepEqual([...new Set(told().map(({ level }) => level))], ['info'])
})
