/** A caller would act as another user, or a signed-in user as a guest. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { NOW, openAccountsStore, type TestAccounts } from './accounts.testing.ts'
import { issuerOf, walletSecret } from './identify.ts'
import { readSecrets } from './secrets.ts'
import { testKey } from './wallets.testing.ts'

const AUDIENCE = 'https://assay.example/api'
const HOUR_S = 3600
const nowS = NOW / 1000

let site: TestAccounts
let tenant: Server
let domain = ''
/** What the tenant answers for its keys; undefined: an error of its own. */
let keysAnswer: object | undefined = {}
let keyAsked = 0
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const strange = await generateKeyPair('RS256', { extractable: true })
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

before(async () => {
  site = await openAccountsStore()
  tenant = createServer((request, response) => {
    keyAsked++
    if (keysAnswer === undefined || request.url !== '/t/.well-known/jwks.json') {
      response.writeHead(500).end()
      return
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keysAnswer))
  }).listen(0, '127.0.0.1')
  await once(tenant, 'listening')
  domain = `http://127.0.0.1:${(tenant.address() as AddressInfo).port}/t`
  keysAnswer = { keys: [jwk] }
})
after(async () => {
  tenant.close()
  await site[Symbol.asyncDispose]()
})

const open = () => site.open({ tenant: { domain, clientId: 'abc' } })
type Signed = { more?: JWTPayload; key?: CryptoKey; alg?: string; kid?: string; without?: string }
async function tokenOf({ more = {}, key = privateKey, kid = 'one', without = '' }: Signed = {}) {
  const payload: Record<string, unknown> = {
    iss: `${domain}/`,
    aud: AUDIENCE,
    sub: 'auth0|1',
    exp: nowS + HOUR_S,
    scope: 'read:query  read:private',
    ...more,
  }
  delete payload[without]
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a request without credentials is anonymous, also with a password of the proxy', async () => {
  const { identify } = open()
  for (const headers of [
    {},
    { authorization: 'Basic YTpi' },
    { authorization: 'bearers x' },
    { cookie: 'wsid=x' },
  ])
    assert.equal(await identify(headers), undefined, JSON.stringify(headers))
})

test('a claim by a token and by a wallet at once is refused', async () => {
  const { identify } = open()
  await assert.rejects(identify({ authorization: 'bearer x', 'wallet-address': 'SP1' }), {
    code: 'accounts.token',
  })
})

test('a token of the tenant proves its account, with scopes and proved email', async () => {
  const { identify } = open()
  const name = (of: string) => `https://assay.example/${of}`
  const claims = (email: unknown, isVerified: unknown, called: unknown = ' Ann\n') => ({
    [name('email')]: email,
    [name('email_verified')]: isVerified,
    [name('name')]: called,
  })
  const personOf = async (more: JWTPayload) => identify(bearer(await tokenOf({ more })))
  assert.deepEqual(await personOf(claims('Ann@example.org', true)), {
    kind: 'account',
    id: 'auth0|1',
    email: 'Ann@example.org',
    name: 'Ann',
    scopes: new Set(['read:query', 'read:private']),
    via: 'token',
  })
  for (const [email, isVerified] of [
    ['Ann@example.org', false],
    ['Ann@example.org', 'true'],
    ['Ann@example.org', undefined],
    ['no email', true],
    ['', true],
    [7, true],
  ])
    assert.equal((await personOf(claims(email, isVerified)))?.email, null, String([email, isVerified]))
  for (const called of ['', ' ', 7, null])
    assert.equal((await personOf(claims('a@b.c', true, called)))?.name, null, String(called))
  assert.equal((await personOf(claims('a@b.c', true, 'x'.repeat(90))))?.name, 'x'.repeat(80))
  assert.deepEqual((await personOf({ scope: undefined } as never))?.scopes, new Set())
  const token = await tokenOf()
  assert.equal((await identify({ authorization: `BEARER   ${token} ` }))?.id, 'auth0|1')
})

test('a token that is not of the tenant, for this API and for this time is refused', async () => {
  const { identify, clock } = open()
  const refused = async (given: Signed, code: string) =>
    assert.rejects(identify(bearer(await tokenOf(given))), { code }, JSON.stringify(given.more))
  await refused({ more: { iss: domain } }, 'accounts.token')
  await refused({ more: { aud: 'https://other.example' } }, 'accounts.token')
  await refused({ key: strange.privateKey }, 'accounts.token')
  await refused({ kid: 'two' }, 'accounts.token')
  await refused({ without: 'sub' }, 'accounts.token')
  await refused({ without: 'exp' }, 'accounts.token')
  await refused({ more: { sub: '' } }, 'accounts.token')
  await refused({ more: { nbf: nowS + 120 } }, 'accounts.token')
  // Clocks may differ by a minute.
  await refused({ more: { exp: nowS - 60 } }, 'accounts.expired')
  assert.equal((await identify(bearer(await tokenOf({ more: { exp: nowS - 59 } }))))?.id, 'auth0|1')
  clock.now = NOW + (HOUR_S + 60) * 1000
  await refused({}, 'accounts.expired')
  clock.now = NOW
  for (const text of ['', 'x', 'a.b.c'])
    await assert.rejects(identify(bearer(text)), { code: 'accounts.token' }, text)
  await assert.rejects(identify({ authorization: 'Bearer' }), { code: 'accounts.token' })
  const secret = new TextEncoder().encode('x'.repeat(32))
  const hmac = await new SignJWT({ sub: 'auth0|1', exp: nowS + 60, iss: `${domain}/`, aud: AUDIENCE })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  await assert.rejects(identify(bearer(hmac)), { code: 'accounts.token' })
})

test('a token longer than any of a tenant is refused without a look at it', async () => {
  const { identify } = open()
  const fitting = async (length: number) => {
    const plain = (await tokenOf({ more: { pad: '' } })).length
    let pad = Math.floor(((length - plain) * 3) / 4)
    let token = await tokenOf({ more: { pad: 'x'.repeat(pad) } })
    while (token.length < length) token = await tokenOf({ more: { pad: 'x'.repeat(++pad) } })
    return token
  }
  const long = await fitting(8192)
  assert.ok(long.length === 8192 || long.length === 8193)
  const isTaken = async (token: string) => {
    try {
      return (await identify(bearer(token))) !== undefined
    } catch {
      return false
    }
  }
  assert.equal(await isTaken(await fitting(8180)), true)
  assert.equal(await isTaken(await fitting(8196)), false)
})

test('while the tenant gives no keys it is unavailable, and afterwards its tokens hold', async () => {
  const { identify } = open()
  const token = await tokenOf()
  keysAnswer = undefined
  await assert.rejects(identify(bearer(token)), { code: 'accounts.provider_away' })
  keysAnswer = { no: 'keys' }
  await assert.rejects(identify(bearer(token)), { code: 'accounts.provider_away' })
  keysAnswer = { keys: [jwk] }
  assert.equal((await identify(bearer(token)))?.id, 'auth0|1')
  const before = keyAsked
  await identify(bearer(token))
  assert.equal(keyAsked, before, 'keys are kept')
})

test('issuers end with one slash, and are addressed by https unless they say otherwise', () => {
  assert.equal(issuerOf('assay.eu.auth0.com'), 'https://assay.eu.auth0.com/')
  assert.equal(issuerOf('assay.eu.auth0.com//'), 'https://assay.eu.auth0.com/')
  assert.equal(issuerOf('http://localhost:1/t'), 'http://localhost:1/t/')
})

test('a key proves whose it is, with the proved email of an account', async () => {
  const { keys, identify } = site.open()
  await site.store.query(
    `INSERT INTO assay.accounts (id, email, email_key, name, password_hash, created_at, email_proved_at)
VALUES ('kay', 'kay@example.org', 'kay@example.org', 'Kay', '', $1, $1), ('leo', 'leo@example.org', 'leo@example.org', 'Leo', '', $1, NULL)`,
    [new Date(NOW)],
  )
  const keyOf = async (kind: 'account' | 'wallet', id: string) =>
    (
      await keys.create(
        { kind, id, email: null, name: null, scopes: new Set(), via: 'token' },
        { name: 'Key', scopes: ['read:query'], expires: undefined },
      )
    ).key
  const scopes = new Set(['read:query'])
  assert.deepEqual(await identify(bearer(await keyOf('account', 'kay'))), {
    ...{ kind: 'account', id: 'kay', scopes, email: 'kay@example.org', name: 'Kay', via: 'key' },
  })
  assert.deepEqual(await identify(bearer(await keyOf('account', 'leo'))), {
    ...{ kind: 'account', id: 'leo', scopes, email: null, name: 'Leo', via: 'key' },
  })
  // A wallet whose address an account had as its id is still a wallet.
  assert.deepEqual(await identify(bearer(await keyOf('wallet', 'kay'))), {
    ...{ kind: 'wallet', id: 'kay', scopes, email: null, name: null, via: 'key' },
  })
  for (const key of ['assay_', `assay_${'x'.repeat(43)}`, `assay_${'x'.repeat(9000)}`])
    await assert.rejects(identify(bearer(key)), { code: 'accounts.key' })
})

test('a wallet is proved by the cookie of its own session', async () => {
  const { wallets, identify } = site.open()
  const key = testKey(20)
  const { message } = await wallets.offer(key.address, 'a')
  const { secret } = await wallets.prove(message, key.sign(message), {
    ...{ asker: 'a', device: '', before: undefined },
  })
  const by = (cookie: string | undefined, claimed = key.address) =>
    identify({ 'wallet-address': claimed, ...(cookie !== undefined && { cookie }) })
  assert.deepEqual(await by(`a=b; wsid=${secret}; c=d`), {
    kind: 'wallet',
    id: key.address,
    email: null,
    name: null,
    scopes: new Set(['read:query', 'read:private']),
    via: 'wallet',
  })
  for (const cookie of [undefined, '', 'wsid=', `wsid=${secret}x`, `xwsid=${secret}`])
    await assert.rejects(by(cookie), { code: 'accounts.wallet' }, cookie)
  await assert.rejects(by(`wsid=${secret}`, testKey(21).address), { code: 'accounts.wallet' })
  assert.equal(walletSecret({ cookie: `a=1;wsid=${secret}` }), secret)
  assert.equal(walletSecret({}), undefined)
})

test('a token of the embedded provider holds as long as its sign-in, and is made for the API alone', async () => {
  const accounts = site.open()
  const { jwk: own } = await readSecrets(site.store.query)
  const { importJWK } = await import('jose')
  const key = (await importJWK(own, 'RS256')) as CryptoKey
  await site.store.query(
    `INSERT INTO assay.accounts (id, email, email_key, name, password_hash, created_at, sign_in_version)
VALUES ('mia', 'mia@example.org', 'mia@example.org', 'Mia', '', $1, 2)`,
    [new Date(NOW)],
  )
  await site.store.query(
    `INSERT INTO assay.oidc_records (model, id, payload, account, created_at, sign_in_version)
VALUES ('Grant', 'g', '{}', 'mia', $1, 2), ('Session', 's', '{}', 'mia', $1, 2), ('Grant', 'old', '{}', 'mia', $1, 1)`,
    [new Date(NOW)],
  )
  const of = (more: JWTPayload = {}) =>
    new SignJWT({
      ...{ iss: 'https://assay.example/idp/', aud: AUDIENCE, sub: 'mia', exp: nowS + HOUR_S },
      ...{ scope: 'read:query', client_id: 'assay', gid: 'g' },
      ...more,
    })
      .setProtectedHeader({ alg: 'RS256', kid: own.kid ?? '' })
      .sign(key)
  const identify = async (more?: JWTPayload) => accounts.identify(bearer(await of(more)))
  assert.deepEqual(await identify(), {
    kind: 'account',
    id: 'mia',
    email: null,
    name: 'Mia',
    scopes: new Set(['read:query']),
    via: 'token',
    signInVersion: 2,
  })
  for (const more of [{ gid: 'old' }, { gid: 's' }, { gid: 7 }, { sub: 'kay' }, { client_id: 'other' }])
    await assert.rejects(identify(more), { code: 'accounts.expired' }, JSON.stringify(more))
  await assert.rejects(identify({ iss: 'https://assay.example/idp' }), { code: 'accounts.token' })
  await site.store.query(`UPDATE assay.accounts SET email_proved_at = $1 WHERE id = 'mia'`, [new Date(NOW)])
  assert.equal((await identify())?.email, 'mia@example.org')
})
