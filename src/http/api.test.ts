/** Programs would get wrong metrics, or a query could overload or outlive its limits. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { aPart } from '#tests/aPart.ts'
import { inputsOf } from '#warehouse/index.ts'
import type { MetricEntry, Series } from './contract.ts'
import { catalogue, metricEntry, series } from './schemas/metrics.ts'
import { status } from './schemas/status.ts'
import { ask, inFours, problemAt, runSql, site } from './sharedApi.testing.ts'

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
