/** Signing in, the visit limit and the theme would not work in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { openOuter } from '#tests/wallets/openOuter.ts'
import { CHUNK_TIMEOUT_MS } from '#web/people/loadChunk.ts'
import { FULL_COOLDOWN_MS, PARTIAL_COOLDOWN_MS, type VisitRecord } from '#web/people/states/visits.ts'
import { fillAccount, makeAccount, PASSWORD, welcome } from './accounts.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { beginScripts, faultsOf, overflowsOf, settle, WATCH_SHIFTS } from './pageFaults.ts'
import { openTestSite, type TestSite } from './testSite.ts'

const keep = (page: Page, record: VisitRecord) =>
  page.evaluate(text => localStorage.setItem('track-key', text), JSON.stringify(record))
const kept = async (page: Page): Promise<VisitRecord | undefined> =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('track-key'))) ?? 'null') ?? undefined
const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Upgrade to Premium' })

describe('people', skipWithoutChromium, () => {
  let site: TestSite & { browser: Browser }
  /** A page of somebody else that may frame ours. */
  let outer: { readonly url: string } & AsyncDisposable
  // Pages without figures do: what is known of readers hangs on none, and other suites are not to meet these accounts.
  before(async () => {
    const outerPort = await freePort()
    const outerUrl = `http://localhost:${outerPort}`
    const [opened, browser] = await Promise.all([
      openTestSite({ command: 'serve', env: { ASIGNA_ORIGINS: outerUrl } }),
      openChromium(),
    ])
    site = { ...opened, browser }
    const shell = await openOuter({ port: outerPort, script: '', framed: path => site.url + path })
    outer = { ...shell, url: outerUrl }
  })
  after(async () => {
    await outer[Symbol.asyncDispose]()
    await site.browser.close()
    await site[Symbol.asyncDispose]()
  })

  test('the tenth path is covered, a click leads home, and while blocked the record stands still', async () => {
    await using opened = await newPage(site.browser, { keepsVisits: true })
    const { page, complaints } = opened
    await page.goto(`${site.url}/errors`)
    await page.waitForFunction(() => localStorage.getItem('track-key') !== null)
    assert.deepEqual(Object.keys((await kept(page)) ?? {}), ['activities', 'lastUpdated', 'lastUrl'])
    await keep(page, { activities: 8, lastUpdated: Date.now(), lastUrl: '/errors' })
    await page.goto(`${site.url}/status`)
    await page.waitForFunction(() => localStorage.getItem('track-key')?.includes('"activities":9'))
    assert.equal(await overlayOf(page).count(), 0)
    await page.goto(`${site.url}/search`)
    const overlay = overlayOf(page)
    await overlay.waitFor()
    assert.equal(
      await overlay.locator('p').textContent(),
      'Unlock powerful Bitcoin L1, L2, and Dapp analytics—tailored for professionals.',
    )
    await overlay.getByRole('button', { name: 'Already have Premium? Log in', exact: true }).waitFor()
    assert.ok(await page.locator('main').evaluate(main => main.closest('[inert]') !== null))
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 1440]), [])
    const full = await kept(page)
    assert.deepEqual([full?.activities, full?.lastUrl], [10, '/search'])

    await page.mouse.click(5, 5)
    await page.waitForURL(`${site.url}/`)
    await overlay.waitFor({ state: 'detached' })
    await page.locator('[inert]').waitFor({ state: 'detached' })
    // Another path is blocked as well, and nothing is counted.
    await page.goto(`${site.url}/errors`)
    await overlay.waitFor()
    assert.deepEqual(await kept(page), full)
    await overlay.getByRole('link', { name: 'Go Premium', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    await overlay.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('what is pressed before the scripts have come is done once they have', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const come = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async route => {
      await come.promise
      await route.continue()
    })
    await page.goto(`${site.url}/About`, { waitUntil: 'commit' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    const toggle = page.getByRole('banner').getByRole('button', { name: 'Switch between light and dark' })
    await toggle.click()
    await toggle.click()
    assert.equal(await theme(), 'light')
    come.resolve()
    // Pressed twice by somebody who waits, it is meant once.
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    await toggle.click()
    assert.equal(await theme(), 'light')
  })

  test('what is pressed while the scripts take the page over is done', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    // As soon as there is a router, and before what it draws has been taken over.
    await page.addInitScript(() => {
      let router: unknown
      Object.defineProperty(window, '__reactRouterDataRouter', {
        get: () => router,
        set: made => {
          router = made
          setTimeout(() => {
            Reflect.set(window, 'wasEarly', 'pressedEarly' in window)
            document.querySelector<HTMLElement>('header button[aria-label^="Switch between"]')?.click()
          })
        },
      })
    })
    await page.goto(`${site.url}/`)
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    assert.equal(await page.evaluate('wasEarly'), true)
  })

  test('a day frees two of a full counter, five days forget it', async () => {
    await using opened = await newPage(site.browser, { keepsVisits: true })
    const { page } = opened
    await page.goto(`${site.url}/About`)
    for (const [ago, expected] of [
      [PARTIAL_COOLDOWN_MS, 9],
      [FULL_COOLDOWN_MS, 1],
    ] as const) {
      const before = Date.now() - ago
      await keep(page, { activities: 10, lastUpdated: before, lastUrl: '/reports' })
      await page.goto(`${site.url}/errors`)
      await page.waitForFunction(
        old => !localStorage.getItem('track-key')?.includes(`"lastUpdated":${old}`),
        before,
      )
      assert.equal((await kept(page))?.activities, expected)
      assert.equal(await overlayOf(page).count(), 0)
    }
  })

  test('a search engine is neither counted nor blocked', async () => {
    await using opened = await newPage(site.browser, {
      keepsVisits: true,
      userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    })
    const { page } = opened
    const full = { activities: 10, lastUpdated: Date.now(), lastUrl: '/reports' }
    await page.goto(`${site.url}/About`)
    await keep(page, full)
    await page.goto(`${site.url}/errors`)
    await settle(page)
    assert.deepEqual(await kept(page), full)
    assert.equal(await overlayOf(page).count(), 0)
  })

  test('who is not signed in finds the ways in at each width, and the account page says so', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/account`)
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    assert.equal(await page.locator('meta[name=robots]').getAttribute('content'), 'noindex')
    assert.deepEqual(await faultsOf(page), [])
    const bar = page.getByRole('banner')
    const shown = async () => [
      ...(await bar.getByRole('link').allTextContents()),
      ...(await bar.getByRole('button').allTextContents()),
    ]
    const words = await shown()
    for (const way of ['Sign Up', 'Sign In', 'Newsletter', 'Bitcoin L2s', 'Pricing'])
      assert.ok(words.includes(way), `${way} is not in ${words}`)
    for (const other of ['Premium', 'Sign Out', 'Manage Subscription', 'Custom Dashboards', 'Run Queries'])
      assert.ok(!words.includes(other), other)
    assert.deepEqual(await overflowsOf(page, [820, 390]), [])
    await bar.locator('summary[aria-label="Sign in"]').click()
    await bar.getByRole('link', { name: 'Sign Up' }).waitFor()
    assert.deepEqual(await overflowsOf(page, [390]), [])
    assert.deepEqual(complaints, [])
  })

  test('a newer version of the server loads an open page again, once', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    let documents = 0
    page.on('request', request => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.route('**/meta.json', route => route.fulfill({ json: { version: '99.0.0' } }))
    await page.goto(`${site.url}/pricing`)
    await page.waitForFunction(
      () => performance.getEntriesByType('navigation')[0]?.toJSON().type === 'reload',
    )
    await settle(page)
    assert.equal(documents, 2)
  })

  test('scripts that do not come are asked for once more, then the page says so', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.route('**/assets/*.js', route => route.abort())
    await page.goto(`${site.url}/pricing`)
    await page.getByRole('alert').getByText('A part of this page could not be loaded').waitFor()
    assert.equal(
      await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().type),
      'reload',
    )
  })

  /** Waits until the page asks for itself once more. A clock that is set by the test leaves the browser no record of it. */
  const reloaded = (page: Page) => page.waitForRequest(request => request.isNavigationRequest())
  const failure = (page: Page, name: string) =>
    page.getByRole('alert').getByText(`Check the connection, then load the page again. (${name})`)

  test('a style sheet that fails is asked for once more, then the page says so, bare', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    let documents = 0
    page.on('request', request => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.route('**/assets/*.css', route => route.abort())
    await page.goto(`${site.url}/pricing`, { waitUntil: 'commit' })
    await failure(page, 'CSS_CHUNK_LOAD_FAILED').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    assert.equal(documents, 2)
    // In sight without anything that would put it there.
    const place = await page.getByRole('alert').boundingBox()
    assert.ok(place && place.y + place.height <= 900, JSON.stringify(place))
  })

  test('a style sheet that never comes is given up in time: asked for once more, then the page says so, bare', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.clock.install()
    await page.route('**/assets/*.css', () => undefined)
    const asked = () => page.waitForRequest('**/assets/*.css')
    const first = asked()
    await page.goto(`${site.url}/pricing`, { waitUntil: 'commit' })
    await first
    const [again, second] = [reloaded(page), asked()]
    await page.clock.fastForward(CHUNK_TIMEOUT_MS)
    await again
    await second
    await page.clock.fastForward(CHUNK_TIMEOUT_MS)
    await failure(page, 'CSS_CHUNK_LOAD_FAILED').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
  })

  test('a part that never comes loads the page again once, then it is said', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.clock.install()
    await page.route('**/assets/SearchPanel*.js', () => undefined)
    await page.goto(`${site.url}/pricing`)
    for (const isAgain of [false, true]) {
      await beginScripts(page)
      const asked = page.waitForRequest('**/assets/SearchPanel*.js')
      await page.keyboard.press('/')
      await asked
      const again = isAgain ? failure(page, 'ChunkLoadError').waitFor() : reloaded(page)
      await page.clock.fastForward(CHUNK_TIMEOUT_MS)
      await again
    }
  })

  test('the script of a further page that fails loads the page again once, then it is said', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.route('**/assets/StatusPage*.js', route => route.abort())
    await page.goto(`${site.url}/pricing`)
    for (const isAgain of [false, true]) {
      await beginScripts(page)
      const again = isAgain ? failure(page, 'ChunkLoadError').waitFor() : reloaded(page)
      await page.evaluate(() => {
        const router: { navigate(path: string): Promise<void> } = Reflect.get(
          window,
          '__reactRouterDataRouter',
        )
        void router.navigate('/status')
      })
      await again
    }
  })

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

  test('who has features sees what they open, no Premium and no limit, and the record of visits goes', async () => {
    await using opened = await newPage(site.browser, { keepsVisits: true })
    const { page } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, 'cleo@example.org', 'Cleo')
    await welcome(page, 'Cleo')
    await page.route('**/api/v1/features', route => route.fulfill({ json: { dashboard: true } }))
    await keep(page, { activities: 10, lastUpdated: Date.now(), lastUrl: '/x' })
    await page.goto(`${site.url}/errors`)
    const bar = page.getByRole('banner')
    await bar.getByRole('link', { name: 'Custom Dashboards', exact: true }).waitFor()
    await page.waitForFunction(() => localStorage.getItem('track-key') === null)
    assert.equal(await overlayOf(page).count(), 0)
    assert.equal(await bar.getByRole('link', { name: 'Premium', exact: true }).count(), 0)
    assert.deepEqual(await overflowsOf(page, [390, 820, 1200, 1440]), [])
    await page.goto(`${site.url}/`)
    assert.equal(await page.locator('html').getAttribute('data-features'), 'dashboard premium any')
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

  test('a name that is a script is text in the bar and on the account page', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    const name = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    await page.goto(`${site.url}/account`)
    await makeAccount(page, 'hal@example.org', name)
    await page.waitForURL(`${site.url}/account`)
    await welcome(page, name)
    await page.getByText('hal@example.org').first().waitFor()
    assert.equal(await page.locator('img[src=x]').count(), 0)
    const scripts = await page.locator('script').allTextContents()
    assert.ok(!scripts.some(text => text.startsWith('alert')))
    assert.deepEqual(complaints, [])
  })

  test('a key is shown once and revoked, and a deleted account signs nobody in', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/account`)
    const way = page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })
    await makeAccount(page, 'dora@example.org', 'Dora', way)
    await page.waitForURL(`${site.url}/account`)
    await page.getByText('dora@example.org').first().waitFor()
    await page.getByLabel('Name of the new key').fill('Notebook')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const made = page.getByRole('status').filter({ hasText: 'It is shown only once' })
    await made.waitFor()
    const key = (await made.locator('code').textContent()) ?? ''
    assert.ok(key.length > 20)
    await page.getByRole('button', { name: 'Revoke the key Notebook' }).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
    await page.reload()
    await page.getByRole('button', { name: 'Revoke the key Notebook' }).click()
    await page.getByText('You have no keys.').waitFor()
    assert.ok(!(await page.getByRole('main').textContent())?.includes(key))
    await page.getByLabel('To delete all of it for good, type delete').fill('delete')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.waitForURL(`${site.url}/`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.getByLabel('Email').fill('dora@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    assert.ok(
      complaints.every(text => /401/.test(text)),
      complaints.join(),
    )
  })
})

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
