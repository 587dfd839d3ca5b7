/** Users would wait for a long query to end before seeing a row, mistake its first rows for the result, or see rows of others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { QueryRun, QueryRunEvent, ResultPage } from '#http/contract.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { until } from '#kernel/until.testing.ts'

const RUNS = '/api/v1/queries/runs'

let site: TestSite
before(async () => {
  site = await openTestSite()
  // A separate engine reads results. It starts on the first read.
  const { result } = (await start('SELECT 1', 30)) as QueryRun
  await page(result?.hash ?? '')
})
after(() => site[Symbol.asyncDispose]())

const start = async (sql: string, waitSeconds = 0): Promise<QueryRun> =>
  (await site.app.inject({ url: RUNS, method: 'POST', payload: { sql, isFresh: true, waitSeconds } })).json()
const page = async (hash: string): Promise<ResultPage> =>
  (await site.app.inject({ url: `/api/v1/queries/results/${hash}?limit=200` })).json()

/** Events of a run until it has ended. */
async function eventsOf({ id }: QueryRun): Promise<QueryRunEvent[]> {
  const { body } = await site.app.inject({ url: `${RUNS}/${id}/events` })
  return [...body.matchAll(/^event: run\ndata: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as QueryRunEvent,
  )
}

/** Takes a second or more to send its rows, because the engine hashes thousands of numbers for each. */
const slowly = (columns: string, count: number): string =>
  `SELECT ${columns}, repeat('x', 2000) AS padding FROM numbers(${count}) WHERE sipHash64(number) % 20000 = 1`

const HOSTILE = [
  'number AS n',
  "if(number % 2 = 0, NULL, '=1+1') AS text",
  "toLowCardinality('é\n\t') AS low",
  "map('k', [number]) AS map",
  "tuple(1, 'x') AS pair",
  "toFixedString(unhex('ff00'), 2) AS bytes",
  'nan AS nothing',
  'toDecimal256(number, 3) AS exact',
  'toInt128(-1) AS wide',
  "unhex('ff00fe') AS raw",
  'toDateTime64(number, 3) AS time',
  '[NULL, 1] AS list',
  "'<script>alert(1)</script>' AS `</script>`",
].join(', ')

describe('first rows', () => {
  test('arrive while the query runs, and the result starts with them', async () => {
    const events = await eventsOf(await start(slowly(HOSTILE, 60_000_000)))
    const early = events.filter(({ firstRows }) => firstRows !== undefined)
    assert.ok(early.length > 0, 'no event had rows')
    assert.ok(early.every(({ state, result }) => state === 'running' && result === null))
    const { result, problem } = events.at(-1) ?? {}
    assert.ok(result, JSON.stringify(problem))
    const { rows } = await page(result.hash)
    for (const { firstRows } of early) {
      assert.deepEqual(firstRows?.columns, result.columns)
      assert.deepEqual(firstRows?.rows, rows.slice(0, firstRows?.rows.length))
    }
  })

  test('arrive before the error of a query that fails midway', async () => {
    const sql = slowly("throwIf(number > 45000000, 'too far') AS t", 60_000_000)
    const events = await eventsOf(await start(sql))
    assert.ok(events.some(({ firstRows }) => (firstRows?.rows.length ?? 0) > 0))
    const { state, result, problem } = events.at(-1) ?? {}
    assert.deepEqual(
      [state, result, problem?.detail],
      ['failed', null, "The query stopped itself with `throwIf` and the message 'too far'."],
    )
  })

  test('are not a result: a canceled run has none', async () => {
    const run = await start(slowly('number', 4_000_000_000))
    const events = eventsOf(run)
    const seen = await until('the run is observed', async () => {
      const { body } = await site.app.inject({ url: `${RUNS}/${run.id}` })
      return body.includes('"progress":{') && body
    })
    assert.equal('firstRows' in JSON.parse(seen), false)
    await site.app.inject({ url: `${RUNS}/${run.id}`, method: 'DELETE' })
    const last = (await events).at(-1)
    assert.deepEqual([last?.state, last?.result, last?.firstRows], ['cancelled', null, undefined])
  })

  test('are not sent if they are too large to show', async () => {
    const sql =
      "SELECT repeat('x', 1000000) AS text FROM numbers(60000000) WHERE sipHash64(number) % 2000000 = 1"
    const events = await eventsOf(await start(sql))
    assert.equal(events.at(-1)?.state, 'succeeded')
    assert.ok(events.every(({ firstRows }) => firstRows === undefined))
  })
})

test('every kind of allowed statement returns its full result', async () => {
  for (const [sql, rows] of [
    ['DESCRIBE (SELECT 1 AS a)', 1],
    ['SELECT 1 AS a -- ends in a comment', 1],
    ["SELECT ';' AS a", 1],
    ['SELECT 1 AS a;', 1],
    ['(SELECT 1 AS a) UNION ALL (SELECT 2)', 2],
    ['WITH 1 AS one SELECT one AS a FROM numbers(3) AS into', 3],
    ['EXPLAIN SELECT 1', 2],
    ['SELECT 1 AS a WHERE 0', 0],
    ["SHOW TABLES LIKE 'btc_blocks'", 1],
  ] as const) {
    const { result, problem } = await start(sql, 30)
    assert.ok(result, `${sql}: ${JSON.stringify(problem)}`)
    assert.ok(rows === 0 ? result.rowCount === 0 : result.rowCount >= rows, sql)
  }
})
