/** Another site, or another user, could read or change what is not theirs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testKey } from '#accounts/wallets.testing.ts'
import {
  askKey,
  authorizeUrl,
  bearer,
  type Jar,
  mailedLink,
  ORIGIN,
  signIn,
  visit,
} from './people.testing.ts'
import {
  ann,
  ask,
  bob,
  countTry,
  type Headers,
  type Method,
  payloadOf,
  prove,
  refused,
  SCRIPT,
  site,
  takeTries,
} from './sharedHostile.testing.ts'

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
    countTry()
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
    countTry()
    assert.equal(URL.parse(String(answer.headers.location))?.origin, ORIGIN, target)
  }
  const out = await visit(
    site,
    new Map(),
    `/idp/oidc/logout?client_id=assay&post_logout_redirect_uri=https%3A%2F%2Fevil.example`,
  )
  refused('another address after sign-out', out, 400)
  const led = await site.ask('/idp/v2/logout', { headers: { 'sec-fetch-site': 'cross-site' } })
  countTry()
  assert.equal(led.statusCode, 200)
  assert.match(led.body, /Do you want to sign out/)
  for (const [what, more] of Object.entries({
    'no PKCE': { code_challenge: '', code_challenge_method: '' },
    'plain PKCE': { code_challenge_method: 'plain' },
    'a token in the address': { response_type: 'token' },
    'another audience': { audience: 'https://evil.example/api' },
  })) {
    const answer = await visit(site, new Map(), authorizeUrl(more).url)
    countTry()
    assert.match(String(answer.headers.location), /\/callback[?#]error=/, what)
  }
  refused('another client', await visit(site, new Map(), authorizeUrl({ client_id: 'evil' }).url), 400)
  // Whatever host an asker names, addresses are ours.
  const named = await site.ask('/idp/.well-known/openid-configuration', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  countTry()
  assert.ok(!named.body.includes('evil.example'))
  assert.equal(named.json().issuer, `${ORIGIN}/idp/`)
  const from = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'content-type': 'application/x-www-form-urlencoded',
  }
  await site.ask('/idp/u/forgot', { method: 'POST', headers: from, payload: 'email=ann%40example.org' })
  countTry()
  assert.ok(!site.said.some(line => line.includes('evil.example')))
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
    countTry()
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
    countTry()
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    assert.doesNotMatch(answer.body, /<script>alert|<img|<\/script>.*<\/script>/s)
  }
})

test('the set is as large as it should be', () => {
  const tried = takeTries()
  assert.ok(tried >= 110, `${tried} cases`)
})
