/** A query could overload or outlive its limits, or give wrong values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { aPart } from '#tests/aPart.ts'
import members from '../queries/listMembers.fixture.json' with { type: 'json' }
import type { Problem, SqlAnswer } from './contract.ts'
import { sqlAnswer } from './schemas/sql.ts'
import { ask, inFours, problemAt, runSql, site } from './sharedApi.testing.ts'
import errors from './sqlErrors.fixture.json' with { type: 'json' }

const sqlProblem = (sql: string, expectedStatus = 400, more: object = {}) =>
  problemAt('/api/v1/sql', expectedStatus, { method: 'POST', payload: { sql, ...more } })

describe('SQL', () => {
  test('an answer with more values than its limit is refused, in each form of text', async () => {
    for (const format of ['json', 'csv']) {
      const problem = await sqlProblem('SELECT range(2100) FROM numbers(1000)', 422, { format })
      assert.equal(problem.code, 'sql.too_large')
      assert.match(problem.detail, /more than 2,000,000 values/)
    }
  })

  test('hashes come as hex and wide integers as text', async () => {
    const answer = await runSql(
      'SELECT hash, height, toUInt64(18446744073709551615) AS wide, toUInt64(7) AS narrow FROM btc_blocks WHERE height = 170;',
    )
    assert.equal(answer.statusCode, 200, answer.body)
    const { columns, rows, isTruncated, readRows } = sqlAnswer.parse(answer.json()) satisfies SqlAnswer
    assert.deepEqual(rows, [
      ['00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee', 170, '18446744073709551615', 7],
    ])
    assert.deepEqual(
      columns.map(({ shownAs }) => shownAs),
      ['hex', 'value', 'value', 'value'],
    )
    assert.equal(isTruncated, false)
    assert.ok(readRows > 0)
  })

  test('a value has the form of its type, in JSON as in CSV', async () => {
    const sql = `SELECT arrayJoin([1, 2]) AS row, toDecimal64('90071992547409.93', 2) AS d, toDecimal64('1234567890123456.7', 1) AS e,
      toDecimal64('90248280.48088222', 8) AS g, toFloat64(1e17) AS f, toUInt64(1) AS u,
      if(row = 1, 'abc', unhex('ff')) AS s, toFixedString(unhex('00ff'), 2) AS hash,
      tuple(toFloat64(1e17), toDecimal64('0.10', 2), 9007199254740993) AS t,
      [toUInt64(1), 9007199254740993] AS list, map('é', toDecimal64(1.5, 1)) AS pairs
      ORDER BY row`
    const { columns, rows } = sqlAnswer.parse((await runSql(sql)).json())
    const same = ['90071992547409.93', '1234567890123456.7', '90248280.48088222', 1e17, 1]
    const nested = ['[100000000000000000,"0.1","9007199254740993"]', '[1,"9007199254740993"]', '{"é":"1.5"}']
    assert.deepEqual(rows, [
      [1, ...same, 'abc', '00ff', ...nested],
      [2, ...same, '\\xff', '00ff', ...nested],
    ])
    assert.deepEqual(
      columns.filter(({ shownAs }) => shownAs === 'hex').map(({ name }) => name),
      ['hash'],
    )
    const few = `SELECT s, f, d, hash FROM (${sql}) WHERE row = 1`
    assert.deepEqual(sqlAnswer.parse((await runSql(few)).json()).rows, [
      ['abc', 1e17, '90071992547409.93', '00ff'],
    ])
    const csv = await runSql(`SELECT d, e, f, s, hash FROM (${sql})`, { format: 'csv' })
    assert.deepEqual(csv.body.split('\r\n'), [
      'd,e,f,s,hash',
      '90071992547409.93,1234567890123456.7,100000000000000000,abc,\\x00ff',
      '90071992547409.93,1234567890123456.7,100000000000000000,\\xff,\\x00ff',
      '',
    ])
  })

  test('the SQL of every metric runs as it stands, its parameters left out', async () => {
    await inFours(aPart(await site.metrics.list(), 4), async ({ id, sql }, index) => {
      const answer = await ask('/api/v1/sql', {
        method: 'POST',
        payload: { sql },
        remoteAddress: `10.0.0.${index}`,
      })
      assert.equal(answer.statusCode, 200, `${id}: ${answer.body}`)
    })
  })

  test('an answer is cut at 10,000 rows, and one that just fits is not', async () => {
    const cut = sqlAnswer.parse((await runSql('SELECT number FROM numbers(10001)')).json())
    assert.deepEqual([cut.rowCount, cut.isTruncated], [10_000, true])
    const whole = sqlAnswer.parse((await runSql('SELECT number FROM numbers(10000)')).json())
    assert.deepEqual([whole.rowCount, whole.isTruncated], [10_000, false])
    const file = await runSql('SELECT number FROM numbers(10001)', { format: 'parquet' })
    assert.equal(file.headers['assay-truncated'], 'true')
  })

  test('an answer comes as CSV, Arrow and Parquet', async () => {
    const csv = await runSql('SELECT 1 AS a, \'x, "y"\' AS b, NULL AS c', { format: 'csv' })
    assert.equal(csv.body, 'a,b,c\r\n1,"x, ""y""",\r\n')
    const arrow = await runSql('SELECT 1 AS a', { format: 'arrow' })
    assert.equal(arrow.rawPayload.subarray(0, 6).toString(), 'ARROW1')
    assert.equal(arrow.headers['assay-truncated'], 'false')
  })

  test('an answer and a file state the newest block of each chain that was read, and of no other', async () => {
    const asOfOf = async (sql: string) => sqlAnswer.parse((await runSql(sql)).json()).asOf
    const [bitcoin, ...others] = await asOfOf('SELECT count() FROM btc_blocks')
    assert.deepEqual([bitcoin?.chain, bitcoin?.height, others], ['bitcoin', 100_000, []])
    assert.deepEqual(await asOfOf('SELECT 1'), [])
    // Nothing of Stacks is indexed here.
    assert.deepEqual(await asOfOf('SELECT count() FROM stx_blocks'), [])
    for (const format of ['csv', 'arrow']) {
      const { headers } = await runSql('SELECT count() AS n FROM btc_blocks', { format })
      assert.equal(headers['assay-as-of'], `bitcoin=100000@${bitcoin?.time}`)
    }
    assert.equal((await runSql('SELECT 1 AS n', { format: 'csv' })).headers['assay-as-of'], undefined)
  })

  const placed: [string, string, string, number, number][] = [
    ['a syntax error', 'SELECT height\nFROM btc_blocks\nWHER height = 1', 'sql.syntax', 3, 6],
    [
      'an unknown column',
      "SELECT height,\n  -- heigth\n  'heigth',\n  heigth\nFROM btc_blocks",
      'sql.unknown_column',
      4,
      3,
    ],
    ['an unknown column of an alias', 'SELECT\n  b.heigth\nFROM btc_blocks AS b', 'sql.unknown_column', 2, 3],
    ['an unknown table', 'SELECT 1\nFROM btc_block', 'sql.unknown_table', 2, 6],
    ['an unknown function', 'SELECT\n  summ(height)\nFROM btc_blocks', 'sql.unknown_function', 2, 3],
    ['a wrong number of arguments', 'SELECT toDate(1),\n  toDate(1, 2, 3)', 'sql.type', 2, 3],
    ['a wrong type', "SELECT 1\n  + 'a'", 'sql.type', 2, 3],
    [
      'a wrong type beside a metric',
      'SELECT max(value),\n  sum(source)\nFROM metrics.fees_total',
      'sql.type',
      2,
      3,
    ],
    ['an unknown first word', ' SELEC 1', 'sql.syntax', 1, 2],
    ['a string without end', "SELECT 1,\n  'abc", 'sql.syntax', 2, 3],
    ['a statement without end', 'SELECT height FROM', 'sql.syntax', 1, 19],
    ['a second statement', 'SELECT 1;\nSELECT 2', 'sql.two_statements', 2, 1],
    ['a write', 'INSERT INTO btc_blocks VALUES (1)', 'sql.read_only', 1, 1],
    ['a table of base', 'SELECT *\nFROM base.btc_blocks', 'sql.refused', 2, 6],
    ['a table of the engine', 'SELECT *\nFROM system.processes', 'sql.refused', 2, 6],
    ['a file', "SELECT file('/etc/passwd')", 'sql.refused', 1, 8],
    ['a setting', 'SELECT 1\nSETTINGS max_threads = 64', 'sql.read_only', 2, 10],
    ['a FORMAT', 'SELECT 1\nFORMAT CSV', 'sql.format', 2, 1],
    ['a FORMAT before settings', 'SELECT 1\nFORMAT JSON SETTINGS max_threads = 1', 'sql.format', 2, 1],
    ['a table after IN', 'SELECT 1 IN\n  base.btc_batches', 'sql.refused', 2, 3],
  ]
  for (const [what, sql, code, line, column] of placed) {
    test(`${what} is told with line and column`, async () => {
      const told = await sqlProblem(sql)
      assert.deepEqual([told.code, told.line, told.column], [code, line, column])
      assert.doesNotMatch(told.detail, /DB::|\/tmp|version \d/)
    })
  }

  test('errors while a query runs have plain words, a place and a hint', async () => {
    await inFours(errors, async ({ sql, parameters, ...expected }, index) => {
      const { code, detail, line, column, hint } = await problemAt('/api/v1/sql', 400, {
        method: 'POST',
        payload: { sql, parameters },
        remoteAddress: `10.1.0.${index}`,
      })
      assert.deepEqual(
        { code, detail, place: line && `${line}:${column}`, hint },
        { place: undefined, hint: undefined, ...expected },
        sql,
      )
    })
  })

  test('the word that a syntax error is about is named, over several lines too', async () => {
    const told = await sqlProblem('SELECT 1\nLIMIT 20\nSELECT\n  2')
    assert.deepEqual([told.detail, told.line, told.column], ['Syntax error near `SELECT`.', 3, 1])
  })

  test('what was probably meant is a hint', async () => {
    const column = await sqlProblem(
      'SELECT b.fees,\n  t.timestamp\nFROM btc_blocks b JOIN btc_txs t USING height',
    )
    assert.deepEqual([column.nearest, column.line, column.column], [['b.fee_sat'], 1, 8])
    const metric = await sqlProblem('SELECT vals FROM metrics.fees_total')
    assert.deepEqual([metric.hint, metric.line, metric.column], ['Did you mean value?', 1, 8])
    const far = await sqlProblem('SELECT xyzzy FROM btc_blocks')
    assert.match(far.hint ?? '', /^btc_blocks has the columns height, hash, /)
    assert.match((await sqlProblem('SELECT heigth FROM btc_blocks')).hint ?? '', /height/)
    assert.match((await sqlProblem('SELECT 1 FROM btc_block')).hint ?? '', /btc_blocks/)
  })

  const parameters: [string, string, Record<string, string>, string][] = [
    ['missing', 'SELECT {day:Date}', {}, 'day'],
    ['of another type', 'SELECT {day:Date}', { day: '2024-02-30' }, 'day'],
    ['without a place', 'SELECT 1', { day: '2024-02-01' }, 'day'],
    ['for a name', 'SELECT * FROM {table:Identifier}', { table: 'btc_blocks' }, 'table'],
    ['that its type cannot hold', 'SELECT {n:UInt8}', { n: '300' }, 'n'],
    ['below what its type holds', 'SELECT {n:Int64}', { n: '-9223372036854775809' }, 'n'],
    ['that is no list', 'SELECT {names:Array(String)}', { names: "a', 'b" }, 'names'],
    ['called like what every object has', 'SELECT {constructor:String}', {}, 'constructor'],
  ]
  for (const [what, sql, given, name] of parameters) {
    test(`a parameter ${what} is named`, async () => {
      const told = await sqlProblem(sql, 400, { parameters: given })
      assert.deepEqual(
        told.errors?.map(({ parameter }) => parameter),
        [name],
      )
    })
  }

  test('a parameter that is a list arrives value by value, whatever its texts hold', async () => {
    const sql = 'SELECT arrayMap(x -> hex(x), {names:Array(String)}) AS names, {ids:Array(UInt64)} AS ids'
    const hexOf = (text: string) => Buffer.from(text).toString('hex').toUpperCase()
    const read = async (names: string) => {
      const answer = await runSql(sql, { parameters: { names, ids: '[18446744073709551615]' } })
      return sqlAnswer.parse(answer.json()).rows[0]?.map(cell => JSON.parse(String(cell)))
    }
    assert.deepEqual(await read(JSON.stringify(members)), [members.map(hexOf), ['18446744073709551615']])
    assert.deepEqual(await read("['a\\'b', 'c\\\\d']"), [
      ["a'b", 'c\\d'].map(hexOf),
      ['18446744073709551615'],
    ])
  })

  test('a list is the right side of IN', async () => {
    const answer = await runSql("SELECT 'b' IN {names:Array(String)}, has({names:Array(String)}, 'd')", {
      parameters: { names: '["a", "b"]' },
    })
    assert.deepEqual(answer.json().rows, [[1, 0]])
  })

  test('a text as long as parameters may be arrives whole', async () => {
    const answer = await runSql('SELECT length({text:String})', { parameters: { text: "'".repeat(60_000) } })
    assert.deepEqual(answer.json().rows, [[60_000]])
  })

  test('a query that needs too much memory is stopped with a sentence', async () => {
    assert.equal(
      (await sqlProblem('SELECT groupArray(number) FROM numbers(1000000000)', 422)).code,
      'sql.too_much_memory',
    )
  })

  const ENDLESS = 'SELECT max(sipHash64(number)) FROM numbers(1000000000000)'

  test('a third query at once is sent back, a cancelled one ends, and nothing is left running', async () => {
    const running = ['first-query', 'second-query'].map(queryId => runSql(ENDLESS, { queryId }))
    const started = async (): Promise<boolean> => {
      const answer = await site.warehouse.writer.query({
        query:
          "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%system.processes%'",
        format: 'JSONEachRow',
      })
      return Number((await answer.json<{ n: string }>())[0]?.n) === 2
    }
    await until('both queries run', started)
    const third = await ask('/api/v1/sql', { method: 'POST', payload: { sql: 'SELECT 1' } })
    assert.equal(third.statusCode, 429)
    assert.match(third.headers['retry-after'] as string, /^\d+$/)
    const ofAnother = { remoteAddress: '10.0.0.9' } as const
    const stranger = { method: 'DELETE', ...ofAnother } as const
    assert.equal((await problemAt('/api/v1/sql/first-query', 404, stranger)).code, 'sql.not_running')
    const sameId = await ask('/api/v1/sql', {
      method: 'POST',
      payload: { sql: 'SELECT 1', queryId: 'first-query' },
      ...ofAnother,
    })
    assert.equal(sameId.statusCode, 200, "another asker's ids are their own")
    assert.ok(await started(), 'nobody else stopped them')
    for (const queryId of ['first-query', 'second-query']) {
      const headers = { 'content-type': 'application/json' }
      const stopped = await ask(`/api/v1/sql/${queryId}`, { method: 'DELETE', headers })
      assert.deepEqual(stopped.json(), { queryId, isCancelled: true })
    }
    for (const answer of await Promise.all(running))
      assert.equal(answer.json<Problem>().code, 'sql.cancelled')
    assert.equal(
      (await problemAt('/api/v1/sql/first-query', 404, { method: 'DELETE' })).code,
      'sql.not_running',
    )
    // A slot is free once the engine has ended the query.
    await until('a query runs', async () => (await runSql('SELECT 1')).statusCode === 200)
  })

  test('a body that is no JSON, too long or of another type is refused', async () => {
    const post = (payload: string, type = 'application/json') =>
      ({ method: 'POST', payload, headers: { 'content-type': type } }) as const
    assert.equal((await problemAt('/api/v1/sql', 400, post('{'))).errors?.[0]?.parameter, 'body')
    assert.equal((await problemAt('/api/v1/sql', 413, post('x'.repeat(300_000)))).code, 'http.body_too_large')
    for (const type of ['text/sql', 'text/plain'])
      assert.equal((await problemAt('/api/v1/sql', 415, post('SELECT 1', type))).code, 'http.media_type')
    assert.equal(
      (await problemAt('/api/v1/sql', 400, post('{"query":"SELECT 1"}'))).errors?.[0]?.parameter,
      'sql',
    )
  })
})
