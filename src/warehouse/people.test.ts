/** A user query could write data or read closed tables. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { ClickHouseSettings, DataFormat } from '@clickhouse/client'
import { seedOf } from '#kernel/seed.testing.ts'
import { gate } from './gate/index.ts'
import { openTestWarehouse } from './testing.ts'

describe('people’s SQL', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())

  const ask = async (query: string, more: { query_params?: Record<string, unknown> } = {}) =>
    (await warehouse.guest.query({ query, format: 'JSONCompactEachRow', ...more })).json<unknown[]>()
  const refused = (type: string) => (thrown: unknown) => {
    assert.ok(thrown instanceof Error && 'type' in thrown, String(thrown))
    assert.equal(thrown.type, type, thrown.message)
    assert.ok(thrown.message.length > 20)
    return true
  }

  test('streamed responses contain only their own rows, however earlier ones ended', async t => {
    let state = seedOf(t)
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    const ROWS = 8_000
    const ask = async (key: number, kind: string, abort: AbortController) => {
      const failing = kind === 'fails' ? `throwIf(number = ${ROWS - 1})` : '0'
      const { stream } = await warehouse.guest.exec({
        query: `SELECT toUInt32(${key}), toUInt8(${failing}), toFixedString(repeat('x', 200), 200) FROM numbers(${ROWS})`,
        clickhouse_settings: {
          default_format: 'RowBinary' as DataFormat,
          wait_end_of_query: 0,
          // Several blocks.
          max_block_size: '500',
        } as ClickHouseSettings,
        abort_signal: abort.signal,
      })
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream as Readable) {
          chunks.push(chunk)
          if (kind === 'left') abort.abort()
        }
      } catch (cause) {
        if (kind !== 'left' || !abort.signal.aborted) throw cause
      }
      return Buffer.concat(chunks)
    }
    const kinds = ['whole', 'left', 'fails', 'unknown'] as const
    /** Number of responses with rows, by kind. */
    const seen = { whole: 0, left: 0, fails: 0 }
    let next = 1
    const one = async () => {
      const key = next++
      const kind = kinds[Math.floor(random() * kinds.length)] ?? 'whole'
      const abort = new AbortController()
      if (kind === 'unknown')
        return assert.rejects(warehouse.guest.exec({ query: `SELECT nope_${key}` }), { code: '47' })
      const bytes = await ask(key, kind, abort).catch(cause => {
        // An error before the first row is the whole response.
        if (kind !== 'fails') throw cause
      })
      if (bytes === undefined) return
      const end = bytes.indexOf('\r\n__exception__\r\n')
      assert.equal(end >= 0, kind === 'fails')
      const rows = end >= 0 ? bytes.subarray(0, end) : bytes
      if (kind === 'whole') assert.equal(rows.length, ROWS * 205)
      for (let at = 0; at + 4 <= rows.length; at += 205) assert.equal(rows.readUInt32LE(at), key)
      if (rows.length >= 4) seen[kind]++
    }
    for (let round = 0; round < 12; round++) await Promise.all([one(), one(), one(), one()])
    for (const [kind, count] of Object.entries(seen)) assert.ok(count > 0, `no answer that ${kind} had rows`)
    assert.deepEqual(
      await warehouse.guest.query({ query: 'SELECT 1 AS a', format: 'JSONEachRow' }).then(r => r.json()),
      [{ a: 1 }],
    )
  })

  for (const [sql, type] of [
    ['CREATE TABLE mine (a UInt8) ENGINE = Memory', 'READONLY'],
    ['CREATE TEMPORARY TABLE mine (a UInt8)', 'READONLY'],
    ['INSERT INTO base.prices SELECT * FROM base.prices', 'READONLY'],
    ['ALTER TABLE base.prices DELETE WHERE 1', 'READONLY'],
    ['DROP VIEW btc_blocks', 'READONLY'],
    ['TRUNCATE TABLE base.btc_blocks', 'READONLY'],
    ['SET max_execution_time = 0', 'READONLY'],
    ['USE system', 'READONLY'],
    ['KILL QUERY WHERE 1', 'READONLY'],
    ['SYSTEM SHUTDOWN', 'READONLY'],
    ["BACKUP DATABASE default TO File('assay-backup')", 'READONLY'],
    ['SHOW PROCESSLIST', 'READONLY'],
    ['EXISTS `/etc/passwd`', 'READONLY'],
    ['SHOW CREATE TABLE base.btc_blocks', 'READONLY'],
    ['CHECK TABLE base.btc_blocks', 'READONLY'],
    ["SHOW TABLES WHERE file('/etc/passwd') = ''", 'READONLY'],
    ['SHOW TABLES FROM system', 'READONLY'],
    ["SELECT * APPLY(file) FROM (SELECT '/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT * APPLY(x -> file(x)) FROM (SELECT '/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT arrayMap(file, ['/etc/passwd'])", 'ACCESS_DENIED'],
    ["SELECT `fi\\x6ce`('/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT 1 ORDER BY 1 WITH FILL FROM 1 TO length(file('/etc/passwd'))", 'ACCESS_DENIED'],
    ["SELECT sum(1) OVER w WINDOW w AS (ORDER BY file('/etc/passwd'))", 'ACCESS_DENIED'],
    ["SELECT * FROM view(SELECT file('/etc/passwd'))", 'ACCESS_DENIED'],
    ["SELECT * FROM values('x String', file('/etc/passwd'))", 'ACCESS_DENIED'],
    ["SELECT y FROM values('x UInt8, y String ALIAS file(''/etc/passwd'')', (1))", 'ACCESS_DENIED'],
    ["SELECT y FROM values('x (alias UInt8, y String ALIAS file(''/etc/passwd'')', (1))", 'ACCESS_DENIED'],
    ["SELECT y FROM values(concat('x UInt8, y String ALIAS ', 'file(''a'')'), (1))", 'ACCESS_DENIED'],
    ["SELECT y FROM generateRandom('x UInt8, y String ALIAS file(''/etc/passwd'')')", 'ACCESS_DENIED'],
    ["SELECT * FROM format(CSV, 'x UInt8, y String ALIAS file(''/etc/passwd'')', '1')", 'ACCESS_DENIED'],
    ["SELECT y FROM null('x UInt8, y String ALIAS file(''/etc/passwd'')')", 'ACCESS_DENIED'],
    ['SELECT 1; SELECT 2', 'SYNTAX_ERROR'],
    ['SELECT 1; DROP TABLE base.btc_blocks', 'SYNTAX_ERROR'],
    ["SELECT file('/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT `file`('/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT arrayMap(x -> FILE(x), ['/etc/passwd'])", 'ACCESS_DENIED'],
    ["WITH x AS (SELECT file('/etc/passwd')) SELECT 1 FROM x", 'ACCESS_DENIED'],
    ["EXPLAIN SELECT file('/etc/passwd')", 'ACCESS_DENIED'],
    ["SELECT * FROM file('/etc/passwd', 'LineAsString')", 'ACCESS_DENIED'],
    ["SELECT 1 IN file('/etc/passwd', 'LineAsString')", 'ACCESS_DENIED'],
    ["DESCRIBE file('/etc/passwd')", 'ACCESS_DENIED'],
    ["DESCRIBE TABLE url('http://127.0.0.1:1/')", 'ACCESS_DENIED'],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", 'ACCESS_DENIED'],
    ["SELECT * FROM remote('127.0.0.1', system.one)", 'ACCESS_DENIED'],
    ["SELECT * FROM s3('http://127.0.0.1:1/b/k')", 'ACCESS_DENIED'],
    ["SELECT * FROM executable('id', 'LineAsString', 'x String')", 'ACCESS_DENIED'],
    ["SELECT * FROM sqlite('/etc/passwd', 'a')", 'ACCESS_DENIED'],
    ["SELECT * FROM merge('system', '.*')", 'ACCESS_DENIED'],
    ["SELECT * FROM viewExplain('EXPLAIN', '', (SELECT 1))", 'ACCESS_DENIED'],
    ["SELECT dictGet('a', 'b', 1)", 'ACCESS_DENIED'],
    ["SELECT joinGet('base.a', 'b', 1)", 'ACCESS_DENIED'],
    ['SELECT hostName()', 'ACCESS_DENIED'],
    ["SELECT getServerSetting('path')", 'ACCESS_DENIED'],
    ['SELECT filesystemAvailable()', 'ACCESS_DENIED'],
    ['SELECT query FROM system.processes', 'ACCESS_DENIED'],
    ['SELECT `path` FROM `system`.`disks`', 'ACCESS_DENIED'],
    ['SELECT data_paths FROM system.tables', 'ACCESS_DENIED'],
    ['SELECT 1 WHERE 1 IN system.processes', 'ACCESS_DENIED'],
    ['SELECT 1 WHERE 1 IN (SELECT 1 FROM system.processes)', 'ACCESS_DENIED'],
    ['SELECT * FROM {t:Identifier}', 'UNKNOWN_QUERY_PARAMETER'],
    ['SELECT count() FROM base.btc_blocks', 'ACCESS_DENIED'],
    ['SELECT 1 IN base.btc_batches', 'ACCESS_DENIED'],
    ['SELECT base.x FROM (SELECT 1 AS x) AS base', 'ACCESS_DENIED'],
    ['SELECT globalNotNullIn(1, base.btc_batches)', 'ACCESS_DENIED'],
    ['SELECT `in`(1, billing.secrets)', 'ACCESS_DENIED'],
    ['SELECT 1 WHERE 1 NOT IN (billing.secrets)', 'ACCESS_DENIED'],
    ['SELECT arrayFilter(x -> x IN billing.secrets, [1])', 'ACCESS_DENIED'],
    ['SELECT * FROM billing.secrets', 'ACCESS_DENIED'],
    ['DESCRIBE TABLE billing.secrets', 'ACCESS_DENIED'],
    ['SELECT * FROM btc_blocks AS billing WHERE 1 IN billing.secrets', 'ACCESS_DENIED'],
    ['SELECT * FROM `/etc/passwd`', 'ACCESS_DENIED'],
    ["SELECT * FROM '/etc/passwd'", 'ACCESS_DENIED'],
    ['SELECT 1 SETTINGS max_execution_time = 0', 'READONLY'],
    ['SELECT * FROM (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    [
      "SELECT * FROM (SELECT number FROM system.numbers LIMIT 1 SETTINGS additional_table_filters = {'system.numbers': 'number >= length(file(''/etc/passwd''))'})",
      'ACCESS_DENIED',
    ],
    ['WITH a AS (SELECT 1 SETTINGS readonly = 0) SELECT * FROM a', 'ACCESS_DENIED'],
    ['SELECT (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['SELECT 1 IN (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['SELECT * FROM view(SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['SELECT 1 UNION ALL (SELECT 1 SETTINGS readonly = 0)', 'READONLY'],
    ['EXPLAIN SELECT * FROM (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['EXPLAIN indexes = 1 SELECT * FROM (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['DESCRIBE (SELECT 1 SETTINGS readonly = 0)', 'ACCESS_DENIED'],
    ['EXPLAIN CURRENT TRANSACTION', 'READONLY'],
    ['SELECT number FROM numbers(20000)', 'TOO_MANY_ROWS_OR_BYTES'],
    ['SELECT nope FROM btc_blocks', 'UNKNOWN_IDENTIFIER'],
  ] as const)
    test(`${sql} is refused as ${type}`, async () => {
      await assert.rejects(ask(sql), refused(type))
    })

  test('writing a file is refused, and no file appears', async () => {
    const path = join(warehouse.home, 'written.txt')
    await assert.rejects(
      warehouse.guest.exec({ query: `SELECT 1 INTO OUTFILE '${path}' FORMAT TSV` }),
      refused('READONLY'),
    )
    assert.equal(existsSync(path), false)
  })

  test('a syntax tree that was cut off lets nothing through', () => {
    const tree = [
      'SelectWithUnionQuery (children 1)',
      ' ExpressionList (children 1)',
      '  SelectQuery (children 1)',
      '   ExpressionList (children 2)',
      '    Literal UInt64_1',
      "    Literal 'x'",
    ]
    const verdict = (lines: readonly string[]) =>
      gate("SELECT 1, 'x'", {
        tree: lines.join('\n'),
        formatted: "SELECT 1, 'x'",
        formattedAgain: "SELECT 1, 'x'",
      })
    assert.equal(verdict(tree), undefined)
    assert.match(verdict(tree.slice(0, -1)) ?? '', /cannot be checked/)
    assert.match(verdict([...tree, ...tree]) ?? '', /cannot be checked/)
  })

  test('a parameter cannot name a closed table', async () => {
    await assert.rejects(
      ask('SELECT * FROM system.{t:Identifier}', { query_params: { t: 'processes' } }),
      refused('ACCESS_DENIED'),
    )
    await assert.rejects(
      ask('SELECT * FROM {t:Identifier}', { query_params: { t: 'system.processes' } }),
      (thrown: unknown) => thrown instanceof Error,
    )
  })

  test('settings of the request narrow the limits and never widen them', async () => {
    const withSetting = (name: string, value: string) =>
      warehouse.guest.query({
        query: 'SELECT number FROM numbers(20)',
        format: 'JSONEachRow',
        clickhouse_settings: { [name]: value },
      })
    await assert.rejects(withSetting('max_result_rows', '10'), refused('TOO_MANY_ROWS_OR_BYTES'))
    await assert.rejects(withSetting('max_execution_time', '100'), refused('READONLY'))
    await assert.rejects(withSetting('max_execution_time', '0'), refused('READONLY'))
    await assert.rejects(withSetting('allow_ddl', '1'), refused('READONLY'))
    assert.equal((await (await withSetting('readonly', '0')).json()).length, 20)
    assert.equal((await (await withSetting('limit', '3')).json()).length, 3)
    await assert.rejects(withSetting('no_such_setting', '1'), refused('UNKNOWN_SETTING'))
  })

  test('time and memory end a query with a sentence', async () => {
    const narrow = (query: string, clickhouse_settings: Record<string, string>) =>
      warehouse.guest.query({ query, format: 'JSONEachRow', clickhouse_settings })
    await assert.rejects(
      narrow('SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))', {
        max_execution_time: '1',
      }),
      refused('TIMEOUT_EXCEEDED'),
    )
    await assert.rejects(
      narrow('SELECT uniqExact(number) FROM numbers(50000000)', { max_memory_usage: '20000000' }),
      refused('MEMORY_LIMIT_EXCEEDED'),
    )
  })

  test('ordinary reads are answered: views, the schema, made-up rows, plans', async () => {
    for (const sql of [
      'SELECT height, lower(hex(hash)) FROM btc_blocks ORDER BY height LIMIT 1',
      "SELECT name, type, comment FROM system.columns WHERE table = 'btc_blocks'",
      'SELECT sum(number) FROM numbers(10) AS base',
      'WITH file AS (SELECT 1 AS a) SELECT a FROM file',
      'EXPLAIN SELECT count() FROM btc_txs',
      'EXPLAIN indexes = 1, actions=0 SELECT count() FROM btc_txs WHERE height = 1',
      'EXPLAIN PIPELINE graph = 1 SELECT 1',
      'EXPLAIN SYNTAX SELECT 1',
      "SELECT * FROM values('day Date, price Nullable(Decimal(18, 2))', ('2024-01-01', 1), ('2024-01-02', 2))",
      "SELECT * FROM values(('BTC', 1), ('STX', 2)) AS a, values('a', 'b') AS b",
      'DESCRIBE TABLE btc_outputs',
      'SHOW TABLES',
      'SELECT 1 -- with a comment at the end',
      "SELECT 'SELECT 1; SELECT 2', 'file(1)' AS `system.processes`",
      'SELECT 1 UNION ALL SELECT 2',
      'SELECT 1 INTERSECT SELECT 1',
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n',
      "SELECT a.* EXCEPT (y) REPLACE (1 AS x), COLUMNS('^x') FROM (SELECT 1 AS x, 2 AS y) AS a",
      'SELECT a.COLUMNS(x, y), COLUMNS(x) FROM (SELECT 1 AS x, 2 AS y) AS a',
      'SELECT n, s FROM (SELECT 1 AS n, 2 AS s) ORDER BY n WITH FILL FROM 1 TO 3 INTERPOLATE (s AS s + 1)',
      'SELECT sum(n) OVER w, row_number() OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (SELECT 1 AS n) WINDOW w AS (PARTITION BY n)',
      'SELECT x FROM (SELECT 1 AS k) AS a ASOF LEFT JOIN (SELECT 1 AS k, 2 AS t, 3 AS x) AS b ON a.k = b.k AND a.k <= b.t',
      'SELECT x FROM (SELECT [1, 2] AS xs) ARRAY JOIN xs AS x WHERE x > 1 LIMIT 1 BY x LIMIT 5 OFFSET 0',
      'SELECT k, grouping(k), count() FROM (SELECT 1 AS k) GROUP BY GROUPING SETS ((k), ()) HAVING count() > 0 ORDER BY k',
      'SELECT k, count() FROM (SELECT 1 AS k) GROUP BY k WITH ROLLUP WITH TOTALS',
      "SELECT CASE WHEN 1 THEN 2 END, CAST(1 AS String), 1::UInt8, toDate('2024-01-01') + INTERVAL 1 DAY, (1, 2).1, [1][1]",
      'SELECT quantile(0.5)(n), uniq(n) FILTER (WHERE n > 0), DISTINCT_n FROM (SELECT 1 AS n, 2 AS DISTINCT_n) GROUP BY DISTINCT_n',
      'SELECT 1 WHERE EXISTS (SELECT 1) AND 1 IN (1, 2) AND (SELECT 1) = 1 AND 2 BETWEEN 1 AND 3 QUALIFY 1',
      "SELECT 'a\nFunction file' AS x, 1 IN [3], (1, 2) IN ((1, 2), (3, 4))",
      'WITH some AS (SELECT 1 AS a) SELECT 1 IN some',
      'SELECT count() FROM default.btc_blocks AS b WHERE b.height IN (SELECT height FROM default.btc_txs)',
      'SELECT DISTINCT ON (k) k FROM (SELECT 1 AS k)',
    ])
      assert.ok(Array.isArray(await ask(sql)), sql)
  })

  test('an error names its place in the text as it was sent', async () => {
    await assert.rejects(ask('SELECT 1 +* 2'), /position 13 /)
    await assert.rejects(ask('SELECT 1,\n2 +* 3'), /line 2, col 6/)
  })
})
