/** The search would not work with keys, mouse or on a phone. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle, WIDTHS } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { reads } from './soon.ts'

describe('the search', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  const boxOf = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: /^Search/ })
  const chosen = (page: Page) => page.getByRole('option', { selected: true })

  test('leads by keys alone from a beginning to a page, and remembers it', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/tvl`)
    await settle(page)
    await page.keyboard.press('/')
    await page.keyboard.type('stack')
    const box = boxOf(page)
    await chosen(page)
      .filter({ hasText: /^Stacks/ })
      .waitFor()
    assert.equal(await box.getAttribute('aria-expanded'), 'true')
    await reads(chosen(page).first().locator('mark').first(), 'Stack')
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ results$/ })
      .waitFor({ state: 'attached' })
    assert.deepEqual(await faultsOf(page), [])
    const first = await box.getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await box.getAttribute('aria-activedescendant'), first)
    await page.keyboard.press('End')
    await chosen(page).filter({ hasText: 'stack' }).waitFor()
    await page.keyboard.press('Home')
    assert.equal(await box.getAttribute('aria-activedescendant'), first)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/stacks')
    await settle(page)

    // Recent first, in the empty field and among answers; the way to clear them is the last line.
    await page.keyboard.press('Control+k')
    const group = page.getByRole('group', { name: 'Recent' })
    await group.getByRole('option', { name: /^Stacks/ }).waitFor()
    await page.keyboard.type('st')
    await page
      .getByRole('group', { name: 'Layers' })
      .or(page.getByRole('group', { name: 'Tokens' }))
      .first()
      .waitFor()
    assert.match((await page.getByRole('option').first().textContent()) ?? '', /^Stacks/)
    await page.keyboard.press('Escape')
    assert.equal(await box.getAttribute('aria-expanded'), 'false')
    assert.equal(await box.inputValue(), 'st')
    await page.keyboard.press('Escape')
    assert.equal(await box.inputValue(), '')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await chosen(page).filter({ hasText: 'Forget' }).waitFor()
    await page.keyboard.press('Enter')
    await group.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate("localStorage.getItem('recent')"), null)
    await page.keyboard.press('Tab')
    assert.equal(await box.getAttribute('aria-expanded'), 'false')
    assert.deepEqual(complaints, [])
  })

  test('forgives a slip, and opens by mouse', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/tvl`)
    await settle(page)
    await boxOf(page).fill('rotstock')
    await page
      .getByRole('option', { name: /^Rootstock/ })
      .first()
      .click()
    await page.waitForURL('**/rootstock')
  })

  test('hears what is typed in the moment in which its list is drawn', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/tvl`)
    await settle(page)
    await page.evaluate(() => {
      // Runs once the list stands in the page, before React has come to the effects of it.
      const drawn = new MutationObserver(() => {
        if (document.querySelector('[role="listbox"]') === null) return
        drawn.disconnect()
        document.execCommand('insertText', false, 'rootst')
      })
      drawn.observe(document, { childList: true, subtree: true })
    })
    await boxOf(page).focus()
    await chosen(page)
      .filter({ hasText: /^Rootstock/ })
      .waitFor()
  })

  test('is a sheet over a phone', async () => {
    await using opened = await newPage(browser, { viewport: { width: 390, height: 800 } })
    const { page } = opened
    await page.goto(`${site.url}/tvl`)
    await settle(page)
    await page.locator('header label[for="find"]').click()
    await page.keyboard.type('mstr')
    await chosen(page).filter({ hasText: 'MSTR' }).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
  })

  test('says so where the server cannot be reached', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/tvl`)
    await settle(page)
    await boxOf(page).fill('stacks')
    await chosen(page).first().waitFor()
    await page.context().setOffline(true)
    await boxOf(page).fill('rootstock')
    await page.getByText('You are offline', { exact: false }).first().waitFor()
    await page.context().setOffline(false)
    await boxOf(page).fill('rootstoc')
    await chosen(page).filter({ hasText: 'Rootstock' }).waitFor()
  })

  test('is a form and a page without JavaScript: the same results in groups, suggestions, ids at once', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/tvl`)
    await boxOf(page).fill('mstr')
    await boxOf(page).press('Enter')
    await page.waitForURL('**/search?q=mstr')
    await page.getByRole('heading', { level: 2, name: 'Treasuries' }).waitFor()
    await page.getByText(/^\d+ results/).waitFor()
    await page.getByRole('main').getByRole('link', { name: /MSTR/ }).click()
    await page.waitForURL('**/analyze/bitcoin-treasuries/strategy')
    await page.goto(`${site.url}/search?q=zzzzqq`)
    await page.getByText('Did you mean').waitFor()
    await page.goto(`${site.url}/search?q=170`)
    assert.equal(new URL(page.url()).pathname, '/bitcoin/block/170')
    await page.goto(`${site.url}/search/mstr`)
    await page
      .getByRole('main')
      .getByRole('combobox', { name: /^Search/ })
      .fill('zest')
    await page
      .getByRole('main')
      .getByRole('combobox', { name: /^Search/ })
      .press('Enter')
    await page.waitForURL('**/search?q=zest')
  })
})
