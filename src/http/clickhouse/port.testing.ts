import { AccountError } from '#accounts/index.ts'
import { silentLog } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import {
  createExecutor,
  EXECUTION_LIMITS,
  type Executor,
  QueryError,
  type RecordRun,
} from '#queries/index.ts'
import { createTurns } from '#queries/turns.ts'
import { openTestSite, type TestSite } from '../testing.ts'
import { type ClickHousePort, type ClickHousePortDeps, openClickHousePort } from './openClickHousePort.ts'

/** Keys of four callers, as accounts would know them. */
export const KEYS = {
  member: 'assay_member0000000000000000000000000000000000000000',
  other: 'assay_other00000000000000000000000000000000000000000',
  guest: 'assay_guest00000000000000000000000000000000000000000',
  withoutScope: 'assay_noscope000000000000000000000000000000000000000',
} as const

const personOf = (id: string, scopes: readonly string[]): Person => ({
  kind: 'account',
  id,
  email: `${id}@example.org`,
  name: id,
  scopes: new Set(scopes),
  via: 'key',
})

const PEOPLE: ReadonlyMap<string, Person> = new Map([
  [KEYS.member, personOf('member', ['read:query'])],
  [KEYS.other, personOf('other', ['read:query'])],
  [KEYS.guest, personOf('guest', ['read:query'])],
  [KEYS.withoutScope, personOf('withoutScope', [])],
])

const MADE_ACCOUNTS: ClickHousePortDeps['accounts'] = {
  async identify({ authorization = '' }) {
    const person = PEOPLE.get(authorization.replace('Bearer ', ''))
    if (person === undefined)
      throw new AccountError('accounts.key', 'The key does not exist, was revoked, or has expired.')
    return person
  },
  features: async ({ id }) => ({ query: id !== 'guest' }),
}

export type RecordedRun = {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  readonly state: 'succeeded' | 'cancelled' | 'failed'
}

export type Spent = { readonly caller: string; readonly rows: number; readonly bytes: number }

export type TestPort = AsyncDisposable & {
  readonly port: ClickHousePort
  readonly url: string
  readonly site: TestSite
  /** What the history would hold, oldest first. */
  readonly history: readonly RecordedRun[]
  /** What each query adds to the quota of the day of its caller. */
  readonly spent: readonly Spent[]
  readonly executor: Executor
  /** One request with the key of a member unless headers say otherwise. */
  ask(path: string, more?: RequestInit & { key?: string | null }): Promise<Response>
  /** The text of an answer to a statement, or of its error. */
  text(sql: string, query?: string): Promise<string>
}

/** The port over a real warehouse, with made accounts unless others are given. */
export async function openTestPort(
  accounts: ClickHousePortDeps['accounts'] = MADE_ACCOUNTS,
): Promise<TestPort> {
  await using opening = new AsyncDisposableStack()
  const site = opening.use(await openTestSite())
  const { warehouse } = site
  const history: RecordedRun[] = []
  const recordRun: RecordRun = async (query, _caller, run) => {
    try {
      const answer = await run()
      history.push({ ...query, state: 'succeeded' })
      return answer
    } catch (cause) {
      const isCancelled = cause instanceof QueryError && cause.code === 'sql.cancelled'
      history.push({ ...query, state: isCancelled ? 'cancelled' : 'failed' })
      throw cause
    }
  }
  const spent: Spent[] = []
  const executor = createExecutor({
    warehouse,
    knownSql: () => [],
    log: silentLog,
    shared: {
      ...createTurns(EXECUTION_LIMITS.turns),
      spend: (caller, used) => void spent.push({ caller, ...used }),
      cancel: async () => false,
      usageOf: async () => undefined,
    },
  })
  const port = opening.use(
    await openClickHousePort(
      {
        executor,
        accounts,
        version: async () => (await warehouse.health()).version ?? '',
        recordRun,
        asOf: sql => site.apiFor({ address: 'port' }).asOfSql(sql),
        log: silentLog,
      },
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const url = `http://127.0.0.1:${port.port}`
  const ask: TestPort['ask'] = (path, { key = KEYS.member, headers, ...more } = {}) =>
    fetch(`${url}${path}`, {
      ...more,
      headers: {
        ...(key !== null && { authorization: `Basic ${Buffer.from(`grafana:${key}`).toString('base64')}` }),
        ...(headers as Record<string, string>),
      },
    })
  const stack = opening.move()
  return {
    port,
    url,
    site,
    history,
    spent,
    executor,
    ask,
    text: async (sql, query = '') => (await ask(`/?${query}`, { method: 'POST', body: sql })).text(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
