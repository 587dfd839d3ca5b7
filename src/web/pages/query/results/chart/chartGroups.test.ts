/** A chart of a large result would show only part of the data, or differ from the same chart of a small result. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Problem, QueryResult, QueryRun, ResultChart, ResultPage } from '#http/contract.ts'
import { ask, type Headers, signedIn } from '#http/queries/sharedSaved.testing.ts'
import { AGGREGATIONS, type ChartSettings } from './chartSettings.ts'
import { chartTable, groupValue } from './chartTable.ts'

let owner: Headers
before(async () => {
  owner = await signedIn('charts@example.org')
})

async function resultOf(sql: string): Promise<QueryResult> {
  const { body } = await ask<QueryRun>('POST', '/api/v1/queries/runs', owner, { sql, waitSeconds: 60 })
  assert.ok(body.result, JSON.stringify(body.problem))
  return body.result
}
const chart = async (hash: string, query: string) =>
  ask<ResultChart>('GET', `/api/v1/queries/results/${hash}/chart?${query}`, owner)
async function groupsOf(hash: string, query: string): Promise<ResultChart> {
  const { status, body } = await chart(hash, query)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

describe('a chart of a million rows', () => {
  let hash = ''
  before(async () => {
    const result = await resultOf(
      `SELECT number AS n, number % 7 AS k, toDate('2020-01-01') + number % 1500 AS day, toUInt64(9007199254740993) AS big,
toDateTime('2026-01-01 00:00:00', 'UTC') + number AS t, if(number % 10 = 0, NULL, 1) AS some FROM numbers(1000000)`,
    )
    assert.equal(result.rowCount, 1_000_000)
    hash = result.hash
  })

  test('sums all rows without losing digits', async () => {
    const { groups, matchingRows } = await groupsOf(hash, 'values=0,3&aggregation=sum')
    assert.equal(matchingRows, 1_000_000)
    assert.deepEqual(groups, [
      [null, null, 1_000_000, 499_999_500_000, 1_000_000, '9007199254740993000000', 1_000_000],
    ])
  })

  test('puts every row in a slice and counts rows without a value', async () => {
    const { groups } = await groupsOf(hash, 'x=1&values=5&aggregation=sum')
    assert.equal(groups.length, 7)
    assert.equal(
      groups.reduce((sum, [, , rows]) => sum + Number(rows), 0),
      1_000_000,
    )
    assert.equal(
      groups.reduce((sum, group) => sum + Number(group[groupValue(0)]), 0),
      900_000,
    )
    assert.deepEqual(
      groups.map(([k]) => k),
      [0, 1, 2, 3, 4, 5, 6],
    )
  })

  test('keeps single days if they fit, and groups seconds by a step that the response includes', async () => {
    const days = await groupsOf(hash, 'x=2&aggregation=count')
    assert.deepEqual(
      [days.step, days.groups.length, days.groups[0]?.slice(0, 3)],
      [86_400, 1500, ['2020-01-01 00:00:00', null, 667]],
    )
    const seconds = await groupsOf(hash, 'x=4&values=0&aggregation=max')
    assert.equal(seconds.step, 900)
    assert.equal(seconds.groups.length, Math.ceil(1_000_000 / 900))
    assert.deepEqual(seconds.groups[1], ['2026-01-01 00:15:00', null, 900, 1799, 900])
    const lines = await groupsOf(hash, 'x=4&series=1&values=0&aggregation=average')
    assert.ok(lines.groups.length <= 50_000)
    assert.equal(lines.matchingRows, 1_000_000)
  })

  test('applies filters, and takes the last value in row order', async () => {
    const filter = encodeURIComponent('[{"column":1,"operator":"equals","value":"3"}]')
    const { groups, matchingRows } = await groupsOf(hash, `values=0&aggregation=last&filter=${filter}`)
    assert.deepEqual([matchingRows, groups], [142_857, [[null, null, 142_857, 999_995, 142_857]]])
    const none = encodeURIComponent('[{"column":1,"operator":"equals","value":"9"}]')
    assert.deepEqual(await groupsOf(hash, `x=1&values=0&filter=${none}`), {
      matchingRows: 0,
      step: null,
      groups: [],
    })
  })

  test('is correct for any column names', async () => {
    const result = await resultOf(
      'SELECT number % 2 AS `group 1`, number AS `group 0`, number % 2 AS `group_ 0` FROM numbers(4)',
    )
    const { groups } = await groupsOf(result.hash, 'x=0&values=1&aggregation=sum')
    assert.deepEqual(groups, [
      [0, null, 2, 2, 2],
      [1, null, 2, 4, 2],
    ])
  })

  test('fails with too many groups', async () => {
    const { status, body } = await chart(hash, 'x=0')
    assert.deepEqual([status, (body as unknown as Problem).code], [422, 'sql.chart_groups'])
  })

  test('rejects columns that do not exist or are not numeric, and never treats text as SQL', async () => {
    for (const [query, code] of [
      ['x=6', 'sql.result_column'],
      ['series=99999', 'sql.result_column'],
      ['values=2', 'sql.result_column'],
      ['values=0,77', 'sql.result_column'],
      ['x=-1', 'http.parameter'],
      ['x=1.5', 'http.parameter'],
      ['values=n', 'http.parameter'],
      ['values=0,', 'http.parameter'],
      ['values=0,1,2,3,4,5,0,1,2', 'http.parameter'],
      ['aggregation=sum);', 'http.parameter'],
      ['step=1', 'http.parameter'],
    ] as const) {
      const { body } = await chart(hash, query)
      assert.equal((body as unknown as Problem).code, code, query)
    }
  })
})

const COLUMNS = ['day', 'at', 'name', 'number', 'amount', 'half', 'exact'] as const
/** Rows with gaps, NULLs, text that looks like NULL, NaN, and amounts beyond 2^53. */
const MIXED = `SELECT toDate('2026-01-01') + cityHash64(number, 1) % 40 AS day,
toDateTime64('2026-01-01 00:00:00.250', 3, 'Asia/Tokyo') + cityHash64(number, 2) % 600 * 60 AS at,
[NULL, '', 'bob', 'merlin', 'stacks', 'rootstock'][1 + cityHash64(number, 3) % 6] AS name,
toInt16(cityHash64(number, 4) % 9) - 4 AS number,
if(cityHash64(number, 5) % 5 = 0, NULL, cityHash64(number, 5) % 1000) AS amount,
if(cityHash64(number, 6) % 7 = 0, nan, (cityHash64(number, 6) % 200) / 8 - 10) AS half,
toDecimal64(cityHash64(number, 7) % 1000, 2) / 4 AS exact FROM numbers(700)`

test('groups from the server give the same table as all rows', async () => {
  const { hash, columns } = await resultOf(MIXED)
  assert.deepEqual(
    columns.map(({ name }) => name),
    COLUMNS,
  )
  const { body } = await ask<ResultPage>('GET', `/api/v1/queries/results/${hash}?limit=10000`, owner)
  const at = (name: string) => columns.findIndex(column => column.name === name)
  const near = (value: number | null) => (value === null ? null : Number(value.toPrecision(12)))
  for (const x of [null, 'day', 'at', 'name', 'number'])
    for (const series of [null, 'name'])
      for (const values of [[], ['amount'], ['half', 'exact', 'number']])
        for (const aggregation of values.length === 0 ? (['count'] as const) : AGGREGATIONS) {
          const settings: ChartSettings = {
            kind: 'line',
            x,
            series,
            values,
            aggregation,
            stacking: 'none',
            scale: 'linear',
          }
          const query = new URLSearchParams({ aggregation, values: values.map(at).join(',') })
          if (x !== null) query.set('x', String(at(x)))
          if (series !== null) query.set('series', String(at(series)))
          const { groups, matchingRows } = await groupsOf(hash, String(query))
          assert.equal(matchingRows, 700)
          const [ofRows, ofGroups] = [
            chartTable(columns, body.rows, settings),
            chartTable(columns, groups, settings, { isGrouped: true }),
          ]
          const shown = ({ axis, lines, ...more }: typeof ofRows) => ({
            ...more,
            title: axis.title,
            grid: axis.grid,
            // Series of the same size may come in a different order.
            places: axis.labels
              .map((label, place) => ({
                label,
                values: Object.fromEntries(
                  lines.map(line => [
                    line.label,
                    [near(line.values[place] ?? null), line.lacking.includes(place)],
                  ]),
                ),
              }))
              .sort((a, b) => (axis.numbers === undefined ? (a.label < b.label ? -1 : 1) : 0)),
          })
          assert.deepEqual(shown(ofGroups), shown(ofRows), JSON.stringify(settings))
        }
})

test('each server group has its own place on the axis, however many times there are', async () => {
  const settings: ChartSettings = {
    kind: 'line',
    x: 't',
    series: null,
    values: ['n'],
    aggregation: 'average',
    stacking: 'none',
    scale: 'linear',
  }
  for (const [spread, rows] of [
    [600, 900],
    [7, 3000],
    [3_600, 20_000],
    [86_400, 1_999],
    [604_800, 20_000],
    [40_000_000, 1_200],
    [1, 2_500],
  ] as const) {
    const sql = `SELECT toDateTime64('1990-03-07 05:00:00', 0, 'UTC') + toUInt64(cityHash64(number) % ${rows}) * ${spread} AS t, number AS n FROM numbers(${rows * 2})`
    const { hash, columns } = await resultOf(sql)
    const { groups, matchingRows } = await groupsOf(hash, 'x=0&values=1&aggregation=average')
    assert.equal(matchingRows, rows * 2)
    const { axis, lines } = chartTable(columns, groups, settings, { isGrouped: true })
    const values = (lines[0]?.values ?? []).filter(value => value !== null)
    assert.equal(
      values.length,
      groups.length,
      `${rows} times ${spread} s apart: ${axis.labels.length} places`,
    )
  }
})
