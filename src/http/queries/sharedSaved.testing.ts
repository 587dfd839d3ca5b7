import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openAccounts } from '#accounts/index.ts'
import type { Log } from '#kernel/log.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { SavedQuery } from '../contract.ts'
import {
  bearer,
  type Jar,
  mailedLink,
  NO_LIMITS_BY_ADDRESS,
  ORIGIN,
  type PeopleSite,
  signIn,
  visit,
} from '../people.testing.ts'
import { openTestSite } from '../testing.ts'

export type Headers = Record<string, string>
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const [kind] = STORE_KINDS
assert.ok(kind)
/** All that was logged, mails too. */
export const said: string[] = []
const say = (message: string, facts: unknown) => said.push(`${message} ${JSON.stringify(facts ?? {})}`)
const log: Log = { info: say, warn: say, error: say }
export const store = opened.use(await openTestStore(kind))
/** Small enough for tests. They apply only to requests over a real connection. */
export const PACE = { wholeMs: 1_500, windowMs: 500, bytesPerSecond: 2_000, perNetwork: 2 }
export const DRAFT_BYTES = 8 * 2 ** 20
let passed = 0
/** Moves the clock of accounts, milliseconds. */
export const pass = (milliseconds: number): void => {
  passed += milliseconds
}
export const accounts = opened.use(
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
    now: () => Date.now() + passed,
  }),
)
export const testSite = opened.use(
  await openTestSite({
    accounts,
    store: async () => store,
    publicUrl: ORIGIN,
    bodyPace: PACE,
    draftBytes: DRAFT_BYTES,
  }),
)
/** What signing in needs of a site. */
export const site = { ask: (url, more = {}) => testSite.app.inject({ ...more, url }), said } as PeopleSite

const PASSWORD = 'correct horse battery'

/** Headers of a new user with a confirmed email, who has Premium unless it says otherwise. */
export async function signedIn(
  email: string,
  { name = 'A', isPremium = true }: { name?: string; isPremium?: boolean } = {},
): Promise<Headers> {
  const jar: Jar = new Map()
  const tokens = await signIn(site, { email, password: PASSWORD, name }, jar)
  // Several test files sign users in at once.
  const mail = said.findLast(line => line.startsWith(`mail to ${email} `)) ?? ''
  await visit(site, jar, mailedLink({ ...site, said: [mail] }, 'confirm'), {})
  if (isPremium)
    await accounts.grants.give({
      holder: email,
      features: ['query'],
      until: undefined,
      reason: 'test',
      by: 'test',
    })
  return bearer(tokens.access_token)
}

/** A key of the user with these scopes, and how to revoke it. */
export async function keyOf(
  headers: Headers,
  ...scopes: string[]
): Promise<{ headers: Headers; revoke(): Promise<void> }> {
  const made = await ask<{ id: string; key: string }>(
    'POST',
    '/api/v1/account/keys',
    { ...headers, origin: ORIGIN },
    { name: 'k', scopes },
  )
  assert.equal(made.status, 200)
  return {
    headers: bearer(made.body.key),
    async revoke() {
      const { status } = await ask('DELETE', `/api/v1/account/keys/${made.body.id}`, headers)
      assert.equal(status, 204)
    },
  }
}

export type Answer<T> = { status: number; body: T; text: string }

export async function ask<T>(
  method: Method,
  url: string,
  headers: Headers = {},
  payload?: object | string,
): Promise<Answer<T>> {
  const answer = await site.ask(url, { method, headers, ...(payload !== undefined && { payload }) })
  const { statusCode: status, body: text } = answer
  return { status, body: (text === '' ? undefined : answer.json()) as T, text }
}

export async function save(headers: Headers, change: object): Promise<SavedQuery> {
  const { status, body } = await ask<SavedQuery>('POST', '/api/v1/queries', headers, {
    name: 'Q',
    sql: 'SELECT 1',
    ...change,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
