/** Signing in, the visit limit and the theme would not work in a browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHUNK_TIMEOUT_MS } from '#web/people/loadChunk.ts'
import { FULL_COOLDOWN_MS, PARTIAL_COOLDOWN_MS, type VisitRecord } from '#web/people/states/visits.ts'
import { makeAccount, PASSWORD, welcome } from './accounts.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { beginScripts, faultsOf, overflowsOf, settle } from './pageFaults.ts'
import { failure, kept, reloaded, setUpPeopleSite, site } from './sharedPeopleSite.ts'

const keep = (page: Page, record: VisitRecord) =>
  page.evaluate(text => localStorage.setItem('track-key', text), JSON.stringify(record))

const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Upgrade to Premium' })

describe('people', skipWithoutChromium, () => {
  setUpPeopleSite()

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
