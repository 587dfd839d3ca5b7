/** Users could not sign up, sign in, reset a password or sign out everywhere. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { testKey } from '#accounts/wallets.testing.ts'
import {
  askTokens,
  authorizeUrl,
  bearer,
  follow,
  type Jar,
  mailedLink,
  ORIGIN,
  openPeopleSite,
  type PeopleSite,
  signIn,
  visit,
} from './people.testing.ts'
import { assertGuarded } from './security.testing.ts'
import { scriptHash } from './security.ts'

let site: PeopleSite
before(async () => {
  site = await openPeopleSite()
})
after(() => site[Symbol.asyncDispose]())

const ANN = { email: 'Ann@Example.org', password: 'a long password', name: 'Ann Öz' }

const json = (
  url: string,
  headers: Record<string, string>,
  method: 'POST' | 'PUT' | 'DELETE',
  payload?: object,
) => site.ask(url, { method, headers: { ...headers, origin: ORIGIN }, ...(payload && { payload }) })

test('from sign-up to sign-out: code, tokens, rotation, and the end of all tokens', async () => {
  const jar: Jar = new Map()
  const first = await signIn(site, ANN, jar)
  assert.equal(first.scope, 'read:query read:private')
  assert.equal(decodeProtectedHeader(first.access_token).alg, 'RS256')
  const { iss, aud, exp = 0, iat = 0 } = decodeJwt(first.access_token)
  assert.deepEqual([iss, aud, exp - iat], [`${ORIGIN}/idp/`, `${ORIGIN}/api/v1`, 3600])
  const told = decodeJwt(first.id_token)
  assert.deepEqual(
    [told.name, told.email, told.email_verified, told.nonce, told.aud],
    ['Ann Öz', 'Ann@Example.org', false, 'nonce', 'assay'],
  )
  const account = (await site.ask('/api/v1/account', { headers: bearer(first.access_token) })).json()
  assert.equal(account.person.name, 'Ann Öz')
  assert.equal(account.sessions.length, 1)
  // A second sign-in of this browser asks for no password; another browser is another session.
  const { url } = authorizeUrl()
  assert.match(String((await visit(site, jar, url)).headers.location), /\/callback\?code=/)
  await signIn(site, { email: 'ann@example.ORG', password: ANN.password })

  const renewed = await askTokens(site, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
  const second = renewed.json()
  assert.equal(renewed.statusCode, 200)
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal((await site.ask('/api/v1/account', { headers: bearer(second.access_token) })).statusCode, 200)
  // The old one used again is a thief's: nothing of that sign-in holds any more.
  const stolen = await askTokens(site, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
  assert.deepEqual([stolen.statusCode, stolen.json().error], [400, 'invalid_grant'])
  for (const { access_token } of [first, second])
    assert.equal((await site.ask('/api/v1/features', { headers: bearer(access_token) })).statusCode, 401)
  const { refresh_token } = second
  assert.equal((await askTokens(site, { grant_type: 'refresh_token', refresh_token })).statusCode, 400)

  const again: Jar = new Map()
  const third = await signIn(site, { email: ANN.email, password: ANN.password }, again)
  const out = await visit(site, again, `/idp/v2/logout?client_id=assay&returnTo=${ORIGIN}/pricing`)
  assert.deepEqual([out.statusCode, out.headers.location], [303, `${ORIGIN}/pricing`])
  assert.equal((await site.ask('/api/v1/features', { headers: bearer(third.access_token) })).statusCode, 401)
  assert.match(String((await visit(site, again, authorizeUrl().url)).headers.location), /\/idp\/u\/login\//)
})

test('an email counts once it is confirmed: grants, operators; the link works once', async () => {
  const operator = { email: 'operator@example.org', password: 'a long password', name: 'Op' }
  const jar: Jar = new Map()
  const { access_token } = await signIn(site, operator, jar)
  await site.accounts.grants.give({
    holder: 'Operator@example.org',
    features: ['query', 'new-thing'],
    until: new Date(Date.now() + 3600_000),
    reason: 'test',
    by: 'test',
  })
  const features = async () => (await site.ask('/api/v1/features', { headers: bearer(access_token) })).json()
  const account = async () => (await site.ask('/api/v1/account', { headers: bearer(access_token) })).json()
  assert.deepEqual([await features(), (await account()).isOperator], [{}, false])
  const link = mailedLink(site, 'confirm')
  assert.equal((await visit(site, jar, link)).statusCode, 200)
  assert.equal((await account()).person.isEmailProved, false)
  assert.equal((await visit(site, jar, link, {})).statusCode, 200)
  assert.equal((await visit(site, jar, link, {})).statusCode, 400)
  assert.deepEqual(
    [await features(), (await account()).isOperator],
    [{ query: true, 'new-thing': true }, true],
  )
  // SQL gets the larger limits by the feature, and the small ones without it.
  const sql = async (headers: Record<string, string>) => {
    const { statusCode } = await site.ask('/api/v1/sql', {
      method: 'POST',
      headers,
      payload: { sql: 'SELECT 1' },
    })
    return [statusCode, site.askers.at(-1)?.role]
  }
  assert.deepEqual(await sql(bearer(access_token)), [200, 'member'])
  assert.deepEqual(await sql({}), [200, 'guest'])
  site.pass(3600_001)
  site.pass(-3600_001)
  const [grant] = await site.accounts.grants.list()
  assert.equal(await site.accounts.grants.revoke(String(grant?.id), 'test'), 1)
  assert.deepEqual(await features(), {})
})

test('a forgotten password is set anew by a mailed link, and all who were in are out', async () => {
  const { access_token } = await signIn(site, {
    email: 'lost@example.org',
    password: 'the first password',
    name: 'L',
  })
  const asked = await visit(site, new Map(), '/idp/u/forgot', { email: 'lost@example.org' })
  const unknown = await visit(site, new Map(), '/idp/u/forgot', { email: 'nobody@example.org' })
  // Neither answer tells whether there is such an account.
  assert.deepEqual([asked.statusCode, asked.body], [unknown.statusCode, unknown.body])
  await site.accounts.idle()
  const link = mailedLink(site, 'reset')
  assert.equal((await visit(site, new Map(), link, { password: 'short' })).statusCode, 400)
  assert.equal((await visit(site, new Map(), link, { password: 'the second password' })).statusCode, 200)
  assert.equal((await visit(site, new Map(), link, { password: 'the third password' })).statusCode, 400)
  assert.equal((await site.ask('/api/v1/features', { headers: bearer(access_token) })).statusCode, 401)
  await assert.rejects(
    signIn(site, { email: 'lost@example.org', password: 'the first password' }),
    /Wrong email/,
  )
  const back = await signIn(site, { email: 'lost@example.org', password: 'the second password' })
  assert.equal(decodeJwt(back.id_token).email_verified, true)
})

test('a wallet proves its address once; its cookie is for servers alone', async () => {
  const { address, sign } = testKey(0)
  const { message } = (await json('/api/v1/siws/nonce', {}, 'POST', { address })).json()
  const answer = await json('/api/v1/siws/verify', {}, 'POST', { message, signature: sign(message) })
  assert.deepEqual([answer.statusCode, answer.json()], [200, { address }])
  const set = String(answer.headers['set-cookie'])
  assert.match(set, /^wsid=[\w-]{43}; Path=\/; Max-Age=60[34]\d{3}; HttpOnly; SameSite=Lax$/)
  const headers = { cookie: set.split(';')[0] ?? '', 'wallet-address': address }
  await site.accounts.grants.give({
    holder: address,
    features: ['dashboard'],
    until: undefined,
    reason: 't',
    by: 't',
  })
  assert.deepEqual((await site.ask('/api/v1/features', { headers })).json(), { dashboard: true })
  const own = (await site.ask('/api/v1/account', { headers: { ...headers, 'user-agent': 'x' } })).json()
  assert.deepEqual([own.person.kind, own.person.id, own.sessions.length], ['wallet', address, 1])

  assert.equal(
    (await json('/api/v1/account/aliases', headers, 'PUT', { address, alias: ' my\u0000 <b>wallet</b> ' }))
      .statusCode,
    204,
  )
  assert.deepEqual((await site.ask('/api/wallets/aliases/mine', { headers })).json(), [
    { alias: 'my <b>wallet</b>', wallet: { address } },
  ])
  assert.deepEqual((await site.ask('/api/wallets/aliases/mine')).json(), [])

  const made = (
    await json('/api/v1/account/keys', headers, 'POST', { name: 'script', scopes: ['read:query'] })
  ).json()
  assert.match(made.key, /^assay_[\w-]{43}$/)
  assert.deepEqual((await site.ask('/api/v1/features', { headers: bearer(made.key) })).json(), {
    dashboard: true,
  })
  const kept = JSON.stringify(await site.store.query('SELECT * FROM assay.api_keys'))
  assert.ok(!kept.includes(made.key))
  const exported = (await site.ask('/api/v1/account/export', { headers })).json()
  assert.deepEqual(
    [exported.aliases.length, exported.keys.length, exported.grants.length, exported.sessions.length],
    [1, 1, 1, 1],
  )
  const told: string[] = exported.log.map(({ event }: { event: string }) => event)
  // The file is the last line of what it holds.
  assert.deepEqual([told.includes('wallet signed in'), told.at(-1)], [true, 'exported'])

  assert.equal((await json('/api/v1/account', headers, 'DELETE', { confirm: 'yes' })).statusCode, 400)
  assert.equal((await json('/api/v1/account', headers, 'DELETE', { confirm: 'delete' })).statusCode, 204)
  for (const left of [headers, bearer(made.key)])
    assert.equal((await site.ask('/api/v1/features', { headers: left })).statusCode, 401)
})

test('sessions end one by one, and sign-out ends the one of the cookie', async () => {
  const { address, sign } = testKey(1)
  const prove = async () => {
    const { message } = (await json('/api/v1/siws/nonce', {}, 'POST', { address })).json()
    const answer = await json('/api/v1/siws/verify', {}, 'POST', { message, signature: sign(message) })
    return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', 'wallet-address': address }
  }
  const [here, there] = [await prove(), await prove()]
  const { sessions } = (await site.ask('/api/v1/account', { headers: here })).json()
  assert.equal(sessions.length, 2)
  const status = async (headers: Record<string, string>) =>
    (await site.ask('/api/v1/features', { headers })).statusCode
  await json(`/api/v1/account/sessions/${sessions[0].id}`, here, 'DELETE')
  assert.deepEqual([await status(here), await status(there)].sort(), [200, 401])
  const left = (await status(here)) === 200 ? here : there
  assert.equal((await json('/api/v1/siws/session', { cookie: left.cookie }, 'DELETE')).statusCode, 204)
  assert.equal(await status(left), 401)
  const weekOld = await prove()
  site.pass(7 * 24 * 3600_000)
  assert.equal(await status(weekOld), 401)
  site.pass(-7 * 24 * 3600_000)
})

test('what the browser needs is told, and nothing is asked of the store for who claims nothing', async () => {
  const config = await site.ask('/config.json')
  assert.equal(config.headers['cache-control'], 'no-store')
  assert.deepEqual(config.json(), {
    auth: {
      domain: `${ORIGIN}/idp`,
      clientId: 'assay',
      audience: `${ORIGIN}/api/v1`,
      scope: 'openid profile email read:query read:private',
    },
    asignaOrigins: ['https://stx.asigna.io'],
    hubHosts: [],
  })
  assert.deepEqual((await site.ask('/api/v1/features')).json(), {})
})

test('the pages of sign-in need no script, load nothing from elsewhere, and look as the site does', async () => {
  const jar: Jar = new Map()
  const started = await visit(
    site,
    jar,
    authorizeUrl({ ui_theme: 'dark', login_hint: 'x"><script>@y.z' }).url,
  )
  const page = await visit(site, jar, String(started.headers.location))
  const policy = String(page.headers['content-security-policy'])
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  assert.match(page.body, /data-theme="dark"/)
  assert.doesNotMatch(page.body, /<script|javascript:|https?:\/\//)
  assert.match(page.body, /x&quot;&gt;&lt;script&gt;@y\.z/)
  const letters = await visit(site, jar, '/idp/inter.woff2')
  assert.deepEqual([letters.statusCode, letters.headers['content-type']], [200, 'font/woff2'])
  const tokens = readFileSync('src/web/ui/tokens.css', 'utf8')
  const { COLOURS } = await import('#accounts/provider/page.ts')
  for (const [theme, colours] of Object.entries(COLOURS)) {
    const [light = '', dark = ''] = tokens.split('[data-theme="dark"]')
    for (const [name, value] of Object.entries(colours))
      assert.ok((theme === 'dark' ? dark : light).includes(`--${name}: ${value};`), `${theme} ${name}`)
  }
  const cancelled = await follow(site, jar, await visit(site, jar, `${started.headers.location}/cancel`))
  assert.match(String(cancelled.headers.location), /\/callback\?error=access_denied/)
})

test('an answer by message runs the one script that the provider names, and stands in our own frames and those of wallets', async () => {
  const jar: Jar = new Map()
  await signIn(site, { email: 'framed@example.org', password: 'a long password', name: 'F' }, jar)
  const asked = (more: Record<string, string>) => authorizeUrl({ response_mode: 'web_message', ...more }).url
  for (const [who, told] of [
    [jar, /"code":"/],
    [new Map(), /"error":"login_required"/],
  ] as const) {
    const { headers, body } = await visit(site, who, asked({ prompt: 'none' }))
    assert.match(body, told)
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(body) ?? []
    assert.deepEqual(String(headers['content-security-policy']).split(/; ?/), [
      "default-src 'none'",
      `script-src ${scriptHash(script)}`,
      "frame-ancestors 'self' https://stx.asigna.io",
    ])
    // The window that hears it may stand below a wallet of another site.
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none')
  }
  // Nothing else of the provider runs a script or stands in a frame, and no other site is told by message.
  for (const url of [
    authorizeUrl().url,
    '/idp/.well-known/openid-configuration',
    asked({ redirect_uri: 'https://evil.example/' }),
  ]) {
    const policy = String((await visit(site, new Map(), url)).headers['content-security-policy'])
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /script-src [^;]/)
  }
})

test('a site behind https has cookies for https alone', async () => {
  const publicUrl = 'https://assay.example'
  await using secure = await openPeopleSite({ publicUrl }, site.store)
  const { address, sign } = testKey(3)
  const headers = { origin: publicUrl }
  const asked = await secure.ask('/api/v1/siws/nonce', { method: 'POST', headers, payload: { address } })
  const { message } = asked.json()
  assert.match(message, /^assay\.example wants you/)
  const proved = await secure.ask('/api/v1/siws/verify', {
    method: 'POST',
    headers,
    payload: { message, signature: sign(message) },
  })
  assert.match(String(proved.headers['set-cookie']), /; HttpOnly; SameSite=Lax; Secure$/)
  const jar: Jar = new Map()
  const started = await visit(secure, jar, authorizeUrl({ redirect_uri: `${publicUrl}/callback` }).url)
  const form = await visit(secure, jar, String(started.headers.location))
  const out = await visit(secure, jar, '/idp/v2/logout')
  const opener = 'unsafe-none'
  for (const [what, answer] of Object.entries({
    'to the form': started,
    form,
    'to the site': out,
    keys: await visit(secure, jar, '/idp/.well-known/jwks.json'),
    letters: await visit(secure, jar, '/idp/inter.woff2'),
    'a link that is none': await visit(secure, jar, `/idp/u/reset/${'x'.repeat(43)}`),
    'a request that is none': await visit(secure, jar, '/idp/authorize'),
    'no address': await visit(secure, jar, '/idp/no/such'),
  }))
    assertGuarded(what, answer, { frames: "'none'", opener })
  for (const url of ['/api/v1/features', '/config.json', '/api/v1/account'])
    assertGuarded(url, await secure.ask(url), { frames: "'none'" })
  const cookies = [started, form, out].flatMap(({ headers }) => headers['set-cookie'] ?? [])
  for (const name of ['_interaction', 'idp-theme', '_session'])
    assert.ok(
      cookies.some(cookie => cookie.startsWith(`${name}=`)),
      name,
    )
  for (const cookie of cookies) {
    assert.match(cookie, /; samesite=lax/i)
    assert.match(cookie, /; secure/i)
    assert.match(cookie, /; httponly/i)
  }
})

test('a tenant signs people in: its tokens are believed, its unconfirmed emails are not, and it may be away', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 't', alg: 'RS256' }
  const keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await once(keys.listen(0, '127.0.0.1'), 'listening')
  const domain = `http://127.0.0.1:${(keys.address() as { port: number }).port}`
  const tenant = { domain, clientId: 'abc' }
  const token = (more: Record<string, unknown>) =>
    new SignJWT({ scope: 'read:query read:private', ...more })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 't' })
      .setIssuer(`${domain}/`)
      .setAudience([`${ORIGIN}/api/v1`, `${domain}/userinfo`])
      .setSubject('auth0|1')
      .setExpirationTime('1h')
      .sign(privateKey)
  await using other = await openPeopleSite({ tenant }, site.store)
  const personOf = async (more: Record<string, unknown>) => {
    const answer = await other.ask('/api/v1/account', { headers: bearer(await token(more)) })
    return answer.json().person
  }
  const email = { [`${ORIGIN}/email`]: 'op@example.org' }
  assert.equal((await personOf(email)).email, null)
  const confirmed = await personOf({ ...email, [`${ORIGIN}/email_verified`]: true })
  assert.deepEqual([confirmed.id, confirmed.email], ['auth0|1', 'op@example.org'])
  assert.equal((await other.ask('/idp/authorize')).statusCode, 404)
  assert.deepEqual((await other.ask('/config.json')).json().auth.domain, domain)
  keys.closeAllConnections()
  keys.close()
  await once(keys, 'close')
  await using away = await openPeopleSite({ tenant }, site.store)
  const answer = await away.ask('/api/v1/features', { headers: bearer(await token({})) })
  assert.deepEqual([answer.statusCode, answer.json().code], [503, 'accounts.provider_away'])
})

test('a trial begins with a confirmed email and comes once', async () => {
  await using trying = await openPeopleSite({ trialDays: 7 }, site.store)
  const jar: Jar = new Map()
  const trier = { email: 'try@example.org', password: 'a long password', name: 'T' }
  const { access_token } = await signIn(trying, trier, jar)
  const features = async () =>
    (await trying.ask('/api/v1/features', { headers: bearer(access_token) })).json()
  assert.deepEqual(await features(), {})
  await visit(trying, jar, mailedLink(trying, 'confirm'), {})
  assert.deepEqual(await features(), { dashboard: true, query: true, bitcoin: true })
  await trying.store.query("UPDATE assay.trials SET ends_at = now() - interval '1 hour'")
  assert.deepEqual(await features(), {})
})

test('nothing that is a secret was logged or written down', async () => {
  const said = site.said.filter(line => !line.startsWith('mail to')).join('\n')
  const audit = JSON.stringify(await site.store.query('SELECT * FROM assay.audit_log'))
  for (const secret of [ANN.password, 'the second password', 'assay_', 'wsid', 'eyJ'])
    assert.ok(!said.includes(secret) && !audit.includes(secret), secret)
  const accounts = JSON.stringify(await site.store.query('SELECT password_hash FROM assay.accounts'))
  assert.match(accounts, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
