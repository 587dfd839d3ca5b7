/** A key would do more than it was made for: run other SQL, read other results, or work after it was revoked. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Problem, QueryHistory, QueryRun, SavedQuery } from '#http/contract.ts'
import { bearer, ORIGIN } from '#http/people.testing.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { createExecutor } from '#queries/index.ts'
import { type ClickHousePort, openClickHousePort } from '../clickhouse/openClickHousePort.ts'
import cases from './keys.cases.json' with { type: 'json' }
import { accounts, ask, type Headers, save, signedIn, site, testSite } from './sharedSaved.testing.ts'

const SQL_A = 'SELECT {n:UInt8} AS a'

async function makeKey(
  headers: Headers,
  key: { scopes: string[]; queries?: string[] },
): Promise<{ headers: Headers; id: string; key: string }> {
  const { status, body } = await ask<{ id: string; key: string }>(
    'POST',
    '/api/v1/account/keys',
    { ...headers, origin: ORIGIN },
    { name: 'k', ...key },
  )
  assert.equal(status, 200, JSON.stringify(body))
  return { headers: bearer(body.key), id: body.id, key: body.key }
}

type KeyName = 'named' | 'sql' | 'own' | 'stranger' | 'revoked' | 'forged'
let owner: Headers
let queryA: SavedQuery
let keys: Readonly<Record<KeyName, { headers: Headers; key: string }>>
/** What `{…}` stands for in the cases. */
let names: Readonly<Record<string, string>>
let port: ClickHousePort

const run = async (headers: Headers, path: string, body: object = {}): Promise<QueryRun> => {
  const answer = await ask<QueryRun>('POST', path, headers, { ...body, waitSeconds: 30 })
  assert.equal(answer.body.state, 'succeeded', JSON.stringify(answer.body))
  return answer.body
}

before(async () => {
  owner = await signedIn('keys@example.org')
  const stranger = await signedIn('stranger@example.org')
  queryA = await save(owner, { name: 'A', sql: SQL_A, parameters: { n: '7' } })
  const queryB = await save(owner, { name: 'B', sql: 'SELECT 8 AS b' })
  const shown = await save(stranger, { name: 'Public', sql: 'SELECT 9 AS c', visibility: 'public' })
  const named = await makeKey(owner, { scopes: ['read:query'], queries: [queryA.id] })
  const revoked = await makeKey(owner, { scopes: ['read:query'], queries: [queryA.id] })
  await ask('DELETE', `/api/v1/account/keys/${revoked.id}`, { ...owner, origin: ORIGIN })
  const forged = `${named.key.slice(0, -1)}${named.key.endsWith('a') ? 'b' : 'a'}`
  keys = {
    named,
    revoked,
    forged: { headers: { authorization: `Bearer ${forged}` }, key: forged },
    sql: await makeKey(owner, { scopes: ['read:query'] }),
    own: await makeKey(owner, { scopes: ['read:own'] }),
    stranger: await makeKey(stranger, { scopes: ['read:query', 'read:own', 'write:own'] }),
  }
  const [runA, runB] = [
    await run(named.headers, `/api/v1/queries/${queryA.id}/runs`),
    await run(owner, `/api/v1/queries/${queryB.id}/runs`),
  ]
  names = {
    A: queryA.id,
    B: queryB.id,
    public: shown.id,
    runA: runA.id,
    runB: runB.id,
    resultA: runA.result?.hash ?? '',
    resultB: runB.result?.hash ?? '',
    sqlA: SQL_A,
  }
  port = await openClickHousePort(
    {
      executor: createExecutor({ warehouse: testSite.warehouse, knownSql: () => [], log: silentLog }),
      accounts,
      recordRun: testSite.queryTool.recordRun,
      version: async () => '26.1',
      asOf: async () => [],
      log: silentLog,
    },
    { host: '127.0.0.1', port: 0 },
  )
})
after(() => port[Symbol.asyncDispose]())

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole)
const filledJson = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === 'string' ? filled(inner) : inner)) as T

test('the API does for each key what it was made for, and refuses the rest with its code', async () => {
  const found = []
  for (const { about, key, method, path, body } of cases.api) {
    const answer = await site.ask(filled(path), {
      method: method as 'GET',
      headers: keys[key as KeyName].headers,
      ...(body !== undefined && { payload: filledJson(body) }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    const said = isJson ? answer.json<Partial<Problem & QueryRun>>() : {}
    found.push([about, answer.statusCode, said.code ?? said.problem?.code ?? null])
  }
  assert.deepEqual(
    found,
    cases.api.map(({ about, status, code }) => [about, status, code]),
  )
  const { body } = await ask<SavedQuery>('GET', `/api/v1/queries/${queryA.id}`, owner)
  assert.deepEqual([body.sql, body.version, body.stars], [SQL_A, 1, 0])
})

test('MCP refuses the same', async () => {
  const found = []
  for (const { key, tool, arguments: given } of cases.mcp) {
    const answer = await site.ask('/mcp', {
      method: 'POST',
      headers: {
        ...keys[key as KeyName].headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: filledJson(given) },
      },
    })
    const json = /^data: (.*)$/m.exec(answer.body)?.[1] ?? answer.body
    const { result } = JSON.parse(json) as { result?: { structuredContent?: { error?: Problem } } }
    assert.ok(result, answer.body)
    found.push(result.structuredContent?.error?.code ?? null)
  }
  assert.deepEqual(
    found,
    cases.mcp.map(({ code }) => code),
  )
})

test('the ClickHouse port refuses the same', async () => {
  const found = []
  for (const { key, sql } of cases.port) {
    const answer = await fetch(`http://127.0.0.1:${port.port}/`, {
      method: 'POST',
      body: filled(sql),
      headers: { 'x-clickhouse-key': keys[key as KeyName].key },
    })
    const text = await answer.text()
    found.push(answer.ok ? null : Number(/^Code: (\d+)/.exec(text)?.[1]))
  }
  assert.deepEqual(
    found,
    cases.port.map(({ code }) => code),
  )
})

test('queries through the port are in the history of the key’s user', async () => {
  const send = (body: string) =>
    fetch(`http://127.0.0.1:${port.port}/?param_n=5`, {
      method: 'POST',
      body,
      headers: { 'x-clickhouse-key': keys.sql.key },
    }).then(answer => answer.text())
  assert.equal(await send("SELECT {n:UInt8} AS n, 'port' AS door FORMAT CSV"), '5,"port"\n')
  await send('SELECT from_the_port')
  const found = async () =>
    (await ask<QueryHistory>('GET', '/api/v1/queries/runs?search=port', owner)).body.runs
  await until('both are in the history', async () => (await found()).length === 2)
  const [failed, done] = await found()
  assert.deepEqual([failed?.state, failed?.problem?.code], ['failed', 'sql.unknown_column'])
  assert.deepEqual([done?.state, done?.parameters], ['succeeded', { n: '5' }])
  assert.match(done?.sql ?? '', /^SELECT \{n:UInt8\} AS n/)
})

test('a key is limited to queries of its user, with the one scope, and says so in the list', async () => {
  const make = (body: object) =>
    ask<Problem>('POST', '/api/v1/account/keys', { ...owner, origin: ORIGIN }, { name: 'k', ...body })
  const scopes = ['read:query']
  for (const [body, status, code] of [
    [{ scopes: [...scopes, 'read:own'], queries: [queryA.id] }, 400, 'accounts.form'],
    [{ scopes: ['write:own'], queries: [queryA.id] }, 400, 'accounts.form'],
    [{ scopes, queries: [names.public] }, 400, 'accounts.form'],
    [{ scopes, queries: [] }, 400, 'http.parameter'],
    [{ scopes, queries: ['x'] }, 400, 'http.parameter'],
  ] as const) {
    const answer = await make(body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body))
  }
  const { body } = await ask<{ keys: { queries: string[] | null; usedAt: string | null }[] }>(
    'GET',
    '/api/v1/account',
    owner,
  )
  assert.deepEqual(
    body.keys.map(({ queries, usedAt }) => [queries, usedAt !== null]),
    [
      [[queryA.id], true],
      [null, true],
      [null, true],
    ],
  )
})

test('a run keeps to the newest text of the query, and results of its earlier versions stay readable', async () => {
  const change = { name: 'A', sql: 'SELECT {n:UInt8} + 1 AS a', parameters: { n: '7' } }
  assert.equal((await ask('PUT', `/api/v1/queries/${queryA.id}`, owner, change)).status, 200)
  const { headers } = keys.named
  const rowsOf = async (hash: string | undefined) =>
    (await ask<{ rows: unknown[] }>('GET', `/api/v1/queries/results/${hash}`, headers)).body.rows
  const { result } = await run(headers, `/api/v1/queries/${queryA.id}/runs`, { parameters: { n: '1' } })
  assert.deepEqual(await rowsOf(result?.hash), [[2]])
  assert.deepEqual(await rowsOf(names.resultA), [[7]])
  await ask('DELETE', `/api/v1/queries/${queryA.id}`, owner)
  const gone = await ask<Problem>('POST', `/api/v1/queries/${queryA.id}/runs`, headers, {})
  assert.deepEqual([gone.status, gone.body.code], [404, 'sql.saved_unknown'])
  const late = await ask<Problem>('GET', `/api/v1/queries/results/${names.resultA}`, headers)
  assert.deepEqual([late.status, late.body.code], [403, 'accounts.key_queries'])
})
