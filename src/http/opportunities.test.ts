/** The yield tables of the API would drop opportunities without a reason. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OPPORTUNITY_TABLES } from '#explorer/index.ts'
import { fillYields } from '#metrics/yields/testing.ts'
import type { ApplicationTable, Opportunity, Problem, SqlAnswer } from './contract.ts'
import { applicationTable } from './schemas/applications.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
  await fillYields(site.warehouse)
  await site.version.refresh()
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json() }
}
const tableOf = async (id: string) => (await ask<ApplicationTable>(`/api/v1/opportunities/tables/${id}`)).body

test('every table about yields answers, and a reader may run its statement as it stands', async () => {
  for (const id of Object.keys(OPPORTUNITY_TABLES)) {
    const body = await tableOf(id)
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

test('each way of the catalogue has one row, with a figure or the reason why there is none', async () => {
  const { items } = (await ask<{ items: Opportunity[] }>('/api/v1/opportunities')).body
  const { rows } = await tableOf('opportunities')
  assert.deepEqual(rows.map(({ entity }) => entity).sort(), items.map(({ id }) => id).sort())
  for (const { entity, earned_90: earned, reason } of rows)
    assert.equal(earned === null, reason !== '', `${entity}: ${earned}, ${reason}`)
  assert.ok(rows.filter(({ earned_90: earned }) => earned !== null).length >= 5)
})

test('pools of the list are all counted: those shown, and the others under one reason each', async () => {
  const { rows } = await tableOf('hidden')
  const count = (isCounted: (reason: unknown) => boolean) =>
    rows.filter(({ reason }) => isCounted(reason)).reduce((sum, { pools }) => sum + Number(pools), 0)
  const isShown = (reason: unknown) => String(reason).startsWith('Not left out')
  // The recorded list of 2025-10-06 has 290 pools with BTC in their symbol; others of it are of BOB alone.
  assert.equal(
    count(() => true),
    290,
  )
  assert.ok(count(isShown) > 0)
  const listed = await tableOf('listed')
  assert.equal(
    count(reason => !isShown(reason)),
    listed.rows.length,
  )
  assert.ok(rows.reduce((sum, { share }) => sum + Number(share), 0) > 0.999999)
})

test('a table that is none is a 404 with the nearest names', async () => {
  const { status, body } = await ask<Problem>('/api/v1/opportunities/tables/hiden')
  assert.deepEqual([status, body.code], [404, 'http.opportunity_table'])
  assert.match(body.hint ?? '', /hidden/)
})
