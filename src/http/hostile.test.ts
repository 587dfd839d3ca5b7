/** A forged token, cookie or header would act as somebody else. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { SIWS_TEXTS } from '#accounts/index.ts'
import { type TestKey, testKey } from '#accounts/wallets.testing.ts'
import {
  type Answer,
  askKey,
  askTokens,
  authorizeUrl,
  bearer,
  codeForm,
  type Jar,
  mailedLink,
  NO_LIMITS_BY_ADDRESS,
  ORIGIN,
  openPeopleSite,
  signIn,
  visit,
} from './people.testing.ts'

/** Everything that is tried on the server of people, and refused. The last test says how much that is. */
let tried = 0
const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
const ANN = { email: 'ann@example.org', password: 'a long password', name: 'Ann' }

const site = await openPeopleSite({ limits: { ...NO_LIMITS_BY_ADDRESS, noncesByWallet: 40 } })
after(() => site[Symbol.asyncDispose]())
const ann = await signIn(site, ANN)
const bob = await signIn(site, { email: 'bob@example.org', password: 'another password', name: 'Bob' })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Headers = Record<string, string>
const ask = (method: Method, url: string, headers: Headers = {}, payload?: unknown): Promise<Answer> =>
  site.ask(url, {
    method,
    headers: {
      ...(method !== 'GET' && { origin: ORIGIN }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    }),
  })

/** One case: refused with this status and code, and what was sent is not said back. */
function refused(what: string, answer: Answer, status: number, code?: string, secret?: string): void {
  tried++
  assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
  if (code !== undefined) assert.equal(answer.json().code, code, what)
  if (secret !== undefined && secret.length > 8)
    assert.ok(!answer.body.includes(secret), `${what}: says it back`)
  assert.ok([undefined, ORIGIN].includes(answer.headers['access-control-allow-origin'] as string), what)
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const parts = (token: string): [string, string, string] => token.split('.') as [string, string, string]
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(parts(token)[1], 'base64url').toString())

test('tokens that this server did not sign for this call', async () => {
  const [header, payload, signature] = parts(ann.access_token)
  const claims = payloadOf(ann.access_token)
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const [{ value }] = (await site.store.query('SELECT value FROM assay.account_secrets')) as unknown as [
    { value: { jwk: Parameters<typeof importJWK>[0] } },
  ]
  const own = await importJWK(value.jwk, 'RS256')
  const foreign = await generateKeyPair('RS256', { extractable: true })
  const publicJwk = await exportJWK(foreign.publicKey)
  const now = Math.floor(Date.now() / 1000)
  const sign = (changed: Record<string, unknown>, head: Record<string, unknown> = {}, key = own) =>
    new SignJWT({ ...claims, ...changed } as never)
      .setProtectedHeader({ alg: 'RS256', kid, ...head } as never)
      .sign(key as never)
  // The same claims signed anew with our own key are believed: the cases below fail for what they change.
  assert.equal((await ask('GET', '/api/v1/features', bearer(await sign({})))).statusCode, 200)
  assert.equal((await ask('GET', '/api/v1/features', bearer(await sign({ exp: now - 30 })))).statusCode, 200)
  const publicKeyText = Buffer.from(JSON.stringify(value.jwk.n))
  const hs = (key: Uint8Array) =>
    new SignJWT(claims as never).setProtectedHeader({ alg: 'HS256', kid }).sign(key)
  const cases: Record<string, string> = {
    'no token': '',
    'a word': 'token',
    'two parts': `${header}.${payload}`,
    'four parts': `${ann.access_token}.x`,
    'spaces inside': `${header}. ${payload}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'another signature': `${header}.${payload}.${parts(bob.access_token)[2]}`,
    'a cut signature': `${header}.${payload}.${signature.slice(0, -4)}`,
    'a changed subject': `${header}.${encoded({ ...claims, sub: payloadOf(bob.access_token).sub })}.${signature}`,
    'a longer life': `${header}.${encoded({ ...claims, exp: now + 1e6 })}.${signature}`,
    'more scopes': `${header}.${encoded({ ...claims, scope: 'read:query read:private admin' })}.${signature}`,
    'alg none': `${encoded({ alg: 'none', kid })}.${payload}.`,
    'alg None with a signature': `${encoded({ alg: 'None', kid })}.${payload}.${signature}`,
    'no alg': `${encoded({ kid })}.${payload}.${signature}`,
    'HS256 with the public key': await hs(publicKeyText),
    'HS256 with nothing known': await hs(new Uint8Array(32)),
    'HS256 with the id of the key': await hs(Buffer.from(String(kid).padEnd(32, 'x'))),
    RS384: `${encoded({ alg: 'RS384', kid })}.${payload}.${signature}`,
    PS256: `${encoded({ alg: 'PS256', kid })}.${payload}.${signature}`,
    'a foreign key under our id': await sign({}, {}, foreign.privateKey),
    'a foreign key under its own id': await sign({}, { kid: 'foreign' }, foreign.privateKey),
    'a foreign key that comes along': await sign({}, { jwk: publicJwk }, foreign.privateKey),
    'a foreign key at an address': await sign(
      {},
      { jku: 'https://evil.example/jwks.json' },
      foreign.privateKey,
    ),
    'an unknown critical header': await new SignJWT(claims as never)
      .setProtectedHeader({ alg: 'RS256', kid, crit: ['assay'], assay: true })
      .sign(own, { crit: { assay: true } }),
    'the ID token': ann.id_token,
    'the refresh token': ann.refresh_token,
    'expired by 61 seconds': await sign({ exp: now - 61 }),
    'expired long ago': await sign({ exp: 1 }),
    'no expiry': await sign({ exp: undefined }),
    'an expiry in words': await sign({ exp: 'never' }),
    'not yet': await sign({ nbf: now + 600 }),
    'another issuer': await sign({ iss: 'https://evil.example/' }),
    'our issuer without its slash': await sign({ iss: `${ORIGIN}/idp` }),
    'no issuer': await sign({ iss: undefined }),
    'another audience': await sign({ aud: 'https://evil.example/api' }),
    'the audience of the client': await sign({ aud: 'assay' }),
    'an audience that begins as ours': await sign({ aud: `${ORIGIN}/api/v1/more` }),
    'no audience': await sign({ aud: undefined }),
    'no subject': await sign({ sub: undefined }),
    'an empty subject': await sign({ sub: '' }),
    'a subject that is nobody': await sign({ sub: 'assay|nobody' }),
    'the grant of another': await sign({ gid: payloadOf(bob.access_token).gid }),
    'no grant': await sign({ gid: undefined }),
    'a grant that is a list': await sign({ gid: [claims.gid] }),
    'another client': await sign({ client_id: 'evil' }),
    'a token of a megabyte': 'x'.repeat(10_000),
    'null bytes': 'ab%00cd',
    SQL: "' OR 1=1 --",
  }
  for (const [what, token] of Object.entries(cases))
    refused(what, await ask('GET', '/api/v1/features', bearer(token)), 401, undefined, token)
  // A token of the right making without the scope does not run SQL, nor open what is private.
  const narrow = await sign({ scope: '' })
  refused(
    'SQL without its scope',
    await ask('POST', '/api/v1/sql', bearer(narrow), { sql: 'SELECT 1' }),
    403,
    'accounts.scope',
  )
  const queries = await sign({ scope: 'read:query' })
  for (const url of ['/api/v1/account', '/api/v1/account/export'])
    refused('private without its scope', await ask('GET', url, bearer(queries)), 403, 'accounts.scope')
  assert.deepEqual((await ask('GET', '/api/wallets/aliases/mine', bearer(queries))).json(), [])
})

const offer = async (address: string): Promise<{ nonce: string; message: string }> =>
  (await ask('POST', '/api/v1/siws/nonce', {}, { address })).json()
const verify = (message: unknown, signature: unknown, headers: Headers = {}) =>
  ask('POST', '/api/v1/siws/verify', headers, { message, signature })
async function prove({ address, sign }: TestKey, headers: Headers = {}): Promise<Headers> {
  const { message } = await offer(address)
  const answer = await verify(message, sign(message), headers)
  assert.equal(answer.statusCode, 200, answer.body)
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', 'wallet-address': address }
}

test('messages of wallets that do not prove', async () => {
  const [key, other] = [testKey(10), testKey(11)]
  const times = { past: '2020-01-01T00:00:00.000Z', future: '2099-01-01T00:00:00.000Z' }
  /** Each takes a message of the server, changes it, and signs it with the right key unless said. */
  const cases: readonly (readonly [string, (text: string) => string, string, TestKey?])[] = [
    ['another domain', text => text.replace('localhost:4400 wants', 'evil.example wants'), SIWS_TEXTS.domain],
    [
      'the domain without its port',
      text => text.replace('localhost:4400 wants', 'localhost wants'),
      SIWS_TEXTS.domain,
    ],
    [
      'a domain that ends as ours',
      text => text.replace('localhost:4400 wants', 'x.localhost:4400 wants'),
      SIWS_TEXTS.domain,
    ],
    ['another URI', text => text.replace(`URI: ${ORIGIN}`, 'URI: https://evil.example'), SIWS_TEXTS.domain],
    [
      'a nonce made up',
      text => text.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef0123456789abcdef'),
      SIWS_TEXTS.nonce,
    ],
    ['a short nonce', text => text.replace(/Nonce: \w+/, 'Nonce: abc'), SIWS_TEXTS.nonceForm],
    ['another signer', text => text, SIWS_TEXTS.signature, other],
    ['the address of another', text => text.replace(key.address, other.address), SIWS_TEXTS.nonce, other],
    [
      'the address of another, own signature',
      text => text.replace(key.address, other.address),
      SIWS_TEXTS.signature,
    ],
    [
      'expired',
      text => text.replace(/Expiration Time: \S+/, `Expiration Time: ${times.past}`),
      SIWS_TEXTS.expired,
    ],
    [
      'not yet',
      text => text.replace(/(Expiration Time: \S+)/, `$1\nNot Before: ${times.future}`),
      SIWS_TEXTS.early,
    ],
    ['the test network', text => text.replace('Chain ID: 1', 'Chain ID: 2147483648'), SIWS_TEXTS.address],
    ['version 1.0.0', text => text.replace('Version: 1', 'Version: 1.0.0'), SIWS_TEXTS.version],
    ['a time that is none', text => text.replace(/Issued At: \S+/, 'Issued At: now'), SIWS_TEXTS.time],
    ['text behind', text => `${text}\nand more`, SIWS_TEXTS.parse],
    [
      'an address that is none',
      text => text.replace(key.address, `${key.address.slice(0, -2)}00`),
      SIWS_TEXTS.address,
    ],
  ]
  for (const [what, change, text, signer = key] of cases) {
    const { message } = await offer(key.address)
    const changed = change(message)
    const answer = await verify(changed, signer.sign(changed))
    refused(what, answer, 401, 'accounts.proof')
    assert.equal(answer.json().detail, text, what)
    assert.equal(answer.headers['set-cookie'], undefined, what)
  }

  const { message } = await offer(key.address)
  const signature = key.sign(message)
  // A refused try burns the nonce: the right signature comes too late.
  refused('the wrong signature', await verify(message, other.sign(message)), 401, 'accounts.proof')
  refused('the right one after it', await verify(message, signature), 401, 'accounts.proof')
  const fresh = await offer(key.address)
  assert.equal((await verify(fresh.message, key.sign(fresh.message))).statusCode, 200)
  refused('the same again', await verify(fresh.message, key.sign(fresh.message)), 401, 'accounts.proof')
  const both = await offer(other.address)
  const signed = other.sign(both.message)
  const race = await Promise.all([1, 2, 3].map(() => verify(both.message, signed)))
  assert.deepEqual(race.map(({ statusCode }) => statusCode).sort(), [200, 401, 401])
  tried += 2
  const late = await offer(key.address)
  const inTime = key.sign(late.message)
  site.pass(600_001)
  refused('after ten minutes', await verify(late.message, inTime), 401, 'accounts.proof')

  for (const bad of ['', '00', `${signature}00`, 'z'.repeat(130), signature.slice(0, 128)]) {
    const next = await offer(testKey(12).address)
    const answer = await verify(next.message, bad)
    refused(`signature ${bad.slice(0, 6)}`, answer, 401, 'accounts.proof')
    assert.equal(answer.json().detail, 'Invalid signature')
  }
  for (const [what, body] of Object.entries({
    'no message': { signature },
    'a message that is a list': { message: [message], signature },
    'a signature that is a number': { message, signature: 1 },
    'an address beside it': { message, signature, address: key.address },
    'a long message': { message: 'x'.repeat(5000), signature },
    nothing: {},
  }))
    refused(what, await ask('POST', '/api/v1/siws/verify', {}, body), 400, 'http.parameter')
})

test('addresses for which no message is made', async () => {
  const { address } = testKey(13)
  for (const [what, bad] of Object.entries({
    'a wrong checksum': `${address.slice(0, -1)}${address.endsWith('0') ? '1' : '0'}`,
    'lower case': address.toLowerCase(),
    'the test network': 'ST000000000000000000002AMW42H',
    'a contract': `${address}.name`,
    'a line feed': `${address}\nURI: x`,
    nothing: '',
    'of Bitcoin': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  }))
    refused(what, await ask('POST', '/api/v1/siws/nonce', {}, { address: bad }), 401, 'accounts.proof')
  const shared = await ask(
    'POST',
    '/api/v1/siws/nonce',
    {},
    { address: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4' },
  )
  refused('of several keys', shared, 422, 'accounts.multisig')
  assert.match(shared.json().detail, /belongs to several keys/)
  for (const number of [0, 1, 925])
    assert.match((await offer(testKey(number).address)).message, new RegExp(testKey(number).address))
})

test('the header of a wallet without its proof, and cookies that are none', async () => {
  const [key, other] = [testKey(14), testKey(15)]
  const session = await prove(key)
  const good = session.cookie ?? ''
  assert.equal((await ask('GET', '/api/v1/features', session)).statusCode, 200)
  const cases: Record<string, Headers> = {
    'the header alone': { 'wallet-address': key.address },
    'the address of another': { ...session, 'wallet-address': other.address },
    'lower case': { ...session, 'wallet-address': key.address.toLowerCase() },
    'no address': { ...session, 'wallet-address': '' },
    'two addresses': { ...session, 'wallet-address': `${key.address}, ${other.address}` },
    'a cookie made up': { ...session, cookie: `wsid=${'A'.repeat(43)}` },
    'a cookie cut short': { ...session, cookie: good.slice(0, -1) },
    'a cookie of another name': { ...session, cookie: good.replace('wsid', 'xwsid') },
    'an empty cookie': { ...session, cookie: 'wsid=' },
    'SQL as a cookie': { ...session, cookie: "wsid=' OR 1=1 --" },
    'the hash as a cookie': { ...session, cookie: 'wsid=\\x00' },
    'with a token beside it': { ...session, ...bearer(ann.access_token) },
    'with a bad token beside it': { ...session, ...bearer('x') },
  }
  for (const [what, headers] of Object.entries(cases))
    refused(what, await ask('GET', '/api/v1/features', headers), 401)
  // A cookie alone says nothing of who asks: a page of another site cannot use it.
  assert.deepEqual((await ask('GET', '/api/v1/features', { cookie: good })).json(), {})
  refused('the cookie alone', await ask('GET', '/api/v1/account', { cookie: good }), 401, 'accounts.needed')

  // Fixation: whatever cookie comes along, a proof makes a new one, and the one before is over.
  const planted = `wsid=${'B'.repeat(43)}`
  const proved = await prove(other, { cookie: planted })
  assert.notEqual(proved.cookie, planted)
  refused('the planted cookie', await ask('GET', '/api/v1/features', { ...proved, cookie: planted }), 401)
  const later = await prove(key, { cookie: good })
  refused('the session before', await ask('GET', '/api/v1/features', session), 401)
  await ask('DELETE', '/api/v1/siws/session', later)
  refused('after sign-out', await ask('GET', '/api/v1/features', later), 401)
})

test('what is another’s, and what needs who asks', async () => {
  const wallet = await prove(testKey(16))
  const makeKey = async (headers: Headers) => (await askKey(site, headers)).json()
  const [annKey, walletKey] = [await makeKey(bearer(ann.access_token)), await makeKey(wallet)]
  const { sessions } = (await ask('GET', '/api/v1/account', bearer(ann.access_token))).json()
  await ask('PUT', '/api/v1/account/aliases', wallet, { address: testKey(16).address, alias: 'mine' })
  for (const [who, headers] of Object.entries({ bob: bearer(bob.access_token), wallet })) {
    refused(
      `${who}: ann’s key`,
      await ask('DELETE', `/api/v1/account/keys/${annKey.id}`, headers),
      404,
      'accounts.not_found',
    )
    refused(
      `${who}: ann’s session`,
      await ask('DELETE', `/api/v1/account/sessions/${sessions[0].id}`, headers),
      404,
      'accounts.not_found',
    )
  }
  refused(
    'bob: a wallet’s key',
    await ask('DELETE', `/api/v1/account/keys/${walletKey.id}`, bearer(bob.access_token)),
    404,
  )
  for (const url of ['/api/v1/account', '/api/v1/account/export', '/api/wallets/aliases/mine']) {
    const seen = await ask('GET', url, bearer(bob.access_token))
    tried++
    assert.ok(!/ann@|mine|"k"/.test(seen.body), `${url} tells bob of others`)
  }
  assert.equal((await ask('GET', '/api/v1/account', bearer(ann.access_token))).statusCode, 200)

  const closed: readonly (readonly [Method, string, unknown?])[] = [
    ['GET', '/api/v1/account'],
    ['GET', '/api/v1/account/export'],
    ['DELETE', '/api/v1/account', { confirm: 'delete' }],
    ['DELETE', `/api/v1/account/sessions/${sessions[0].id}`],
    ['POST', '/api/v1/account/keys', { name: 'k', scopes: ['read:query'] }],
    ['DELETE', `/api/v1/account/keys/${annKey.id}`],
    ['PUT', '/api/v1/account/aliases', { address: testKey(0).address, alias: 'x' }],
    ['POST', '/api/v1/account/confirmation'],
  ]
  for (const [method, url, body] of closed) {
    refused(`${method} ${url} of nobody`, await ask(method, url, {}, body), 401, 'accounts.needed')
    refused(
      `${method} ${url} by key`,
      await ask(method, url, bearer(annKey.key), body),
      403,
      'accounts.scope',
    )
  }
  // Keys: changed, revoked, expired, of more than there is.
  for (const key of [
    `${annKey.key}x`,
    annKey.key.slice(0, -1),
    annKey.key.toUpperCase(),
    'assay_',
    annKey.start,
  ])
    refused('a key made up', await ask('GET', '/api/v1/features', bearer(key)), 401, undefined, key)
  await ask('DELETE', `/api/v1/account/keys/${annKey.id}`, bearer(ann.access_token))
  refused('a revoked key', await ask('GET', '/api/v1/features', bearer(annKey.key)), 401, 'accounts.key')
  for (const body of [
    { name: 'k', scopes: ['read:private'] },
    { name: 'k', scopes: ['*'] },
    { name: 'k', scopes: [] },
    { name: '', scopes: ['read:query'] },
    { name: 'k', scopes: ['read:query'], expires: '2020-01-01T00:00:00Z' },
    { name: 'k', scopes: ['read:query'], person: 'x' },
  ])
    refused(
      'a key that cannot be',
      await ask('POST', '/api/v1/account/keys', bearer(ann.access_token), body),
      400,
    )
  const brief = (
    await ask('POST', '/api/v1/account/keys', bearer(ann.access_token), {
      name: 'k',
      scopes: ['read:query'],
      expires: new Date(Date.now() + 3_600_000).toISOString(),
    })
  ).json()
  assert.equal((await ask('GET', '/api/v1/features', bearer(brief.key))).statusCode, 200)
})

test('pages of other sites', async () => {
  const wallet = await prove(testKey(17))
  const foreign: readonly Headers[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${ORIGIN}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const changes: readonly (readonly [Method, string, unknown?])[] = [
    ['DELETE', '/api/v1/account', { confirm: 'delete' }],
    ['PUT', '/api/v1/account/aliases', { address: testKey(0).address, alias: 'x' }],
    ['POST', '/api/v1/account/keys', { name: 'k', scopes: ['read:query'] }],
    ['DELETE', '/api/v1/siws/session'],
    ['POST', '/api/v1/siws/nonce', { address: testKey(0).address }],
    ['POST', '/api/v1/sql', { sql: 'SELECT 1' }],
  ]
  for (const [method, url, body] of changes)
    for (const headers of foreign)
      refused(
        `${method} ${url} ${JSON.stringify(headers)}`,
        await ask(method, url, { ...wallet, ...headers }, body),
        403,
        'accounts.origin',
      )
  const form = await site.ask('/api/v1/account/keys', {
    method: 'POST',
    headers: { ...wallet, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'name=k',
  })
  refused('a form in place of JSON', form, 415)
  // What a page of another site may send without a preflight (Fetch standard, CORS-safelisted), and what parsers mistake for JSON.
  for (const type of [
    'text/plain',
    'text/plain; charset=application/json',
    'text/plain; application/json',
    'text/plain,application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/jsonp',
    '',
    undefined,
  ]) {
    const simple = await site.ask('/api/v1/sql', {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      payload: '{"sql":"SELECT 1"}',
    })
    refused(`SQL as ${type}`, simple, 415)
  }
  const preflight = await site.ask('/api/v1/account', {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
  })
  refused('a preflight', preflight, 405)
  const tokens = await site.ask('/idp/oauth/token', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=refresh_token&client_id=assay&refresh_token=x',
  })
  refused('tokens for another site', tokens, 400)
  assert.equal((await ask('GET', '/api/v1/features', wallet)).statusCode, 200)

  const jar: Jar = new Map()
  const login = String((await visit(site, jar, authorizeUrl().url)).headers.location)
  const cookie = [...jar].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const post = (
    headers: Headers,
    url = login,
    payload = 'email=ann%40example.org&password=a+long+password',
  ) =>
    site.ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    })
  refused('the form from elsewhere', await post({ cookie, origin: 'https://evil.example' }), 403)
  refused('the form by another browser', await post({ origin: ORIGIN }), 400)
  refused(
    'the form of another sign-in',
    await post({ cookie, origin: ORIGIN }, `${login.slice(0, -3)}abc`),
    400,
  )
  refused(
    'JSON in place of a form',
    await post({ cookie, origin: ORIGIN, 'content-type': 'application/json' }, login, '{}'),
    400,
  )
  refused('a form of 9 kB', await post({ cookie, origin: ORIGIN }, login, `email=${'x'.repeat(9000)}`), 413)
})

test('where the provider sends nobody', async () => {
  for (const redirect of [
    'https://evil.example/callback',
    `${ORIGIN}/callback/`,
    `${ORIGIN}/callback?x=1`,
    `${ORIGIN}/`,
    `${ORIGIN}.evil.example/callback`,
    `${ORIGIN}@evil.example/callback`,
    'javascript:alert(1)',
  ]) {
    const answer = await visit(site, new Map(), authorizeUrl({ redirect_uri: redirect }).url)
    refused(redirect, answer, 400)
    assert.equal(answer.headers.location, undefined)
    assert.doesNotMatch(answer.body, /href="(?!\/")/)
  }
  for (const target of [
    'https://evil.example/',
    '//evil.example',
    `${ORIGIN}.evil.example`,
    `${ORIGIN}@evil.example`,
    `http://user:pass@localhost:4400/`,
    'javascript:alert(1)',
    'data:text/html,x',
    `${ORIGIN}\\@evil.example`,
    '',
  ]) {
    const answer = await visit(site, new Map(), `/idp/v2/logout?returnTo=${encodeURIComponent(target)}`)
    tried++
    assert.equal(URL.parse(String(answer.headers.location))?.origin, ORIGIN, target)
  }
  const out = await visit(
    site,
    new Map(),
    `/idp/oidc/logout?client_id=assay&post_logout_redirect_uri=https%3A%2F%2Fevil.example`,
  )
  refused('another address after sign-out', out, 400)
  const led = await site.ask('/idp/v2/logout', { headers: { 'sec-fetch-site': 'cross-site' } })
  tried++
  assert.equal(led.statusCode, 200)
  assert.match(led.body, /Do you want to sign out/)
  for (const [what, more] of Object.entries({
    'no PKCE': { code_challenge: '', code_challenge_method: '' },
    'plain PKCE': { code_challenge_method: 'plain' },
    'a token in the address': { response_type: 'token' },
    'another audience': { audience: 'https://evil.example/api' },
  })) {
    const answer = await visit(site, new Map(), authorizeUrl(more).url)
    tried++
    assert.match(String(answer.headers.location), /\/callback[?#]error=/, what)
  }
  refused('another client', await visit(site, new Map(), authorizeUrl({ client_id: 'evil' }).url), 400)
  // Whatever host an asker names, addresses are ours.
  const named = await site.ask('/idp/.well-known/openid-configuration', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  tried++
  assert.ok(!named.body.includes('evil.example'))
  assert.equal(named.json().issuer, `${ORIGIN}/idp/`)
  const from = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'content-type': 'application/x-www-form-urlencoded',
  }
  await site.ask('/idp/u/forgot', { method: 'POST', headers: from, payload: 'email=ann%40example.org' })
  tried++
  assert.ok(!site.said.some(line => line.includes('evil.example')))
})

test('codes and refresh tokens', async () => {
  const jar: Jar = new Map()
  const { url, verifier } = authorizeUrl()
  const page = String((await visit(site, jar, url)).headers.location)
  const posted = await visit(site, jar, page, { email: ANN.email, password: ANN.password })
  const landed = await visit(site, jar, String(posted.headers.location))
  const form = codeForm(landed, verifier)
  refused('another verifier', await askTokens(site, { ...form, code_verifier: 'x'.repeat(43) }), 400)
  const { code_verifier: _, ...bare } = form
  refused('no verifier', await askTokens(site, bare), 400)
  refused('another address', await askTokens(site, { ...form, redirect_uri: `${ORIGIN}/other` }), 400)
  refused('another client', await askTokens(site, { ...form, client_id: 'evil' }), 401)
  refused('a code made up', await askTokens(site, { ...form, code: 'x'.repeat(43) }), 400)
  refused(
    'a password at the token endpoint',
    await askTokens(site, { grant_type: 'password', username: 'ann', password: 'x' }),
    400,
  )
  refused('a client without a person', await askTokens(site, { grant_type: 'client_credentials' }), 400)
  refused(
    'a refresh token made up',
    await askTokens(site, { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) }),
    400,
  )
  refused('a body of 200 kB', await askTokens(site, { ...form, more: 'x'.repeat(200_000) }), 400)
  refused(
    'the page used again',
    await visit(site, jar, page, { email: ANN.email, password: ANN.password }),
    400,
  )
})

test('accounts that cannot be made, passwords that are guessed, and links that are none', async () => {
  const jar: Jar = new Map()
  const page = String((await visit(site, jar, authorizeUrl().url)).headers.location)
  const good = { email: 'new@example.org', name: 'New', password: 'a long password' }
  for (const [what, changed, status = 400] of [
    ['no email', { email: '' }],
    ['no host', { email: 'new@' }],
    ['two lines', { email: 'new@example.org\nbcc: all@example.org' }],
    ['two emails', { email: 'new@example.org,ann@example.org' }],
    ['a tag', { email: '<b>@example.org' }],
    ['no name', { name: ' \u0000 ' }],
    ['a short password', { password: 'short' }],
    ['one letter', { password: 'aaaaaaaaaaaa' }],
    ['the email as password', { password: 'NEW@example.org' }],
    ['a password of a kilobyte', { password: 'ab1!'.repeat(256) }],
    ['an email that is taken', { email: 'ANN@example.org' }, 409],
  ] as readonly (readonly [string, Record<string, string>, number?])[])
    refused(what, await visit(site, jar, `${page}/signup`, { ...good, ...changed }), status)
  const scripted = await visit(site, jar, `${page}/signup`, { ...good, name: SCRIPT, password: 'x' })
  refused('a script as name, with a short password', scripted, 400)
  assert.match(
    scripted.body,
    /value="&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert\(1\)&gt;"/,
  )
  assert.doesNotMatch(scripted.body, /<script|<img/)
  for (let i = 0; i < 8; i++)
    refused(
      'a wrong password',
      await visit(site, jar, page, { email: 'bob@example.org', password: `guess ${i}` }),
      401,
    )
  const limited = await visit(site, jar, page, { email: 'BOB@example.org ', password: 'another password' })
  refused('the ninth try', limited, 429)
  assert.ok(Number(limited.headers['retry-after']) > 0)
  for (const path of ['reset', 'confirm'])
    for (const secret of ['x'.repeat(43), '0'.repeat(43)])
      refused(
        `a link to ${path}`,
        await visit(site, new Map(), `/idp/u/${path}/${secret}`, { password: 'a long password' }),
        400,
      )
  const long = await ask('POST', '/api/v1/siws/nonce', {}, { address: 'x'.repeat(300_000) })
  refused('a body of 300 kB', long, 413, 'http.body_too_large')
  refused('half a body', await ask('POST', '/api/v1/siws/nonce', {}, '{"address":'), 400, 'http.body')
  for (let i = 0; i < 40; i++) await offer(testKey(20).address)
  refused(
    'the message after the last',
    await ask('POST', '/api/v1/siws/nonce', {}, { address: testKey(20).address }),
    429,
    'accounts.too_many',
  )
  for (const [what, body] of Object.entries({
    'an alias for nothing': { address: 'x', alias: 'y' },
    'an alias of a page': { address: testKey(0).address, alias: 'x'.repeat(100) },
    'an alias that is an object': { address: testKey(0).address, alias: {} },
  }))
    refused(what, await ask('PUT', '/api/v1/account/aliases', bearer(ann.access_token), body), 400)
})

test('a script as a name is kept as it was typed, and is text wherever it is drawn', async () => {
  const eve = await signIn(site, { email: 'eve@example.org', password: 'a long password', name: SCRIPT })
  const [row] = await site.store.query<{ name: string }>(
    "SELECT name FROM assay.accounts WHERE email_key = 'eve@example.org'",
  )
  assert.equal(row?.name, SCRIPT)
  const who = bearer(eve.access_token)
  assert.equal(payloadOf(eve.id_token).name, SCRIPT)
  await ask('PUT', '/api/v1/account/aliases', who, { address: testKey(0).address, alias: SCRIPT })
  await ask('POST', '/api/v1/account/keys', who, { name: SCRIPT, scopes: ['read:query'] })
  for (const url of ['/api/v1/account', '/api/v1/account/export', '/api/wallets/aliases/mine']) {
    tried++
    const { headers, body } = await ask('GET', url, { ...who, accept: 'text/html' })
    // Said back as data alone: no browser reads this as a page, whatever asks for it.
    assert.ok(body.includes(JSON.stringify(SCRIPT)), url)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
  }
  // Mails are text, of one greeting line; pages of the provider that know the account do not draw it raw.
  const mails = site.said.filter(line => line.includes('eve@example.org') && line.startsWith('mail to'))
  assert.ok(mails.length > 0 && mails.every(line => !/text\/html/.test(line)))
  const jar: Jar = new Map()
  await signIn(site, { email: 'eve@example.org', password: 'a long password' }, jar)
  const message = await visit(
    site,
    jar,
    authorizeUrl({ response_mode: 'web_message', prompt: 'none', state: `</script>${SCRIPT}` }).url,
  )
  for (const answer of [
    message,
    await visit(site, jar, mailedLink(site, 'confirm')),
    await visit(site, jar, `/idp/authorize?client_id=${encodeURIComponent(SCRIPT)}`),
    await visit(site, jar, authorizeUrl({ redirect_uri: `${ORIGIN}/callback${SCRIPT}` }).url),
    await visit(site, jar, '/idp/oidc/logout'),
  ]) {
    tried++
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    assert.doesNotMatch(answer.body, /<script>alert|<img|<\/script>.*<\/script>/s)
  }
})

test('what is done to accounts, wallets, keys and grants is in the log, with who did it and no secret', async () => {
  const email = 'logged@example.org'
  const jar: Jar = new Map()
  const { access_token } = await signIn(site, { email, password: 'a long password', name: 'L' }, jar)
  const { sub } = payloadOf(access_token)
  const who = bearer(access_token)
  await site.accounts.members.check(email, 'a wrong guess', 'a').catch(() => {})
  await visit(site, jar, mailedLink(site, 'confirm'), {})
  await visit(site, new Map(), '/idp/u/forgot', { email })
  await site.accounts.idle()
  const key = (await ask('POST', '/api/v1/account/keys', who, { name: 'k', scopes: ['read:query'] })).json<{
    id: string
    key: string
  }>()
  await ask('DELETE', `/api/v1/account/keys/${key.id}`, who)
  await ask('GET', '/api/v1/account/export', who)
  await visit(site, new Map(), mailedLink(site, 'reset'), { password: 'another long one' })
  const again: Jar = new Map()
  const back = await signIn(site, { email, password: 'another long one' }, again)
  await visit(site, again, '/idp/v2/logout')
  assert.equal((await ask('GET', '/api/v1/features', bearer(back.access_token))).statusCode, 401)
  const last = await signIn(site, { email, password: 'another long one' })
  await ask('DELETE', '/api/v1/account', bearer(last.access_token), { confirm: 'delete' })
  const wallet = await prove(testKey(30))
  await verify('x', 'x')
  await ask('DELETE', '/api/v1/siws/session', wallet)
  const lines = await site.store.query<{ event: string; person: string | null; asker: string | null }>(
    'SELECT event, person, asker FROM assay.audit_log ORDER BY id',
  )
  const of = (person: string) => lines.filter(line => line.person === person).map(({ event }) => event)
  assert.deepEqual(of(`account:${sub}`), [
    'account made',
    'password refused',
    'email confirmed',
    'new password asked for',
    'key made',
    'key revoked',
    'exported',
    'password changed',
    'account signed in',
    'account signed out',
    'account signed in',
    'deleted',
  ])
  assert.deepEqual(of(`wallet:${testKey(30).address}`), ['wallet signed in', 'wallet signed out'])
  assert.equal(lines.filter(({ event }) => event === 'wallet refused').at(-1)?.asker, '127.0.0.1')
  const whole = JSON.stringify(await site.store.query('SELECT * FROM assay.audit_log'))
  for (const secret of [key.key, 'a wrong guess', 'another long one', last.access_token])
    assert.ok(!whole.includes(secret))
})

test('the set is as large as it should be', () => {
  assert.ok(tried >= 200, `${tried} cases`)
})
