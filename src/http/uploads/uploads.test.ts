/** An uploaded file would be lost, misread, or shown to somebody other than its owner. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Accounts, openAccounts } from '#accounts/index.ts'
import type { Problem, QueryRun, ResultPage, Upload, UploadDraft, Uploads } from '#http/contract.ts'
import {
  bearer,
  type Jar,
  mailedLink,
  NO_LIMITS_BY_ADDRESS,
  ORIGIN,
  type PeopleSite,
  signIn,
  visit,
} from '#http/people.testing.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import type { Log } from '#kernel/log.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'

type Headers = Record<string, string>

const opened = new AsyncDisposableStack()
let site: PeopleSite
let warehouse: TestSite['warehouse']
let owner: Headers
let other: Headers

before(async () => {
  const [kind] = STORE_KINDS
  assert.ok(kind)
  const said: string[] = []
  const say = (message: string, facts: unknown) => said.push(`${message} ${JSON.stringify(facts ?? {})}`)
  const log: Log = { info: say, warn: say, error: say }
  const store = opened.use(await openTestStore(kind))
  const accounts: Accounts = opened.use(
    openAccounts({
      store,
      config: {
        publicUrl: ORIGIN,
        audience: `${ORIGIN}/api/v1`,
        operators: [],
        trialDays: 0,
        asignaOrigins: [],
        hubHosts: [],
        limits: { ...NO_LIMITS_BY_ADDRESS, changesByPerson: 10_000 },
      },
      log,
      now: Date.now,
    }),
  )
  const testSite = opened.use(await openTestSite({ accounts, store: async () => store, publicUrl: ORIGIN }))
  warehouse = testSite.warehouse
  site = { ask: (url, more = {}) => testSite.app.inject({ ...more, url }), said } as PeopleSite
  const signedIn = async (email: string) => {
    const jar: Jar = new Map()
    const tokens = await signIn(site, { email, password: 'correct horse battery', name: 'A' }, jar)
    await visit(site, jar, mailedLink(site, 'confirm'), {})
    await accounts.grants.give({
      holder: email,
      features: ['query'],
      until: undefined,
      reason: 'test',
      by: 'test',
    })
    return bearer(tokens.access_token)
  }
  owner = await signedIn('owner@example.org')
  other = await signedIn('other@example.org')
})
after(() => opened.disposeAsync())

type Answer<T> = { status: number; body: T; text: string }

async function ask<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  headers: Headers = {},
  payload?: object | string | Buffer,
): Promise<Answer<T>> {
  const { statusCode, body } = await site.ask(url, {
    method,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, body: (body === '' ? undefined : JSON.parse(body)) as T, text: body }
}

const read = (
  text: string | Buffer,
  more: { fileName?: string; headers?: Headers; hasHeader?: boolean } = {},
) =>
  ask<UploadDraft & Problem>(
    'POST',
    `/api/v1/uploads/drafts?fileName=${encodeURIComponent(more.fileName ?? 'file.csv')}&hasHeader=${more.hasHeader ?? true}`,
    { 'content-type': 'text/csv', ...(more.headers ?? owner) },
    text,
  )
const keep = (draft: string, name: string, more: object = {}, headers = owner) =>
  ask<Upload & Problem>('POST', '/api/v1/uploads', headers, { draft, name, ...more })

async function upload(name: string, text: string | Buffer, more: object = {}, headers = owner) {
  const { status, body, text: said } = await read(text, { headers })
  assert.equal(status, 200, said)
  const kept = await keep(body.id, name, more, headers)
  assert.equal(kept.status, 200, kept.text)
  return kept.body
}

async function run(sql: string, headers: Headers = owner): Promise<QueryRun> {
  const { body } = await ask<QueryRun>('POST', '/api/v1/queries/runs', headers, { sql, waitSeconds: 30 })
  return body
}

async function rows(sql: string, headers: Headers = owner): Promise<ResultPage['rows']> {
  const { result, problem } = await run(sql, headers)
  assert.ok(result, JSON.stringify(problem))
  return (await ask<ResultPage>('GET', `/api/v1/queries/results/${result.hash}`, headers)).body.rows
}

test('a file becomes a private table that its owner joins with public tables', async () => {
  const made = await upload('heights', 'height,label\n170,first payment\n0,genesis\n')
  assert.deepEqual(made.columns, [
    { name: 'height', type: 'Int64' },
    { name: 'label', type: 'String' },
  ])
  const found = await rows(
    'SELECT height, heights.label FROM uploads.heights JOIN btc_blocks USING height ORDER BY uploads.heights.height',
  )
  assert.deepEqual(found, [
    [0, 'genesis'],
    [170, 'first payment'],
  ])
})

test('nobody else can query an upload, list it, or read a result of it', async () => {
  await upload('canary_of_owner', 'canary\nsecret-canary\n')
  const own = await run('SELECT canary FROM uploads.canary_of_owner')
  assert.equal(own.result?.isPrivate, true)
  const [database] = await warehouse.reader
    .query({
      query: "SELECT database FROM system.tables WHERE name = 'canary_of_owner'",
      format: 'JSONEachRow',
    })
    .then(result => result.json<{ database: string }>())
  assert.match(database?.database ?? '', /^uploads_[0-9a-f]{32}$/)
  for (const headers of [other, {}]) {
    const refused = await run('SELECT canary FROM uploads.canary_of_owner', headers)
    assert.equal(refused.problem?.code, 'sql.unknown_upload')
    const guessed = await run(`SELECT canary FROM ${database?.database}.canary_of_owner`, headers)
    assert.equal(guessed.problem?.code, 'sql.refused')
    const page: Answer<Problem> = await ask<Problem>(
      'GET',
      `/api/v1/queries/results/${own.result?.hash}`,
      headers,
    )
    assert.deepEqual([page.status, page.body.code], [403, 'sql.result_private'])
    for (const sql of [
      'SELECT * FROM system.columns',
      'SELECT * FROM information_schema.tables',
      'SELECT * FROM information_schema.columns',
      'SHOW TABLES',
    ])
      for (const row of await rows(sql, headers)) assert.doesNotMatch(row.join(' '), /canary|uploads_/)
    for (const sql of [
      'SELECT * FROM canary_of_ownr',
      'SELECT canary FROM canary_of_owner',
      'SELECT * FROM default.canary_of_owne',
    ])
      assert.doesNotMatch(JSON.stringify((await run(sql, headers)).problem), /secret|uploads_/)
  }
  const listed = await ask<Uploads>('GET', '/api/v1/uploads', other)
  assert.doesNotMatch(listed.text, /canary/)
})
