/** A forged token, cookie or header would act as somebody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { SIWS_TEXTS } from '#accounts/index.ts'
import { type TestKey, testKey } from '#accounts/wallets.testing.ts'
import { bearer, ORIGIN } from './people.testing.ts'
import {
  ann,
  ask,
  bob,
  countTry,
  type Headers,
  offer,
  parts,
  payloadOf,
  prove,
  refused,
  site,
  takeTries,
  verify,
} from './sharedHostile.testing.ts'

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

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
  countTry(2)
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

test('the set is as large as it should be', () => {
  const tried = takeTries()
  assert.ok(tried >= 105, `${tried} cases`)
})
