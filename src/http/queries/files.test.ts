/** A downloaded file would hide that it is truncated, lose digits or columns, or mix bytes of two files. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ColumnProfile, Problem, QueryEstimate, QueryRun, ResultPage } from '#http/contract.ts'
import { readNativeHead } from '#queries/nativeShapes.ts'
import { readZip } from '#queries/results/xlsx/zip.testing.ts'
import { ask, type Headers, signedIn, site } from './sharedSaved.testing.ts'

let owner: Headers
before(async () => {
  owner = await signedIn('files@example.org')
})

async function resultOf(sql: string, headers = owner) {
  const { body } = await ask<QueryRun>('POST', '/api/v1/queries/runs', headers, { sql, waitSeconds: 30 })
  assert.ok(body.result, JSON.stringify(body.problem))
  return body.result
}
const get = (hash: string, query: string, headers: Headers = owner) =>
  site.ask(`/api/v1/queries/results/${hash}${query}`, { method: 'GET', headers })
const FORMATS = ['csv', 'json-array', 'jsonl', 'xlsx', 'arrow', 'parquet', 'native'] as const

describe('a truncated result', () => {
  test('says so in the name and the headers of its file', async () => {
    const { hash } = await resultOf('SELECT number FROM numbers(10001)', {})
    const { hash: whole } = await resultOf('SELECT number FROM numbers(10000)', {})
    for (const format of ['csv', 'json-array', 'jsonl']) {
      const cut = await get(hash, `?format=${format}`, {})
      assert.match(String(cut.headers['content-disposition']), /assay-[0-9a-f]{12}-first-10000-rows\./)
      assert.deepEqual([cut.headers['assay-truncated'], cut.headers['assay-rows']], ['true', '10000'])
      const all = await get(whole, `?format=${format}`, {})
      assert.match(String(all.headers['content-disposition']), /assay-[0-9a-f]{12}\.(?:csv|json|jsonl)"$/)
      assert.deepEqual([all.headers['assay-truncated'], all.headers['assay-rows']], ['false', '10000'])
    }
    const few = encodeURIComponent('[{"column":0,"operator":"less","value":"3"}]')
    for (const [query, name] of [
      [`&filter=${few}`, '-filtered-of-first-10000-rows'],
      ['&offset=3&limit=2', '-rows-4-5-of-first-10000-rows'],
      ['&offset=0&limit=1000000', '-first-10000-rows'],
    ] as const)
      assert.ok(
        String((await get(hash, `?format=csv${query}`, {})).headers['content-disposition']).endsWith(
          `${name}.csv"`,
        ),
        query,
      )
    const native = await get(hash, '?format=native')
    assert.equal(native.headers['accept-ranges'], 'none')
    assert.equal(native.headers['assay-truncated'], 'true')
  })
})

describe('a run that responds with a file', () => {
  const run = (body: object, headers = owner, path = '/api/v1/queries/runs') =>
    site.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    })

  test('has the bytes of the stored result in each format', async () => {
    for (const format of FORMATS) {
      const sql = `SELECT number AS n, '=1' AS text FROM numbers(3) -- ${format}`
      const file = await run({ sql, format })
      assert.equal(file.statusCode, 200, file.body)
      const hash = String(file.headers['assay-result'])
      const stored = await get(hash, `?format=${format}`)
      assert.deepEqual(file.rawPayload, stored.rawPayload, format)
      for (const name of ['content-type', 'content-disposition', 'assay-rows', 'assay-truncated'])
        assert.equal(file.headers[name], stored.headers[name], name)
      const { body } = await ask<QueryRun>('GET', `/api/v1/queries/runs/${file.headers['assay-run']}`, owner)
      assert.equal(body.result?.hash, hash)
    }
  })

  test('says that it is truncated', async () => {
    const file = await run({ sql: 'SELECT number FROM numbers(10001)', format: 'csv' }, {})
    assert.deepEqual([file.headers['assay-truncated'], file.headers['assay-rows']], ['true', '10000'])
  })

  test('answers a failed run with its problem, and one that goes on with its state', async () => {
    const failed = await run({ sql: 'SELECT throwIf(1)', format: 'csv' })
    assert.ok(failed.statusCode >= 400)
    assert.match(String(failed.headers['content-type']), /problem\+json/)
    const sql = 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1'
    const going = await run({ sql, format: 'csv', waitSeconds: 0 })
    assert.equal(going.statusCode, 202)
    const { id } = going.json<QueryRun>()
    await ask('DELETE', `/api/v1/queries/runs/${id}`, owner)
  })

  test('keeps the limits of exports, without running what it would refuse', async () => {
    const used = async () =>
      (await ask<QueryEstimate>('POST', '/api/v1/queries/estimate', {}, { sql: 'SELECT 1' })).body.usage?.runs
        .used
    const before = await used()
    const refused = await run({ sql: 'SELECT 1', format: 'parquet' }, {})
    assert.equal(refused.json<Problem>().code, 'sql.export')
    assert.equal(await used(), before)
  })

  test('has the address of its provenance file and one ETag with the stored result', async () => {
    const file = await run({ sql: 'SELECT 1 AS a', format: 'csv' })
    const hash = String(file.headers['assay-result'])
    assert.ok(String(file.headers.link).includes(`</api/v1/queries/results/${hash}/provenance>`))
    assert.equal(file.headers.etag, (await get(hash, '?format=csv')).headers.etag)
  })

  test('waits for another file of its caller', async () => {
    const files = await Promise.all(
      [1, 2].map(n => run({ sql: `SELECT number, ${n} FROM numbers(200000)`, format: 'parquet' })),
    )
    assert.deepEqual(
      files.map(({ statusCode }) => statusCode),
      [200, 200],
    )
  })

  test('runs a saved query too', async () => {
    const saved = await ask<{ id: string }>('POST', '/api/v1/queries', owner, {
      name: 'As a file',
      sql: 'SELECT 7 AS n',
    })
    const file = await run({ format: 'jsonl' }, owner, `/api/v1/queries/${saved.body.id}/runs`)
    assert.equal(file.body, '{"n":7}\n')
  })
})

describe('a result without rows', () => {
  const head = async (format: string) => {
    const { hash } = await resultOf(
      "SELECT 1 AS a, toDate(0) AS b, [toUInt64(1)] AS `c'`, CAST('x', 'LowCardinality(Nullable(String))') AS d, NULL AS f WHERE 0",
    )
    return get(hash, `?format=${format}`)
  }

  test('has its columns in every format', async () => {
    assert.equal((await head('csv')).body, '"a","b","c\'","d","f"\r\n')
    assert.deepEqual((await head('json-array')).json(), [])
    assert.equal((await head('jsonl')).body, '')
    const columns = readNativeHead((await head('native')).rawPayload)
    assert.deepEqual(
      columns?.columns.map(({ name }) => name),
      ['a', 'b', "c'", 'd', 'f'],
    )
    assert.equal(columns?.rows, 0)
    const sheet = readZip((await head('xlsx')).rawPayload).get('xl/worksheets/sheet1.xml') ?? ''
    assert.match(sheet, />a<[\s\S]*>f</)
    for (const format of ['arrow', 'parquet']) {
      const { hash } = await resultOf('SELECT 1 AS a, toDate(0) AS bee WHERE 0')
      const file = await get(hash, `?format=${format}`)
      assert.equal(file.statusCode, 200, file.body)
      assert.ok(file.rawPayload.includes('bee'), format)
    }
  })

  test('keeps its columns when a filter matches nothing', async () => {
    const { hash } = await resultOf('SELECT number AS n FROM numbers(3)')
    const none = `&filter=${encodeURIComponent('[{"column":0,"operator":"greater","value":"9"}]')}`
    assert.equal((await get(hash, `?format=csv${none}`)).body, '"n"\r\n')
    assert.deepEqual((await get(hash, `?format=json-array${none}`)).json(), [])
    assert.equal(readNativeHead((await get(hash, `?format=native${none}`)).rawPayload)?.rows, 0)
  })
})

test('a column with only NULLs is exported in every format that supports it', async () => {
  const { hash } = await resultOf('SELECT NULL AS nothing, 1 AS one')
  for (const format of ['csv', 'json-array', 'jsonl', 'xlsx', 'arrow', 'native'])
    assert.equal((await get(hash, `?format=${format}`)).statusCode, 200, format)
  assert.equal((await get(hash, '?format=csv')).body, '"nothing","one"\r\n,1\r\n')
})

test('JSON keeps every digit and formats bytes, days and NULL like pages', async () => {
  const { hash } =
    await resultOf(`SELECT toUInt64(9007199254740993) AS big, toUInt64(9007199254740991) AS safe,
toInt64(-9007199254740993) AS low, toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935') AS huge,
toDecimal128('123456789012345678.123456789012345678', 18) AS exact, [toUInt64(9007199254740993)] AS list,
CAST(NULL, 'Nullable(UInt64)') AS none, count() AS n, 42 AS small, toFixedString('ab', 2) AS bytes, unhex('ff00') AS raw, '\\\\x41' AS marked,
toDate('2026-01-31') AS d, true AS yes, nan AS bad, '=1+1' AS f`)
  const expected = {
    big: '9007199254740993',
    safe: 9007199254740991,
    low: '-9007199254740993',
    huge: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    exact: '123456789012345678.123456789012345678',
    list: ['9007199254740993'],
    none: null,
    n: 1,
    small: 42,
    bytes: '6162',
    raw: '\\xff00',
    marked: '\\x5c783431',
    d: '2026-01-31',
    yes: true,
    bad: null,
    f: '=1+1',
  }
  assert.deepEqual((await get(hash, '?format=json-array')).json(), [expected])
  assert.deepEqual(JSON.parse((await get(hash, '?format=jsonl')).body), expected)
  const { rows } = (await get(hash, '')).json<ResultPage>()
  const byPage = Object.values({ ...expected, list: '["9007199254740993"]' })
  assert.deepEqual(rows[0]?.toSpliced(14, 1), byPage.toSpliced(14, 1))
})

describe('some rows and columns', () => {
  let hash = ''
  before(async () => {
    hash = (
      await resultOf("SELECT number AS n, toString(number) AS t, repeat('x', 10) AS wide FROM numbers(1000)")
    ).hash
  })

  test('are returned as a page or a file, in order', async () => {
    const file = await get(hash, '?format=csv&offset=990&limit=5&columns=1,0')
    assert.deepEqual(file.body.split('\r\n'), [
      '"t","n"',
      '"990",990',
      '"991",991',
      '"992",992',
      '"993",993',
      '"994",994',
      '',
    ])
    const nameOf = async (query: string) =>
      String((await get(hash, `?format=csv&${query}`)).headers['content-disposition'])
    assert.match(String(file.headers['content-disposition']), /-rows-991-995\.csv/)
    assert.match(await nameOf('offset=990&limit=1000'), /-rows-991-1000\.csv/)
    assert.match(await nameOf('offset=0&limit=1000000'), /assay-\w{12}\.csv/)
    assert.match(await nameOf('offset=5000'), /-no-rows\.csv/)
    assert.equal((await get(hash, '?format=json-array&sort=-1&limit=2')).json<unknown[]>().length, 2)
    assert.equal((await get(hash, '?format=csv&offset=998')).body.split('\r\n').length, 4)
    assert.equal((await get(hash, '?format=csv&offset=5000')).body, '"n","t","wide"\r\n')
    const page = (await get(hash, '?columns=2,0&offset=7&limit=1&sort=-2')).json<ResultPage>()
    assert.deepEqual(page.rows, [['xxxxxxxxxx', 992]])
    for (const format of FORMATS)
      assert.equal((await get(hash, `?format=${format}&offset=1&limit=2&columns=0`)).statusCode, 200, format)
  })

  test('that do not exist are refused', async () => {
    const refusal = async (query: string) => (await get(hash, query)).json<Problem>().code
    assert.equal(await refusal('?columns=3'), 'sql.result_column')
    assert.equal(await refusal('?format=csv&columns=0,99999'), 'sql.result_column')
    for (const query of [
      '?columns=',
      '?columns=-1',
      '?columns=a',
      '?columns=0,',
      '?columns=0,1,00',
      '?format=csv&columns=0,0',
      '?limit=10001',
      '?format=csv&limit=1000001',
      '?offset=-1',
    ])
      assert.equal(await refusal(query), 'http.parameter', query)
  })
})

describe('bytes of a stored file', () => {
  let hash = ''
  let whole: Buffer
  let etag = ''
  before(async () => {
    hash = (await resultOf('SELECT number, toString(sipHash64(number)) AS h FROM numbers(50000)')).hash
    const answer = await get(hash, '?format=native')
    whole = answer.rawPayload
    etag = String(answer.headers.etag)
    assert.deepEqual(
      [answer.statusCode, answer.headers['accept-ranges'], answer.headers['content-length']],
      [200, 'bytes', String(whole.length)],
    )
    assert.match(etag, /^"[\w-]+"$/)
  })
  const part = (range: string, more: Headers = {}) =>
    get(hash, '?format=native', { ...owner, range, ...more })

  test('can be downloaded in ranges that add up to the whole file', async () => {
    const parts: Buffer[] = []
    const step = Math.ceil(whole.length / 7)
    for (let at = 0; at < whole.length; at += step) {
      const answer = await part(`bytes=${at}-${at + step - 1}`, { 'if-range': etag })
      assert.equal(answer.statusCode, 206)
      const end = Math.min(at + step, whole.length) - 1
      assert.equal(answer.headers['content-range'], `bytes ${at}-${end}/${whole.length}`)
      assert.deepEqual([answer.headers.etag, answer.headers['content-length']], [etag, String(end - at + 1)])
      parts.push(answer.rawPayload)
    }
    assert.ok(Buffer.concat(parts).equals(whole))
    assert.ok((await part('bytes=-10')).rawPayload.equals(whole.subarray(-10)))
  })

  test('past the end are refused with the file size', async () => {
    const answer = await part(`bytes=${whole.length}-`)
    assert.deepEqual(
      [answer.statusCode, answer.headers['content-range'], answer.json<Problem>().code],
      [416, `bytes */${whole.length}`, 'http.range'],
    )
  })

  test('are sent whole if a range is not possible', async () => {
    for (const [range, more] of [
      ['bytes=0-1,5-6', {}],
      ['bytes=5-1', {}],
      ['rows=0-1', {}],
      ['bytes=0-1', { 'if-range': '"other"' }],
      ['bytes=0-1', { 'if-range': `W/${etag}` }],
      ['bytes=0-1', { 'if-range': 'Sat, 29 Oct 2044 19:43:31 GMT' }],
    ] as const) {
      const answer = await part(range, more)
      assert.equal(answer.statusCode, 200, range)
      assert.ok(answer.rawPayload.equals(whole))
    }
    assert.equal((await part('bytes=0-1', { 'if-none-match': etag })).statusCode, 304)
    const head = await site.ask(`/api/v1/queries/results/${hash}?format=native`, {
      method: 'HEAD',
      headers: { ...owner, range: 'bytes=0-1' },
    })
    assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(whole.length)])
  })

  test('of generated files are not written for HEAD, which fails like GET', async () => {
    const head = (query: string, headers: Headers = owner) =>
      site.ask(`/api/v1/queries/results/${hash}?${query}`, { method: 'HEAD', headers })
    const csv = await head('format=csv')
    assert.deepEqual(
      [csv.statusCode, csv.headers['content-type'], csv.headers['assay-rows'], csv.headers['content-length']],
      [200, 'text/csv; charset=utf-8', '50000', undefined],
    )
    assert.equal(
      (await head('format=csv&columns=9')).statusCode,
      (await get(hash, '?format=csv&columns=9')).statusCode,
    )
    assert.equal((await head('format=csv', {})).statusCode, 403)
  })

  test('ranges are not offered for generated files', async () => {
    for (const query of [
      '?format=csv',
      '?format=native&limit=10',
      '?format=native&sort=1',
      '?format=native&columns=0',
    ]) {
      const answer = await get(hash, query, { ...owner, range: 'bytes=0-1' })
      assert.deepEqual([answer.statusCode, answer.headers['accept-ranges']], [200, 'none'], query)
      assert.match(String(answer.headers.etag), /^W\//)
    }
  })

  test('are refused to callers who may not export them', async () => {
    const guest = await get(hash, '?format=native', { range: 'bytes=0-1' })
    assert.deepEqual([guest.statusCode, guest.json<Problem>().code], [403, 'sql.export'])
  })
})

test('a profile covers only rows that match the filters', async () => {
  const { hash } = await resultOf('SELECT number AS n, number % 2 AS odd FROM numbers(10)')
  const filter = encodeURIComponent('[{"column":1,"operator":"equals","value":"1"}]')
  const profile = await get(`${hash}/profile`, `?column=0&filter=${filter}`)
  const { rows, min, max, mean, distinct, top, histogram } = profile.json<ColumnProfile>()
  assert.deepEqual([rows, min, max, mean, distinct, top.length], [5, 1, 9, 5, 5, 5])
  assert.equal(
    histogram.reduce((sum, bar) => sum + bar.rows, 0),
    5,
  )
  const none = encodeURIComponent('[{"column":0,"operator":"greater","value":"99"}]')
  const empty = (await get(`${hash}/profile`, `?column=0&filter=${none}`)).json<ColumnProfile>()
  assert.deepEqual([empty.rows, empty.min, empty.max, empty.histogram], [0, null, null, []])
  assert.equal((await get(`${hash}/profile`, '?column=0&filter=x')).json<Problem>().code, 'http.parameter')
})
