import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { madePerson, openAccountsStore } from '#accounts/accounts.testing.ts'
import { testKey } from '#accounts/wallets.testing.ts'
import { testCatalog } from '#catalog/testing.ts'
import { type ClickHousePort, openClickHousePort } from '#http/clickhouse/openClickHousePort.ts'
import { loadPages } from '#http/pages/loadPages.ts'
import { NO_LIMITS_BY_ADDRESS } from '#http/people.testing.ts'
import { siteOf } from '#http/siteOf.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { silentLog } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'

/** One server with pages, API, MCP and the port for ClickHouse clients, on real accounts and a real store. */
export type Doors = AsyncDisposable & {
  readonly site: TestSite
  readonly url: string
  readonly port: ClickHousePort
  readonly portUrl: string
  /** A key of a new user with the feature `query`. */
  newKey(): Promise<string>
  newUser(): Promise<DoorUser>
}

/** A new user with the feature `query`: a key with all scopes, and a session of their wallet. */
export type DoorUser = {
  readonly secret: string
  readonly key: Readonly<Record<string, string>>
  readonly session: Readonly<Record<string, string>>
}

const ORIGIN = 'http://localhost:4400'
const BUILD = fileURLToPath(new URL('../../build', import.meta.url))
const KEY_SCOPES = ['read:query', 'read:own', 'write:own'] as const

let opened: Promise<Doors> | undefined
export function sharedDoors(): Promise<Doors> {
  opened ??= open()
  return opened
}
after(async () => (await opened)?.[Symbol.asyncDispose]())

async function open(): Promise<Doors> {
  await using opening = new AsyncDisposableStack()
  const accountsStore = opening.use(await openAccountsStore())
  const accounts = accountsStore.open({
    publicUrl: ORIGIN,
    audience: `${ORIGIN}/api/v1`,
    limits: { ...NO_LIMITS_BY_ADDRESS, changesByPerson: 1_000_000 },
  })
  const pages = await loadPages(BUILD)
  const site = opening.use(
    await openTestSite({
      accounts,
      pages,
      named: pages.mapOf(siteOf(await testCatalog())),
      store: async () => accountsStore.store as never,
      publicUrl: ORIGIN,
      trustProxy: ['127.0.0.1'],
    }),
  )
  const { executor, warehouse } = site
  const version = async () => (await warehouse.health()).version ?? ''
  const port = opening.use(
    await openClickHousePort(
      {
        executor,
        accounts,
        uploads: site.queryTool.uploads,
        version,
        asOf: sql => site.apiFor({ address: 'port' }).asOfSql(sql),
        log: silentLog,
      },
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' })
  let users = 0
  const newUser = async (): Promise<DoorUser> => {
    users++
    const { address, sign } = testKey(users)
    const person: Person = madePerson(address, { kind: 'wallet', email: null })
    await accounts.grants.give({
      holder: address,
      features: ['query'],
      until: undefined,
      reason: 'test',
      by: 'test',
    })
    const made = { name: 'k', scopes: [...KEY_SCOPES], expires: undefined, queries: undefined }
    const { key } = await accounts.keys.create(person, made)
    const prove = (path: string, body: object): Promise<Response> =>
      fetch(`${url}/api/v1/siws/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ORIGIN },
        body: JSON.stringify(body),
      })
    const { message } = (await (await prove('nonce', { address })).json()) as { message: string }
    const proved = await prove('verify', { message, signature: sign(message) })
    const cookie = proved.headers.get('set-cookie')?.split(';')[0] ?? ''
    await proved.body?.cancel()
    return {
      secret: key,
      key: { authorization: `Bearer ${key}` },
      session: { 'wallet-address': address, cookie },
    }
  }
  const parts = opening.move()
  return {
    site,
    url,
    port,
    portUrl: `http://127.0.0.1:${port.port}`,
    newUser,
    newKey: async () => (await newUser()).secret,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : String(thrown)

/** What a hostile request could change in the engine: names, settings, users, and every row. */
export async function engineState({ site }: Pick<Doors, 'site'>): Promise<Record<string, unknown>> {
  const { writer, home } = site.warehouse
  const rows = async (query: string): Promise<unknown[][]> =>
    (await writer.query({ query, format: 'JSONCompactEachRow' })).json()
  const state: Record<string, unknown> = {}
  // The embedded engine has no users and refuses to list them; on a server there are some.
  for (const [name, query] of Object.entries(STATE)) state[name] = await rows(query).catch(codeOf)
  const filled = await rows(
    "SELECT database, name FROM system.tables WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') AND total_rows > 0 ORDER BY ALL",
  )
  for (const [database, table] of filled)
    state[`rows of ${database}.${table}`] = await rows(
      `SELECT count(), sum(cityHash64(toString(tuple(*)))) FROM ${database}.${table}`,
    )
  state.files = readdirSync(join(home, 'warehouse', 'no-files'))
  return state
}

const STATE = {
  databases: 'SELECT name, engine FROM system.databases ORDER BY name',
  tables:
    "SELECT database, name, engine, create_table_query FROM system.tables WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY database, name",
  settings: "SELECT name, value FROM system.settings WHERE changed AND name != 'log_comment' ORDER BY name",
  functions: 'SELECT count(), countIf(origin != 0) FROM system.functions',
  users: 'SELECT name FROM system.users ORDER BY name',
  grants: 'SELECT count() FROM system.grants',
  roles: 'SELECT count() FROM system.roles',
  quotas: 'SELECT count() FROM system.quotas',
  collections: 'SELECT count() FROM system.named_collections',
  dictionaries: 'SELECT count() FROM system.dictionaries',
} as const

/** Queries of users that the engine runs now. */
export async function runningQueries({ site }: Pick<Doors, 'site'>): Promise<number> {
  const answer = await site.warehouse.writer.query({
    query: "SELECT count() AS n FROM system.processes WHERE query_id LIKE 'people-%'",
    format: 'JSONEachRow',
  })
  return Number((await answer.json<{ n: string }>())[0]?.n)
}

/** Bytes that this process uses once its garbage is gone. */
export function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
