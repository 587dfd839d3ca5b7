/** The yield page would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { ApplicationTable } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { heldWeight, isAlive, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const PATH = '/analyze/bitcoin-yield'

describe('the page about yields', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  let browser: Browser
  let ways: ApplicationTable

  before(async () => {
    site = await sharedSite()
    browser = site.browser
    ways = await site.ask<ApplicationTable>('/opportunities/tables/opportunities')
  })

  const namesOn = (page: Page) =>
    page.locator('#opportunities tbody tr th, #opportunities tbody tr td:first-child').allTextContents()
  const ofSize = (least: number) =>
    ways.rows.filter(({ tvl }) => tvl === null || Number(tvl) >= least).map(({ name }) => String(name))

  test('it leads from the menu, shows the ways of the API, and a filter stays in the address and says what it hides', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/`)
    await page.getByRole('link', { name: 'Bitcoin Yield' }).first().click()
    await page.waitForURL(`**${PATH}`)
    await settle(page)
    assert.deepEqual((await namesOn(page)).toSorted(), ofSize(100_000).toSorted())
    await page
      .getByRole('navigation', { name: 'IL exposure' })
      .getByRole('link', { name: 'Bitcoin only' })
      .click()
    await page.waitForURL('**il=no**')
    const alone = ways.rows.filter(
      row => (row.tvl === null || Number(row.tvl) >= 100_000) && Number(row.is_bitcoin_only) === 1,
    )
    const hidden = ofSize(100_000).length - alone.length
    assert.ok(hidden > 0)
    await page.getByText(`${hidden} by IL exposure`).waitFor()
    assert.deepEqual((await namesOn(page)).toSorted(), alone.map(({ name }) => String(name)).toSorted())
    assert.deepEqual(complaints, [])
  })

  test('the calculator takes what was seen of the way that is chosen', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    const { rows } = await site.ask<ApplicationTable>('/opportunities/tables/ranges')
    const row = rows.find(({ entity }) => entity === 'fluid-dex-ethereum-wbtc-lbtc')
    assert.ok(row)
    await page.goto(`${site.url}${PATH}`)
    await settle(page)
    await page.getByLabel('First', { exact: true }).selectOption('fluid-dex-ethereum-wbtc-lbtc')
    await page.waitForURL('**w1=fluid-dex-ethereum-wbtc-lbtc**')
    await settle(page)
    const median = Number(((Number(row.mid_90) * 100) as number).toPrecision(4))
    await page.waitForFunction(
      expected => document.querySelector<HTMLInputElement>('#net input[name="net.mid"]')?.value === expected,
      String(median),
    )
    // Net of fees, for an amount and a horizon of one’s own; the address keeps them.
    await page.locator('#net input[name="net.amount"]').fill('2.5')
    await page.locator('#net input[name="net.days"]').fill('180')
    await page.waitForURL(url => url.search.includes('net.amount=2.5') && url.search.includes('net.days=180'))
    await settle(page)
    const left = 2.5 * (1 - 0.1 / 100) * (1 + ((median / 100) * 180) / 90) * (1 - 0.1 / 100)
    const told = page.locator('#net dl > div').filter({ hasText: 'Left, at the median' }).locator('dd[title]')
    assert.equal(await told.getAttribute('title'), figureText(left, 'BTC').full)
    await using other = await newPage(site.browser, { javaScriptEnabled: false })
    await other.page.goto(page.url())
    const shared = other.page.locator('#net dl > div').filter({ hasText: 'Left, at the median' })
    assert.equal(await shared.locator('dd[title]').getAttribute('title'), figureText(left, 'BTC').full)
    assert.deepEqual(complaints, [])
  })

  test('an open page that nobody touches fetches no script, until its figures change', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    // The server's own words, which it says only after something has changed.
    const news = Promise.withResolvers<void>()
    let isTold = false
    await page.route('**/api/v1/changes?*', async route => {
      await news.promise
      await route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 60000\n${isTold ? ':' : 'event: change\ndata: {}'}\n\n`,
      })
      isTold = true
    })
    const asked: string[] = []
    page.on('request', request => {
      if (new URL(request.url()).pathname.endsWith('.data')) asked.push(request.url())
    })
    await page.goto(`${site.url}${PATH}`)
    await settle(page)
    assert.equal(await heldWeight(page), 0)
    const request = page.waitForRequest(each => new URL(each.url()).pathname.endsWith('.data'))
    news.resolve()
    await isAlive(page)
    await page.waitForFunction(() => !('hasNews' in window))
    await request
    await settle(page)
    assert.equal(asked.length, 1)
    assert.deepEqual(complaints, [])
  })

  test('a reader without a script sees the ways, what is left out and why', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PATH}?floor=any`)
    assert.equal((await namesOn(page)).length, ways.rows.length)
    await page.getByText('Its other coin moves against bitcoin', { exact: true }).first().waitFor()
    await page
      .locator('#opportunities')
      .getByRole('link', { name: /^SQL of/ })
      .click()
    await page.getByRole('heading', { name: /^SQL of “Opportunities”/ }).waitFor()
  })
})
