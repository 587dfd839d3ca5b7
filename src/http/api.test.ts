/** Programs would get wrong metrics, or a query could overload or outlive its limits. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { until } from '#kernel/until.testing.ts'
import { aPart } from '#tests/aPart.ts'
import { inputsOf } from '#warehouse/index.ts'
import members from '../queries/listMembers.fixture.json' with { type: 'json' }
import type { BlockDetail, BlockPage, MetricEntry, Problem, Series, SqlAnswer, TxDetail } from './contract.ts'
import { blockDetail, blockPage, txDetail, txPage } from './schemas/bitcoin.ts'
import { problem } from './schemas/common.ts'
import { catalogue, metricEntry, series } from './schemas/metrics.ts'
import { sqlAnswer } from './schemas/sql.ts'
import { status } from './schemas/status.ts'
import { openTestSite, type TestSite } from './testing.ts'

const FIRST_PAYMENT = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const ask = (url: string, more: InjectOptions = {}) => site.app.inject({ url, ...more })
const runSql = (sql: string, more: object = {}) =>
  ask('/api/v1/sql', { method: 'POST', payload: { sql, ...more } })
const problemAt = async (url: string, expectedStatus: number, more: InjectOptions = {}): Promise<Problem> => {
  const answer = await ask(url, more)
  assert.equal(answer.statusCode, expectedStatus, answer.body)
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  return problem.parse(answer.json())
}
const sqlProblem = (sql: string, expectedStatus = 400, more: object = {}) =>
  problemAt('/api/v1/sql', expectedStatus, { method: 'POST', payload: { sql, ...more } })

/** The warehouse answers several questions at once. */
async function inFours<T>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next[1], next[0])
  }
  await Promise.all([work(), work(), work(), work()])
}

describe('metrics', () => {
  test('the catalogue lists every metric with the fields of an entry', async () => {
    const answer = await ask('/api/v1/metrics')
    const { metrics } = catalogue.parse(answer.json())
    assert.ok(metrics.length > 0)
    assert.deepEqual(
      metrics.map(({ id }) => id).sort(),
      (await site.metrics.list()).map(({ id }) => id).sort(),
    )
  })

  test('a series says how old it is, where it is from and by which SQL', async () => {
    const answer = await ask('/api/v1/metrics/fees.total?from=2009-01-01&to=2011-12-31')
    assert.equal(answer.statusCode, 200, answer.body)
    const found = series.parse(answer.json()) satisfies Series
    assert.equal(found.metric.id, 'fees.total')
    assert.match(found.sql, /SELECT/)
    assert.equal(found.parameters.from, '2009-01-01')
  })

  test('every metric of the catalogue answers as its schema says', async () => {
    await inFours(aPart(await site.metrics.list(), 4), async ({ id, entities }) => {
      const answer = await ask(`/api/v1/metrics/${id}?entity=${entities[0]}&from=2010-12-01&to=2010-12-31`)
      assert.equal(answer.statusCode, 200, `${id}: ${answer.body}`)
      series.parse(answer.json())
    })
  })

  test('an entry stands alone too', async () => {
    const answer = await ask('/api/v1/metrics/fees.total/entry')
    assert.equal((metricEntry.parse(answer.json()) satisfies MetricEntry).unit, 'sat')
  })

  test('several metrics come as one table, each in its unit, and as the SQL behind them', async () => {
    const figures = 'fees.total@bitcoin,outputs.by_type@bitcoin:p2pk,tx.count@bitcoin'
    const span = 'from=2009-01-03&to=2009-01-12'
    const csv = await ask(`/api/v1/series?figures=${figures}&${span}&unit=btc&format=csv`)
    assert.equal(csv.statusCode, 200, csv.body)
    const [head, ...lines] = csv.body.trimEnd().split('\r\n')
    assert.equal(head, 'day,metric,entity,key,value,unit,state,source')
    const cells = lines.map(line => line.split(','))
    assert.deepEqual(
      new Set(cells.map(([, metric, , key, , unit]) => `${metric} ${key} ${unit}`)),
      new Set(['fees.total  BTC', 'outputs.by_type p2pk outputs', 'tx.count  tx']),
    )

    const script = await ask(`/api/v1/series?figures=${figures}&${span}&format=sql`)
    assert.match(script.headers['content-type'] as string, /^application\/sql/)
    const statements = script.body.split('\n\n')
    assert.equal(statements.length, 3)
    for (const statement of statements) {
      const parameters = Object.fromEntries(
        [...statement.matchAll(/^SET param_(\w+) = '(.*)';$/gm)].map(([, name, value]) => [name, value]),
      )
      assert.equal(parameters.from, '2009-01-03')
      const sql = statement.replaceAll(/^(?:--.*|SET .*)\n/gm, '')
      const answer = await runSql(sql, { parameters })
      assert.equal(answer.statusCode, 200, answer.body)
    }
  })

  test('figures that are not named as figures are refused by name', async () => {
    for (const figures of ['', 'fees.total', 'fees.total@', Array(61).fill('fees.total@bitcoin').join()]) {
      const { errors } = await problemAt(`/api/v1/series?figures=${figures}`, 400)
      assert.match(errors?.[0]?.parameter ?? '', /^figures/)
    }
    const unknown = await problemAt('/api/v1/series?figures=fees.none@bitcoin', 404)
    assert.equal(unknown.code, 'metrics.unknown_metric')
  })

  test('a series comes as CSV, Arrow and Parquet, by name or by Accept', async () => {
    const csv = await ask('/api/v1/metrics/fees.total?format=csv')
    assert.match(csv.headers['content-type'] as string, /^text\/csv/)
    assert.match(csv.body, /^day,key,value,unit,state,source\r\n/)
    const arrow = await ask('/api/v1/metrics/fees.total', {
      headers: { accept: 'application/vnd.apache.arrow.file' },
    })
    assert.equal(arrow.rawPayload.subarray(0, 6).toString(), 'ARROW1')
    const parquet = await ask('/api/v1/metrics/fees.total?format=parquet')
    assert.equal(parquet.rawPayload.subarray(0, 4).toString(), 'PAR1')
    for (const { headers } of [csv, arrow, parquet]) {
      assert.match(headers['assay-as-of'] as string, /^\d{4}-\d{2}-\d{2}T/)
      assert.match(headers['assay-sources'] as string, /^bitcoin\.chain/)
      assert.match(headers.link as string, /fees\.total\/entry/)
    }
  })

  test('a block is a point of its own, with its height and time', async () => {
    const url = '/api/v1/metrics/tx.count?grain=block&from=2009-01-12&to=2009-01-12'
    const { points, grain } = series.parse((await ask(url)).json())
    assert.equal(grain, 'block')
    const [point] = points
    assert.deepEqual([point?.height, point?.value, point?.day], [170, 1, '2009-01-12T03:30:25Z'])
    const csv = (await ask(`${url}&format=csv`)).body.split('\r\n')
    assert.equal(csv[0], 'day,height,key,value,unit,state,source')
    assert.equal(csv[1], '2009-01-12T03:30:25Z,170,,1,tx,whole,bitcoin.chain')
    const range = await ask('/api/v1/metrics/tx.count?grain=hour&range=7d')
    assert.equal(range.statusCode, 200, range.body)
  })

  test('Arrow and Parquet hold the same points as JSON, packed as every reader can unpack', async () => {
    const address = '/api/v1/metrics/fees.total?from=2009-01-01&to=2011-12-31'
    const { points } = series.parse((await ask(address)).json())
    assert.ok(points.length > 0)
    // The engine may read these files there alone, where it is another user by its group.
    const folder = await mkdtemp(join(inputsOf(site.warehouse.home), 'files-'))
    await chmod(folder, 0o2750)
    try {
      for (const [format, engineFormat] of [
        ['arrow', 'Arrow'],
        ['parquet', 'Parquet'],
      ] as const) {
        const path = join(folder, `series.${format}`)
        const { rawPayload } = await ask(`${address}&format=${format}`)
        await writeFile(path, rawPayload)
        const answer = await site.warehouse.writer.query({
          query: `SELECT toString(day) AS day, key, toString(value) AS value, source FROM file('${path}', ${engineFormat})`,
          format: 'JSONEachRow',
        })
        assert.deepEqual(
          await answer.json(),
          // Gaps between runs of days are marked for charts; a table has no rows for them.
          points
            .filter(({ source }) => source !== '')
            .map(({ day, key, value, source }) => ({
              ...{ day, key, source },
              value: value === null ? null : String(value),
            })),
        )
        // Arrow within LZ4 frames is closed to the reader of browsers; so is Parquet within Zstandard.
        if (format === 'arrow') assert.ok(rawPayload.includes(String(points[0]?.source)))
        else assert.deepEqual(await parquetCodecs(path), ['SNAPPY'])
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  async function parquetCodecs(path: string): Promise<string[]> {
    const answer = await site.warehouse.writer.query({
      query: `SELECT DISTINCT arrayJoin(columns.compression) AS codec FROM file('${path}', ParquetMetadata)`,
      format: 'JSONEachRow',
    })
    return (await answer.json<{ codec: string }>()).map(({ codec }) => codec)
  }

  const wrong: [string, string, number, string][] = [
    ['an unknown metric', '/api/v1/metrics/fees.totl', 404, 'id'],
    ['an unknown entity', '/api/v1/metrics/fees.total?entity=dogecoin', 404, 'entity'],
    ['a day that is none', '/api/v1/metrics/fees.total?from=2024-02-30', 400, 'from'],
    ['a day in another form', '/api/v1/metrics/fees.total?to=1.2.2024', 400, 'to'],
    ['a first day after the last', '/api/v1/metrics/fees.total?from=2024-02-02&to=2024-02-01', 400, 'from'],
    ['a range beside a first day', '/api/v1/metrics/fees.total?from=2024-02-02&range=7d', 400, 'range'],
    ['an unknown format', '/api/v1/metrics/fees.total?format=xls', 400, 'format'],
    ['an unknown grain', '/api/v1/metrics/fees.total?grain=decade', 400, 'grain'],
    ['a grain that the metric has not', '/api/v1/metrics/addresses.active?grain=hour', 400, 'grain'],
    ['a grain of other chains', '/api/v1/metrics/fees.total?grain=cycle', 400, 'grain'],
    ['blocks without end', '/api/v1/metrics/fees.total?grain=block', 400, 'from'],
    ['a unit that the metric has not', '/api/v1/metrics/tx.count?unit=usd', 400, 'unit'],
    ['a breakdown of a metric without', '/api/v1/metrics/fees.total?breakdown=p50', 400, 'breakdown'],
    ['an unknown value of a breakdown', '/api/v1/metrics/fees.rate?breakdown=p42', 400, 'breakdown'],
    ['an unknown switch', '/api/v1/metrics/fees.total?switches=merged_proxies', 400, 'switches'],
    ['an unknown unit', '/api/v1/metrics/fees.total?unit=eur', 400, 'unit'],
    ['an unknown parameter', '/api/v1/metrics/fees.total?form=csv', 400, 'form'],
    ['a parameter given twice', '/api/v1/metrics/fees.total?from=2024-01-01&from=2024-01-02', 400, 'from'],
    ['a day before all days', '/api/v1/metrics/fees.total?from=0001-01-01', 400, 'from'],
    ['a day after all days', '/api/v1/metrics/fees.total?to=9999-12-31', 400, 'to'],
    ['a parameter where there are none', '/api/v1/status?format=csv', 400, 'format'],
  ]
  for (const [what, url, code, parameter] of wrong) {
    test(`${what} is refused by the name of its parameter, in whatever form it was asked for`, async () => {
      const forms =
        parameter === 'format' ? [''] : ['format=json', 'format=csv', 'format=arrow', 'format=parquet']
      for (const form of forms) {
        const told = await problemAt(`${url}${url.includes('?') ? '&' : '?'}${form}`, code)
        assert.deepEqual(
          told.errors?.map(error => error.parameter),
          [parameter],
        )
      }
    })
  }

  test('a form that nobody can give is refused with the forms there are', async () => {
    const told = await problemAt('/api/v1/metrics/fees.total', 406, { headers: { accept: 'image/png' } })
    assert.match(told.errors?.[0]?.message ?? '', /application\/json/)
  })

  test('what is wrong is said in the words of people', async () => {
    for (const [query, words] of [
      ['grain=decade', /must be one of block, hour, day/],
      ['entity=', /must not be empty/],
      ['from=2024-01-01&from=2024-01-02', /must be given once/],
    ] as const) {
      const { detail } = await problemAt(`/api/v1/metrics/fees.total?${query}`, 400)
      assert.match(detail, words)
      assert.doesNotMatch(detail, /Invalid|expected|received/)
    }
    assert.match((await problemAt('/api/v1/metrics/fees.total?breakdown=x', 400)).detail, /^fees\.total has/)
    const missing = await problemAt('/api/v1/sql', 400, { method: 'POST', payload: {} })
    assert.match(missing.detail, /`sql` in the body: is missing/)
    const misplaced = { method: 'POST', payload: { sql: 'SELECT 1' } } as const
    assert.match((await problemAt('/api/v1/sql?format=csv', 400, misplaced)).detail, /`format` in the query/)
  })
})

describe('blocks and transactions', () => {
  test('blocks come newest first with the gaps between them', async () => {
    const page = blockPage.parse((await ask('/api/v1/bitcoin/blocks?limit=4')).json()) satisfies BlockPage
    assert.deepEqual(
      page.items.map(({ height, origin }) => [height, origin]),
      [
        [100_000, 'rows'],
        [171, 'statistics'],
        [170, 'rows'],
        [1, 'rows'],
      ],
    )
    assert.deepEqual(page.gaps, [
      { from: 172, to: 99_999 },
      { from: 2, to: 169 },
    ])
    assert.equal(page.next, '1')
    const rest = blockPage.parse((await ask('/api/v1/bitcoin/blocks?before=1')).json())
    assert.deepEqual(
      rest.items.map(({ height }) => height),
      [0],
    )
    assert.equal(rest.next, null)
  })

  test('a block is found by height and by hash in any letter case', async () => {
    const byHeight = blockDetail.parse((await ask('/api/v1/bitcoin/blocks/170')).json()) satisfies BlockDetail
    assert.equal(byHeight.hash, '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee')
    assert.equal(byHeight.bits, '1d00ffff')
    assert.equal(byHeight.difficulty, 1)
    assert.equal(byHeight.isIsland, true)
    assert.equal(byHeight.coinbaseSat, '5000000000')
    const byHash = await ask(`/api/v1/bitcoin/blocks/${byHeight.hash.toUpperCase()}`)
    assert.deepEqual(byHash.json(), byHeight)
  })

  test('a block known by statistics alone says so', async () => {
    const block = blockDetail.parse((await ask('/api/v1/bitcoin/blocks/171')).json())
    assert.equal(block.origin, 'statistics')
    assert.equal(block.merkleRoot, null)
    assert.equal(block.prevHash, '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee')
    assert.equal(block.feerates?.p50, 2)
    assert.equal((await problemAt('/api/v1/bitcoin/blocks/171/txs', 404)).code, 'explorer.txs_not_held')
  })

  test('a height that is not held names the nearest ones', async () => {
    const told = await problemAt('/api/v1/bitcoin/blocks/5000', 404)
    assert.match(told.hint ?? '', /171 and 100000/)
    assert.deepEqual(told.nearest, ['171', '100000'])
    assert.equal(
      (await problemAt(`/api/v1/bitcoin/blocks/${'ab'.repeat(32)}`, 404)).code,
      'explorer.block_not_found',
    )
    assert.equal((await problemAt('/api/v1/bitcoin/blocks/tip', 400)).errors?.[0]?.parameter, 'block')
  })

  test('transactions of a block come in pages', async () => {
    const first = txPage.parse((await ask('/api/v1/bitcoin/blocks/100000/txs?limit=3')).json())
    const second = txPage.parse((await ask(`/api/v1/bitcoin/blocks/100000/txs?after=${first.next}`)).json())
    assert.deepEqual(
      [...first.items, ...second.items].map(({ txIndex }) => txIndex),
      [0, 1, 2, 3],
    )
    assert.equal(second.next, null)
    assert.equal(
      (await problemAt('/api/v1/bitcoin/blocks/170/txs?limit=2000', 400)).errors?.[0]?.parameter,
      'limit',
    )
  })

  test('the first payment between two people shows who paid whom', async () => {
    const tx = txDetail.parse((await ask(`/api/v1/bitcoin/txs/${FIRST_PAYMENT}`)).json()) satisfies TxDetail
    assert.equal(tx.height, 170)
    assert.deepEqual(
      tx.outputs.map(({ address, valueSat, scriptType }) => [address, valueSat, scriptType]),
      [
        ['1Q2TWHE3GMdB6BZKafqwxXtWAWgFt5Jvm3', '1000000000', 'p2pk'],
        ['12cbQLTFMXRnSzktFkuoG3eHoMeFtpTu3S', '4000000000', 'p2pk'],
      ],
    )
    assert.equal(tx.inputs[0]?.prevTxid, '0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9')
    assert.equal(
      (await problemAt(`/api/v1/bitcoin/txs/${'00'.repeat(32)}`, 404)).code,
      'explorer.tx_not_found',
    )
    assert.equal((await problemAt('/api/v1/bitcoin/txs/abc', 400)).errors?.[0]?.parameter, 'txid')
  })
})

describe('SQL', () => {
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

  test('what was probably meant is a hint', async () => {
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
    assert.equal((await runSql('SELECT 1')).statusCode, 200)
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

describe('the rest', () => {
  test('the status tells what is held', async () => {
    const { chains } = status.parse((await ask('/api/v1/status')).json())
    assert.deepEqual(
      chains[0]?.coverage.map(({ from, origin }) => [from, origin]),
      [
        [0, 'block_file'],
        [1, 'block_file'],
        [170, 'block_file'],
        [100_000, 'block_file'],
        [171, 'statistics'],
      ],
    )
  })

  test('the version is told and never kept', async () => {
    for (const url of ['/meta.json', '/api/meta.json']) {
      const answer = await ask(url)
      assert.deepEqual(answer.json(), { version: '1.2.3' })
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  })

  test('health is told', async () => {
    assert.equal((await ask('/healthz')).statusCode, 200)
  })

  test('addresses beside the API may be asked with what a browser adds against its cache', async () => {
    for (const url of ['/meta.json?t=1', '/healthz?t=1']) assert.equal((await ask(url)).statusCode, 200)
  })

  test('an unknown address and a wrong method are problems', async () => {
    assert.equal((await problemAt('/api/v1/nothing', 404)).code, 'http.not_found')
    const wrong = await ask('/api/v1/metrics', { method: 'PUT' })
    assert.equal(wrong.statusCode, 405)
    assert.equal(wrong.headers.allow, 'GET, HEAD')
    assert.equal((await problemAt('/api/v1/%zz', 400)).status, 400)
  })
})
