/** A scheduled query would not run, run twice, run for somebody who may not, or fail without a word to its owner. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import { toApiError } from '#http/apiError.ts'
import type { LatestQueryResult, Problem, QuerySchedule, ResultPage, SavedQueries } from '#http/contract.ts'
import { silentLog } from '#kernel/log.ts'
import { createScheduler } from '#queries/index.ts'
import {
  accounts,
  ask,
  type Headers,
  keyOf,
  said,
  save,
  signedIn,
  store,
  testSite,
} from '../sharedSaved.testing.ts'

const { queryTool } = testSite
const callers = {} as Record<'owner' | 'reader' | 'free' | 'nobody' | 'readKey', Headers>
before(async () => {
  callers.owner = await signedIn('owner@schedules.example')
  callers.reader = await signedIn('reader@schedules.example')
  callers.free = await signedIn('free@schedules.example', { isPremium: false })
  callers.nobody = {}
  callers.readKey = (await keyOf(callers.owner, 'read:own')).headers
})

const pathOf = (id: string) => `/api/v1/queries/${id}/schedule`
const read = (id: string, headers = callers.owner) => ask<QuerySchedule & Problem>('GET', pathOf(id), headers)
const schedule = (id: string, cron: string, more: object = {}, headers = callers.owner) =>
  ask<QuerySchedule & Problem>('PUT', pathOf(id), headers, { cron, ...more })
const due = (id: string, ago = '1 minute') =>
  store.query(`UPDATE assay.query_schedules SET next_at = now() - $2::interval WHERE query = $1`, [id, ago])
/** Emails to the owner after a position in the log. */
const mailsFrom = async (from: number) => {
  await accounts.idle()
  return said.slice(from).filter(line => line.startsWith('mail to owner@schedules.example'))
}
const scheduled = async (
  sql: string,
  { visibility = 'private', ...more }: { visibility?: string; [key: string]: unknown } = {},
  cron = '0 6 * * *',
) => {
  const { id } = await save(callers.owner, { sql, visibility })
  const { status, body } = await schedule(id, cron, more)
  assert.equal(status, 200, JSON.stringify(body))
  await due(id)
  return id
}

test('what is due runs once among several servers, and its result is the latest of the query', async () => {
  const id = await scheduled('SELECT {{n}} AS n', {
    parameters: { n: '7' },
    types: { n: 'Int64' },
    visibility: 'public',
  })
  const pin = mock.method(queryTool.results, 'pin')
  const another = () =>
    createScheduler({
      query: store.query,
      runs: queryTool.runs,
      mayRun: (owner, email) => accounts.mayUse(owner, email, 'query'),
      problemOf: thrown => toApiError(thrown).problem,
      pin: queryTool.results.pin,
      log: silentLog,
    })
  const ran: number[] = await Promise.all([queryTool.scheduler.tick(), another().tick(), another().tick()])
  assert.equal(
    ran.reduce((sum, count) => sum + count),
    1,
  )
  assert.equal(pin.mock.callCount(), 1)
  pin.mock.restore()
  for (const headers of [callers.owner, callers.reader, callers.nobody]) {
    const { latest, schedule: set } = (await read(id, headers)).body
    assert.deepEqual([latest?.problem, latest?.endedAt, set?.failures], [null, latest?.resultAt, 0])
    const page = await ask<ResultPage>('GET', `/api/v1/queries/results/${latest?.result}`, headers)
    assert.deepEqual(page.body.rows, [[7]])
    const { body } = await ask<LatestQueryResult>('GET', `/api/v1/queries/${id}/results`, headers)
    assert.deepEqual(
      [body.result?.hash, body.resultAt, body.problem],
      [latest?.result, latest?.resultAt, null],
    )
  }
})

test('runs that were missed are made up once, and the next ones are in time', async () => {
  const id = await scheduled('SELECT 1', {}, '0 * * * *')
  await due(id, '3 days')
  assert.deepEqual([await queryTool.scheduler.tick(), await queryTool.scheduler.tick()], [1, 0])
  const { next } = (await read(id)).body.schedule ?? { next: [] }
  assert.equal(next.length, 5)
  assert.ok(next.every(time => Date.parse(time) > Date.now() && time.endsWith(':00:00.000Z')))
})

test('a query that fails tells its owner why, and pauses after five failures', async () => {
  const from = said.length
  const id = await scheduled('SELECT no_such_column', { visibility: 'public' })
  for (let failures = 1; failures <= 5; failures++) {
    await due(id)
    assert.equal(await queryTool.scheduler.tick(), 1)
    const { schedule: set, latest } = (await read(id)).body
    assert.deepEqual(
      [set?.failures, set?.isPaused, latest?.problem?.code, latest?.result],
      [failures, failures === 5, 'sql.unknown_column', null],
    )
    const { own, public: shown } = (await ask<SavedQueries>('GET', '/api/v1/queries', callers.owner)).body
    const mark = failures === 5 ? 'paused' : 'failing'
    for (const list of [own, shown]) assert.equal(list.find(each => each.id === id)?.schedule, mark)
  }
  // One email on the first failure and one on pausing, each with a link to the query and none of its text.
  assert.deepEqual(
    (await mailsFrom(from)).map(mail => /: (A scheduled query \w+)/.exec(mail)?.[1]),
    ['A scheduled query failed', 'A scheduled query paused'],
  )
  for (const mail of await mailsFrom(from)) {
    assert.ok(mail.includes(`/Query?id=${id}`), mail)
    assert.doesNotMatch(mail, /no_such_column/)
  }
  const listed = (await ask<SavedQueries>('GET', '/api/v1/queries', callers.reader)).body.public
  assert.equal(listed.find(each => each.id === id)?.schedule, null)
  await due(id)
  assert.equal(await queryTool.scheduler.tick(), 0)
  assert.deepEqual((await read(id)).body.schedule?.next, [])
  // Readers are not told what is wrong with it; setting it again resumes.
  assert.equal((await read(id, callers.reader)).body.latest?.problem, null)
  const resumed = (await schedule(id, '0 6 * * *')).body.schedule
  assert.deepEqual([resumed?.failures, resumed?.isPaused], [0, false])
})

test('a claim of a server that died is taken over once it has lapsed, as a failure', async () => {
  const id = await scheduled('SELECT 2')
  const claim = (until: string) =>
    store.query(
      `UPDATE assay.query_schedules SET claim = gen_random_uuid(), claimed_until = now() + $2::interval WHERE query = $1`,
      [id, until],
    )
  await claim('1 minute')
  assert.equal(await queryTool.scheduler.tick(), 0)
  await claim('-1 second')
  assert.equal(await queryTool.scheduler.tick(), 1)
  assert.equal((await read(id)).body.latest?.problem, null)
  // A query whose servers die again and again pauses.
  await store.query('UPDATE assay.query_schedules SET failures = 4 WHERE query = $1', [id])
  await claim('-1 second')
  assert.equal(await queryTool.scheduler.tick(), 0)
  const { schedule: set, latest } = (await read(id)).body
  assert.deepEqual([set?.isPaused, set?.failures, latest?.problem?.code], [true, 5, 'sql.schedule_lost'])
})

test('a schedule pauses when Premium of its owner ends', async () => {
  const id = await scheduled('SELECT 3')
  await accounts.grants.revoke('owner@schedules.example', 'test')
  assert.equal(await queryTool.scheduler.tick(), 1)
  await accounts.grants.give({
    holder: 'owner@schedules.example',
    features: ['query'],
    until: undefined,
    reason: 'test',
    by: 'test',
  })
  const { schedule: set, latest } = (await read(id)).body
  assert.deepEqual([set?.isPaused, latest?.problem?.code], [true, 'sql.schedule_premium'])
})

test('owners alone schedule, with Premium', async () => {
  const shown = (await save(callers.owner, { visibility: 'public' })).id
  const hidden = (await save(callers.owner, {})).id
  const statuses = async (id: string) => {
    const answered = []
    for (const headers of Object.values(callers))
      answered.push([
        (await read(id, headers)).status,
        (await schedule(id, '0 6 * * *', {}, headers)).status,
        (await ask('DELETE', pathOf(id), headers)).status,
      ])
    return answered
  }
  //                                         owner            reader           free             nobody           readKey
  assert.deepEqual(await statuses(shown), [
    [200, 200, 204],
    [200, 404, 404],
    [200, 403, 404],
    [200, 401, 401],
    [200, 403, 403],
  ])
  assert.deepEqual(await statuses(hidden), [
    [200, 200, 204],
    [404, 404, 404],
    [404, 403, 404],
    [404, 401, 401],
    [200, 403, 403],
  ])
})

test('expressions that are no cron, come never or more than hourly are refused', async () => {
  const { id } = await save(callers.owner, {})
  for (const cron of [
    '',
    '* * * * *',
    '0,30 * * * *',
    '*/5 * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 30 2 *',
    '0 0 * * 9',
    '0 0 0 * * *',
    '@hourly',
    'H * * * *',
    '0 0 L * *',
    '0 0 * * MON#2',
    '0 0 * * ; DROP',
    `0 ${'1,'.repeat(90)}1 * * *`,
    '0 0 * * \u0000',
  ]) {
    const answer = await schedule(id, cron)
    assert.deepEqual([answer.status, answer.body.code], [400, 'sql.schedule_form'], cron)
  }
  for (const cron of ['0 * * * *', '59 23 * * *', '0 6 * * MON', '15 */6 1-5 JAN,jul *', '0 0 29 2 *'])
    assert.equal((await schedule(id, cron)).status, 200, cron)
})

test('a user can have twenty schedules', async () => {
  const many = await signedIn('many@schedules.example')
  const queries = []
  for (let count = 0; count < 21; count++) queries.push(await save(many, {}))
  const answered = []
  for (const { id } of queries) answered.push((await schedule(id, '0 6 * * *', {}, many)).status)
  assert.deepEqual(answered, [...Array(20).fill(200), 409])
  // One that is there can still be changed.
  assert.equal((await schedule(queries[0]?.id ?? '', '0 7 * * *', {}, many)).status, 200)
})
