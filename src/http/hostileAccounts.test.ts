/** Someone could take over an account that was made with another person’s email. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '#accounts/config.ts'
import { testKey } from '#accounts/wallets.testing.ts'
import {
  type Answer,
  askKey,
  askTokens,
  authorizeUrl,
  bearer,
  type Credentials,
  codeForm,
  cookiesOf,
  isCode,
  type Jar,
  mailedLink,
  NO_LIMITS_BY_ADDRESS,
  ORIGIN,
  openPeopleSite,
  type PeopleSite,
  refresh,
  signIn,
  statusOf,
  type Tokens,
  visit,
} from './people.testing.ts'

type ConfirmCase = {
  readonly name: string
  readonly form: string | Readonly<Record<string, string | number>>
  readonly status: number
  readonly browser?: 'eve' | 'bob' | 'left' | 'unsigned'
  readonly bearer?: 'token' | 'key'
  readonly cookie?: string
  readonly origin?: string
  readonly type?: string
  readonly query?: string
  readonly purpose?: 'reset'
}

const CASES: {
  readonly confirm: readonly ConfirmCase[]
  readonly forgot: readonly { readonly known: string; readonly unknown: string }[]
  readonly nonces: readonly string[]
  readonly cors: readonly string[]
} = JSON.parse(readFileSync(new URL('hostileAccounts.cases.json', import.meta.url), 'utf8'))

const site = await openPeopleSite({
  limits: { ...NO_LIMITS_BY_ADDRESS, failuresByAccount: 1000, failuresOfAccount: 1000 },
})
after(() => site[Symbol.asyncDispose]())

const accountOf = async (token: string) =>
  (await site.ask('/api/v1/account', { headers: bearer(token) })).json()
const makeKey = async (token: string) => (await askKey(site, bearer(token))).json<{ key: string }>().key

describe('confirming an email with the mailed link alone, for an account that somebody else made', () => {
  // Somebody signs up with the email of the owner, here an operator, and waits for the owner to press the button.
  const EVE = { email: 'operator@example.org', password: 'the password of eve', name: 'Eve' }
  const browsers = { eve: new Map(), bob: new Map(), left: new Map(), unsigned: new Map() } as Record<
    string,
    Jar
  >
  let eve: Tokens
  let account = ''
  let key = ''
  let link = ''

  before(async () => {
    eve = await signIn(site, EVE, browsers.eve)
    link = mailedLink(site, 'confirm')
    const { email, password } = EVE
    await signIn(site, { email: 'bob@example.org', password: 'the password of bob', name: 'B' }, browsers.bob)
    await signIn(site, { email, password }, browsers.left)
    const left = new Map(browsers.left)
    await visit(site, browsers.left ?? new Map(), '/idp/v2/logout')
    browsers.left = left
    await signIn(site, { email, password }, browsers.unsigned)
    browsers.unsigned?.delete('_session.sig')
    key = await makeKey(eve.access_token)
    account = (await accountOf(eve.access_token)).person.id
  })

  for (const each of CASES.confirm)
    test(each.name, async () => {
      const path = each.purpose === undefined ? link : link.replace('/confirm/', `/${each.purpose}/`)
      const cookie = each.cookie ?? cookiesOf(browsers[each.browser ?? ''] ?? new Map(), path)
      const form = typeof each.form === 'string' ? each.form : encode(each.form)
      const answer = await site.ask(`${path}${each.query ?? ''}`, {
        method: 'POST',
        headers: {
          origin: each.origin ?? ORIGIN,
          'content-type': each.type ?? 'application/x-www-form-urlencoded',
          ...(cookie !== '' && { cookie }),
          ...(each.bearer && bearer(each.bearer === 'key' ? key : eve.access_token)),
        },
        payload: form,
      })
      assert.equal(answer.statusCode, each.status, answer.body)
      const { person, isOperator } = await accountOf(eve.access_token)
      assert.deepEqual([person.isEmailProved, isOperator], [false, false])
    })

  const encode = ({ repeat = 1, ...form }: Readonly<Record<string, string | number>>): string =>
    new URLSearchParams(
      Object.entries(form).map(([name, value]) => [
        name,
        String(value).replace('{account}', account).repeat(Number(repeat)),
      ]),
    ).toString()

  test('the page says what to do, and the owner takes the account over with a new password', async () => {
    const page = await visit(site, new Map(), link)
    assert.match(page.body, /type the password of your account/)
    assert.match(page.body, /Not your account\?/)
    await visit(site, new Map(), '/idp/u/forgot', { email: EVE.email })
    await site.accounts.idle()
    await visit(site, new Map(), mailedLink(site, 'reset'), { password: 'the password of the owner' })
    for (const headers of [bearer(eve.access_token), bearer(key)])
      assert.equal(await statusOf(site, headers), 401)
    assert.equal((await visit(site, browsers.eve ?? new Map(), link, {})).statusCode, 400)
    const owner = await signIn(site, { email: EVE.email, password: 'the password of the owner' })
    const { isOperator, keys, sessions } = await accountOf(owner.access_token)
    assert.deepEqual([isOperator, keys.length, sessions.length], [true, 0, 1])
  })
})

/** All that lets somebody into an account, made before an event that must end it; each says whether it still works. */
async function openAccess(credentials: Credentials): Promise<Record<string, () => Promise<boolean>>> {
  const { email, password } = credentials
  const jar: Jar = new Map()
  const tokens = await signIn(site, { email, password }, jar)
  const key = await makeKey(tokens.access_token)
  const unspent = await codeOf(jar)
  const waiting: Jar = new Map()
  const page = String((await visit(site, waiting, authorizeUrl().url)).headers.location)
  const resume = String((await visit(site, waiting, page, { email, password })).headers.location)
  await visit(site, new Map(), '/idp/u/forgot', { email })
  await site.accounts.idle()
  const reset = mailedLink(site, 'reset')
  return {
    'access token': async () => (await statusOf(site, bearer(tokens.access_token))) === 200,
    'refresh token': async () => (await refresh(site, tokens.refresh_token)).statusCode === 200,
    'API key': async () => (await statusOf(site, bearer(key))) === 200,
    'API key for SQL': async () =>
      (
        await site.ask('/api/v1/sql', {
          method: 'POST',
          headers: bearer(key),
          payload: { sql: 'SELECT 1' },
        })
      ).statusCode === 200,
    'session cookie': async () => isCode(await visit(site, jar, authorizeUrl().url)),
    'code that was not redeemed': async () => (await askTokens(site, unspent)).statusCode === 200,
    'sign-in that was not finished': async () => isCode(await visit(site, waiting, resume)),
    'link to set a password': async () => (await visit(site, new Map(), reset)).statusCode === 200,
  }
}

/** A code of a signed-in browser, as the token endpoint takes it. */
async function codeOf(jar: Jar): Promise<Record<string, string>> {
  const { url, verifier } = authorizeUrl()
  const answer = await visit(site, jar, url)
  assert.ok(isCode(answer))
  return codeForm(answer, verifier)
}

describe('what ends all access to an account', () => {
  const events: Record<string, (credentials: Credentials, jar: Jar) => Promise<Answer>> = {
    'a new password': async ({ email }) => {
      await visit(site, new Map(), '/idp/u/forgot', { email })
      await site.accounts.idle()
      return visit(site, new Map(), mailedLink(site, 'reset'), { password: 'a password of the owner' })
    },
    'a first confirmation in its session': (_, jar) => visit(site, jar, mailedLink(site, 'confirm'), {}),
    'a first confirmation by password': ({ password }) =>
      visit(site, new Map(), mailedLink(site, 'confirm'), { password }),
  }
  for (const [i, [name, happen]] of Object.entries(events).entries())
    test(name, async () => {
      const ann = { email: `ann${i}@example.org`, password: 'a long password', name: 'Ann' }
      const jar: Jar = new Map()
      const own = await signIn(site, ann, jar)
      const confirm = mailedLink(site, 'confirm')
      const access = await openAccess(ann)
      const answer = await happen(ann, jar)
      assert.equal(answer.statusCode, 200, answer.body)
      const left = []
      for (const [means, works] of Object.entries(access)) if (await works()) left.push(means)
      assert.deepEqual(left, [])
      assert.equal((await visit(site, jar, confirm, {})).statusCode, 400)
      // The browser that confirms in its session stays signed in; nothing else does.
      const isKept = name.endsWith('session')
      assert.equal(await statusOf(site, bearer(own.access_token)), isKept ? 200 : 401)
      assert.equal((await refresh(site, own.refresh_token)).statusCode, isKept ? 200 : 400)
    })

  test('the means of this test work before', async () => {
    const cara = { email: 'cara@example.org', password: 'a long password', name: 'Cara' }
    await signIn(site, cara)
    for (const [means, works] of Object.entries(await openAccess(cara))) assert.ok(await works(), means)
  })
})

describe('asking for a new password', () => {
  /** A store whose answers wait until it is opened. */
  const gatedStore = () => {
    const gate = Promise.withResolvers<void>()
    const store: PeopleSite['store'] = {
      query: async (text, values) => {
        await gate.promise
        return site.store.query(text, values)
      },
    }
    return { store, open: gate.resolve }
  }
  const ask = (on: PeopleSite, email: string) => visit(on, new Map(), '/idp/u/forgot', { email })
  /** What an answer shows: all but the waiting time and the id of the request. */
  const shown = ({ statusCode, headers, body }: Answer) => {
    const { 'retry-after': wait, 'x-request-id': _, date: __, ...rest } = headers
    return { statusCode, rest, body: body.replace(/\d+ minutes/, 'N minutes'), waits: wait !== undefined }
  }

  test('is answered before the store is asked, alike for every email, to the limit and beyond', async () => {
    await signIn(site, { email: 'here@example.org', password: 'a long password', name: 'H' })
    const { store, open } = gatedStore()
    // Its own keys are all that the provider reads before.
    await using gated = await openPeopleSite({ limits: { mailsByAddress: 1000, mailsByAccount: 3 } }, {
      query: async (text, values) =>
        text.includes('account_secrets') ? site.store.query(text, values) : store.query(text, values),
    } as PeopleSite['store'])
    for (const { known, unknown } of CASES.forgot) {
      const answers = await Promise.all([known, unknown].map(email => ask(gated, email)))
      assert.deepEqual(shown(answers[0] as Answer), shown(answers[1] as Answer), known)
    }
    const last = await Promise.all(['here@example.org', 'gone@example.org'].map(email => ask(gated, email)))
    assert.deepEqual(
      last.map(({ statusCode }) => statusCode),
      [429, 429],
    )
    assert.deepEqual(shown(last[0] as Answer), shown(last[1] as Answer))
    const before = gated.said.length
    open()
    await gated.accounts.idle()
    const mails = gated.said.slice(before).filter(line => line.startsWith('mail to'))
    assert.deepEqual(
      [mails.length, mails.every(line => line.startsWith('mail to here@example.org'))],
      [3, true],
    )
  })

  test('a mail server that fails changes no answer', async () => {
    await using broken = await openPeopleSite(
      { mail: { url: 'smtp://127.0.0.1:1', from: 'assay@example.org' } },
      site.store,
    )
    const answers = await Promise.all(
      ['here@example.org', 'gone@example.org'].map(email => ask(broken, email)),
    )
    assert.deepEqual(shown(answers[0] as Answer), shown(answers[1] as Answer))
    await broken.accounts.idle()
    assert.ok(broken.said.some(line => line.startsWith('a mail could not be sent')))
  })
})

describe('messages to sign', () => {
  test('one caller uses up its own messages of a wallet, and nobody else’s', async () => {
    const { address, sign } = testKey(40)
    const { wallets } = site.accounts
    const callers = CASES.nonces
    for (const caller of callers) {
      for (let i = 0; i < LIMITS.noncesByWallet; i++) await wallets.offer(address, caller)
      await assert.rejects(wallets.offer(address, caller), { code: 'accounts.too_many' }, caller)
    }
    const { message } = await wallets.offer(address, 'the owner')
    const proved = await wallets.prove(message, sign(message), {
      asker: 'the owner',
      device: '',
      before: undefined,
    })
    assert.equal(proved.address, address)
    // What is used up for one wallet leaves the caller the others.
    await wallets.offer(testKey(41).address, callers[0] ?? '')
  })
})

describe('what the provider answers pages of other sites', () => {
  for (const url of CASES.cors)
    for (const method of ['OPTIONS', 'GET', 'POST'] as const)
      test(`${method} ${url}`, async () => {
        const asked = (origin: string) =>
          site.ask(url, {
            method,
            headers: {
              origin,
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'authorization',
              ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
            },
            ...(method === 'POST' && { payload: 'client_id=assay' }),
          })
        for (const origin of [
          'https://evil.example',
          'null',
          `${ORIGIN}.evil.example`,
          ORIGIN.toUpperCase(),
        ]) {
          const { headers } = await asked(origin)
          assert.deepEqual(
            Object.keys(headers).filter(name => name.startsWith('access-control-')),
            [],
            origin,
          )
        }
        const own = (await asked(ORIGIN)).headers['access-control-allow-origin']
        assert.ok(own === undefined || own === ORIGIN)
      })
})
