import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { FULL_COOLDOWN_MS, PARTIAL_COOLDOWN_MS, type VisitRecord } from '#web/people/states/visits.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const keep = (page: Page, record: VisitRecord) =>
  page.evaluate(text => localStorage.setItem('track-key', text), JSON.stringify(record))
const kept = async (page: Page): Promise<VisitRecord | undefined> =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('track-key'))) ?? 'null') ?? undefined
const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Upgrade to Premium' })

describe('people', skipWithoutChromium, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
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
    assert.equal(await page.locator('[inert]').count(), 0)
    // Another path is blocked as well, and nothing is counted.
    await page.goto(`${site.url}/errors`)
    await overlay.waitFor()
    assert.deepEqual(await kept(page), full)
    await overlay.getByRole('link', { name: 'Go Premium', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    await overlay.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
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
    await page.goto(`${site.url}/About`)
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
    await page.goto(`${site.url}/About`)
    await page.getByRole('alert').getByText('A part of this page could not be loaded').waitFor()
    assert.equal(
      await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().type),
      'reload',
    )
  })
})
