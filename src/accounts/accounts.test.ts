/** Users would get features without a grant, or lose features that they have. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { madePerson, NOW, openAccountsStore, type TestAccounts } from './accounts.testing.ts'
import { holderOf } from './grants.ts'
import { testKey } from './wallets.testing.ts'

const DAY_MS = 24 * 3600_000
const ADDRESS = testKey(0).address
const FORM = { code: 'accounts.form' }
const GRANT = { features: ['query'], until: undefined, reason: 'A friend.', by: 'ops' }

let site: TestAccounts
before(async () => {
  site = await openAccountsStore()
})
after(() => site[Symbol.asyncDispose]())

const notes = async (event: string, person: string) =>
  (
    await site.store.query<{ asker: string | null; facts: object; at: Date }>(
      'SELECT at, asker, facts FROM assay.audit_log WHERE event = $1 AND person = $2 ORDER BY id',
      [event, person],
    )
  ).map(({ at, asker, facts }) => ({ at: at.getTime(), asker, facts }))

test('a grant needs a holder, features, a reason and a date ahead', async () => {
  const { grants, clock } = site.open()
  const give = (more: Partial<Parameters<typeof grants.give>[0]>) =>
    grants.give({ ...GRANT, holder: 'form@example.org', ...more })
  for (const features of [[], [''], ['query', 'Query'], ['9x'], ['a b'], [`a${'b'.repeat(40)}`]])
    await assert.rejects(give({ features }), FORM, JSON.stringify(features))
  await assert.rejects(give({ reason: ' \n' }), FORM)
  await assert.rejects(give({ until: new Date(clock.now) }), FORM)
  await assert.rejects(give({ holder: 'nobody' }), FORM)
  await assert.rejects(give({ holder: `${ADDRESS}0` }), FORM)
  assert.deepEqual(await grants.list(true), [])
  assert.deepEqual(
    (await give({ features: [`a${'b'.repeat(39)}`, 'x_1-2', 'x_1-2'] })).features,
    [`a${'b'.repeat(39)}`, 'x_1-2'],
    'a feature is granted once',
  )
  assert.equal(await grants.revoke('form@example.org', 'ops'), 1)
})

test('holders are addresses as they are, and emails as they are compared', () => {
  assert.equal(holderOf(` ${ADDRESS} `), ADDRESS)
  assert.equal(holderOf(' Ann@Example.ORG '), 'ann@example.org')
  assert.throws(() => holderOf('ann'), FORM)
})

test('a grant lasts until its date or until it is revoked, and both are logged', async () => {
  const { grants, clock } = site.open()
  const until = new Date(NOW + DAY_MS)
  const first = await grants.give({ ...GRANT, holder: 'Bea@Example.org', until, reason: ' A friend. ' })
  const { id, ...rest } = first
  assert.match(id, /^\d+$/)
  assert.deepEqual(rest, {
    holder: 'bea@example.org',
    features: ['query'],
    until,
    reason: 'A friend.',
    grantedBy: 'ops',
    grantedAt: new Date(NOW),
    revokedAt: null,
  })
  const second = await grants.give({ ...GRANT, holder: ADDRESS, features: ['dashboard', 'bitcoin'] })
  const third = await grants.give({ ...GRANT, holder: 'bea@example.org' })
  const ids = async (isAll?: boolean) => (await grants.list(isAll)).map(grant => grant.id)
  assert.deepEqual(await ids(), [third.id, second.id, first.id])
  clock.now = until.getTime() - 1
  assert.deepEqual(await ids(), [third.id, second.id, first.id])
  clock.now = until.getTime()
  assert.deepEqual(await ids(), [third.id, second.id])
  assert.deepEqual((await ids(true)).slice(0, 3), [third.id, second.id, first.id])
  assert.equal(await grants.revoke(second.id, 'boss'), 1)
  assert.equal(await grants.revoke(second.id, 'boss'), 0)
  assert.deepEqual(await ids(), [third.id])
  assert.equal(await grants.revoke('BEA@example.org', 'boss'), 2)
  assert.equal((await grants.list(true))[0]?.revokedAt?.getTime(), clock.now)
  // More digits than a number of a grant has name no holder either.
  await assert.rejects(grants.revoke('1'.repeat(16), 'boss'), FORM)
  assert.equal(await grants.revoke('9'.repeat(15), 'boss'), 0)
  assert.deepEqual(await notes('granted', ADDRESS), [
    {
      at: NOW,
      asker: null,
      facts: { grant: second.id, features: 'dashboard,bitcoin', reason: 'A friend.', by: 'ops' },
    },
  ])
  assert.deepEqual(
    (await notes('revoked', 'bea@example.org')).map(({ facts }) => facts),
    [first.id, third.id].map(grant => ({ grant, by: 'boss' })),
  )
})

test('features are those of the plan, of grants and of a trial together', async () => {
  const accounts = site.open(
    {},
    {
      planOf: async ({ id }) => (id === 'cid' ? { name: 'Premium', features: ['dashboard'] } : undefined),
    },
  )
  await accounts.grants.give({ ...GRANT, holder: 'Cid@example.org', until: new Date(NOW + DAY_MS) })
  await accounts.grants.give({ ...GRANT, holder: 'cid@example.org', features: ['query', 'labs'] })
  const revoked = await accounts.grants.give({
    ...GRANT,
    holder: 'cid@example.org',
    features: ['revoked'],
  })
  await accounts.grants.revoke(revoked.id, 'ops')
  assert.deepEqual(await accounts.held(madePerson('cid')), {
    features: { dashboard: true, query: true, labs: true },
    plan: { name: 'Premium', features: ['dashboard'] },
    trialUntil: null,
  })
  // Nobody has proved the email: neither grant holds.
  assert.deepEqual(await accounts.features(madePerson('cid', { email: null })), { dashboard: true })
  assert.deepEqual(await accounts.held(madePerson('dan')), { features: {}, plan: null, trialUntil: null })
  const wallet = madePerson(ADDRESS, { kind: 'wallet', email: null })
  await accounts.grants.give({ ...GRANT, holder: ADDRESS, until: new Date(NOW + DAY_MS) })
  assert.deepEqual(await accounts.features(wallet), { query: true })
  accounts.clock.now += DAY_MS
  assert.deepEqual(await accounts.features(wallet), {})
})

test('a trial of 14 days begins with the first question, once for each proved email', async () => {
  const accounts = site.open({ trialDays: 14 })
  const all = { dashboard: true, query: true, bitcoin: true }
  const end = new Date(NOW + 14 * DAY_MS)
  assert.deepEqual(await accounts.held(madePerson('eva')), { features: all, plan: null, trialUntil: end })
  accounts.clock.now = end.getTime() - 1
  assert.deepEqual((await accounts.held(madePerson('eva'))).trialUntil, end)
  // A new account of the same email begins no other trial.
  const again = madePerson('eva-2', { email: ' EVA@example.org' })
  assert.deepEqual((await accounts.held(again)).trialUntil, end)
  accounts.clock.now = end.getTime()
  assert.deepEqual(await accounts.held(again), { features: {}, plan: null, trialUntil: null })
  assert.equal((await accounts.held(madePerson('fin', { email: null }))).trialUntil, null)
  assert.equal((await site.open().held(madePerson('gil'))).trialUntil, null)
})

test('a key is shown once, holds until it expires or is revoked, and is noted as used once a minute', async () => {
  const { keys, clock } = site.open()
  const person = madePerson('hal')
  const create = (more: Partial<Parameters<typeof keys.create>[1]> = {}) =>
    keys.create(person, { name: 'One', scopes: ['read:query'], expires: undefined, ...more })
  await assert.rejects(create({ name: ' ' }), FORM)
  await assert.rejects(create({ expires: new Date(NOW) }), FORM)
  const expires = new Date(NOW + DAY_MS)
  const { key, ...made } = await create({ name: ' My\nkey ', expires })
  assert.match(key, /^assay_[\w-]{43}$/)
  assert.deepEqual(
    { ...made, id: undefined },
    {
      id: undefined,
      name: 'My key',
      start: key.slice(0, 12),
      scopes: ['read:query'],
      queries: null,
      createdAt: new Date(NOW),
      usedAt: null,
      expiresAt: expires,
    },
  )
  assert.deepEqual(await keys.list(person), [made])
  assert.deepEqual(await keys.find(key), { kind: 'account', id: 'hal', scopes: new Set(['read:query']) })
  const usedAt = async () => (await keys.list(person))[0]?.usedAt?.getTime()
  assert.equal(await usedAt(), NOW)
  clock.now = NOW + 60_000
  await keys.find(key)
  assert.equal(await usedAt(), NOW)
  clock.now = NOW + 60_001
  await keys.find(key)
  assert.equal(await usedAt(), NOW + 60_001)
  assert.equal(await keys.find(`${key}x`), undefined)
  clock.now = expires.getTime() - 1
  assert.notEqual(await keys.find(key), undefined)
  clock.now = expires.getTime()
  assert.equal(await keys.find(key), undefined)
  const lasting = await create({ name: 'Two' })
  assert.equal(lasting.expiresAt, null)
  await assert.rejects(keys.revoke(madePerson('ida'), lasting.id), { code: 'accounts.not_found' })
  await keys.revoke(person, lasting.id)
  assert.equal(await keys.find(lasting.key), undefined)
  await assert.rejects(keys.revoke(person, lasting.id), { code: 'accounts.not_found' })
  assert.deepEqual(
    (await notes('key made', 'account:hal')).map(({ facts }) => facts),
    [made.id, lasting.id].map(id => ({ key: id, scopes: 'read:query' })),
  )
  assert.deepEqual(
    (await notes('key revoked', 'account:hal')).map(({ facts }) => facts),
    [{ key: lasting.id }],
  )
})

test('a user has at most twenty keys', async () => {
  const { keys } = site.open()
  const create = (id: string) =>
    keys.create(madePerson(id), { name: 'Key', scopes: ['read:query'], expires: undefined })
  for (let count = 0; count < 20; count++) await create('jim')
  await assert.rejects(create('jim'), { code: 'accounts.keys_full' })
  await create('kim')
  assert.equal((await keys.list(madePerson('jim'))).length, 20)
})

test('a key of an account ends with the sign-in version under which it was made', async () => {
  const { keys } = site.open()
  await site.store.query(
    `INSERT INTO assay.accounts (id, email, email_key, name, password_hash, created_at, sign_in_version)
VALUES ('lea', 'lea@example.org', 'lea@example.org', 'Lea', '', $1, 3)`,
    [new Date(NOW)],
  )
  const lea = (signInVersion: number) => madePerson('lea', { signInVersion })
  const given = { name: 'Key', scopes: ['read:query'] as const, expires: undefined }
  await assert.rejects(keys.create(lea(2), given), { code: 'accounts.expired' })
  const { key } = await keys.create(lea(3), given)
  assert.notEqual(await keys.find(key), undefined)
  await site.store.query(`UPDATE assay.accounts SET sign_in_version = 4 WHERE id = 'lea'`)
  assert.equal(await keys.find(key), undefined)
  assert.deepEqual(await keys.list(lea(4)), [])
})

test('names of addresses are those of one user, in the order of names, of at most 60 characters', async () => {
  const { aliases } = site.open()
  const person = madePerson('max')
  const other = testKey(1).address
  await assert.rejects(aliases.name(person, `${ADDRESS}0`, 'x'), FORM)
  await assert.rejects(aliases.name(person, ADDRESS, '🎈'.repeat(61)), FORM)
  await aliases.name(person, ADDRESS, '🎈'.repeat(60))
  await aliases.name(person, other, ' Cold\twallet ')
  assert.deepEqual(await aliases.list(person), [
    { alias: 'Cold wallet', wallet: { address: other } },
    { alias: '🎈'.repeat(60), wallet: { address: ADDRESS } },
  ])
  await aliases.name(person, ADDRESS, ' ')
  await aliases.name(person, other, 'Hot wallet')
  assert.deepEqual(await aliases.list(person), [{ alias: 'Hot wallet', wallet: { address: other } }])
  assert.deepEqual(await aliases.list(madePerson('max', { kind: 'wallet' })), [])
})

test('a user names at most a thousand addresses, and may rename each of them', async () => {
  const { aliases } = site.open()
  const person = madePerson('ned')
  await site.store.query(
    `INSERT INTO assay.wallet_aliases (kind, person, address, alias)
SELECT 'account', 'ned', 'made' || n, 'Name' FROM generate_series(1, 999) n`,
  )
  await aliases.name(person, ADDRESS, 'Last')
  await aliases.name(person, ADDRESS, 'Renamed')
  await assert.rejects(aliases.name(person, testKey(1).address, 'One more'), FORM)
  assert.equal((await aliases.list(person)).length, 1000)
})

test('operators are known by address, subject or proved email', () => {
  const { isOperator } = site.open({ operators: [ADDRESS, 'Ops@Example.org', 'auth0|1'] })
  assert.ok(isOperator(madePerson(ADDRESS, { email: null })))
  assert.ok(isOperator(madePerson('x', { email: 'ops@example.org' })))
  assert.ok(isOperator(madePerson('auth0|1', { email: null })))
  assert.ok(!isOperator(madePerson('x', { email: null })))
  assert.ok(!isOperator(madePerson('y')))
})

test('what the browser needs to sign in names the tenant, or the embedded provider', () => {
  assert.deepEqual(
    site.open({ asignaOrigins: ['https://a.example'], hubHosts: ['https://h.example'] }).shown,
    {
      auth: {
        domain: 'https://assay.example/idp',
        clientId: 'assay',
        audience: 'https://assay.example/api',
        scope: 'openid profile email read:query read:private',
      },
      asignaOrigins: ['https://a.example'],
      hubHosts: ['https://h.example'],
    },
  )
  const tenant = { domain: 'assay.eu.auth0.com', clientId: 'abc' }
  const { shown, idp } = site.open({ tenant })
  assert.deepEqual([shown.auth.domain, shown.auth.clientId, idp], [tenant.domain, 'abc', undefined])
  assert.notEqual(site.open().idp, undefined)
})

test('changes of one user are limited by the minute', async () => {
  const { allowChange } = site.open({ limits: { changesByPerson: 2 } })
  await allowChange(madePerson('ola'))
  await allowChange(madePerson('ola'))
  await assert.rejects(allowChange(madePerson('ola')), { code: 'accounts.too_many' })
  await allowChange(madePerson('ola', { kind: 'wallet' }))
})

test('all that is stored of a user is exported, and gone once it is deleted', async () => {
  const deleted: string[] = []
  const others = [
    {
      name: 'reports',
      export: async ({ id }: { id: string }) => [id],
      delete: async ({ id }: { id: string }) => {
        deleted.push(id)
      },
    },
  ]
  const accounts = site.open({ trialDays: 2 }, { others })
  const member = await accounts.members.create(
    { email: 'Pia@example.org', name: 'Pia', password: 'correct horse battery' },
    '192.0.2.1',
  )
  const pia = madePerson(member.id, { email: 'pia@example.org', name: 'Pia' })
  await accounts.keys.create(pia, { name: 'Key', scopes: ['read:query'], expires: undefined })
  await accounts.aliases.name(pia, ADDRESS, 'Mine')
  const team = await accounts.teams.create(pia, 'Miners')
  await accounts.grants.give({ ...GRANT, holder: 'pia@example.org' })
  await accounts.note('report made', { person: pia, asker: '192.0.2.9', facts: { report: 1 } })
  const { log, keys, sessions, ...found } = await accounts.export(pia, '192.0.2.2')
  assert.deepEqual(found, {
    person: { kind: 'account', id: member.id, email: 'Pia@example.org', name: 'Pia' },
    account: member,
    features: { dashboard: true, query: true, bitcoin: true },
    plan: null,
    trialUntil: new Date(NOW + 2 * DAY_MS),
    aliases: [{ alias: 'Mine', wallet: { address: ADDRESS } }],
    grants: [
      { features: ['query'], until: null, reason: 'A friend.', grantedAt: new Date(NOW), revokedAt: null },
    ],
    teams: [{ id: team.id, name: 'Miners', role: 'owner', members: 1, createdAt: new Date(NOW) }],
    reports: [member.id],
  })
  assert.deepEqual([(keys as unknown[]).length, sessions], [1, []])
  const events = (log as { event: string; asker: string | null }[]).map(({ event, asker }) => [event, asker])
  assert.deepEqual(events.at(-1), ['exported', '192.0.2.2'])
  assert.deepEqual(
    events.find(([event]) => event === 'report made'),
    ['report made', '192.0.2.9'],
  )
  assert.deepEqual((await accounts.memberOf(pia))?.id, member.id)
  assert.equal(await accounts.memberOf({ ...pia, kind: 'wallet' }), undefined)
  await accounts.delete(pia, '192.0.2.3')
  assert.deepEqual(deleted, [member.id])
  assert.deepEqual(await accounts.teams.list(pia), [])
  assert.equal(await accounts.memberOf(pia), undefined)
  assert.deepEqual(await accounts.keys.list(pia), [])
  assert.deepEqual(await accounts.aliases.list(pia), [])
  const { grants: left } = await accounts.export(pia, '192.0.2.2')
  assert.deepEqual(left, [])
  assert.deepEqual(
    (await notes('deleted', `account:${member.id}`)).map(({ asker }) => asker),
    ['192.0.2.3'],
  )
  await accounts.idle()
})

test('what is over goes once an hour, once somebody has signed in', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const accounts = site.open()
  const add = (sql: string, at: number) => site.store.query(sql, [new Date(at)])
  for (const at of [NOW - 1, NOW + 1]) {
    await add(
      `INSERT INTO assay.siws_nonces (nonce, address, expires_at) VALUES ('sweep' || gen_random_uuid(), 'x', $1)`,
      at,
    )
    await add(`INSERT INTO assay.audit_log (at, event, facts) VALUES ($1, 'swept', '{}')`, at - 365 * DAY_MS)
  }
  const left = async () =>
    (
      await site.store.query<{ n: number }>(
        `SELECT ((SELECT count(*) FROM assay.siws_nonces WHERE nonce LIKE 'sweep%')
  + 10 * (SELECT count(*) FROM assay.audit_log WHERE event = 'swept'))::integer AS n`,
      )
    )[0]?.n
  t.mock.timers.tick(3600_000)
  assert.equal(await left(), 22)
  await accounts.aliases.list(madePerson('any'))
  t.mock.timers.tick(3599_999)
  assert.equal(await left(), 22)
  t.mock.timers.tick(1)
  await until('what is over is gone', async () => (await left()) === 11, { patienceMs: 10_000 })
})
