/** A hostile statement would run because it came by the query tool instead of the SQL panel. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { QueryEstimate, QueryRun } from '#http/contract.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { HOSTILE } from '#warehouse/gate/cases.testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const WITHOUT_PARAMETERS = HOSTILE.filter(({ params }) => params === undefined)
/** What the limits of a request refuse before a run begins. */
const REFUSED_AT_ONCE = [400, 413, 422]
/** Two queries of a caller run at a time: more would only wait. */
const AT_ONCE = 2

async function each<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await task(item)
    }),
  )
}

test('every hostile statement fails as a run, with its reason and without a result', async () => {
  assert.ok(WITHOUT_PARAMETERS.length > 700)
  const ran: string[] = []
  await each(WITHOUT_PARAMETERS, async ({ sql }) => {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/v1/queries/runs',
      payload: { sql, waitSeconds: 60 },
    })
    if (REFUSED_AT_ONCE.includes(answer.statusCode)) return
    const { state, problem, result } = answer.json() as QueryRun
    const isRefused = state === 'failed' && result === null && problem?.code.startsWith('sql.') === true
    if (!isRefused) ran.push(`${state} ${answer.statusCode}: ${sql.slice(0, 200)}`)
  })
  assert.deepEqual(ran, [])
})

test('no hostile statement is estimated', async () => {
  const estimated: string[] = []
  // A part of each family: an estimate runs nothing that the checks did not pass.
  await each(
    WITHOUT_PARAMETERS.filter((_, at) => at % 4 === 0),
    async ({ sql }) => {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/api/v1/queries/estimate',
        payload: { sql },
      })
      if (REFUSED_AT_ONCE.includes(answer.statusCode)) return
      const { rows } = answer.json() as QueryEstimate
      if (rows !== null) estimated.push(sql.slice(0, 200))
    },
  )
  assert.deepEqual(estimated, [])
})
