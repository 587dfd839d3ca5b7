/** Readers could not move around by keyboard, theme or on a phone. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { isAlive, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

describe('the frame of pages in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser

  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  test('nothing moves while a page loads', async () => {
    for (const width of [390, 1440]) {
      await using opened = await newPage(browser, { viewport: { width, height: 900 } })
      const { page } = opened
      await page.goto(`${site.url}/bitcoin`)
      await settle(page)
      const shift = await page.evaluate(
        () =>
          new Promise<number>(resolve => {
            let sum = 0
            const observer = new PerformanceObserver(list => {
              for (const entry of list.getEntries())
                sum += (entry as PerformanceEntry & { value: number }).value
            })
            observer.observe({ type: 'layout-shift', buffered: true })
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
          }),
      )
      assert.ok(shift < 0.01, `a layout shift of ${shift} at ${width} px`)
    }
  })

  test('a stored dark theme holds before any script of the page has come, and the choice is kept as a bare word', async () => {
    await using opened = await newPage(browser, { theme: 'dark' })
    const { page } = opened
    await page.route('**/assets/*.js', route => route.abort())
    await page.goto(`${site.url}/bitcoin`)
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    // Without its scripts a page is loaded again, once; then it says so.
    await page.locator('#chunk-failed').waitFor()
    assert.equal(await ground(), 'rgb(17, 17, 15)')

    await using fresh = await newPage(browser, { colorScheme: 'dark' })
    await fresh.page.goto(`${site.url}/bitcoin`)
    await settle(fresh.page)
    assert.equal(await fresh.page.locator('html').getAttribute('data-theme'), 'light')
    await fresh.page.getByRole('button', { name: 'Switch between light and dark' }).click()
    assert.equal(await fresh.page.evaluate(() => localStorage.getItem('theme')), 'dark')
    await fresh.page.reload()
    assert.equal(await fresh.page.locator('html').getAttribute('data-theme'), 'dark')
  })

  test('an unknown address is a 404 inside the shell that names the nearest page; wrong case leads to the right one', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const answer = await page.goto(`${site.url}/bitcoinn`)
    assert.equal(answer?.status(), 404)
    await page.getByRole('banner').waitFor()
    await page
      .getByRole('navigation', { name: 'Nearest pages' })
      .getByRole('link', { name: /\/bitcoin/ })
      .first()
      .waitFor()
    const block = await page.goto(`${site.url}/bitcoin/block/99999999`)
    assert.equal(block?.status(), 404)
    const exact = await fetch(`${site.url}/Bitcoin`, { redirect: 'manual' })
    assert.equal(exact.status, 308)
    assert.equal(exact.headers.get('location'), '/bitcoin')
  })

  test('the keyboard alone reaches a figure, opens it, leaves it and walks through a chart', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the page')
    await page.keyboard.press('/')
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'q')

    const figure = page.getByRole('link', { name: /^Fees, day: / })
    await figure.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.ok(
      await figure.evaluate(link => link === document.activeElement),
      'focus does not return to the figure',
    )
    assert.doesNotMatch(page.url(), /assay=/)

    const slider = page.getByRole('slider', { name: /^Fees paid: move through time/ })
    await slider.focus()
    const first = await slider.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowLeft')
    assert.notEqual(await slider.getAttribute('aria-valuetext'), first)
  })

  test('whatever the keyboard reaches shows that it does', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin?tab=blocks`)
    await settle(page)
    const unseen: string[] = []
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      const fault = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return undefined
        const rings = [element, element.closest('form'), element.closest('div')].flatMap(part =>
          part ? [getComputedStyle(part), getComputedStyle(part, '::after')] : [],
        )
        const isSeen = rings.some(
          style => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0,
        )
        return isSeen ? undefined : element.outerHTML.slice(0, 120)
      })
      if (fault) unseen.push(fault)
    }
    assert.deepEqual(unseen, [])
  })

  test('on a small screen the menu is a sheet from the left that Escape closes', async () => {
    await using opened = await newPage(browser, { viewport: { width: 390, height: 844 } })
    const { page } = opened
    await page.goto(`${site.url}/status`)
    const menu = page.getByRole('navigation', { name: 'Menu' })
    assert.equal(await menu.isVisible(), false)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await menu.getByRole('link', { name: 'Bitcoin', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })

    // Opened as the first step on a page whose scripts wait for one, it stays when they have come.
    await page.goto(`${site.url}/About`)
    await settle(page)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await isAlive(page)
    await settle(page)
    await menu.getByRole('link', { name: 'Bitcoin', exact: true }).click()
    await page.waitForURL('**/bitcoin')
    await menu.waitFor({ state: 'hidden' })
  })

  test('on a small screen the chosen tab stands within the window', async () => {
    await using opened = await newPage(browser, { viewport: { width: 390, height: 844 } })
    const { page } = opened
    for (const tab of ['layers', 'fees', 'lightning']) {
      await page.goto(`${site.url}/bitcoin?tab=${tab}`)
      await settle(page)
      const place = await page.locator('main nav [aria-current="page"][data-tab]').boundingBox()
      assert.ok(place && place.x >= 0 && place.x + place.width <= 390, `${tab}: ${JSON.stringify(place)}`)
    }
  })

  test('the bar is 71 px high and the sidebar a fifth of the window, at least 250 px, gone under 768 px', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    const sizes = async (width: number) => {
      await page.setViewportSize({ width, height: 900 })
      return page.evaluate(() => ({
        bar: document.querySelector('header')?.getBoundingClientRect().height,
        side: document.querySelector('aside')?.getBoundingClientRect().width,
        window: document.body.getBoundingClientRect().width,
      }))
    }
    const wide = await sizes(1600)
    assert.equal(wide.bar, 71)
    assert.ok(Math.abs((wide.side ?? 0) - wide.window / 5) < 1)
    assert.equal((await sizes(820)).side, 250)
    assert.equal((await sizes(767)).side, 0)
    assert.equal((await sizes(390)).bar, 71)
  })

  test('the scripts fetched before any input weigh at most 150 kB packed', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const scripts = new Map<string, Promise<Buffer>>()
    page.on('response', response => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
    })
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    const weights = await Promise.all([...scripts.values()].map(async body => gzipSync(await body).length))
    const sum = weights.reduce((all, weight) => all + weight, 0)
    assert.ok(weights.length > 0 && sum <= 150_000, `${weights.length} scripts weigh ${sum} bytes`)
  })
})
