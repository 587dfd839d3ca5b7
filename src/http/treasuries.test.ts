/** Tables about treasuries would fail in the API or show SQL that does not run. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TREASURIES_TABLES, TREASURY_TABLES } from '#explorer/index.ts'
import type { ApplicationTable, Problem, SqlAnswer, Treasury } from './contract.ts'
import { applicationTable } from './schemas/applications.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json() }
}

test('every table about treasuries answers, and a reader may run its statement as it stands', async () => {
  const urls = [
    ...Object.keys(TREASURIES_TABLES).map(id => `/api/v1/treasuries/tables/${id}`),
    ...Object.keys(TREASURY_TABLES).map(id => `/api/v1/treasuries/strategy/tables/${id}`),
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

test('holders and tables that are none are a 404 with the nearest names', async () => {
  const holder = await ask<Problem>('/api/v1/treasuries/strategi')
  assert.deepEqual([holder.status, holder.body.code], [404, 'http.treasury'])
  assert.match(holder.body.hint ?? '', /strategy/)
  const table = await ask<Problem>('/api/v1/treasuries/tables/holder')
  assert.deepEqual([table.status, table.body.code], [404, 'http.treasury_table'])
  assert.match(table.body.hint ?? '', /holders/)
  const { body } = await ask<{ items: Treasury[] }>('/api/v1/treasuries')
  assert.ok(body.items.some(({ id }) => id === 'strategy'))
})
