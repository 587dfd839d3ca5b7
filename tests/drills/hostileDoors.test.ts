/** A hostile statement or request would succeed through one door of the server because only another door was tried. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { HOSTILE } from '#warehouse/gate/cases.testing.ts'
import { aPart } from '../aPart.ts'
import { type Doors, engineState, heapBytes, runningQueries, sharedDoors } from './sharedDoors.ts'

type Statement = { readonly sql: string; readonly params?: Readonly<Record<string, unknown>> }

/**
 * How each hostile statement is refused: the code of the API and of MCP, the number of the ClickHouse port (0: answered from
 * the list of public tables), and the code of the page where it differs.
 */
type Refusal = Statement & { readonly code: string; readonly port: number; readonly page?: string }

/** A hostile request to one door. `path` is its own address unless given, `{token}` that of our pages. */
type HostileRequest = {
  readonly door: DoorName
  readonly what: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** False: without the key of a user. */
  readonly key?: boolean
  readonly status: number
  readonly code: string
}

type Answer = { readonly status: number; readonly code: string; readonly text: string }
type DoorName = 'page' | 'api' | 'port' | 'mcp'

const linesOf = <T>(file: string): T[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)
const nameOf = ({ sql, params = {} }: Statement): string => JSON.stringify([sql, params])

const REFUSALS = new Map(
  linesOf<Refusal>('hostileDoors.cases.jsonl').map(refusal => [nameOf(refusal), refusal]),
)
const REQUESTS = linesOf<HostileRequest>('hostileRequests.cases.jsonl')
/** What statements of the lists would leave behind. */
const WRITTEN = ['/tmp/assay-x', '/tmp/assay-port-x']
/** Two queries of a user run at a time: more would only wait. */
const AT_ONCE = 2
/** Growth of the heap that garbage does not explain: what a server keeps of each query would be more. */
const MOST_GROWTH_BYTES = 64 * 2 ** 20
/** What another user stored; no refusal may say it. */
const CANARY = 'canary_of_somebody_else'
const SECRETS = new RegExp(`${CANARY}|root:x?:0|PRIVATE KEY|people-[0-9a-f]{8}-`, 'i')

let doors: Doors
let keys: Record<Exclude<DoorName, 'page'>, string>
let token = ''
let addresses = 0
let state: Record<string, unknown>
let heapBefore = 0

const post = (path: string, body: unknown, key: string): Promise<Response> =>
  fetch(doors.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })

/** Each request of a page comes from a network of its own: limits of a caller are not under test. */
const newAddress = (): string => {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const valuesOf = ({ params = {} }: Statement): [string, string][] =>
  Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])

const toolCall = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})
const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** One statement through each door. */
const SENDERS: Readonly<Record<DoorName, (statement: Statement) => Promise<Answer>>> = {
  /** The form of a page without JavaScript. */
  page: async statement => {
    const query = new URLSearchParams([
      ['sql', statement.sql],
      ['token', token],
      ...valuesOf(statement).map(([name, value]): [string, string] => [`p.${name}`, value]),
    ])
    return pageAnswer(
      await fetch(`${doors.url}/assay/run?${query}`, {
        headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': newAddress() },
      }),
    )
  },
  api: async statement => {
    const parameters = Object.fromEntries(valuesOf(statement))
    return apiAnswer(
      await post('/api/v1/queries/runs', { sql: statement.sql, parameters, waitSeconds: 60 }, keys.api),
    )
  },
  port: async statement => {
    const query = new URLSearchParams(
      valuesOf(statement).map(([name, value]) => [`param_${name}`, value.replaceAll('\\', '\\\\')]),
    )
    const answer = await fetch(`${doors.portUrl}/?${query}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`x:${keys.port}`).toString('base64')}` },
      body: statement.sql,
    })
    const code = answer.headers.get('x-clickhouse-exception-code') ?? '0'
    return { status: answer.status, code, text: await answer.text() }
  },
  mcp: async statement => {
    const args = {
      sql: statement.sql,
      parameters: Object.fromEntries(valuesOf(statement)),
      waitSeconds: 50,
    }
    return mcpAnswer(
      await fetch(`${doors.url}/mcp`, {
        method: 'POST',
        headers: { ...MCP_HEADERS, authorization: `Bearer ${keys.mcp}` },
        body: JSON.stringify(toolCall('sql', args)),
      }),
    )
  },
}

async function pageAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  const code = /href="\/errors\/([\w.]+)"/.exec(text)?.[1] ?? /"code":"([\w.]+)"/.exec(text)?.[1] ?? ''
  return { status: answer.status, code, text }
}

async function apiAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  const body = JSON.parse(text) as { code?: string; problem?: { code: string } | null; result?: unknown }
  assert.equal(body.result ?? null, null, text)
  return { status: answer.status, code: body.code ?? body.problem?.code ?? '', text }
}

async function mcpAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text()
  const { code, error, result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    code?: string
    error?: { code: number }
    result?: { isError?: boolean; structuredContent?: { error?: { code: string } } }
  }
  assert.equal(answer.status === 200 && result !== undefined && !result.isError, false, text)
  return {
    status: answer.status,
    code: String(code ?? error?.code ?? result?.structuredContent?.error?.code ?? ''),
    text,
  }
}

async function each<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await task(item)
    }),
  )
}

const ADDRESSES: Readonly<Record<DoorName, string>> = {
  page: '/assay/run',
  api: '/api/v1/queries/runs',
  port: '/',
  mcp: '/mcp',
}
const READERS = { page: pageAnswer, api: apiAnswer, port: pageAnswer, mcp: mcpAnswer } as const

// Files that share the server run in one process: what it is like before is looked at here, after all others.
describe('hostile input', () => {
  before(async () => {
    doors = await sharedDoors()
    keys = { api: await doors.newKey(), port: await doors.newKey(), mcp: await doors.newKey() }
    const somebody = await doors.newKey()
    const run = await post(
      '/api/v1/queries/runs',
      { sql: `SELECT '${CANARY}' AS ${CANARY}`, waitSeconds: 60 },
      somebody,
    )
    assert.ok((await run.text()).includes('succeeded'))
    const saved = await post('/api/v1/queries', { name: CANARY, sql: `SELECT '${CANARY}'` }, somebody)
    assert.equal(saved.status, 200)
    await saved.body?.cancel()
    const page = await (await fetch(`${doors.url}/bitcoin?assay=fees.total@bitcoin`)).text()
    token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    assert.notEqual(token, '')
    // What loads with the first request is not growth.
    for (const door of ['page', 'api', 'port', 'mcp'] as const) await SENDERS[door]({ sql: 'SELECT nothing' })
    state = await engineState(doors)
    heapBefore = heapBytes()
  })

  test('each statement has a code that is known', () => {
    assert.deepEqual(
      HOSTILE.filter(statement => !REFUSALS.has(nameOf(statement))),
      [],
    )
  })

  test('statements are refused alike by page, API, port and MCP, and say nothing of anybody', {
    timeout: 600_000,
  }, async t => {
    const part = aPart(HOSTILE, 3)
    assert.ok(part.length >= 300)
    const given = new Map(part.map(statement => [nameOf(statement), {} as Record<DoorName, string>]))
    const leaks: string[] = []
    const refusedBadly: string[] = []
    const start = performance.now()
    await Promise.all(
      (['page', 'api', 'port', 'mcp'] as const).map(door =>
        each(part, async statement => {
          const { status, code, text } = await SENDERS[door](statement)
          const codes = given.get(nameOf(statement))
          if (codes) codes[door] = code
          if (SECRETS.test(text)) leaks.push(`${door}: ${statement.sql}`)
          const isCatalog = door === 'port' && code === '0'
          if (status === 200 && (door === 'page' || (door === 'port' && !isCatalog)))
            refusedBadly.push(`${door}: ${statement.sql}`)
          if (isCatalog) assert.doesNotMatch(text, /\bbase\.[a-z]|\tbase\t|^base$/m, statement.sql)
        }),
      ),
    )
    const wrong = part.flatMap(statement => {
      const { page, api, port, mcp } = given.get(nameOf(statement)) as Record<DoorName, string>
      const params = statement.params && { params: statement.params }
      const found = {
        sql: statement.sql,
        ...params,
        code: api,
        port: Number(port),
        ...(page !== api && { page }),
      }
      const isKnown = JSON.stringify(found) === JSON.stringify(REFUSALS.get(nameOf(statement)))
      return isKnown && mcp === api ? [] : [JSON.stringify(found)]
    })
    // After a change of statements or codes: read these lines, and put them into `hostileDoors.cases.jsonl`.
    assert.deepEqual({ wrong, leaks, refusedBadly }, { wrong: [], leaks: [], refusedBadly: [] })
    t.diagnostic(
      `${part.length} statements through 4 doors in ${((performance.now() - start) / 1000).toFixed(1)} s`,
    )
  })

  test('hostile requests are refused by page, API and MCP with their codes', async () => {
    const wrong: unknown[] = []
    await each(REQUESTS, async request => {
      const { door, method = 'POST', path = ADDRESSES[door], headers = {}, body, key = true } = request
      const answer = await fetch(doors.url + path.replace('{token}', token), {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(door === 'mcp' && MCP_HEADERS),
          ...(door === 'page' && { 'x-forwarded-for': newAddress() }),
          ...(door !== 'page' && key && { authorization: `Bearer ${keys.api}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const { status, code, text } = await READERS[door](answer)
      if (status !== request.status || code !== request.code || SECRETS.test(text))
        wrong.push({
          ...request,
          status,
          code,
          expected: [request.status, request.code],
          text: text.slice(0, 200),
        })
    })
    assert.deepEqual(wrong, [])
  })

  test('after all of it the engine is what it was, and the server answers', async t => {
    await until('no query of a user runs', async () => (await runningQueries(doors)) === 0)
    assert.deepEqual(await engineState(doors), state)
    assert.deepEqual(WRITTEN.filter(existsSync), [])
    assert.equal((await fetch(`${doors.url}/healthz`)).status, 200)
    const run = await post('/api/v1/queries/runs', { sql: 'SELECT 41 + 1', waitSeconds: 60 }, keys.api)
    assert.match(await run.text(), /"state":"succeeded"/)
    const grown = heapBytes() - heapBefore
    t.diagnostic(`heap grown by ${(grown / 2 ** 20).toFixed(1)} MB`)
    assert.ok(grown < MOST_GROWTH_BYTES, `${grown} bytes`)
  })
})
