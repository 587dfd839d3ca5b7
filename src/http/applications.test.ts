/** The API would miss tables of an application or give SQL that does not run. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { APP_TABLES } from '#explorer/index.ts'
import type { Application, ApplicationTable, Problem, SqlAnswer } from './contract.ts'
import { application, applicationTable } from './schemas/applications.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ url })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}

test('an application tells its contracts with their roles, its audits and incidents, the newest first', async () => {
  const { status, body } = await ask<Application>('/api/v1/applications/alex')
  assert.equal(status, 200)
  application.parse(body)
  assert.equal(body.token?.symbol, 'ALEX')
  assert.ok(body.contracts.some(({ role, layer }) => layer === 'stacks' && role === 'pool (AMM v2.01)'))
  assert.deepEqual(
    body.incidents.map(({ day }) => day),
    ['2025-06-06', '2024-05-14'],
  )
  assert.deepEqual(
    body.audits.map(({ when }) => when),
    body.audits.map(({ when }) => when).toSorted((a, b) => b.localeCompare(a)),
  )
})

test('a name that is no application is a 404 with the nearest names', async () => {
  const { status, body } = await ask<Problem>('/api/v1/applications/bitflo')
  assert.equal(status, 404)
  assert.equal(body.code, 'http.application')
  assert.match(body.hint ?? '', /bitflow/)
})

test('every table of an exchange and of a token answers, and a reader may run its statement as it stands', async () => {
  for (const slug of ['alex', 'welsh'])
    for (const id of Object.keys(APP_TABLES)) {
      const { status, body } = await ask<ApplicationTable>(`/api/v1/applications/${slug}/tables/${id}`)
      assert.equal(status, 200, `${slug} ${id}: ${JSON.stringify(body)}`)
      applicationTable.parse(body)
      if (slug !== 'alex') continue
      const run = await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql: body.sql } })
      assert.equal(run.statusCode, 200, run.body)
      const names = run.json<SqlAnswer>().columns.map(({ name }) => name)
      assert.deepEqual(
        body.columns.filter(({ key }) => !names.includes(key)),
        [],
      )
    }
})

test('a table that is none is a 404 with the nearest names', async () => {
  const { status, body } = await ask<Problem>('/api/v1/applications/alex/tables/function')
  assert.equal(status, 404)
  assert.equal(body.code, 'http.application_table')
  assert.match(body.hint ?? '', /functions/)
})
