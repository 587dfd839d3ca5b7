/** A saved query, its versions or its history would be lost, or shown to somebody whom it is not shared with. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import type {
  Problem,
  QueryHistory,
  QueryRun,
  QueryVersion,
  SavedQueries,
  SavedQuery,
} from '#http/contract.ts'
import { bearer, ORIGIN, signIn } from '#http/people.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { accounts, ask, type Headers, save, signedIn, site, testSite } from './sharedSaved.testing.ts'

let owner: Headers
let reader: Headers
before(async () => {
  owner = await signedIn('owner@example.org')
  reader = await signedIn('reader@example.org')
})

test('a saved query keeps all its versions, and an older change does not overwrite a newer one', async () => {
  const first = await save(owner, { name: 'Fees', parameters: { day: '2024-01-01' } })
  assert.deepEqual([first.version, first.isOwn, first.visibility], [1, true, 'private'])
  const change = (sql: string, basedOn: number) =>
    ask<SavedQuery & Problem>('PUT', `/api/v1/queries/${first.id}`, owner, { name: 'Fees', sql, basedOn })
  assert.equal((await change('SELECT 2', 1)).body.version, 2)
  const late = await change('SELECT 3', 1)
  assert.deepEqual([late.status, late.body.code], [409, 'sql.saved_conflict'])
  const { body } = await ask<{ versions: QueryVersion[] }>(
    'GET',
    `/api/v1/queries/${first.id}/versions`,
    owner,
  )
  assert.deepEqual(
    body.versions.map(({ version, sql }) => [version, sql]),
    [
      [2, 'SELECT 2'],
      [1, 'SELECT 1'],
    ],
  )
  const renamed = await ask<SavedQuery>('PUT', `/api/v1/queries/${first.id}`, owner, {
    name: 'Fees 2',
    sql: 'SELECT 2',
  })
  assert.deepEqual([renamed.body.name, renamed.body.version], ['Fees 2', 2])
})

test('a query keeps its chart with each version, and whoever opens it sees the chart', async () => {
  const line = {
    kind: 'line',
    x: 'day',
    series: null,
    values: ['fee_sat'],
    aggregation: 'sum',
    stacking: 'none',
    scale: 'log',
  }
  const first = await save(owner, { name: 'Drawn', visibility: 'link', chart: line })
  assert.deepEqual(first.chart, line)
  const path = `/api/v1/queries/${first.id}`
  assert.deepEqual((await ask<SavedQuery>('GET', path)).body.chart, line)
  const bars = { ...line, kind: 'bar', scale: 'linear' }
  const change = { name: 'Drawn', sql: 'SELECT 1', visibility: 'link' }
  const second = await ask<SavedQuery>('PUT', path, owner, { ...change, chart: bars })
  assert.deepEqual([second.body.version, second.body.chart], [2, bars])
  // The same chart again is no new version.
  assert.equal((await ask<SavedQuery>('PUT', path, owner, { ...change, chart: bars })).body.version, 2)
  const { body } = await ask<{ versions: QueryVersion[] }>('GET', `${path}/versions`, owner)
  assert.deepEqual(
    body.versions.map(({ chart }) => chart?.kind),
    ['bar', 'line'],
  )
  const odd = await ask<Problem>('PUT', path, owner, { ...change, chart: { ...line, kind: '3d' } })
  assert.equal(odd.status, 400)
})

test('a private query is unknown to everybody else, a shared one is readable and never changeable', async () => {
  const hidden = await save(owner, { name: 'Hidden' })
  const linked = await save(owner, { name: 'Linked', visibility: 'link' })
  const shown = await save(owner, { name: 'Shown', visibility: 'public' })
  for (const headers of [reader, {}]) {
    const answer = await ask<Problem>('GET', `/api/v1/queries/${hidden.id}`, headers)
    assert.deepEqual([answer.status, answer.body.code], [404, 'sql.saved_unknown'])
    assert.equal((await ask('GET', `/api/v1/queries/${hidden.id}/versions`, headers)).status, 404)
    assert.equal((await ask<SavedQuery>('GET', `/api/v1/queries/${linked.id}`, headers)).body.name, 'Linked')
    const list = (await ask<SavedQueries>('GET', '/api/v1/queries', headers)).body
    const names = [...list.own, ...list.starred, ...list.public].map(({ name }) => name)
    assert.ok(names.includes('Shown') && !names.includes('Hidden') && !names.includes('Linked'))
  }
  for (const { id } of [hidden, linked, shown]) {
    const change = { name: 'Taken', sql: 'SELECT 9' }
    assert.equal((await ask('PUT', `/api/v1/queries/${id}`, reader, change)).status, 404)
    assert.equal((await ask('DELETE', `/api/v1/queries/${id}`, reader)).status, 404)
  }
  assert.equal((await ask('PUT', `/api/v1/queries/${hidden.id}/star`, reader)).status, 404)
  assert.equal(
    (await ask('POST', '/api/v1/queries', reader, { name: 'x', sql: 'SELECT 1', forkOf: hidden.id })).status,
    404,
  )
})

test('stars count once for each user, and a fork names what it was copied from', async () => {
  const { id } = await save(owner, { name: 'Starred', visibility: 'public' })
  for (const _ of [1, 2]) await ask('PUT', `/api/v1/queries/${id}/star`, reader)
  assert.equal((await ask<SavedQuery>('GET', `/api/v1/queries/${id}`, reader)).body.stars, 1)
  const fork = await save(reader, { name: 'Fork', forkOf: id })
  assert.equal(fork.forkOf, id)
  assert.equal((await ask('DELETE', `/api/v1/queries/${id}`, owner)).status, 204)
  assert.equal((await ask<SavedQuery>('GET', `/api/v1/queries/${fork.id}`, reader)).body.forkOf, null)
})

test('runs are in the history of who ran them, failures too', async () => {
  const run = (sql: string) => ask<QueryRun>('POST', '/api/v1/queries/runs', owner, { sql, waitSeconds: 30 })
  const [good, bad] = [await run('SELECT 41 + 1 AS answer'), await run('SELECT nothing')]
  const history = async (headers: Record<string, string>) =>
    (await ask<QueryHistory>('GET', '/api/v1/queries/runs?limit=10', headers)).body.runs
  await until('both runs are in the history', async () => (await history(owner)).length >= 2)
  const runs = await history(owner)
  assert.deepEqual(
    runs.map(({ id, state }) => [id, state]),
    [
      [bad.body.id, 'failed'],
      [good.body.id, 'succeeded'],
    ],
  )
  assert.equal(runs[0]?.problem?.code, 'sql.unknown_column')
  assert.equal(runs[1]?.result?.rowCount, 1)
  assert.deepEqual(await history(reader), [])
})

test('public queries can be searched by name and description, also past the first page', async () => {
  const names = ['Papaya fees', 'Fees of a papaya farm', 'Papaya blocks']
  for (const name of names) await save(owner, { name, about: '100% tropical', visibility: 'public' })
  await save(owner, { name: 'Papaya fees, private' })
  const found = async (search: string) =>
    (await ask<SavedQueries>('GET', `/api/v1/queries?${new URLSearchParams(search)}`, {})).body.public.map(
      ({ name }) => name,
    )
  assert.deepEqual((await found('search=papaya FEES')).sort(), ['Fees of a papaya farm', 'Papaya fees'])
  assert.equal((await found('search=papaya 100%25')).length, 3)
  assert.deepEqual(await found('search=papa_a'), [])
  const all = await found('search=papaya')
  assert.deepEqual(await found('search=papaya&offset=2'), all.slice(2))
})

test('queries without a stored result are in the history too, once each, and can be searched', async () => {
  const sql = (text: string) => ask('POST', '/api/v1/sql', owner, { sql: text })
  const found = async (search: string) =>
    (
      await ask<QueryHistory>('GET', `/api/v1/queries/runs?search=${encodeURIComponent(search)}`, owner)
    ).body.runs.map(run => [run.sql, run.state, run.result, run.problem?.code])
  for (const _ of [1, 2]) assert.equal((await sql("SELECT 'Kiwi' AS fruit")).status, 200)
  assert.equal((await sql("SELECT nowhere, 'kiwi'")).status, 400)
  await until('both are in the history', async () => (await found('KIWI')).length === 2)
  assert.deepEqual(await found('kiwi select'), [
    ["SELECT nowhere, 'kiwi'", 'failed', null, 'sql.unknown_column'],
    ["SELECT 'Kiwi' AS fruit", 'succeeded', null, undefined],
  ])
  assert.deepEqual(await found('kiwi mango'), [])
  assert.deepEqual(await found("k_w' OR 1=1 --"), [])
})

test('keys read and change saved queries only with the scope for it', async () => {
  const keyOf = async (...scopes: string[]) => {
    const made = await ask<{ key: string }>(
      'POST',
      '/api/v1/account/keys',
      { ...owner, origin: ORIGIN },
      { name: 'k', scopes },
    )
    return bearer(made.body.key)
  }
  const [sql, own, all] = [
    await keyOf('read:query'),
    await keyOf('read:own'),
    await keyOf('read:own', 'write:own'),
  ]
  const statuses = async (headers: Record<string, string>) => [
    (await ask('GET', '/api/v1/queries', headers)).status,
    (await ask('POST', '/api/v1/queries', headers, { name: 'By key', sql: 'SELECT 1' })).status,
    (await ask('POST', '/api/v1/queries/runs', headers, { sql: 'SELECT 1' })).status,
  ]
  const done = [200, 202]
  const [sqlList, sqlSave, sqlRun] = await statuses(sql)
  assert.deepEqual([sqlList, sqlSave, done.includes(sqlRun ?? 0)], [403, 403, true])
  assert.deepEqual(await statuses(own), [200, 403, 403])
  assert.deepEqual(await statuses(all), [200, 200, 403])
})

test('saving needs a signed-in user with the feature', async () => {
  assert.equal((await ask('POST', '/api/v1/queries', {}, { name: 'x', sql: 'SELECT 1' })).status, 401)
  const tokens = await signIn(site, {
    email: 'free@example.org',
    password: 'correct horse battery',
    name: 'F',
  })
  const answer = await ask<Problem>('POST', '/api/v1/queries', bearer(tokens.access_token), {
    name: 'x',
    sql: 'SELECT 1',
  })
  assert.deepEqual([answer.status, answer.body.code], [403, 'sql.premium'])
})

test('without the feature, a signed-in user can star shared queries and delete earlier saved ones', async () => {
  const free = await signedIn('free@saved.example')
  const premium = await signedIn('premium@saved.example')
  const shared = await save(premium, { visibility: 'link' })
  const own = await save(free, {})
  await accounts.grants.revoke('free@saved.example', 'test')
  const star = await ask<SavedQuery>('PUT', `/api/v1/queries/${shared.id}/star`, free)
  assert.deepEqual([star.status, star.body.isStarred, star.body.stars], [200, true, 1])
  assert.equal((await ask('DELETE', `/api/v1/queries/${shared.id}`, free)).status, 404)
  assert.equal((await ask('DELETE', `/api/v1/queries/${own.id}`, free)).status, 204)
})

test('results of a saved query are pinned: those before the save, of each statement, and of later runs', async () => {
  const pin = mock.method(testSite.queryTool.results, 'pin')
  const pinned = () => new Set(pin.mock.calls.map(({ arguments: [hash] }) => hash))
  const run = async (sql: string, parameters: Record<string, string> = {}) => {
    const body = { sql, parameters, waitSeconds: 30 }
    const { result } = (await ask<QueryRun>('POST', '/api/v1/queries/runs', owner, body)).body
    assert.ok(result)
    return result.hash
  }
  const bound = 'SELECT {n:Int64} AS pinned_n'
  const before = [await run(bound, { n: '7' }), await run("SELECT 'pinned;' AS second")]
  const other = await run('SELECT 3 AS not_saved')
  await until('the history has the runs', async () => {
    const { body } = await ask<QueryHistory>('GET', '/api/v1/queries/runs?limit=3', owner)
    return body.runs.some(({ sql }) => sql.includes('not_saved'))
  })
  await save(owner, {
    name: 'Two',
    sql: "-- {{n}} type: Int64\nSELECT {{n}} AS pinned_n;\nSELECT 'pinned;' AS second;",
  })
  const first = '-- {{n}} type: Int64\nSELECT {n:Int64} AS pinned_n'
  assert.ok(pinned().has(before[1] ?? ''))
  const later = await run(first, { n: '8' })
  await until('the later result is kept', () => pinned().has(later))
  assert.ok(!pinned().has(other))
  pin.mock.restore()
})
