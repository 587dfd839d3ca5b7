/** Users of the query tool would lose results, see wrong rows, or see those of others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type {
  CitedResult,
  ColumnProfile,
  Problem,
  QueryDialect,
  QueryEstimate,
  QueryRun,
  QuerySchema,
  ResultPage,
  TableCoverage,
} from '#http/contract.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

async function ask<T>(url: string, payload?: object, method?: 'GET' | 'POST' | 'PUT' | 'DELETE') {
  const answer = await site.app.inject({
    url,
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() as T }
}
const run = async (sql: string, more: object = {}): Promise<QueryRun> =>
  (await ask<QueryRun>('/api/v1/queries/runs', { sql, waitSeconds: 30, ...more })).body
const page = async (hash: string, query = ''): Promise<ResultPage> =>
  (await ask<ResultPage>(`/api/v1/queries/results/${hash}${query}`)).body

const hashOf = ({ result, problem }: QueryRun): string => {
  assert.ok(result, JSON.stringify(problem))
  return result.hash
}

describe('a run', () => {
  test('stores its result, which pages read by its address', async () => {
    const ended = await run('SELECT number AS n, toString(number) AS text FROM numbers(1000)')
    assert.equal(ended.state, 'succeeded')
    assert.equal(ended.result?.rowCount, 1000)
    assert.equal(ended.result?.isTruncated, false)
    assert.deepEqual(ended.result?.columns, [
      { name: 'n', type: 'UInt64', shownAs: 'value' },
      { name: 'text', type: 'String', shownAs: 'value' },
    ])
    const { rows, matchingRows } = await page(hashOf(ended), '?offset=900&limit=2')
    assert.deepEqual(rows, [
      [900, '900'],
      [901, '901'],
    ])
    assert.equal(matchingRows, 1000)
  })

  test('says that a result was cut, and shows no row beyond the limit', async () => {
    const ended = await run('SELECT number FROM numbers(20000)')
    assert.equal(ended.result?.isTruncated, true)
    assert.equal(ended.result?.rowCount, 10_000)
    assert.deepEqual((await page(hashOf(ended), '?offset=9999&limit=10')).rows, [[9999]])
    const whole = await run('SELECT number FROM numbers(10000)')
    assert.equal(whole.result?.isTruncated, false)
  })

  test('is answered by the stored result of the same query on the same data, unless it is to be fresh', async () => {
    const sql = 'SELECT count() AS blocks FROM btc_blocks'
    const [first, again, fresh] = [await run(sql), await run(sql), await run(sql, { isFresh: true })]
    assert.deepEqual([first.isReused, again.isReused, fresh.isReused], [false, true, false])
    assert.equal(hashOf(first), hashOf(again))
    assert.notEqual(hashOf(first), hashOf(fresh))
    assert.deepEqual((await page(hashOf(first))).rows, (await page(hashOf(fresh))).rows)
  })

  test('of the clock or of chance is never answered by an earlier one', async () => {
    for (const sql of ['SELECT now64(6) AS t', 'SELECT generateUUIDv4() AS id', 'SELECT today() AS d']) {
      const [first, again] = [await run(sql), await run(sql)]
      assert.equal(again.isReused, false)
      assert.notEqual(hashOf(first), hashOf(again))
    }
  })

  test('binds parameters and does not share results between their values', async () => {
    const sql = 'SELECT {n:UInt8} AS n'
    const [one, two] = [
      await run(sql, { parameters: { n: '1' } }),
      await run(sql, { parameters: { n: '2' } }),
    ]
    assert.deepEqual((await page(hashOf(one))).rows, [[1]])
    assert.deepEqual((await page(hashOf(two))).rows, [[2]])
  })

  test('without rows has its columns', async () => {
    const ended = await run('SELECT 1 AS a, toDate(0) AS b WHERE 0;')
    assert.equal(ended.result?.rowCount, 0)
    assert.deepEqual(
      ended.result?.columns.map(({ name, type }) => `${name} ${type}`),
      ['a UInt8', 'b Date'],
    )
    assert.deepEqual((await page(hashOf(ended))).rows, [])
  })

  test('reports what is wrong with its query, with the place', async () => {
    const { state, problem, result } = await run('SELECT\n  missing FROM btc_blocks')
    assert.equal(state, 'failed')
    assert.equal(result, null)
    assert.equal(problem?.code, 'sql.unknown_column')
    assert.deepEqual([problem?.line, problem?.column], [2, 3])
    const refused = await ask<Problem>('/api/v1/queries/runs', { sql: 'DROP TABLE btc_blocks' })
    assert.deepEqual([refused.status, refused.body.code], [400, 'sql.read_only'])
    assert.equal((await run('SELECT 1 AS a, 1 AS a')).problem?.code, 'sql.duplicate_column')
  })

  test('of a cited data version is answered by its stored result, and fails on other data with both versions', async () => {
    const sql = 'SELECT count() + 5 AS blocks FROM btc_blocks'
    const first = await run(sql)
    const dataVersion = first.result?.dataVersion ?? ''
    assert.equal(hashOf(await run(sql, { dataVersion })), hashOf(first))
    const { state, problem } = await run(sql, { dataVersion: 'cited long ago' })
    assert.deepEqual([state, problem?.code], ['failed', 'sql.data_changed'])
    assert.match(problem?.detail ?? '', /Cited version: cited long ago\. Current version: ./)
  })

  test('states the age of Bitcoin data only if it reads any', async () => {
    assert.equal((await run('SELECT max(height) AS height FROM btc_blocks')).result?.asOf[0]?.height, 100_000)
    assert.deepEqual((await run('SELECT 5 AS five')).result?.asOf, [])
  })

  test('can be canceled, and the slot is free at once', async () => {
    const slow = await ask<QueryRun>('/api/v1/queries/runs', {
      sql: 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1',
    })
    assert.equal(slow.status, 202)
    const { id } = slow.body
    const canceled = await ask<QueryRun>(`/api/v1/queries/runs/${id}`, undefined, 'DELETE')
    assert.equal(canceled.body.state, 'cancelled')
    assert.equal((await ask<QueryRun>(`/api/v1/queries/runs/${id}`)).body.state, 'cancelled')
    assert.equal((await run('SELECT 1')).state, 'succeeded')
  })

  test('tells its states as events until it has ended', async () => {
    const { body } = await ask<QueryRun>('/api/v1/queries/runs', { sql: 'SELECT 2' })
    const answer = await site.app.inject({ url: `/api/v1/queries/runs/${body.id}/events` })
    const states = [...answer.body.matchAll(/^event: run\ndata: (.*)$/gm)].map(
      ([, data = '']) => (JSON.parse(data) as QueryRun).state,
    )
    assert.equal(states.at(-1), 'succeeded')
  })

  test('of another caller is unknown', async () => {
    const { body } = await ask<QueryRun>('/api/v1/queries/runs', { sql: 'SELECT 3' })
    for (const [method, url] of [
      ['GET', `/api/v1/queries/runs/${body.id}`],
      ['GET', `/api/v1/queries/runs/${body.id}/events`],
      ['DELETE', `/api/v1/queries/runs/${body.id}`],
    ] as const) {
      const answer = await site.app.inject({ method, url, remoteAddress: '203.0.113.9' })
      assert.equal(answer.statusCode, 404)
      assert.equal((answer.json() as Problem).code, 'sql.unknown_run')
    }
  })
})

describe('a stored result', () => {
  test('is not sent again to whoever has it, by its page and its format', async () => {
    const { result } = await run('SELECT number AS n FROM numbers(3)')
    const read = (search: string, etag?: string) =>
      site.app.inject({
        url: `/api/v1/queries/results/${result?.hash}${search}`,
        ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      })
    const tags = new Set<string>()
    for (const search of ['', '?limit=2', '?limit=2&offset=1', '?sort=-1', '?format=csv', '?format=jsonl']) {
      const first = await read(search)
      const etag = String(first.headers.etag)
      tags.add(etag)
      assert.deepEqual([first.statusCode, first.headers['cache-control']], [200, 'private, no-cache'])
      const again = await read(search, etag)
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag])
      assert.equal((await read(search, '"other"')).statusCode, 200)
    }
    assert.equal(tags.size, 6)
    const gone = await site.app.inject({
      url: `/api/v1/queries/results/${'f'.repeat(64)}`,
      headers: { 'if-none-match': '*' },
    })
    assert.equal(gone.statusCode, 410)
  })

  let hash = ''
  before(async () => {
    hash = hashOf(
      await run(`SELECT number AS n, if(number % 3 = 0, NULL, toString(number)) AS t, unhex('ff00') AS raw,
        toFixedString('ab', 2) AS fixed, toDate('2024-01-01') + number AS day, '=1+1' AS \`=head\`
        FROM numbers(30)`),
    )
  })

  test('sorts by any column, numbers as numbers, unknown last', async () => {
    const byNumber = await page(hash, '?sort=-1&limit=2')
    assert.deepEqual(
      byNumber.rows.map(([n]) => n),
      [29, 28],
    )
    const byText = await page(hash, '?sort=2&limit=30')
    assert.deepEqual([byText.rows[0]?.[1], byText.rows.at(-1)?.[1]], ['1', null])
  })

  test('filters by value, text and unknown', async () => {
    const matching = async (filter: object) =>
      (await page(hash, `?filter=${encodeURIComponent(JSON.stringify([filter]))}`)).matchingRows
    assert.equal(await matching({ column: 0, operator: 'less', value: '10' }), 10)
    assert.equal(await matching({ column: 1, operator: 'isNull' }), 10)
    assert.equal(await matching({ column: 1, operator: 'contains', value: '2' }), 8)
    assert.equal(await matching({ column: 1, operator: 'differs', value: '2' }), 29)
    assert.equal(await matching({ column: 4, operator: 'greaterOrEqual', value: '2024-01-29' }), 2)
    assert.equal(await matching({ column: 3, operator: 'equals', value: '6162' }), 30)
  })

  test('refuses columns and values that do not fit, and takes no text as SQL', async () => {
    const refusal = async (query: string) =>
      (await ask<Problem>(`/api/v1/queries/results/${hash}${query}`)).body.code
    const filter = (each: object) => `?filter=${encodeURIComponent(JSON.stringify([each]))}`
    assert.equal(await refusal('?sort=99'), 'sql.result_column')
    assert.equal(await refusal('?sort=0'), 'sql.result_column')
    assert.equal(await refusal(filter({ column: 0, operator: 'less', value: 'ten' })), 'sql.result_filter')
    assert.equal(await refusal('?filter=x'), 'http.parameter')
    assert.equal(await refusal('?sort=1,2'), 'http.parameter')
    const hostile = await page(hash, filter({ column: 1, operator: 'contains', value: "') OR 1=1 -- \\" }))
    assert.equal(hostile.matchingRows, 0)
  })

  test('comes as files with all rows that the filter keeps', async () => {
    const csv = await site.app.inject({ url: `/api/v1/queries/results/${hash}?format=csv&sort=-1` })
    const lines = csv.body.split('\r\n')
    assert.equal(lines.length, 32)
    assert.match(lines[0] ?? '', /"'=head"/)
    assert.match(lines[1] ?? '', /^29,"29","\\xff00","\\x6162","2024-01-30","'=1\+1"$/)
    const json = await site.app.inject({ url: `/api/v1/queries/results/${hash}?format=jsonl` })
    assert.equal(json.body.trim().split('\n').length, 30)
    const parquet = await ask<Problem>(`/api/v1/queries/results/${hash}?format=parquet`)
    assert.deepEqual([parquet.status, parquet.body.code], [403, 'sql.export'])
  })

  test('in CSV keeps formulas out of every type, and filters by values', async () => {
    const of = hashOf(
      await run(`SELECT ('=1+1', '@x') AS t, ['=a'] AS list, '=1'::Dynamic AS d, '\\n=1' AS line, number AS n, '=x' AS s
        FROM numbers(2)`),
    )
    const filter = encodeURIComponent(
      JSON.stringify([
        { column: 5, operator: 'equals', value: '=x' },
        { column: 4, operator: 'equals', value: '1' },
      ]),
    )
    const { body } = await site.app.inject({
      url: `/api/v1/queries/results/${of}?format=csv&filter=${filter}`,
    })
    const [head, row] = body.split(/\r\n/)
    assert.equal(head, '"t","list","d","line","n","s"')
    assert.match(row ?? '', /^"\('=1\+1','@x'\)","\['=a'\]","'=1","'\n=1",1,"'=x"$/)
  })

  test('of a thousand text columns comes as CSV too', async () => {
    const columns = Array.from({ length: 1000 }, (_, at) => `'v' AS c${at}`)
    const of = hashOf(await run(`SELECT ${columns.join(', ')}`))
    const csv = await site.app.inject({ url: `/api/v1/queries/results/${of}?format=csv` })
    assert.equal(csv.statusCode, 200)
    assert.equal(csv.body.split('\r\n')[1]?.split(',').length, 1000)
  })

  test('is refused by the page where a page would weigh too much, and comes as a file', async () => {
    const of = hashOf(await run("SELECT number, repeat('a', 20000) AS x FROM numbers(1000)"))
    const large = await ask<Problem>(`/api/v1/queries/results/${of}?limit=1000`)
    assert.deepEqual([large.status, large.body.code], [422, 'sql.result_page'])
    assert.equal((await page(of, '?limit=10')).rows.length, 10)
    const file = await site.app.inject({ url: `/api/v1/queries/results/${of}?format=jsonl` })
    assert.equal(file.body.trim().split('\n').length, 1000)
  })

  test('profiles its columns', async () => {
    const profile = async (column: number) =>
      (await ask<ColumnProfile>(`/api/v1/queries/results/${hash}/profile?column=${column}`)).body
    const numbers = await profile(0)
    assert.deepEqual(
      [numbers.rows, numbers.nulls, numbers.distinct, numbers.min, numbers.max, numbers.mean],
      [30, 0, 30, 0, 29, 14.5],
    )
    assert.equal(
      numbers.histogram.reduce((sum, { rows }) => sum + rows, 0),
      30,
    )
    const texts = await profile(1)
    assert.deepEqual([texts.nulls, texts.distinct, texts.mean], [10, 20, null])
    assert.equal(texts.top.length, 10)
    const days = await profile(4)
    assert.deepEqual([days.min, days.max, days.histogram.length], ['2024-01-01', '2024-01-30', 20])
  })

  test('that is not stored says so', async () => {
    for (const part of ['', '/query']) {
      const { status, body } = await ask<Problem>(`/api/v1/queries/results/${'0'.repeat(64)}${part}`)
      assert.deepEqual([status, body.code], [410, 'sql.result_expired'])
    }
  })

  test('returns its query and the current data version, and an invalid hash returns nothing', async () => {
    const ended = await run('SELECT {n:UInt8} AS n', { parameters: { n: '7' } })
    const hash = hashOf(ended)
    const { body } = await ask<CitedResult>(`/api/v1/queries/results/${hash}/query`)
    assert.deepEqual([body.sql, body.parameters], [ended.sql, { n: '7' }])
    assert.deepEqual(body.result, ended.result)
    assert.equal(body.currentDataVersion, body.result.dataVersion)
    // Results of users without Premium are not pinned.
    const pinned = await ask<{ isPinned: boolean }>(`/api/v1/queries/results/${hash}/pin`, undefined, 'PUT')
    assert.deepEqual(pinned, { status: 200, body: { isPinned: false } })
    for (const hostile of [
      hash.toUpperCase(),
      `${hash}0`,
      '..%2f..%2faccount',
      `${hash}%00`,
      '%27--',
      '%3Cb%3E',
    ])
      for (const part of ['', '/query']) {
        const { status, body: refused } = await ask<Problem>(`/api/v1/queries/results/${hostile}${part}`)
        assert.ok([400, 404].includes(status), `${hostile}: ${status}`)
        assert.doesNotMatch(JSON.stringify(refused), /SELECT/)
      }
  })
})

test('the schema lists tables with described columns, and nothing of other databases', async () => {
  const { body } = await ask<QuerySchema>('/api/v1/queries/schema')
  const blocks = body.tables.find(({ name }) => name === 'btc_blocks')
  assert.ok(blocks?.columns.some(({ name }) => name === 'height'))
  assert.ok(body.tables.every(({ name }) => !name.includes('.')))
})

test('a table says how many rows it has, and which days and heights they cover', async () => {
  const { body } = await ask<TableCoverage>('/api/v1/queries/tables/btc_blocks')
  assert.ok(body.rows > 0 && !body.isEstimate)
  assert.ok(body.firstHeight !== null && body.lastHeight !== null && body.firstHeight <= body.lastHeight)
  assert.match(String(body.firstDay), /^\d{4}-\d\d-\d\d$/)
  // Tables without days or heights, and tables of several chains.
  for (const table of ['sources', 'evm_blocks', 'prices', 'rollups_live']) {
    const { status, body: other } = await ask<TableCoverage>(`/api/v1/queries/tables/${table}`)
    assert.deepEqual([status, other.firstHeight], [200, null], table)
  }
  const { status, body: unknown } = await ask<Problem>('/api/v1/queries/tables/secret_uploads')
  assert.deepEqual([status, unknown.code], [400, 'sql.unknown_table'])
})

test('an estimate names rows to read and the limits of the caller, without a count of hidden rows', async () => {
  const estimate = async (sql: string, parameters = {}) =>
    (await ask<QueryEstimate>('/api/v1/queries/estimate', { sql, parameters })).body
  const { rows, limits } = await estimate('SELECT max(height) FROM btc_blocks WHERE height > {h:UInt32}', {
    h: '0',
  })
  assert.equal(limits.rows, 10_000)
  assert.ok(rows !== null && rows > 0, `${rows} rows`)
  // The engine does not count rows that come from no table.
  assert.equal((await estimate('SELECT count() FROM numbers(1000000000)')).rows, null)
  // What the checks of user queries refuse is not estimated either.
  for (const sql of ['SELECT * FROM base.btc_blocks', "SELECT file('/etc/passwd')", 'SHOW TABLES', 'SELECT'])
    assert.equal((await estimate(sql)).rows, null, sql)
})

test('two texts are equivalent if the engine parses them to the same query', async () => {
  const compare = async (first: string, second: string) =>
    (await ask<{ isEquivalent: boolean }>('/api/v1/queries/equivalence', { first, second })).body.isEquivalent
  assert.equal(await compare('select 1+1', 'SELECT\n  1 + 1'), true)
  assert.equal(await compare('select 1+1', 'SELECT 1 - 1'), false)
})

test('the dialect has keywords and open functions, and no closed one', async () => {
  const { body } = await ask<QueryDialect>('/api/v1/queries/dialect')
  assert.ok(body.keywords.includes('SELECT'))
  const names = new Set(body.functions.map(({ name }) => name))
  assert.ok(names.has('toDate') && names.has('uniqExact'))
  for (const closed of ['file', 'getServerSetting', 'sleep', 'dictGet']) assert.ok(!names.has(closed), closed)
})
