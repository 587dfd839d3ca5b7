/** The API would give index levels that its own SQL and builder do not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { INDEX_TABLES, INDICES_TABLES } from '#explorer/index.ts'
import { fillIndices } from '#metrics/indices/testing.ts'
import type { ApplicationTable, BacktestAnswer, IndexList, Problem, Series, SqlAnswer } from './contract.ts'
import { applicationTable } from './schemas/applications.ts'
import { backtestAnswer, indexList } from './schemas/indices.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
  await fillIndices(site.warehouse)
  await site.version.refresh()
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json() }
}

test('every table about indices answers, and a reader may run its statement as it stands', async () => {
  const urls = [
    ...Object.keys(INDICES_TABLES).map(id => `/api/v1/indices/tables/${id}`),
    // One that has begun, and one of which nothing is known.
    ...['bitcoin-defi', 'stacks-defi'].flatMap(id =>
      Object.keys(INDEX_TABLES).map(table => `/api/v1/indices/${id}/tables/${table}`),
    ),
  ]
  for (const url of urls) {
    const { status, body } = await ask<ApplicationTable>(url)
    assert.equal(status, 200, `${url} ${JSON.stringify(body)}`)
    applicationTable.parse(body)
    const run = await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql: body.sql } })
    assert.equal(run.statusCode, 200, `${url} ${run.body}`)
    const names = run.json<SqlAnswer>().columns.map(({ name }) => name)
    assert.deepEqual(
      body.columns.filter(({ key }) => !names.includes(key)),
      [],
      url,
    )
  }
})

test('contributions add up to the change of the level, and the statement of the rebuilding gives the levels drawn', async () => {
  const { body: list } = await ask<IndexList>('/api/v1/indices')
  indexList.parse(list)
  const begun = list.items.filter(({ level }) => level !== null)
  assert.ok(begun.length >= 3)
  for (const { id, level, change, spark } of begun) {
    if (change.year !== null) {
      const drawn = (spark.at(-1) ?? 0) / (spark[0] ?? 0) - 1
      assert.ok(Math.abs(drawn - change.year) < 1e-3, `${id}: its course is that of another span`)
    }
    const { body: members } = await ask<ApplicationTable>(`/api/v1/indices/${id}/tables/members`)
    const points = members.rows.reduce((sum, row) => sum + Number(row.points ?? 0), 0)
    assert.ok(Math.abs(points - (level! - 1000)) < 1e-6, `${id}: ${points} points, level ${level}`)
    const { body: rebuilt } = await ask<ApplicationTable>(`/api/v1/indices/${id}/tables/rebuild`)
    assert.ok(rebuilt.rows.length > 5)
    for (const row of rebuilt.rows)
      assert.ok(Math.abs(Number(row.apart)) < 1e-9, `${id} ${row.day}: ${row.apart}`)
  }
})

test('the builder with the rules of an index gives that index, day by day, as JSON and as CSV', async () => {
  const { body: list } = await ask<IndexList>('/api/v1/indices')
  for (const id of ['layer-tokens-equal', 'bitcoin-defi']) {
    const index = list.items.find(each => each.id === id)!
    const query = new URLSearchParams({
      tokens: index.members.map(({ token }) => token).join(','),
      weighting: index.weighting,
      cap: String(index.maxWeight * 100),
      age: String(index.minAgeDays),
      floor: String(index.volumeFloorUsd),
      cost: String(index.costBps),
    })
    const { status, body } = await ask<BacktestAnswer>(`/api/v1/indices/backtest?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    backtestAnswer.parse(body)
    const { body: series } = await ask<Series>(
      `/api/v1/metrics/index.level?entity=${id}&from=2021-01-01&to=2025-12-31`,
    )
    const levels = new Map(
      series.points.filter(({ value }) => value !== null).map(({ day, value }) => [day, Number(value)]),
    )
    assert.deepEqual(body.days, [...levels.keys()])
    for (const [i, day] of body.days.entries())
      assert.ok(Math.abs(body.level[i]! / levels.get(day)! - 1) < 1e-9, `${id} ${day}`)
    const csv = await site.app.inject({ method: 'GET', url: `/api/v1/indices/backtest?${query}&format=csv` })
    const lines = csv.body.trimEnd().split('\r\n')
    assert.equal(lines[0], 'day,level,level_net,btc,eth')
    assert.equal(lines.length, body.days.length + 1)
  }
})

test('a span begins anew with what was known before it, and other rules give another history', async () => {
  const { body } = await ask<BacktestAnswer>(
    '/api/v1/indices/backtest?from=2023-01-15&to=2023-12-31&rebalance=quarterly',
  )
  assert.deepEqual([body.days[0], body.level[0]], ['2023-03-31', 1000])
  assert.equal(body.days.at(-1), '2023-12-31')
  assert.equal(body.rebalancings.length, 4)
  const { body: other } = await ask<BacktestAnswer>(
    '/api/v1/indices/backtest?from=2023-01-15&to=2023-12-31&rebalance=quarterly&weighting=inverse-volatility',
  )
  assert.notEqual(other.level.at(-1), body.level.at(-1))
})

test('questions that are none are told with what is wrong and what there is', async () => {
  const told = async (url: string, status: number, code: string, words: RegExp) => {
    const { status: got, body } = await ask<Problem>(url)
    assert.deepEqual([got, body.code], [status, code], url)
    assert.match(`${body.detail} ${body.hint ?? ''}`, words, url)
  }
  await told('/api/v1/indices/layer-token/tables/members', 404, 'http.index', /layer-tokens/)
  await told('/api/v1/indices/layer-tokens/tables/member', 404, 'http.index_table', /members/)
  await told('/api/v1/indices/backtest?tokens=stx,dogecoin', 400, 'http.parameter', /dogecoin/)
  await told('/api/v1/indices/backtest?cap=0', 400, 'http.parameter', /cap/)
  await told('/api/v1/indices/backtest?from=2024-01-01&to=2023-01-01', 400, 'http.parameter', /from/)
  await told('/api/v1/indices/backtest?weighting=luck', 400, 'http.parameter', /weighting/)
  await told('/api/v1/indices/backtest?cost=-1', 400, 'http.parameter', /cost/)
})
