/** Signing in would fail, end without a word, or sign in somebody else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { fillAccount, makeAccount, PASSWORD, welcome } from './accounts.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { beginScripts, faultsOf, overflowsOf, settle, WATCH_SHIFTS } from './pageFaults.ts'
import { outer, setUpPeopleSite, site } from './sharedPeopleSite.ts'

/** Runs in the page: a frame without a face asks the provider for a code. Answers the error, or undefined and the type of the code. */
async function askSilently(): Promise<readonly (string | undefined)[]> {
  const { auth } = await (await fetch('/config.json')).json()
  const asked = new URLSearchParams({
    client_id: auth.clientId,
    redirect_uri: `${location.origin}/callback`,
    audience: auth.audience,
    scope: auth.scope,
    response_type: 'code',
    response_mode: 'web_message',
    prompt: 'none',
    state: 'state',
    nonce: 'nonce',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = `${auth.domain}/authorize?${asked}`
  const heard = new Promise<MessageEvent>(resolve => {
    window.addEventListener('message', event => {
      if (event.origin === location.origin && event.source === frame.contentWindow) resolve(event)
    })
  })
  document.body.append(frame)
  const { response } = (await heard).data
  frame.remove()
  return response.error === undefined ? [undefined, typeof response.code] : [response.error]
}

/** Runs in the page: it knows of no session any more, though the provider does. */
function forgetAccounts(): void {
  for (const key of Object.keys(localStorage).filter(name => name.startsWith('@@auth0spajs@@')))
    localStorage.removeItem(key)
}

/** Runs in the page: the access token that is kept has expired. */
function expireToken(): void {
  for (const key of Object.keys(localStorage).filter(name => name.startsWith('@@auth0spajs@@'))) {
    const entry = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof entry.expiresAt !== 'number') continue
    entry.expiresAt = Math.floor(Date.now() / 1000) - 120
    localStorage.setItem(key, JSON.stringify(entry))
  }
}

describe('signing in', skipWithoutChromium, () => {
  setUpPeopleSite()

  test('an account is made, renewed silently, seen in a second tab, and signed out of in both', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, 'ann@example.org', 'Ann')
    await page.waitForURL(`${site.url}/About`)
    await welcome(page, 'Ann')
    const bar = page.getByRole('banner')
    await bar.getByRole('link', { name: 'Premium', exact: true }).waitFor()
    assert.equal(await bar.getByRole('button', { name: 'Sign In' }).count(), 0)
    await bar.locator('summary[aria-label="Your account"]').click()
    for (const name of ['Manage Subscription', 'Connect Wallet', 'Sign Out'])
      await bar.getByRole('button', { name, exact: true }).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])

    // The next page has this bar from its first paint on: nothing moves once it is known who is here.
    await page.addInitScript(WATCH_SHIFTS)
    await page.goto(`${site.url}/Contact`)
    assert.equal(await page.locator('html').getAttribute('data-person'), 'account')
    await welcome(page, 'Ann')
    await settle(page)
    assert.ok(Number(await page.evaluate('globalThis.shifted')) < 0.01)

    const renewed = page.waitForRequest(
      request => request.url().endsWith('/oauth/token') && /refresh_token/.test(request.postData() ?? ''),
    )
    await page.evaluate(expireToken)
    await page.reload()
    await renewed
    await welcome(page, 'Ann')

    const other = await page.context().newPage()
    await other.goto(`${site.url}/Terms`)
    await welcome(other, 'Ann')
    await bar.locator('summary[aria-label="Your account"]').click()
    await bar.getByRole('button', { name: 'Sign Out', exact: true }).click()
    await page.waitForURL(`${site.url}/`)
    for (const tab of [page, other])
      await tab.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().waitFor()
    await other.close()

    // The provider has forgotten its session too: it asks again, and knows the password.
    await page.goto(`${site.url}/Privacy`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.getByLabel('Email').fill('ann@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${site.url}/Privacy`)
    await welcome(page, 'Ann')
    assert.deepEqual(complaints, [])
  })

  test('Sign Up on the query tool makes an account and leads back to the query; elsewhere it leads to the plans', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const signUp = page.getByRole('banner').getByRole('link', { name: 'Sign Up' }).first()
    await page.goto(`${site.url}/About`)
    assert.equal(await signUp.getAttribute('href'), '/pricing')
    await page.goto(`${site.url}/Query?sql=SELECT+1`)
    await settle(page)
    await signUp.click()
    await page.getByRole('heading', { name: 'Make an account' }).waitFor()
    await page.getByLabel('Email').fill('query@example.org')
    await page.getByLabel('Name').fill('Quentin')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.waitForURL(/\/Query\?/)
    await welcome(page, 'Quentin')
  })

  test('while a sign-in is completed nothing is loaded for an anonymous visitor, and lists are requested once', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, 'kim@example.org', 'Kim')
    await welcome(page, 'Kim')
    await page.evaluate(() => localStorage.clear())
    const anonymous = page.waitForResponse('**/api/cms/content/gated')
    await page.goto(`${site.url}/About`)
    await beginScripts(page)
    await anonymous
    const requests: { path: string; token: string | undefined }[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (/aliases|gated|cms\/ads|features/.test(pathname))
        requests.push({ path: pathname, token: request.headers().authorization })
    })
    // The provider still knows its own session and sends the user straight back.
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.waitForURL(`${site.url}/About`)
    await welcome(page, 'Kim')
    await settle(page)
    const ofLists = requests.filter(({ path }) => /aliases|gated/.test(path))
    assert.deepEqual(ofLists.map(({ path }) => path).toSorted(), [
      '/api/cms/content/gated',
      '/api/wallets/aliases/mine',
    ])
    for (const { path, token } of requests) assert.match(token ?? '', /^Bearer /, path)
  })

  test('an answer that belongs to no sign-in, and one that cancels it, are told in sentences', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}/callback?code=x&state=y`)
    await page
      .getByRole('heading', { level: 1, name: 'The answer does not belong to this sign-in' })
      .waitFor()
    await page.getByText('Details').click()
    await page.getByText(/missing_transaction|state_mismatch/).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('link', { name: 'Back to Assay' }).click()
    await page.getByRole('heading', { level: 1, name: 'The sign-in was refused' }).waitFor()
  })

  test('an answer with another state than was sent, and an error of the provider, are told in sentences', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const begin = () =>
      page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.goto(`${site.url}/About`)
    await begin()
    await page.getByRole('link', { name: 'Make an account' }).waitFor()
    await page.goto(`${site.url}/callback?code=x&state=altered`)
    await page
      .getByRole('heading', { level: 1, name: 'The answer does not belong to this sign-in' })
      .waitFor()
    await page.getByText('Details').click()
    await page.getByText('state_mismatch: Invalid state').waitFor()

    await page.goto(`${site.url}/About`)
    // Of the provider’s way this one step, where it fails and leads back as OpenID Connect has it.
    await page.route('**/authorize?*', route => {
      const asked = new URL(route.request().url()).searchParams
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.searchParams.set('error', 'server_error')
      back.searchParams.set('error_description', 'The provider is broken')
      back.searchParams.set('state', asked.get('state') ?? '')
      return route.fulfill({ status: 302, headers: { location: back.href } })
    })
    await begin()
    await page.getByRole('heading', { level: 1, name: 'The sign-in failed' }).waitFor()
    await page.getByText('The identity provider did not confirm who you are.').waitFor()
    await page.getByText('Details').click()
    await page.getByText('server_error: The provider is broken').waitFor()
    assert.deepEqual(await faultsOf(page), [])
  })

  test('a token that the provider refuses to renew, and one that it never gives, are told in sentences', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, 'eve@example.org', 'Eve')
    await welcome(page, 'Eve')
    await page.evaluate(expireToken)
    await page.route('**/oauth/token', route =>
      route.fulfill({ status: 500, json: { error: 'server_error', error_description: 'Broken' } }),
    )
    await page.reload()
    const said = page.getByRole('alert')
    await said.getByText('The session could not be continued').waitFor()
    await said.getByText('The identity provider gave no new token for it.').waitFor()
    await said.getByText('Details').click()
    await said.getByText('server_error: Broken').waitFor()

    await page.unroute('**/oauth/token')
    let attempts = 0
    await page.route('**/oauth/token', () => {
      attempts += 1
    })
    await page.clock.install()
    await page.reload()
    // Three attempts of 10 s each, as the specification has them.
    let seconds = 0
    await until('the sign-in is given up', async () => {
      if (attempts > 0) {
        await page.clock.fastForward(1_000)
        seconds += 1
      }
      return said.getByText('The sign-in took too long').isVisible()
    })
    assert.equal(attempts, 3)
    assert.ok(seconds > 20, `given up after ${seconds} s`)
    await said.getByText('The sign-in took too long').waitFor()
    await said.getByText('The identity provider did not answer within its time.').waitFor()
    assert.deepEqual(await faultsOf(page), [])

    // Nobody was forgotten: once the provider answers again, the session goes on.
    await page.unroute('**/oauth/token')
    await page.reload()
    await welcome(page, 'Eve')
    assert.equal(await said.count(), 0)
  })

  test('in a frame the sign-in is a window of its own, and closing it is told in a sentence', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${outer.url}/About`)
    const frame = page.frames()[1] ?? assert.fail('no frame')
    const coming = page.waitForEvent('popup')
    await frame.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    const popup = await coming
    await popup.getByLabel('Email').waitFor()
    const said = frame.getByRole('alert')
    assert.equal(await said.count(), 0)
    await popup.close()
    await said.getByText('The sign-in was canceled').waitFor()
    await said.getByText('Its window was closed before it ended. Nothing was changed.').waitFor()
  })

  test('a session that cannot be renewed ends with a sentence, and nobody is signed in', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, 'bea@example.org', 'Bea')
    await welcome(page, 'Bea')
    await page.evaluate(expireToken)
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter(name => name.startsWith('@@auth0spajs@@'))) {
        const entry = JSON.parse(localStorage.getItem(key) ?? '{}')
        if (entry.body?.refresh_token !== undefined) {
          delete entry.body.refresh_token
          localStorage.setItem(key, JSON.stringify(entry))
        }
      }
    })
    await page.reload()
    await page.getByRole('alert').getByText('The session cannot be renewed').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().waitFor()
    assert.ok(complaints.some(text => text.startsWith('Error fetching features')))
  })

  test('within the frame of a wallet a popup signs in, and its answer is heard', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${outer.url}/About`)
    const frame = page.frameLocator('iframe')
    const popped = page.waitForEvent('popup')
    await frame.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    const popup = await popped
    const failed: string[] = []
    popup.on('console', message => failed.push(message.text()))
    const closed = popup.waitForEvent('close')
    await fillAccount(popup, 'fay@example.org', 'Fay')
    await closed
    await frame.getByRole('banner').getByText('Welcome, Fay').first().waitFor({ state: 'attached' })
    // Who is known to the provider already is asked for nothing.
    await frame.locator('body').evaluate(forgetAccounts)
    await page.reload()
    const second = page.waitForEvent('popup')
    await frame.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await second
    await frame.getByRole('banner').getByText('Welcome, Fay').first().waitFor({ state: 'attached' })
    assert.deepEqual([...complaints, ...failed], [])
  })

  test('the provider answers a silent frame of the site, with a code or with why there is none', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/About`)
    assert.deepEqual(await page.evaluate(askSilently), ['login_required'])
    await makeAccount(page, 'gil@example.org', 'Gil')
    await welcome(page, 'Gil')
    assert.deepEqual(await page.evaluate(askSilently), [undefined, 'string'])
    // The first answer is a 400, and the browser says so of any.
    assert.deepEqual(
      complaints.filter(text => !/status of 400/.test(text)),
      [],
    )
  })
})
