/** The forms of sign-in would lose what was typed, take forms of other sites, or lead elsewhere. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Answer,
  authorizeUrl,
  cookiesOf,
  follow,
  isCode,
  type Jar,
  keepCookies,
  mailedLink,
  ORIGIN,
  openPeopleSite,
  type PeopleSite,
  signIn,
  visit,
} from './people.testing.ts'

const PASSWORD = 'a long password'

let site: PeopleSite
before(async () => {
  site = await openPeopleSite({ limits: { failuresByAccount: 2, mailsByAddress: 1000 } })
})
after(() => site[Symbol.asyncDispose]())

/** Begins to sign in, and gives the address of the form. */
async function begin(jar: Jar, more: Record<string, string> = {}): Promise<string> {
  const started = await visit(site, jar, authorizeUrl(more).url)
  const page = String(started.headers.location)
  assert.match(page, /^\/idp\/u\/login\/[\w-]+$/)
  return page
}
type Sent = { form?: Record<string, string> | string; headers?: Record<string, string>; jar?: Jar }
async function post(url: string, { form = {}, headers = {}, jar = new Map() }: Sent): Promise<Answer> {
  const cookie = cookiesOf(jar, new URL(url, ORIGIN).pathname)
  const answer = await site.ask(url, {
    method: 'POST',
    headers: {
      origin: ORIGIN,
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie !== '' && { cookie }),
      ...headers,
    },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  keepCookies(jar, answer)
  return answer
}
const titleOf = ({ body }: Answer) => /<h1>(.*?)<\/h1>/.exec(body)?.[1]
const wrongOf = ({ body }: Answer) => /<p class="wrong" role="(?:alert|status)">(.*?)<\/p>/.exec(body)?.[1]
const rightOf = ({ body }: Answer) => /<p class="right" role="status">(.*?)<\/p>/.exec(body)?.[1]
const typedIn = ({ body }: Answer, name: string) =>
  new RegExp(`<input name="${name}"[^>]* value="([^"]*)"`).exec(body)?.[1]

test('the form begins with what is known of who signs in, and as sign-up where that is meant', async () => {
  const jar: Jar = new Map()
  const page = await begin(jar, { login_hint: 'Ann <a@example.org>' })
  const shown = await visit(site, jar, page)
  assert.deepEqual([shown.statusCode, titleOf(shown)], [200, 'Sign in'])
  assert.equal(typedIn(shown, 'email'), 'Ann &lt;a@example.org&gt;')
  assert.equal(shown.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(shown.headers['cache-control'], 'no-store')
  assert.equal(shown.headers['referrer-policy'], 'same-origin')
  for (const part of [`action="${page}"`, `href="${page}/signup"`, `href="${page}/cancel"`])
    assert.ok(shown.body.includes(part), part)
  const signup = await visit(site, jar, `${page}/signup`)
  assert.deepEqual(
    [titleOf(signup), typedIn(signup, 'email')],
    ['Make an account', 'Ann &lt;a@example.org&gt;'],
  )
  assert.ok(signup.body.includes(`action="${page}/signup"`) && signup.body.includes(`href="${page}"`))
  const other: Jar = new Map()
  const hinted = await begin(other, { screen_hint: 'signup' })
  assert.equal(titleOf(await visit(site, other, hinted)), 'Make an account')
  // What is sent to the form to sign in is a sign-in all the same.
  assert.equal(titleOf(await post(hinted, { jar: other, form: { email: 'x', password: 'y' } })), 'Sign in')
})

test('the theme is the one that was asked for, and stays for the pages after it', async () => {
  const jar: Jar = new Map()
  const themeOf = ({ body }: Answer) => /data-theme="(\w+)"/.exec(body)?.[1]
  const page = await begin(jar, { ui_theme: 'dark' })
  const shown = await visit(site, jar, page)
  assert.equal(themeOf(shown), 'dark')
  assert.match(
    String([shown.headers['set-cookie']].flat()),
    /idp-theme=dark; Path=\/idp\/; HttpOnly; SameSite=Lax(?!; Secure)/,
  )
  assert.equal(themeOf(await visit(site, jar, '/idp/u/forgot')), 'dark')
  assert.equal(themeOf(await visit(site, new Map(), '/idp/u/forgot')), 'light')
  const light = await visit(site, jar, await begin(jar, { ui_theme: 'light' }))
  assert.deepEqual([themeOf(light), themeOf(await visit(site, jar, '/idp/u/forgot'))], ['light', 'light'])
  assert.equal(themeOf(await visit(site, jar, await begin(jar, { ui_theme: 'pink' }))), 'light')
  const xDark = await site.ask('/idp/u/forgot', { headers: { cookie: 'x-idp-theme=dark' } })
  assert.equal(themeOf(xDark), 'light')
  const second = await site.ask('/idp/u/forgot', { headers: { cookie: 'a=b; idp-theme=dark; c=d' } })
  assert.equal(themeOf(second), 'dark')
})

test('a form of another browser, or of nobody, has expired', async () => {
  const page = await begin(new Map())
  const other: Jar = new Map()
  await begin(other)
  for (const jar of [new Map(), other]) {
    const shown = await visit(site, jar, page)
    assert.deepEqual([shown.statusCode, titleOf(shown)], [400, 'This page has expired'])
    assert.equal(wrongOf(shown), 'Begin anew with Sign In. Signing in needs cookies of this site.')
  }
})

test('what is wrong with a form is told within it, and what was typed stays', async () => {
  const jar: Jar = new Map()
  const page = await begin(jar)
  const signup = (form: Record<string, string>) => post(`${page}/signup`, { jar, form })
  const given = { email: 'bea@example.org', name: 'Bea & co', password: 'short' }
  const short = await signup(given)
  assert.deepEqual([short.statusCode, titleOf(short)], [400, 'Make an account'])
  assert.equal(wrongOf(short), 'A password has at least 10 characters.')
  assert.deepEqual([typedIn(short, 'email'), typedIn(short, 'name')], ['bea@example.org', 'Bea &amp; co'])
  assert.equal(wrongOf(await signup({})), 'This is not an email address.')
  const made = await signup({ ...given, password: PASSWORD })
  assert.ok(isCode(await follow(site, jar, made)))

  const again: Jar = new Map()
  const login = await begin(again)
  const taken = await post(`${login}/signup`, { jar: again, form: { ...given, password: PASSWORD } })
  assert.deepEqual(
    [taken.statusCode, wrongOf(taken)],
    [409, 'There is an account with this email already. Sign in with it, or ask for a new password.'],
  )
  const enter = (password: string) =>
    post(login, { jar: again, form: { email: 'BEA@example.org', password } })
  const wrong = await enter('not this one')
  assert.deepEqual([wrong.statusCode, titleOf(wrong)], [401, 'Sign in'])
  assert.deepEqual([wrongOf(wrong), typedIn(wrong, 'email')], ['Wrong email or password.', 'BEA@example.org'])
  assert.equal(wrong.headers['retry-after'], undefined)
  await enter('not this one')
  const limited = await enter(PASSWORD)
  assert.equal(limited.statusCode, 429)
  assert.ok(Number(limited.headers['retry-after']) > 500)
  assert.match(
    String(wrongOf(limited)),
    /Too many wrong passwords in a short time\. Try again in 10 minutes\./,
  )
})

test('a form of another site, no form, or one that is too long does nothing', async () => {
  const jar: Jar = new Map()
  const page = await begin(jar)
  const form = { email: 'cy@example.org', name: 'Cy', password: PASSWORD }
  const signup = (more: Sent) => post(`${page}/signup`, { jar, form, ...more })
  const foreign = await signup({ headers: { origin: 'https://evil.example' } })
  assert.deepEqual(
    [foreign.statusCode, wrongOf(foreign)],
    [403, 'This form was sent from another site, so nothing was done.'],
  )
  assert.equal(typedIn(foreign, 'name'), '')
  const json = await signup({ headers: { 'content-type': 'application/json' }, form: JSON.stringify(form) })
  assert.deepEqual([json.statusCode, wrongOf(json)], [400, 'This is not a form.'])
  const sized = (size: number) => `${new URLSearchParams({ ...form, email: 'x' })}&pad=`.padEnd(size, 'x')
  const long = await signup({ form: sized(8193) })
  assert.deepEqual([long.statusCode, wrongOf(long)], [413, 'The form is too long.'])
  assert.equal(wrongOf(await signup({ form: sized(8192) })), 'This is not an email address.')
  assert.ok(isCode(await follow(site, jar, await signup({}))))
})

test('who cancels comes back without a code', async () => {
  const jar: Jar = new Map()
  const page = await begin(jar)
  const back = await follow(site, jar, await visit(site, jar, `${page}/cancel`))
  const location = new URL(String(back.headers.location))
  assert.equal(location.origin + location.pathname, `${ORIGIN}/callback`)
  assert.equal(location.searchParams.get('error'), 'access_denied')
  assert.equal(location.searchParams.get('error_description'), 'Signing in was canceled.')
})

test('a forgotten password: the form, the mail, the form behind its link, and its end', async () => {
  await signIn(site, { email: 'dot@example.org', password: PASSWORD, name: 'Dot' })
  const asked = await visit(site, new Map(), '/idp/u/forgot')
  assert.deepEqual([asked.statusCode, titleOf(asked)], [200, 'A new password'])
  const foreign = await post('/idp/u/forgot', {
    form: { email: 'dot@example.org' },
    headers: { origin: 'https://evil.example' },
  })
  assert.deepEqual([foreign.statusCode, titleOf(foreign)], [403, 'A new password'])
  const sent = await post('/idp/u/forgot', { form: { email: 'dot@example.org' } })
  assert.deepEqual([sent.statusCode, titleOf(sent)], [200, 'Look into your mail'])
  assert.equal(rightOf(sent), 'If there is an account with this email, a link is on its way to it.')
  await site.accounts.idle()
  const link = mailedLink(site, 'reset')
  const shown = await visit(site, new Map(), link)
  assert.deepEqual([shown.statusCode, titleOf(shown)], [200, 'Set a new password'])
  assert.ok(shown.body.includes(`action="${link}"`))
  const short = await post(link, { form: { password: 'short' } })
  assert.deepEqual([short.statusCode, titleOf(short)], [400, 'Set a new password'])
  assert.equal(wrongOf(short), 'A password has at least 10 characters.')
  const done = await post(link, { form: { password: 'another password' } })
  assert.deepEqual([done.statusCode, titleOf(done)], [200, 'Your password is changed'])
  assert.match(String(rightOf(done)), /All devices were signed out, and API keys were deleted\./)
  for (const spent of [link, `/idp/u/reset/${'x'.repeat(43)}`, `/idp/u/confirm/${'x'.repeat(43)}`]) {
    const over = await visit(site, new Map(), spent)
    assert.deepEqual([over.statusCode, titleOf(over)], [400, 'This link does not work'])
    assert.equal(wrongOf(over), 'It was used already, or its time is over.')
  }
})

test('an email is confirmed with the password, or by the button where one is signed in', async () => {
  await signIn(site, { email: 'eve@example.org', password: PASSWORD, name: 'Eve' })
  const link = mailedLink(site, 'confirm')
  const shown = await visit(site, new Map(), link)
  assert.deepEqual([shown.statusCode, titleOf(shown)], [200, 'Confirm your email'])
  assert.ok(shown.body.includes('name="password"') && shown.body.includes('<b>eve@example.org</b>'))
  const empty = await post(link, {})
  assert.deepEqual([empty.statusCode, titleOf(empty)], [400, 'Confirm your email'])
  assert.equal(wrongOf(empty), 'Type the password of this account, or sign in first.')
  const wrong = await post(link, { form: { password: 'not this one' } })
  assert.deepEqual([wrong.statusCode, wrongOf(wrong)], [401, 'Wrong password.'])
  const done = await post(link, { form: { password: PASSWORD } })
  assert.equal(titleOf(done), 'Your email is confirmed')
  assert.equal(
    rightOf(done),
    'You are signed out on all devices. API keys were deleted. Sign in again to continue.',
  )
  const jar: Jar = new Map()
  await signIn(site, { email: 'fay@example.org', password: PASSWORD, name: 'Fay' }, jar)
  const ofFay = mailedLink(site, 'confirm')
  const button = await visit(site, jar, ofFay)
  assert.ok(
    !button.body.includes('name="password"') && button.body.includes('Confirm that <b>fay@example.org'),
  )
  const confirmed = await post(ofFay, { jar })
  assert.equal(rightOf(confirmed), 'You are signed out on all other devices. API keys were deleted.')
  // This browser stays signed in.
  assert.ok(isCode(await visit(site, jar, authorizeUrl().url)))
})

test('signing out leads home, or to the page that was asked for, and nowhere else', async () => {
  const out = async (returnTo: string | undefined, jar: Jar = new Map()) => {
    const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
    const answer = await visit(site, jar, `/idp/v2/logout${query}`)
    assert.equal(answer.statusCode, 303)
    return answer.headers.location
  }
  assert.equal(await out(`${ORIGIN}/pricing?a=b#c`), `${ORIGIN}/pricing?a=b#c`)
  for (const elsewhere of [
    undefined,
    '',
    'https://evil.example/',
    '//evil.example',
    '/pricing',
    'http://a@localhost:4400/',
  ])
    assert.equal(await out(elsewhere), `${ORIGIN}/`, String(elsewhere))
  const jar: Jar = new Map()
  await signIn(site, { email: 'gus@example.org', password: PASSWORD, name: 'Gus' }, jar)
  // A link of another site asks first, and its form must come from here.
  const url = `/idp/v2/logout?returnTo=${encodeURIComponent(`${ORIGIN}/pricing`)}`
  const cookie = cookiesOf(jar, '/idp/v2/logout')
  const asked = await site.ask(url, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  assert.deepEqual([asked.statusCode, titleOf(asked)], [200, 'Sign out'])
  assert.ok(asked.body.includes('<form method="post" action="/idp/v2/logout?returnTo='))
  assert.ok(isCode(await visit(site, jar, authorizeUrl().url)), 'still signed in')
  const foreign = await post(url, { jar, headers: { origin: 'https://evil.example' } })
  assert.deepEqual([foreign.statusCode, titleOf(foreign)], [403, 'This did not work'])
  assert.ok(isCode(await visit(site, jar, authorizeUrl().url)), 'still signed in')
  const answer = await site.ask(url, { method: 'POST', headers: { cookie, origin: ORIGIN } })
  assert.deepEqual([answer.statusCode, answer.headers.location], [303, `${ORIGIN}/pricing`])
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.deepEqual(
    [answer.headers['set-cookie']]
      .flat()
      .map(line => /^(\w+(?:\.sig)?)=;.*Max-Age=0/.exec(String(line))?.[1]),
    ['_session', '_session.sig'],
  )
  assert.ok(!isCode(await visit(site, jar, authorizeUrl().url)), 'the session is gone')
  const notes = await site.store.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM assay.audit_log WHERE event = 'account signed out'`,
  )
  assert.equal(notes[0]?.n, 1)
})

test('letters come from here and are kept for a week; whatever host is named, addresses are ours', async () => {
  const letters = await site.ask('/idp/inter.woff2')
  assert.deepEqual(
    [letters.statusCode, letters.headers['content-type'], letters.headers['cache-control']],
    [200, 'font/woff2', 'public, max-age=604800'],
  )
  assert.equal(letters.rawPayload.subarray(0, 4).toString(), 'wOF2')
  const found = await site.ask('/idp/.well-known/openid-configuration', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  })
  const { issuer, authorization_endpoint: authorize, token_endpoint: token } = found.json()
  assert.deepEqual(
    [issuer, authorize, token],
    [`${ORIGIN}/idp/`, `${ORIGIN}/idp/authorize`, `${ORIGIN}/idp/oauth/token`],
  )
})

test('a request to sign in for another API, or to another address, is refused on a page of ours', async () => {
  const elsewhere = await visit(site, new Map(), authorizeUrl({ redirect_uri: 'https://evil.example/' }).url)
  assert.deepEqual([elsewhere.statusCode, titleOf(elsewhere)], [400, 'Signing in did not work'])
  assert.match(elsewhere.body, /<small>invalid_redirect_uri<\/small>/)
  const other = await visit(site, new Map(), authorizeUrl({ audience: 'https://other.example' }).url)
  const location = new URL(String(other.headers.location))
  assert.equal(location.searchParams.get('error'), 'invalid_target')
  const plain = await visit(site, new Map(), authorizeUrl({ code_challenge: '' }).url)
  assert.equal(new URL(String(plain.headers.location)).searchParams.get('error'), 'invalid_request')
})
