/** A guessed password or a used code would sign somebody in, or the log would hide who did it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testKey } from '#accounts/wallets.testing.ts'
import {
  askTokens,
  authorizeUrl,
  bearer,
  codeForm,
  type Jar,
  mailedLink,
  ORIGIN,
  signIn,
  visit,
} from './people.testing.ts'
import {
  ANN,
  ann,
  ask,
  offer,
  payloadOf,
  prove,
  refused,
  SCRIPT,
  site,
  takeTries,
  verify,
} from './sharedHostile.testing.ts'

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
  const tried = takeTries()
  assert.ok(tried >= 40, `${tried} cases`)
})
