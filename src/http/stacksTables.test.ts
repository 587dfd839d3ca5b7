/** Tables about Stacks would fail in the API or show SQL that does not run. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STACKS_TABLES } from '#explorer/index.ts'
import type { Problem, SqlAnswer, StacksTableAnswer } from './contract.ts'
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

test('every table of Stacks answers, and a reader may run its statement as it stands', async () => {
  for (const id of Object.keys(STACKS_TABLES)) {
    const { status, body } = await ask<StacksTableAnswer>(`/api/v1/stacks/tables/${id}`)
    assert.equal(status, 200, `${id} ${JSON.stringify(body)}`)
    applicationTable.parse(body)
    const run = await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql: body.sql } })
    assert.equal(run.statusCode, 200, `${id} ${run.body}`)
    const names = run.json<SqlAnswer>().columns.map(({ name }) => name)
    assert.deepEqual(
      body.columns.filter(({ key }) => !names.includes(key)),
      [],
      id,
    )
  }
})

test('a table that is none is a 404 with the nearest names', async () => {
  const { status, body } = await ask<Problem>('/api/v1/stacks/tables/sip-result')
  assert.equal(status, 404)
  assert.equal(body.code, 'http.stacks_table')
  assert.match(body.hint ?? '', /sip-results/)
})
