/** A thief’s session would survive a password reset or a sign-out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { createAdapter } from '#accounts/provider/adapter.ts'
import { CLIENT_ID } from '#accounts/provider/place.ts'
import { silentLog } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import { until } from '#kernel/until.testing.ts'
import { openStore } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import {
  type Answer,
  askKey,
  askTokens,
  authorizeUrl,
  bearer,
  codeForm,
  isCode,
  type Jar,
  mailedLink,
  NO_LIMITS_BY_ADDRESS,
  openPeopleSite,
  type PeopleSite,
  refresh,
  signIn,
  statusOf,
  visit,
} from './people.testing.ts'

const PASSWORD = 'a long password'
const LIMITS = { limits: { ...NO_LIMITS_BY_ADDRESS, changesByPerson: 1000 } }

type Query = PeopleSite['store']['query']

/** A store that stops before a chosen statement, counted from `stopAt`, until it is resumed. */
function pausing(query: Query) {
  let left = 0
  let paused = Promise.withResolvers<void>()
  let resumed = Promise.withResolvers<void>()
  const stopping: Query = async (text, values) => {
    if (left > 0 && --left === 0) {
      paused.resolve()
      await resumed.promise
    }
    return query(text, values)
  }
  return {
    query: stopping,
    /** Resolves when that statement is about to run. */
    stopAt(number: number): Promise<void> {
      left = number
      paused = Promise.withResolvers()
      resumed = Promise.withResolvers()
      return paused.promise
    },
    resume() {
      left = 0
      resumed.resolve()
    },
  }
}

type Owner = {
  readonly email: string
  readonly jar: Jar
  readonly tokens: Awaited<ReturnType<typeof signIn>>
}
/** Whether a way into the account works. */
type Works = () => Promise<boolean>
/** A request, and the ways into the account that it may leave behind. */
type Scenario = (site: PeopleSite, owner: Owner) => Promise<Works[]>

const SCENARIOS: Record<string, Scenario> = {
  'a sign-in with the old password': async (site, { email }) => {
    const jar: Jar = new Map()
    const tokens = await signIn(site, { email, password: PASSWORD }, jar).catch(() => undefined)
    return [
      async () => isCode(await visit(site, jar, authorizeUrl().url)),
      async () => tokens !== undefined && (await statusOf(site, bearer(tokens.access_token))) === 200,
      async () => tokens !== undefined && (await refresh(site, tokens.refresh_token)).statusCode === 200,
    ]
  },
  'a page that asks for a code with the session': async (site, { jar }) => {
    const { url, verifier } = authorizeUrl()
    const answer = await visit(site, jar, url)
    return [
      async () => (await askTokens(site, codeForm(answer, verifier))).statusCode === 200,
      async () => isCode(await visit(site, jar, authorizeUrl().url)),
    ]
  },
  'a refresh of tokens': async (site, { tokens }) => {
    const answer = await refresh(site, tokens.refresh_token)
    const renewed = answer.statusCode === 200 ? answer.json() : tokens
    return [
      async () => (await statusOf(site, bearer(renewed.access_token))) === 200,
      async () => (await refresh(site, renewed.refresh_token)).statusCode === 200,
    ]
  },
  'a new API key': async (site, { tokens }) => {
    const answer: Answer = await askKey(site, bearer(tokens.access_token))
    if (answer.statusCode !== 200) return []
    const { key } = answer.json<{ key: string }>()
    return [async () => (await statusOf(site, bearer(key))) === 200]
  },
  'a confirmation of the email in the session': async (site, { jar, tokens }) => {
    await visit(site, jar, mailedLink(site, 'confirm'), {})
    return [
      async () => isCode(await visit(site, jar, authorizeUrl().url)),
      async () => (await statusOf(site, bearer(tokens.access_token))) === 200,
      async () => (await refresh(site, tokens.refresh_token)).statusCode === 200,
    ]
  },
}

/** A server where there is one: it runs statements at once. */
const kind = STORE_KINDS.findLast(({ skip }) => skip === undefined)

describe('a password reset before each statement of a request', () => {
  for (const [name, run] of Object.entries(SCENARIOS))
    test(name, async () => {
      await using store = await openTestStore(kind!)
      const gate = pausing(store.query)
      await using site = await openPeopleSite(LIMITS, { query: gate.query })
      // Without a reset, what the request leaves behind works.
      const undisturbed = await run(site, await makeOwner(site, 'undisturbed@example.org'))
      for (const works of undisturbed) assert.ok(await works())
      let statements = 0
      for (let isOver = false; !isOver; ) {
        const owner = await makeOwner(site, `owner${statements}@example.org`)
        const stopped = gate.stopAt(statements + 1)
        const done = run(site, owner)
        isOver = await Promise.race([stopped.then(() => false), done.then(() => true)])
        if (isOver) gate.resume()
        else statements++
        await resetPassword(site, owner.email)
        gate.resume()
        const open: boolean[] = []
        for (const works of await done) open.push(await works())
        assert.ok(!open.includes(true), `reset before statement ${statements}: ${open}`)
      }
      assert.ok(statements > 1)
    })
})

/** Of a device that is signed out from another one: signing in anew or with a key stays possible. */
const OF_A_DEVICE = ['a page that asks for a code with the session', 'a refresh of tokens']

describe('a device signed out before each statement of a request of it', () => {
  for (const name of OF_A_DEVICE)
    test(name, async () => {
      const run = SCENARIOS[name]!
      await using store = await openTestStore(kind!)
      const gate = pausing(store.query)
      await using site = await openPeopleSite(LIMITS, { query: gate.query })
      let statements = 0
      for (let isOver = false; !isOver; ) {
        const owner = await makeOwner(site, `owner${statements}@example.org`)
        const person = await site.accounts.identify({ authorization: `Bearer ${owner.tokens.access_token}` })
        const [device, ...others] = await site.accounts.sessions.list(person!)
        assert.deepEqual(others, [])
        const stopped = gate.stopAt(statements + 1)
        const done = run(site, owner)
        isOver = await Promise.race([stopped.then(() => false), done.then(() => true)])
        if (isOver) gate.resume()
        else statements++
        await site.accounts.sessions.end(person!, device!.id)
        gate.resume()
        const open: boolean[] = []
        for (const works of await done) open.push(await works())
        assert.ok(!open.includes(true), `signed out before statement ${statements}: ${open}`)
        assert.deepEqual(await site.accounts.sessions.list(person!), [])
      }
      assert.ok(statements > 1)
    })
})

test('a device that acts between any two statements of its signing out stays signed out', async () => {
  await using store = await openTestStore(kind!)
  let before: (statement: number) => Promise<void> = async () => {}
  let statement = 0
  await using site = await openPeopleSite(LIMITS, {
    query: async (text, values) => {
      await before(++statement)
      return store.query(text, values)
    },
  })
  const adapter = createAdapter({ query: store.query, now: Date.now })
  const [grants, deviceSessions] = [adapter('Grant'), adapter('Session')]
  const id = 'assay|ann'
  const person: Person = { kind: 'account', id, email: null, name: null, scopes: new Set(), via: 'token' }
  await store.query('INSERT INTO assay.accounts VALUES ($1, $2, $2, NULL, $2, $2, $3)', [
    id,
    'ann',
    new Date(),
  ])
  const withGrant = (grantId: string) => ({
    accountId: id,
    authorizations: { [CLIENT_ID]: { sid: 's', grantId } },
  })
  /** Signs the device out, and lets it write its session before statement `write` and use it before statement `use`. */
  async function signOut(write: number, use: number): Promise<number> {
    const [grant, session] = [`grant ${write} ${use}`, `session ${write} ${use}`]
    await grants.upsert(grant, { accountId: id }, 60)
    statement = 0
    before = async number => {
      // The end of a sign-in.
      if (number === write) await deviceSessions.upsert(session, withGrant(grant), 60)
      // A page that asks for a code: where the grant is gone, the provider gives the session another.
      if (number === use && (await deviceSessions.find(session)) && !(await grants.find(grant))) {
        await grants.upsert(`${grant} again`, { accountId: id }, 60)
        await deviceSessions.upsert(session, withGrant(`${grant} again`), 60)
      }
    }
    await site.accounts.sessions.end(person, grant)
    before = async () => {}
    assert.equal(await deviceSessions.find(session), undefined, `written at ${write}, used at ${use}`)
    assert.deepEqual(await site.accounts.sessions.list(person), [])
    return statement
  }
  const statements = await signOut(0, 0)
  assert.ok(statements > 0)
  for (let write = 1; write <= statements; write++)
    for (let use = write; use <= statements; use++) await signOut(write, use)
})

const makeOwner = async (site: PeopleSite, email: string): Promise<Owner> => {
  const jar: Jar = new Map()
  return { email, jar, tokens: await signIn(site, { email, password: PASSWORD, name: 'Ann' }, jar) }
}

async function resetPassword(site: PeopleSite, email: string): Promise<void> {
  await site.accounts.members.forget(email, 'the owner')
  await site.accounts.idle()
  const secret = mailedLink(site, 'reset').split('/').at(-1) ?? ''
  await site.accounts.members.reset(secret, 'a password of the owner', 'the owner')
}

test('a session written while a reset is being committed waits for it and is not kept', {
  skip: kind?.name === 'PostgreSQL' ? undefined : 'statements of the embedded store never run at once',
}, async () => {
  await using store = await openTestStore(kind!)
  const [id, now] = ['assay|ann', new Date()]
  await store.query('INSERT INTO assay.accounts VALUES ($1, $2, $2, NULL, $2, $2, $3)', [id, 'ann', now])
  const sessions = createAdapter({ query: store.query, now: Date.now })('Session')
  const resetting = new pg.Client({ connectionString: store.url })
  await resetting.connect()
  try {
    await resetting.query('BEGIN')
    await resetting.query('UPDATE assay.accounts SET sign_in_version = 1')
    const written = sessions.upsert('session', { accountId: id }, 60)
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await until('the session waits for the reset', async () => (await store.query(waiting)).length > 0)
    await resetting.query('COMMIT')
    await written
  } finally {
    await resetting.end()
  }
  assert.deepEqual(await store.query('SELECT id FROM assay.oidc_records'), [])
  await sessions.upsert('session', { accountId: `${id}#1` }, 60)
  assert.deepEqual(await sessions.find('session'), { accountId: `${id}#1` })
  await store.query('UPDATE assay.accounts SET sign_in_version = 2')
  assert.equal(await sessions.find('session'), undefined)
})

test('sessions, tokens and keys of a store from before sign-in versions go on working until a reset', async () => {
  await using place = await kind!.open()
  const open = () => openStore({ ...place, log: silentLog })
  const email = 'ann@example.org'
  let owner: Owner
  let key: string
  {
    await using store = await open()
    await using site = await openPeopleSite(LIMITS, store)
    owner = await makeOwner(site, email)
    key = (await askKey(site, bearer(owner.tokens.access_token))).json<{ key: string }>().key
    for (const table of ['accounts', 'oidc_records', 'api_keys'])
      await store.query(`ALTER TABLE assay.${table} DROP COLUMN sign_in_version`)
    await store.query('DROP FUNCTION assay.end_grant')
    await store.query('ALTER TABLE assay.api_keys DROP COLUMN queries')
    // Steps are taken in their order, so the later ones go too.
    await store.query(
      'DROP TABLE assay.query_schedules, assay.query_comments, assay.uploads, assay.upload_leftovers, assay.query_stars, assay.saved_query_versions, assay.saved_queries, assay.query_runs',
    )
    await store.query('DROP TABLE assay.team_invitations, assay.team_members, assay.teams')
    await store.query(
      'DROP FUNCTION assay.set_team_role, assay.invite_to_team, assay.join_team, assay.unshare_queries',
    )
    await store.query('DROP TABLE assay.query_usage, assay.query_queue CASCADE')
    await store.query(
      'DROP FUNCTION assay.admit_queries, assay.take_query_slot, assay.tick_queries, assay.take_counted_query_slot, assay.add_query_usage',
    )
    await store.query(
      "DELETE FROM assay.migrations WHERE number >= (SELECT number FROM assay.migrations WHERE name = 'sign-in versions')",
    )
  }
  await using store = await open()
  await using site = await openPeopleSite(LIMITS, store)
  const works = async () => [
    await statusOf(site, bearer(owner.tokens.access_token)),
    await statusOf(site, bearer(key)),
    isCode(await visit(site, owner.jar, authorizeUrl().url)),
  ]
  assert.deepEqual(await works(), [200, 200, true])
  await resetPassword(site, email)
  assert.deepEqual(await works(), [401, 401, false])
})
