/** An uploaded file would be lost, misread, or shown to somebody other than its owner. */

import assert from 'node:assert/strict'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Problem, QueryRun, ResultPage, Upload, UploadDraft, Uploads } from '#http/contract.ts'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { createUploads } from '#queries/index.ts'
import { xlsxOf } from '#queries/uploads/convert/xlsx.testing.ts'
import { createDrafts } from '#queries/uploads/createDrafts.ts'
import { UPLOAD_LIMITS } from '#queries/uploads/uploadLimits.ts'
import { openTestWarehouse, smallDisk } from '#warehouse/testing.ts'
import type { ListedUpload } from '../clickhouse/catalogSql.ts'
import { type ClickHousePort, openClickHousePort } from '../clickhouse/openClickHousePort.ts'
import { accounts, keyOf, PACE, signedIn, site, store, testSite } from '../queries/sharedSaved.testing.ts'

type Headers = Record<string, string>

const SEED = newSeed()

const { warehouse } = testSite
let owner: Headers
let other: Headers

before(async () => {
  owner = await signedIn('owner@uploads.example')
  other = await signedIn('other@uploads.example')
})

type Answer<T> = { status: number; body: T; text: string }

async function ask<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Headers = {},
  payload?: object | string | Buffer,
): Promise<Answer<T>> {
  const { statusCode, body } = await site.ask(url, {
    method,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, body: (body === '' ? undefined : JSON.parse(body)) as T, text: body }
}

const read = (
  text: string | Buffer,
  more: { fileName?: string; headers?: Headers; hasHeader?: boolean } = {},
) =>
  ask<UploadDraft & Problem>(
    'POST',
    `/api/v1/uploads/drafts?fileName=${encodeURIComponent(more.fileName ?? 'file.csv')}&hasHeader=${more.hasHeader ?? true}`,
    { 'content-type': 'text/csv', ...(more.headers ?? owner) },
    text,
  )
const keep = (draft: string, name: string, more: object = {}, headers = owner) =>
  ask<Upload & Problem>('POST', '/api/v1/uploads', headers, { draft, name, ...more })

async function upload(name: string, text: string | Buffer, more: object = {}, headers = owner) {
  const { status, body, text: said } = await read(text, { headers })
  assert.equal(status, 200, said)
  const kept = await keep(body.id, name, more, headers)
  assert.equal(kept.status, 200, kept.text)
  return kept.body
}

async function run(sql: string, headers: Headers = owner): Promise<QueryRun> {
  const { body } = await ask<QueryRun>('POST', '/api/v1/queries/runs', headers, { sql, waitSeconds: 30 })
  return body
}

async function rows(sql: string, headers: Headers = owner): Promise<ResultPage['rows']> {
  const { result, problem } = await run(sql, headers)
  assert.ok(result, JSON.stringify(problem))
  return (await ask<ResultPage>('GET', `/api/v1/queries/results/${result.hash}?limit=1000`, headers)).body
    .rows
}

test('a file becomes a private table that its owner joins with public tables', async () => {
  const made = await upload('heights', 'height,label\n170,first payment\n0,genesis\n')
  assert.deepEqual(made.columns, [
    { name: 'height', type: 'Int64' },
    { name: 'label', type: 'String' },
  ])
  const found = await rows(
    'SELECT height, heights.label FROM uploads.heights JOIN btc_blocks USING height ORDER BY uploads.heights.height',
  )
  assert.deepEqual(found, [
    [0, 'genesis'],
    [170, 'first payment'],
  ])
})

test('nobody else can query an upload, list it, or read a result of it', async () => {
  await upload('canary_of_owner', 'canary\nsecret-canary\n')
  const own = await run('SELECT canary FROM uploads.canary_of_owner')
  assert.equal(own.result?.isPrivate, true)
  const [database] = await warehouse.reader
    .query({
      query: "SELECT database FROM system.tables WHERE name = 'canary_of_owner'",
      format: 'JSONEachRow',
    })
    .then(result => result.json<{ database: string }>())
  assert.match(database?.database ?? '', /^uploads_[0-9a-f]{32}$/)
  for (const headers of [other, {}]) {
    const refused = await run('SELECT canary FROM uploads.canary_of_owner', headers)
    assert.equal(refused.problem?.code, 'sql.unknown_upload')
    const guessed = await run(`SELECT canary FROM ${database?.database}.canary_of_owner`, headers)
    assert.equal(guessed.problem?.code, 'sql.refused')
    const page: Answer<Problem> = await ask<Problem>(
      'GET',
      `/api/v1/queries/results/${own.result?.hash}`,
      headers,
    )
    assert.deepEqual([page.status, page.body.code], [403, 'sql.result_private'])
    for (const [method, part] of [
      ['GET', 'query'],
      ['GET', 'chart'],
      ['PUT', 'pin'],
    ] as const) {
      const refusal: Answer<Problem> = await ask<Problem>(
        method,
        `/api/v1/queries/results/${own.result?.hash}/${part}`,
        headers,
      )
      assert.deepEqual([refusal.status, refusal.body.code], [403, 'sql.result_private'])
      assert.doesNotMatch(refusal.text, /canary/)
    }
    for (const sql of [
      'SELECT * FROM system.columns',
      'SELECT * FROM information_schema.tables',
      'SELECT * FROM information_schema.columns',
      'SHOW TABLES',
    ])
      for (const row of await rows(sql, headers)) assert.doesNotMatch(row.join(' '), /canary|uploads_/)
    for (const sql of [
      'SELECT * FROM canary_of_ownr',
      'SELECT canary FROM canary_of_owner',
      'SELECT * FROM default.canary_of_owne',
    ])
      assert.doesNotMatch(JSON.stringify((await run(sql, headers)).problem), /secret|uploads_/)
  }
  const listed = await ask<Uploads>('GET', '/api/v1/uploads', other)
  assert.doesNotMatch(listed.text, /canary/)
})

const databases = async (): Promise<string[]> => {
  const result = await warehouse.reader.query({
    query:
      "SELECT name FROM system.databases WHERE name LIKE 'uploads!_%' ESCAPE '!' OR startsWith(name, 'uploads_') ORDER BY name",
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

test('replacing, appending and deleting change what is read, and no earlier result stands for the new rows', async () => {
  const before = (await databases()).length
  await upload('moving', 'a,b\n1,old-canary\n')
  const sql = 'SELECT a, b FROM uploads.moving ORDER BY a'
  const first = await run(sql)
  assert.equal((await run(sql)).isReused, true)
  await upload('moving', 'a,b\n2,\n', { mode: 'append' })
  assert.deepEqual(await rows(sql), [
    [1, 'old-canary'],
    [2, null],
  ])
  const replaced = await upload('moving', 'x\n0.1\n', { mode: 'replace' })
  assert.deepEqual(replaced.columns, [{ name: 'x', type: 'Decimal(38, 1)' }])
  const now = await run('SELECT x FROM uploads.moving')
  assert.notEqual(now.result?.hash, first.result?.hash)
  assert.equal((await databases()).length, before + 1)
  const { body: draft } = await read('y\n1\n')
  const wrong = await keep(draft.id, 'moving', { mode: 'append' })
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'uploads.append'])
  const again = await keep(draft.id, 'moving')
  assert.deepEqual([again.status, again.body.code], [409, 'uploads.taken'])
  assert.equal((await ask('DELETE', '/api/v1/uploads/moving', other)).status, 404)
  assert.equal((await ask('DELETE', '/api/v1/uploads/moving', owner)).status, 204)
  assert.equal((await run(sql)).problem?.code, 'sql.unknown_upload')
  assert.equal((await databases()).length, before)
})

test('values come back exactly as the file has them', async () => {
  const column = fc.record({
    whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    large: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    exact: fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 99 })),
    text: fc.string({ unit: 'grapheme', minLength: 1 }),
    day: fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31'), noInvalidDate: true }),
    isIt: fc.boolean(),
  })
  const values = fc.sample(column, { numRuns: 300, seed: SEED })
  const lines = values.map(({ whole, large, exact: [units, cents], text, day, isIt }) => [
    String(whole),
    String(large),
    `${units}.${String(cents).padStart(2, '0')}`,
    text,
    day.toISOString().slice(0, 10),
    String(isIt),
  ])
  const csv = [
    'whole,large,exact,text,day,is_it',
    ...lines.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join()),
  ]
  const made = await upload('exactly', csv.join('\r\n'))
  assert.deepEqual(
    made.columns.map(({ type }) => type),
    ['Int64', 'UInt256', 'Decimal(38, 2)', 'String', 'Date32', 'Bool'],
  )
  const found = await rows(
    'SELECT toString(whole), toString(large), toDecimalString(exact, 2), text, toString(day), toString(is_it) FROM uploads.exactly LIMIT 1000',
  )
  assert.deepEqual([...found].sort(), lines.map(cells => [...cells]).sort(), `seed ${SEED}`)
})

test('types are inferred only where all values fit, and what does not is shown with its row', async () => {
  const columns = async (text: string) => (await read(text)).body.columns
  const [flip] = await columns(`n\n${'7\n'.repeat(50)}N/A\n`)
  assert.deepEqual(
    [flip?.type, flip?.doubt?.count, flip?.doubt?.rows],
    ['String', 1, [{ row: 52, value: 'N/A' }]],
  )
  const [ambiguous] = await columns('d\n03/04/2026\n')
  assert.deepEqual([ambiguous?.type, ambiguous?.doubt?.rows], ['String', [{ row: 2, value: '03/04/2026' }]])
  const typeOf = async (...values: string[]) => {
    const [column] = await columns(`v\n${values.map(value => `"${value}"`).join('\n')}\n`)
    return [column?.type, column?.format, column?.doubt === null]
  }
  assert.deepEqual(await typeOf('03/04/2026', '31/04/2026', '13/05/2026'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('03/04/2026', '13/05/2026'), ['Date', 'dayFirst', true])
  assert.deepEqual(await typeOf('2026-02-30'), ['String', 'plain', true])
  assert.deepEqual(await typeOf('2026-02-28', '2026-02-30'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('1,234'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('1,234,567', '12'), ['Int64', 'commaThousands', true])
  assert.deepEqual(await typeOf('1.234,5', '2.000'), ['Decimal(38, 1)', 'pointThousands', true])
  assert.deepEqual(await typeOf('9223372036854775807'), ['Int64', 'plain', true])
  assert.deepEqual(await typeOf('9223372036854775808'), ['Int256', 'plain', true])
  assert.deepEqual(await typeOf(`${2n ** 256n - 1n}`), ['UInt256', 'plain', true])
  assert.deepEqual(await typeOf(`${2n ** 256n}`), ['String', 'plain', true])
  assert.deepEqual(await typeOf('007'), ['String', 'plain', true])
  assert.deepEqual(await typeOf('1e-7', '2'), ['Float64', 'plain', false])
  assert.deepEqual(await typeOf('2026-01-02T03:04:05.123456Z'), ['DateTime', 'plain', true])
  assert.deepEqual(await typeOf('=HYPERLINK(1)', '<b>'), ['String', 'plain', true])
})

test('a type can be corrected, and a value that does not fit is refused with its place or left empty', async () => {
  const { body: draft } = await read('n\n1\nx\n')
  const changed = await ask<UploadDraft>('PUT', `/api/v1/uploads/drafts/${draft.id}`, owner, {
    columns: [{ name: 'amount', type: 'Int256', format: 'plain' }],
  })
  assert.deepEqual(changed.body.columns[0]?.doubt?.rows, [{ row: 3, value: 'x' }])
  const refused = await keep(draft.id, 'corrected')
  assert.deepEqual([refused.status, refused.body.code], [422, 'uploads.value'])
  assert.match(refused.body.detail, /^Row 3, column amount: /)
  const kept = await keep(draft.id, 'corrected', { misfits: 'empty' })
  assert.deepEqual(kept.body.columns, [{ name: 'amount', type: 'Nullable(Int256)' }])
  assert.deepEqual(await rows('SELECT amount FROM uploads.corrected ORDER BY amount'), [[1], [null]])
  for (const columns of [
    [{ type: "Int64) ENGINE = URL('http://x')" }],
    [{ type: 'Int64', name: 'a`b' }],
    [],
  ]) {
    const { body } = await read('n\n1\n')
    const { status } = await ask('PUT', `/api/v1/uploads/drafts/${body.id}`, owner, { columns })
    assert.ok(status === 400 || status === 422)
  }
})

test('a workbook and a Parquet file become tables with the same values', async () => {
  const sheet = await read(
    xlsxOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>day</t></is></c><c r="B1" t="inlineStr"><is><t>sats</t></is></c></row><row r="2"><c r="A2" s="1"><v>46115</v></c><c r="B2"><v>21</v></c></row>',
    ),
    { fileName: 'sheet.xlsx' },
  )
  assert.deepEqual(
    sheet.body.columns?.map(({ name, type }) => [name, type]),
    [
      ['day', 'Date'],
      ['sats', 'Int64'],
    ],
    sheet.text,
  )
  const { result } = await run(
    "SELECT toDecimal256('7237005577332262213973186563042994240829374041602535252466099000494570', 0) AS wei, toDecimal128('1.000000000000000001', 18) AS eth, toDate('2026-04-03') AS day, toDateTime64('2026-01-02 03:04:05.123456', 6, 'Asia/Tokyo') AS at, unhex('ff00') AS hash, true AS ok, NULL::Nullable(String) AS nothing",
  )
  const file = await site.ask(`/api/v1/queries/results/${result?.hash}?format=parquet`, { headers: owner })
  const { body, text } = await read(file.rawPayload, { fileName: 'x.parquet' })
  assert.equal((await keep(body.id, 'columnar')).status, 200, text)
  assert.deepEqual(
    await rows(
      'SELECT toString(wei), toString(eth), toString(day), toString(at), hash, ok, nothing FROM uploads.columnar',
    ),
    [
      [
        '7237005577332262213973186563042994240829374041602535252466099000494570',
        '1.000000000000000001',
        '2026-04-03',
        '2026-01-01 18:04:05.123456',
        'ff00',
        true,
        null,
      ],
    ],
    JSON.stringify(body.columns),
  )
})

test('hostile and broken files are refused with a reason, and nothing of them is kept', async () => {
  const before = await databases()
  const parquet = Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.alloc(64, 1),
    Buffer.from([0xff, 0xff, 0xff, 0x7f]),
    Buffer.from('PAR1'),
  ])
  const files: [string, string | Buffer, number, string][] = [
    ['a.parquet', parquet, 422, 'uploads.unreadable'],
    ['a.parquet', 'a,b', 422, 'uploads.unreadable'],
    ['a.xlsx', Buffer.from('PK\x03\x04 no more'), 422, 'uploads.unreadable'],
    ['a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 422, 'uploads.unreadable'],
    ['a.csv', Buffer.from('1f8b0800', 'hex'), 422, 'uploads.unreadable'],
    ['a.csv', '', 422, 'uploads.empty'],
    ['a.csv', `${Array.from({ length: 10_000 }, (_, at) => `c${at}`)}\n`, 422, 'uploads.too_many_columns'],
    ['a.csv', 'a\n"open', 422, 'uploads.quotes'],
    ['a.csv', Buffer.from('a\n\xe4\n', 'latin1'), 422, 'uploads.encoding'],
  ]
  for (const [fileName, bytes, status, code] of files) {
    const answer = await read(bytes, { fileName })
    assert.deepEqual([answer.status, answer.body.code], [status, code], `${fileName} ${answer.text}`)
  }
  for (const name of ['Upper', '1st', 'a-b', "a'; DROP", '../x', 'a'.repeat(64)]) {
    const { body } = await read('a\n1\n')
    assert.deepEqual((await keep(body.id, name)).body.code, 'uploads.name')
  }
  const announced = await ask<Problem>(
    'POST',
    '/api/v1/uploads/drafts?fileName=a.csv',
    { ...owner, 'content-length': '2000000000' },
    'a',
  )
  assert.ok(announced.status === 413 || announced.status === 400)
  assert.deepEqual(await databases(), before)
})

test('a draft, its columns and its table are for who uploaded the file alone', async () => {
  const { body: draft } = await read('a\n1\n')
  for (const [headers, status] of [
    [other, 404],
    [{}, 401],
  ] as const) {
    assert.equal((await ask('GET', `/api/v1/uploads/drafts/${draft.id}`, headers)).status, status)
    assert.equal((await keep(draft.id, 'stolen', {}, headers)).status, status)
    assert.equal((await ask('DELETE', `/api/v1/uploads/drafts/${draft.id}`, headers)).status, status)
  }
})

test('a key reads uploads with the scope read:own and changes them with write:own', async () => {
  await upload('of_keys', 'a\n5\n')
  const [sqlOnly, reading, writing] = [
    (await keyOf(owner, 'read:query')).headers,
    (await keyOf(owner, 'read:query', 'read:own')).headers,
    (await keyOf(owner, 'write:own')).headers,
  ]
  assert.equal((await run('SELECT a FROM uploads.of_keys', sqlOnly)).problem?.code, 'sql.unknown_upload')
  assert.deepEqual(await rows('SELECT a FROM uploads.of_keys', reading), [[5]])
  const sql = async (headers: Headers) =>
    (await ask<Problem>('POST', '/api/v1/sql', headers, { sql: 'SELECT a FROM uploads.of_keys' })).status
  assert.deepEqual([await sql(sqlOnly), await sql(reading)], [404, 200])
  assert.equal((await read('a\n1\n', { headers: reading })).status, 403)
  assert.equal((await read('a\n1\n', { headers: writing })).status, 200)
  assert.equal((await ask('GET', '/api/v1/uploads', sqlOnly)).status, 403)
})

test('a saved query that reads an upload runs for its owner alone, and says so to others', async () => {
  await upload('in_saved', 'a\n5\n')
  const { body } = await ask<{ id: string }>('POST', '/api/v1/queries', owner, {
    name: 'Public',
    sql: 'SELECT a FROM uploads.in_saved',
    visibility: 'public',
  })
  const { body: shared } = await ask<{ sql: string }>('GET', `/api/v1/queries/${body.id}`, other)
  const { problem } = await run(shared.sql, other)
  assert.equal(problem?.code, 'sql.unknown_upload')
  assert.match(problem?.hint ?? '', /Only the owner/)
})

test('what a process left behind while it wrote is dropped, and uploads stay', async () => {
  await upload('staying', 'a\n1\n')
  const before = await databases()
  const left = `uploads_${'0'.repeat(32)}`
  await warehouse.writer.command({ query: `CREATE DATABASE ${left}` })
  await warehouse.writer.command({
    query: `CREATE TABLE ${left}.half (a Int64) ENGINE = MergeTree ORDER BY tuple()`,
  })
  for (const name of [left, `uploads_${'1'.repeat(32)}`])
    await store.query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, to_timestamp(0))', [
      name,
    ])
  const [listed] = await store.query<{ database: string }>(
    "SELECT database FROM assay.uploads WHERE name = 'staying'",
  )
  // A row that stayed behind must not take an upload with it.
  await store.query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, to_timestamp(0))', [
    listed?.database,
  ])
  const none = undefined as never
  const uploads = createUploads({ warehouse, store, drafts: none, log: { info() {}, warn() {}, error() {} } })
  await uploads.sweep()
  assert.deepEqual(await databases(), before)
  assert.deepEqual(await rows('SELECT a FROM uploads.staying'), [[1]])
})

describe('a file that arrives slowly', () => {
  let port: number
  before(async () => {
    await testSite.app.listen({ port: 0, host: '127.0.0.1' })
    port = (testSite.app.server.address() as { port: number }).port
  })
  type Sent = { text: string; isOver: boolean; send(chunk: string): void }
  /** A request whose body is sent by and by. */
  function sending(path: string, headers: Headers, bytes: number): Sent {
    const socket = connect(port, '127.0.0.1')
    const sent: Sent = { text: '', isOver: false, send: chunk => socket.write(chunk) }
    socket.on('data', chunk => {
      sent.text += chunk
    })
    socket.on('close', () => {
      sent.isOver = true
    })
    socket.on('error', () => {})
    const lines = Object.entries({ host: 'a', 'content-length': String(bytes), ...headers })
    socket.write(
      `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    )
    return sent
  }
  const DRAFTS = '/api/v1/uploads/drafts?fileName=slow.csv'
  const ROW = `1${'0'.repeat(98)}\n`
  /** Sends rows at each look, one of which is enough for a window, until so many windows have passed; returns the rows. */
  async function feed(sent: Sent, windows: number): Promise<number> {
    const end = performance.now() + windows * PACE.windowMs
    let count = 0
    await until('so many windows have passed', () => {
      sent.send(ROW.repeat(20))
      count += 20
      return sent.isOver || performance.now() > end
    })
    return count
  }
  /** Sends a row at each look until the connection is closed. */
  const feedToTheEnd = (sent: Sent) =>
    until('it is closed', () => {
      if (!sent.isOver) sent.send(ROW)
      return sent.isOver
    })

  test('is read whole if it makes progress, for who may upload', async () => {
    const rows = 10_000
    const sent = sending(DRAFTS, { ...owner, 'content-type': 'text/csv' }, rows * ROW.length + 2)
    sent.send('a\n')
    const count = await feed(sent, 4)
    assert.equal(sent.isOver, false, sent.text)
    sent.send(ROW.repeat(rows - count))
    await until('it is answered', () => sent.text.includes('"rowCount"'))
    assert.match(sent.text, /^HTTP\/1\.1 200 [\s\S]*"rowCount":10000/)
  })

  test('is refused where it stops, and its draft goes', async () => {
    const stopped = sending(DRAFTS, owner, 1_000_000)
    const guest = sending(DRAFTS, {}, 1_000_000)
    const query = sending('/api/v1/sql', { ...owner, 'content-type': 'application/json' }, 100_000)
    await Promise.all([guest, query].map(feedToTheEnd))
    assert.match(guest.text, /^HTTP\/1\.1 401 /)
    assert.match(query.text, /^HTTP\/1\.1 408 [\s\S]*http\.too_slow/)
    await until('the third is closed', () => stopped.isOver)
    assert.match(stopped.text, /^HTTP\/1\.1 408 [\s\S]*http\.too_slow/)
  })
})

const { drafts } = testSite.queryTool
const never = new AbortController().signal
const draftOf = (who: string, text: string) =>
  drafts.add(who, { fileName: 'a.csv', hasHeader: true, body: Readable.from([Buffer.from(text)]) }, never)
/** A file of so many megabytes. While it is read, its draft takes twice that. */
const megabytes = (count: number) => `a\n${`${'7'.repeat(99_999)}\n`.repeat(count * 10)}`

test('files that are not kept share a limited disk: own and unused ones make room, those in use do not', async () => {
  const isThere = (who: string, id: string) => {
    try {
      return drafts.get(who, id).id === id
    } catch (cause) {
      assert.ok(cause instanceof Error && 'code' in cause && cause.code === 'uploads.unknown_draft')
      return false
    }
  }
  await assert.rejects(draftOf('first', megabytes(9)), { code: 'uploads.drafts_full' })
  const first = await draftOf('first', megabytes(2.5))
  const second = await draftOf('second', megabytes(2.5))
  const own = await draftOf('second', megabytes(2.5))
  assert.deepEqual(
    [isThere('second', second.id), isThere('second', own.id), isThere('first', first.id)],
    [false, true, true],
  )
  // Looked at last, so the other one goes.
  const third = await draftOf('third', megabytes(2.5))
  assert.deepEqual([isThere('second', own.id), isThere('first', first.id)], [false, true])
  {
    using _first = drafts.open('first', first.id)
    using _third = drafts.open('third', third.id)
    await assert.rejects(draftOf('fourth', megabytes(2.5)), { code: 'uploads.drafts_full' })
  }
  await draftOf('fourth', megabytes(2.5))
  assert.deepEqual([isThere('third', third.id), isThere('first', first.id)], [true, false])
  // What a sender only announces removes nothing.
  const body = Readable.from([Buffer.from('a\n1\n')])
  await drafts.add('fifth', { fileName: 'a.csv', hasHeader: true, body, announcedBytes: 7 * 2 ** 20 }, never)
  assert.equal(isThere('third', third.id), true)
})

test('a full disk is said while a file arrives, is read and is kept, and leaves nothing', async t => {
  using small = smallDisk(2)
  using large = smallDisk(60)
  if (small === undefined || large === undefined) return t.skip('this user may not mount a small file system')
  const onSmall = await createDrafts(
    { folder: small.path, client: () => Promise.reject(new Error('never')), ...NO_END },
    UPLOAD_LIMITS,
  )
  for (const text of [megabytes(3), `a\n${'1\n'.repeat(300_000)}`]) {
    const body = Readable.from([Buffer.from(text)])
    await assert.rejects(onSmall.add('a', { fileName: 'a.csv', hasHeader: true, body }, never), {
      code: 'uploads.disk_full',
    })
    assert.deepEqual(await readdir(join(small.path, 'uploads')), [])
  }

  const schema = { tables: [], baseViews: [], fills: [], views: [] }
  await using full = await openTestWarehouse({ home: large.path, schema })
  const uploads = createUploads({ warehouse: full, store, drafts, log: silentLog })
  const random = createRandom(SEED)
  const digits = () => Array.from({ length: 1000 }, () => Math.floor(random() * 1e15)).join('')
  const draft = await draftOf('disk', `a\n${Array.from({ length: 250 }, () => `${digits()}\n`).join('')}`)
  const free = await statfs(large.path)
  const filler = join(large.path, 'filler')
  await writeFile(filler, Buffer.alloc(free.bavail * free.bsize - 2 ** 20))
  const keeping = { draft: draft.id, name: 'kept', mode: 'create', misfits: 'refuse' } as const
  await assert.rejects(uploads.keep('disk', keeping, never), { code: 'uploads.disk_full' })
  assert.deepEqual(await uploads.list('disk'), [])
  await rm(filler)
  assert.equal((await uploads.keep('disk', keeping, never)).rowCount, 250)
})
const NO_END = { [Symbol.asyncDispose]: async () => {} }

describe('on the port for ClickHouse clients', () => {
  let port: ClickHousePort
  /** Listed beside the real ones. */
  let made: ListedUpload[] = []
  let keys: Readonly<Record<'own' | 'sqlOnly' | 'other' | 'lapsed', string>>
  before(async () => {
    port = await openClickHousePort(
      {
        executor: testSite.executor,
        accounts,
        uploads: {
          list: async of => [...(await testSite.queryTool.uploads.list(of)), ...made],
        },
        version: async () => 'test',
        asOf: async () => [],
        log: silentLog,
      },
      { host: '127.0.0.1', port: 0 },
    )
    const secret = async (headers: Headers, ...scopes: string[]) =>
      ((await keyOf(headers, ...scopes)).headers.authorization ?? '').replace('Bearer ', '')
    const lapsed = await signedIn('lapsed@uploads.example')
    keys = {
      own: await secret(owner, 'read:query', 'read:own'),
      sqlOnly: await secret(owner, 'read:query'),
      other: await secret(other, 'read:query', 'read:own'),
      lapsed: await secret(lapsed, 'read:query', 'read:own'),
    }
    await upload('port_canary', 'height,canary_column\n170,x\n')
    await upload('port_other', 'other_column\n1\n', {}, other)
    await upload('port_lapsed', 'lapsed_column\n1\n', {}, lapsed)
    await accounts.grants.revoke('lapsed@uploads.example', 'test')
  })
  after(() => port[Symbol.asyncDispose]())

  const askPort = async (sql: string, key: keyof typeof keys): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port.port}/`, {
      method: 'POST',
      body: sql,
      headers: { 'x-clickhouse-key': keys[key] },
    })
    return answer.text()
  }
  /** All ways to ask what there is. */
  const LISTINGS = [
    'SHOW DATABASES',
    'SHOW TABLES',
    'SHOW FULL TABLES FROM uploads',
    'SHOW COLUMNS FROM uploads.port_canary',
    'SHOW FULL COLUMNS FROM port_canary FROM uploads',
    'SELECT * FROM system.databases',
    'SELECT * FROM system.tables',
    "SELECT * FROM system.tables WHERE database = 'uploads'",
    'SELECT * FROM system.columns',
    'SELECT * FROM information_schema.schemata',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM INFORMATION_SCHEMA.COLUMNS',
    'EXISTS TABLE uploads.port_canary',
    'EXISTS DATABASE uploads',
    'DESCRIBE TABLE uploads.port_canary',
    'SELECT t.name, c.name FROM system.tables AS t JOIN system.columns AS c ON c.table = t.name AND c.database = t.database',
    // Attempts at the lists of somebody else.
    'SELECT * FROM system.tables UNION ALL SELECT * FROM system.tables',
    'SELECT (SELECT groupArray(name) FROM system.columns)',
    "SELECT * FROM view(SELECT * FROM system.tables) WHERE name LIKE '%port%'",
    "SELECT * FROM system.columns WHERE database LIKE 'uploads%' OR 1",
    "SELECT * FROM (SELECT * FROM system.columns) WHERE table IN (SELECT name FROM system.tables WHERE database != 'default')",
    "SHOW TABLES FROM uploads LIKE '%' UNION ALL SELECT name FROM system.tables",
    'SHOW TABLES FROM uploads WHERE 1 OR name IN (SELECT name FROM system.tables)',
    'SHOW CREATE TABLE uploads.port_canary',
    'SELECT * FROM `system`.`tables`',
    'SELECT * FROM system . columns AS default',
    'WITH uploads AS (SELECT * FROM system.columns) SELECT * FROM uploads',
    'SELECT canary_column FROM uploads.port_canary',
    'SELECT uploads.port_canary.* FROM uploads.port_canary',
    'SELECT * FROM uploads.port_canry',
    "SELECT * FROM merge('uploads', '.*')",
    "SELECT hasColumnInTable('uploads', 'port_canary', 'canary_column')",
    'EXISTS uploads.port_other',
  ]

  test('uploads are listed with their columns, as a database of their own', async () => {
    const lines = async (sql: string) => (await askPort(sql, 'own')).trim().split('\n')
    assert.deepEqual(await lines('SHOW DATABASES'), ['default', 'uploads'])
    assert.ok((await lines('SHOW TABLES FROM uploads')).includes('port_canary'))
    assert.ok(!(await lines('SHOW TABLES')).includes('port_canary'))
    assert.deepEqual(
      await lines(
        "SELECT database, engine, total_rows, comment FROM system.tables WHERE name = 'port_canary'",
      ),
      ['uploads\tMergeTree\t1\tUpload of file.csv'],
    )
    const columns = ['height\tInt64\t1', 'canary_column\tString\t2']
    assert.deepEqual(
      await lines(
        "SELECT name, type, position FROM system.columns WHERE table = 'port_canary' ORDER BY position",
      ),
      columns,
    )
    assert.deepEqual(
      await lines(
        "SELECT column_name, DATA_TYPE, ordinal_position FROM information_schema.columns WHERE table_schema = 'uploads' AND table_name = 'port_canary' ORDER BY ORDINAL_POSITION",
      ),
      columns,
    )
    assert.deepEqual(
      (await lines('SHOW COLUMNS FROM uploads.port_canary')).map(line => line.split('\t', 2).join(' ')),
      ['height Int64', 'canary_column String'],
    )
    assert.deepEqual(await lines('EXISTS TABLE uploads.port_canary'), ['1'])
    assert.deepEqual(await lines('EXISTS TABLE port_canary'), ['0'])
    assert.deepEqual(await lines('EXISTS DATABASE uploads'), ['1'])
    assert.deepEqual(await lines('SELECT height, canary_column FROM uploads.port_canary'), ['170\tx'])
    const types = (table: string, key: keyof typeof keys) => askPort(`DESCRIBE (SELECT * FROM ${table})`, key)
    for (const table of ['system.databases', 'system.tables', 'system.columns'].concat(
      ['schemata', 'tables', 'columns'].map(name => `information_schema.${name}`),
    ))
      assert.equal(await types(table, 'own'), await types(table, 'sqlOnly'), table)
  })

  test('nobody else sees them: no other user, no key without the scope, no user whose Premium has ended', async () => {
    for (const sql of LISTINGS)
      for (const key of ['sqlOnly', 'other', 'lapsed', 'own'] as const) {
        // What was asked is repeated by errors.
        const told = (await askPort(sql, key)).replaceAll(
          /port_canr?a?ry|canary_column|port_other/g,
          found => (sql.includes(found) ? '' : found),
        )
        if (key !== 'own') assert.doesNotMatch(told, /canary/, `${key}: ${sql}`)
        if (key !== 'other') assert.doesNotMatch(told, /port_other|other_column/, `${key}: ${sql}`)
        assert.doesNotMatch(told, /port_lapsed|lapsed_column|uploads_[0-9a-f]/, `${key}: ${sql}`)
      }
    for (const key of ['sqlOnly', 'lapsed'] as const) {
      assert.equal(await askPort('SHOW DATABASES', key), 'default\n')
      assert.match(await askPort('SHOW TABLES FROM uploads', key), /^Code: 81\./)
      assert.equal(await askPort('EXISTS DATABASE uploads', key), '0\n')
    }
    assert.equal(await askPort('EXISTS TABLE uploads.port_canary', 'other'), '0\n')
    assert.equal(await askPort('SHOW COLUMNS FROM uploads.port_canary', 'other'), '')
  })

  test('names of files are texts in the lists, and lists that are too long say so', async () => {
    const name = `a'), ('b\\', 1, 1, '\n\t.csv`
    const { body } = await read('a\n1\n', { fileName: name })
    assert.equal((await keep(body.id, 'odd_file')).status, 200)
    assert.equal(
      await askPort(
        "SELECT comment FROM system.tables WHERE name = 'odd_file' FORMAT JSONEachRow",
        'own',
      ).then(text => JSON.parse(text).comment),
      `Upload of ${name}`,
    )
    const wide = (name: string) => ({
      name,
      fileName: 'wide.csv',
      columns: Array.from({ length: 400 }, (_, at) => ({ name: `${'a'.repeat(80)}${at}`, type: 'String' })),
      rowCount: 1,
      bytes: 1,
    })
    made = [wide('wide_a'), wide('wide_b')]
    const listed = await askPort(
      "SELECT t.name, uniqExact(c.name), any(t.comment) FROM system.tables AS t LEFT JOIN system.columns AS c ON c.table = t.name AND c.database = t.database AND c.name != '' WHERE t.name LIKE 'wide%' GROUP BY t.name ORDER BY t.name",
      'own',
    )
    assert.match(
      listed,
      /^wide_a\t400\tUpload of wide\.csv\nwide_b\t\d\tThe columns of your uploads are too many to list here\. DESCRIBE TABLE uploads\.wide_b /,
    )
    made = []
  })
})
