/** A user would read what another user has saved, run, uploaded or named, in an answer, a header, an event or an error. */
import assert from 'node:assert/strict'
import process from 'node:process'
import { before, test } from 'node:test'
import { newSeed } from '#kernel/seed.testing.ts'
import { HOSTILE } from '#warehouse/gate/cases.testing.ts'
import { type Random, randomFrom } from './random.ts'
import {
  createValues,
  type DrawnRequest,
  drawRequest,
  type Operation,
  operationsOf,
  type Pools,
  pick,
} from './randomRequests.ts'
import { type Doors, type DoorUser, sharedDoors } from './sharedDoors.ts'

const isFull = process.env.ASSAY_DRILL === '1'
const REQUESTS = isFull ? 10_000 : 500
/** Each user stores everything anew after so many requests: random ones delete and change it. */
const STORE_EVERY = 400
const AT_ONCE = 4
/** How long an answer that goes on is read, and how long any may take, milliseconds. */
const STREAM_MS = 200
const MOST_MS = 30_000
const seed = newSeed()

/** Operations that end what proves who their caller is. */
const LEFT_OUT = ['deleteAccount', 'endSiws']
/** Paths that keep something of users: drawn more often than those of chains. */
const OF_USERS =
  /\/(?:queries|account|teams|uploads|sql|comments|schedules|provenance|billing|cms|features)\b/

/** A user, what is theirs alone, and how they prove who they are. */
type Subject = {
  readonly name: string
  readonly user: DoorUser
  /** In every text that they store. */
  readonly canary: string
  /** Of the key and the session that prove them: only others draw these. */
  readonly proofs: string[]
  /** Results that they ran: an address of a result opens it, so no other user draws it. */
  readonly hashes: string[]
}
type Caller = {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly subject: Subject | undefined
}

let doors: Doors
let operations: readonly Operation[]
let document: Parameters<typeof operationsOf>[0]
let subjects: readonly Subject[]
let callers: readonly Caller[]
/** Ids of everything that anybody stored, and those whose texts hold a canary. */
const ids = new Set<string>(['00000000-0000-4000-8000-000000000000'])
const canaryIds = new Set<string>()
/** Results of uploads. */
const privateHashes = new Set<string>()
let databases: readonly string[] = []
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

before(async () => {
  doors = await sharedDoors()
  document = (await (await fetch(`${doors.url}/api/openapi.json`)).json()) as typeof document
  operations = operationsOf(document).filter(({ id }) => !LEFT_OUT.includes(id))
  const random = randomFrom(seed)
  subjects = await Promise.all(
    ['ann', 'bob'].map(async name => {
      const canary = `cnry${random.bytes(9).toString('hex')}${name}`
      const user = await doors.newUser()
      const account = await send(
        `${doors.url}/api/v1/account`,
        { method: 'GET', body: undefined },
        user.session,
      )
      const proofs = [...account.text.matchAll(UUID)].map(([id]) => id)
      assert.ok(proofs.length > 0, account.text)
      return { name, user, canary, proofs, hashes: [] }
    }),
  )
  callers = [
    ...subjects.flatMap(subject => [
      { name: `${subject.name} by key`, headers: subject.user.key, subject },
      { name: `${subject.name} signed in`, headers: subject.user.session, subject },
    ]),
    { name: 'a guest', headers: {}, subject: undefined },
  ]
})

let addresses = 0
const newAddress = (): string => {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

type Given = { readonly status: number; readonly text: string; readonly bytes: Buffer }

/** Sends a request and reads its answer: all of it, or what a stream says at first. */
async function send(
  url: string,
  { method, body }: Pick<DrawnRequest, 'method' | 'body'>,
  headers: Readonly<Record<string, string>>,
  isStream = false,
): Promise<Given> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': newAddress(),
      ...(body !== undefined && {
        'content-type': /^[[{"]/.test(body) ? 'application/json' : 'text/csv',
      }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(isStream ? STREAM_MS : MOST_MS),
  }).catch((thrown: unknown) => {
    if (isStream && thrown instanceof Error && thrown.name === 'TimeoutError') return undefined
    throw thrown
  })
  if (answer === undefined) return { status: 0, text: '', bytes: Buffer.alloc(0) }
  const parts: Uint8Array[] = []
  try {
    for await (const part of answer.body ?? []) parts.push(part)
  } catch (thrown) {
    if (!isStream) throw thrown
  }
  const bytes = Buffer.concat(parts)
  const head = JSON.stringify([...answer.headers])
  return { status: answer.status, text: `${head}\n${bytes}`, bytes }
}

/** Every spelling of a canary that an answer may have. */
function spellingsOf(canary: string): string[] {
  const bytes = Buffer.from(canary)
  const base64 = [0, 1, 2].map(shift =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  )
  return [canary, bytes.toString('hex'), ...base64, ...base64.map(text => text.replaceAll('+', '-'))]
}

/** The canary of somebody else in an answer. */
function leakIn({ text }: Given, caller: Caller): string | undefined {
  const lower = text.toLowerCase()
  return subjects.find(
    subject =>
      subject !== caller.subject &&
      spellingsOf(subject.canary).some(
        spelling => text.includes(spelling) || lower.includes(spelling.toLowerCase()),
      ),
  )?.name
}

/** What a user stores: saved queries and versions, runs with results, failures, a key, a team. All of it has their canary. */
async function store({ user, canary, hashes }: Subject): Promise<void> {
  const ask = async (
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>> = user.key,
  ) => {
    const given = await send(doors.url + path, { method, body: body && JSON.stringify(body) }, headers)
    assert.ok(given.status < 300, `${path}: ${given.status} ${given.text}`)
    const proofs = subjects.flatMap(subject => subject.proofs)
    for (const [id] of given.text.matchAll(UUID)) if (!proofs.includes(id)) ids.add(id)
    return JSON.parse(given.bytes.toString()) as Record<string, unknown>
  }
  const saved = await ask('POST', '/api/v1/queries', {
    name: `${canary} name`,
    about: `${canary} about`,
    folder: `${canary} folder`,
    sql: `SELECT '${canary} sql'`,
    parameters: { [`${canary}`]: `${canary} value` },
    visibility: 'private',
  })
  canaryIds.add(String(saved.id))
  await ask('PUT', `/api/v1/queries/${saved.id}`, {
    name: `${canary} renamed`,
    sql: `SELECT '${canary} second'`,
    visibility: 'private',
  })
  await ask('POST', `/api/v1/queries/${saved.id}/comments`, { text: `${canary} comment` })
  const run = (await ask('POST', '/api/v1/queries/runs', {
    sql: `SELECT '${canary} cell' AS \`${canary} column\`, {p:String} AS p, number FROM numbers(3)`,
    parameters: { p: `${canary} parameter` },
    waitSeconds: 30,
  })) as { result: { hash: string } }
  hashes.push(run.result.hash)
  await ask('POST', '/api/v1/queries/runs', { sql: `SELECT ${canary}_missing`, waitSeconds: 30 })
  await ask('POST', '/api/v1/queries/runs', { sql: `SELECT throwIf(1, '${canary}')`, waitSeconds: 30 })
  const given = (await ask('GET', '/api/v1/uploads', undefined)) as { uploads: { name: string }[] }
  for (const name of ['prices', `up_${canary}`]) {
    const file = `${canary}_column,amount\n${canary} cell,1\n${canary} other,2\n`
    const draft = await upload(`${canary}.csv`, file, user.key)
    ids.add(String(draft.id))
    const mode = given.uploads.some(one => one.name === name) ? 'replace' : 'create'
    await ask('POST', '/api/v1/uploads', { draft: draft.id, name, mode })
    const read = (await ask('POST', '/api/v1/queries/runs', {
      sql: `SELECT * FROM uploads.${name}`,
      waitSeconds: 30,
    })) as { result: { hash: string } }
    // Only its owner may open it, whoever has its address.
    privateHashes.add(read.result.hash)
  }
  ids.add(String((await upload(`${canary}.csv`, `${canary}\n1\n`, user.key)).id))
  // A user may have few of what follows.
  const { keys } = (await ask('GET', '/api/v1/account', undefined, user.session)) as { keys: unknown[] }
  if (keys.length < 5) {
    const key = { name: `${canary} key`, scopes: ['read:query'] }
    await ask('POST', '/api/v1/account/keys', key, user.session)
  }
  const { teams } = (await ask('GET', '/api/v1/teams', undefined, user.session)) as { teams: unknown[] }
  if (teams.length < 5) {
    const team = await ask('POST', '/api/v1/teams', { name: `${canary} team` }, user.session)
    await ask('POST', `/api/v1/teams/${team.id}/invitations`, { role: 'viewer' }, user.session)
  }
}

async function upload(
  fileName: string,
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ id: string }> {
  const given = await send(
    `${doors.url}/api/v1/uploads/drafts?fileName=${fileName}`,
    { method: 'POST', body: file },
    { ...headers, 'content-type': 'text/csv' },
  )
  assert.equal(given.status, 200, given.text)
  return JSON.parse(given.bytes.toString()) as { id: string }
}

/** Databases of uploads, which only this test can know. */
async function uploadDatabases(): Promise<string[]> {
  const answer = await doors.site.warehouse.writer.query({
    query: "SELECT name FROM system.databases WHERE name LIKE 'uploads%'",
    format: 'JSONEachRow',
  })
  return (await answer.json<{ name: string }>()).map(({ name }) => name)
}

const WORDS = [
  'prices',
  'a.csv',
  'observations',
  'bitcoin',
  'rootstock',
  'stacks',
  'fees.total',
  'btc_blocks',
  '1',
  '100000',
  'a',
  'user_',
  'upload',
  'SP000000000000000000002Q6VF78',
  'cnry',
  'private',
  'max',
]
/** Statements that look for what others have. */
const CURIOUS = [
  'SHOW TABLES',
  'SHOW DATABASES',
  'SELECT 1',
  'SELECT * FROM system.columns',
  "SELECT database, table, name FROM system.columns WHERE database NOT IN ('default', 'system')",
  'SELECT * FROM information_schema.tables',
  "SELECT * FROM information_schema.columns WHERE column_name LIKE '%cnry%'",
  'SELECT query FROM system.processes',
  'SELECT * FROM system.query_log',
  'SELECT * FROM cnry',
  'SELECT cnry FROM btc_blocks',
  'DESCRIBE TABLE cnry',
  'EXISTS TABLE cnry',
  'SELECT * FROM user_1.cnry',
  'SELECT * FROM uploads',
  'SELECT * FROM uploads.prices',
  'SELECT * FROM `uploads`.`prices`',
  'SELECT * FROM uploads.cnry',
  'DESCRIBE TABLE uploads.prices',
  'SELECT 1 IN uploads.prices',
  'SELECT amount FROM uploads.price',
  'SELECT {p:String}',
]

/** Statements on a table of an upload by the name that only the engine knows. */
const direct = (database: string): string[] => [
  `SELECT * FROM ${database}.prices`,
  `SELECT * FROM \`${database}\`.\`prices\``,
  `SELECT * FROM "${database}.prices"`,
  `DESCRIBE TABLE ${database}.prices`,
  `SELECT 1 IN ${database}.prices`,
  `SELECT * FROM merge('${database}', '.*')`,
  `SELECT * FROM uploads.prices, ${database}.prices`,
  `SELECT * FROM uploads.prices JOIN ${database.toUpperCase()}.prices USING amount`,
  `SELECT * FROM uploads.prices WHERE amount IN (SELECT amount FROM ${database}.prices)`,
  `SELECT dictGet('${database}.prices', 'amount', 1)`,
  `EXPLAIN SELECT * FROM ${database}.prices`,
  `SHOW TABLES FROM ${database}`,
  `SELECT name FROM system.columns WHERE database = '${database}'`,
]

function poolsOf(random: Random, { subject }: Caller): Pools {
  const others = subjects.filter(other => other !== subject)
  // An address of somebody else with one digit changed: what could be guessed from it.
  const guessed = others
    .flatMap(({ hashes }) => hashes.slice(-1))
    .map(hash => hash.replace(/^./, digit => (digit === 'f' ? '0' : 'f')))
  return {
    ids: [...[...ids].slice(-60), ...canaryIds, ...others.flatMap(({ proofs }) => proofs)],
    hashes: [
      'f'.repeat(64),
      ...guessed,
      ...[...privateHashes].slice(-8),
      ...(subject?.hashes.slice(-5) ?? []),
    ],
    sql: [...CURIOUS, ...CURIOUS, ...databases.flatMap(direct), pick(random, HOSTILE).sql],
    words: WORDS,
  }
}

/** Nobody shares what holds a canary: what is shared may be read. Nothing waits long. */
function keptPrivate(body: unknown, path: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { visibility: _visibility, team: _team, waitSeconds, ...rest } = body as Record<string, unknown>
  const isCanary = [...canaryIds].some(id => path.includes(id))
  return {
    ...(isCanary ? rest : body),
    ...(waitSeconds !== undefined && { waitSeconds: typeof waitSeconds === 'number' ? 1 : waitSeconds }),
  }
}

type Drawn = { readonly what: string; readonly caller: Caller; readonly give: () => Promise<Given> }

/** One random request: mostly of the API, else of MCP, the ClickHouse port or a page. */
function draw(random: Random, index: number): Drawn {
  const caller = pick(random, callers)
  const pools = poolsOf(random, caller)
  const door = index < operations.length ? 0 : random.below(20)
  if (door === 17) {
    const tool = pick(random, ['sql', 'result', 'table', 'search', 'metric'])
    const args = {
      sql: { sql: pick(random, pools.sql), waitSeconds: 1 },
      result:
        random.below(2) === 0
          ? { hash: pick(random, pools.hashes) }
          : { run: pick(random, pools.ids), waitSeconds: 0 },
      table: { name: pick(random, [...WORDS, 'default.cnry']), sample: 1 },
      search: { query: pick(random, WORDS) },
      metric: { metric: pick(random, WORDS) },
    }[tool]
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    })
    const headers = { ...caller.headers, accept: 'application/json, text/event-stream' }
    return {
      what: `MCP ${body}`,
      caller,
      give: () => send(`${doors.url}/mcp`, { method: 'POST', body }, headers),
    }
  }
  if (door === 18 && caller.subject !== undefined) {
    const sql = pick(random, pools.sql)
    const id = pick(random, pools.ids)
    const { user } = caller.subject
    return {
      what: `port ${sql}`,
      caller,
      give: () =>
        send(
          `${doors.portUrl}/?query_id=${id}`,
          { method: 'POST', body: random.below(4) === 0 ? `KILL QUERY WHERE query_id = '${id}'` : sql },
          { authorization: `Basic ${Buffer.from(`x:${user.secret}`).toString('base64')}` },
        ),
    }
  }
  if (door === 19) {
    const path = pick(random, [
      `/Query?id=${pick(random, pools.ids)}`,
      `/Query?sql=${encodeURIComponent(pick(random, CURIOUS))}`,
      `/assay/run?sql=${encodeURIComponent(pick(random, CURIOUS))}`,
      '/account',
      `/search?q=${pick(random, WORDS)}`,
      `/api/v1/search?q=${pick(random, WORDS)}`,
      '/sitemap.xml',
      '/llms.txt',
    ])
    return {
      what: `page ${path}`,
      caller,
      give: () => send(doors.url + path, { method: 'GET', body: undefined }, caller.headers),
    }
  }
  const ofUsers = operations.filter(({ path }) => OF_USERS.test(path))
  const operation =
    index < operations.length
      ? (operations[index] as Operation)
      : pick(random, random.below(5) === 0 ? operations : ofUsers)
  const request = drawRequest(operation, createValues(document, pools, random), random, keptPrivate)
  return {
    what: `${operation.id} ${request.method} ${request.path} ${request.body ?? ''}`,
    caller,
    give: () => send(doors.url + request.path, request, caller.headers, operation.isStream),
  }
}

test(`no answer to ${REQUESTS} random requests holds what is another user’s (SEED=${seed})`, {
  timeout: isFull ? 3_600_000 : 120_000,
}, async t => {
  const random = randomFrom(seed)
  const statuses = new Map<number, number>()
  const answered = new Set<string>()
  const leaks: string[] = []
  const faults: string[] = []
  const start = performance.now()
  for (let done = 0; done < REQUESTS; ) {
    await Promise.all(subjects.map(store))
    databases = await uploadDatabases()
    assert.ok(databases.length >= 4)
    const batch = Math.min(STORE_EVERY, REQUESTS - done)
    let at = done
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (at < done + batch) {
          const drawn = draw(random, at++)
          const given = await drawn.give()
          statuses.set(given.status, (statuses.get(given.status) ?? 0) + 1)
          if (given.status < 300) answered.add(drawn.what.split(' ')[0] ?? '')
          // ClickHouse gives most of its codes the status 500; a fault of ours has a code of its own there.
          const isFault = drawn.what.startsWith('port ')
            ? given.text.includes('UNKNOWN_EXCEPTION')
            : given.status === 500
          if (isFault) faults.push(`${drawn.what}\n${given.text.slice(0, 1000)}`)
          const from = leakIn(given, drawn.caller)
          if (from !== undefined)
            leaks.push(
              `${drawn.caller.name} got what is ${from}’s: ${drawn.what}\n${given.text.slice(0, 1000)}`,
            )
        }
      }),
    )
    done += batch
  }
  t.diagnostic(
    `${REQUESTS} requests of ${operations.length} operations in ${((performance.now() - start) / 1000).toFixed(0)} s, SEED=${seed}`,
  )
  t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort(([a], [b]) => a - b))))
  t.diagnostic(`${answered.size} operations answered: ${[...answered].sort().join(' ')}`)
  assert.deepEqual({ leaks, faults }, { leaks: [], faults: [] })
})

test('each user finds their own canary where they stored it, so that one of another would be found', async () => {
  for (const caller of callers.filter(({ subject }) => subject !== undefined)) {
    const { canary } = caller.subject as Subject
    for (const path of ['/api/v1/queries', '/api/v1/queries/runs?limit=200']) {
      const given = await send(doors.url + path, { method: 'GET', body: undefined }, caller.headers)
      assert.ok(given.text.includes(canary), `${caller.name} ${path}: ${given.text.slice(0, 300)}`)
      const other = callers.find(({ subject }) => subject !== undefined && subject !== caller.subject)
      assert.equal(leakIn(given, other as Caller), caller.subject?.name)
    }
  }
})
