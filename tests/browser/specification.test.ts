/** Addresses, menus and layout would differ from the specification. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { beginScripts, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

/** §2 of the specification, written down here a second time: addresses that exist, and what the page calls itself. */
const ROUTES: Readonly<Record<string, string>> = {
  '/': 'Bitcoin L2 Compare',
  '/developer-activity': 'Developer Activity',
  '/analyze/bitcoin-defi-indices': 'Bitcoin DeFi Indices',
  '/analyze/bitcoin-treasuries': 'Bitcoin Treasuries',
  '/analyze/bitcoin-treasuries/strategy': 'Strategy',
  '/analyze/bitcoin-yield': 'Bitcoin Yield',
  '/analyze/alpha21': 'Alpha21',
  '/core': 'Core',
  '/bitcoin': 'Bitcoin',
  '/b2-network': 'B² Network',
  '/bitlayer': 'Bitlayer',
  '/bob': 'BOB',
  '/merlin': 'Merlin',
  '/rootstock': 'Rootstock',
  '/stacks': 'Stacks',
  '/stacks/defi': 'DeFi',
  '/stacks/meme-coins': 'Memecoins',
  '/stacks/mining': 'Mining',
  '/stacks/sip-031': 'SIP-031',
  '/stacks/sip-033': 'SIP-033',
  '/stacks/stablecoins': 'Stablecoins',
  '/arkadiko': 'Arkadiko',
  '/welsh': 'Welsh',
  '/granite': 'Granite',
  '/alex': 'ALEX',
  '/hermetica': 'Hermetica',
  '/bitflow': 'Bitflow',
  '/velar': 'Velar',
  '/zest': 'Zest',
  '/lisa': 'LISA',
  '/stacking-dao': 'StackingDAO',
  '/bitcoin/l2s': 'Bitcoin L2s',
  '/bitcoin/l2s/liquid': 'Liquid',
  '/reports': 'Featured Reports',
  '/dashboards': 'Custom Dashboards',
  '/dashboards/hotcontracts': 'Hot contracts',
  '/dashboards/discovermints': 'Discover mints',
  '/About': 'About Us',
  '/Terms': 'Terms of Service',
  '/Privacy': 'Privacy Policy',
  '/Contact': 'Contact Us',
  '/addressbalance': 'Address balances',
  '/contractsdeployed': 'Contracts deployed',
  '/popularcalls': 'Popular calls',
  '/tokens': 'Tokens',
  '/tvl': 'TVL',
  '/collections': 'NFT collections',
  '/pricing': 'Pricing',
  '/subscription-success': '',
  '/error': '',
}

/** Groups of the sidebar, in its order; what belongs to pages that do not exist yet is left out. */
const SIDEBAR: Readonly<Record<string, readonly string[]>> = {
  Analyze: [
    'Alpha21beta',
    'Bitcoin L2 Compare',
    'Bitcoin DeFi Indices',
    'Bitcoin Yield',
    'Bitcoin Treasuries',
    'Developer Activity',
  ],
  Layers: [
    'Bitcoin',
    'Overview',
    'DeFi',
    'Stablecoins',
    'Memecoins',
    'Mining',
    'SIP-031',
    'SIP-033',
    'Rootstock',
    'BOB',
    'Merlin',
    'Bitlayer',
    'B² Network',
    'Core',
  ],
  Applications: [
    'ALEX',
    'Arkadiko',
    'Bitflow',
    'Granite',
    'Hermetica',
    'LISA',
    'StackingDAO',
    'Velar',
    'Zest',
  ],
  Research: ['Featured Reports'],
}
const TOP = ['Custom Dashboards', 'Run Queries', 'Newsletter', 'Bitcoin L2s', 'Pricing']
const FOOTER = ['About Us', 'Terms of Service', 'Privacy Policy', 'Contact Us', 'Get Updates']

describe('what the specification states', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  test('every address stands in the shell under its name, in other letter case it leads there for good', async () => {
    const faults: string[] = []
    for (const [path, label] of Object.entries(ROUTES)) {
      const answer = await fetch(site.url + path)
      const html = await answer.text()
      const heading =
        /<h1[^>]*>(.*?)<\/h1>/s
          .exec(html)?.[1]
          ?.replace(/<[^>]+>/g, '')
          .trim() ?? ''
      if (answer.status !== 200) faults.push(`${path} answers ${answer.status}`)
      if (label !== '' && !heading.startsWith(label)) faults.push(`${path} is called “${heading}”`)
      if (heading === '') faults.push(`${path} has no heading`)
      const turned = path.replace(/[a-z]/g, letter => letter.toUpperCase())
      // A slug is no static part of its address.
      if (turned === path || /strategy|liquid/.test(path)) continue
      const other = await fetch(site.url + turned, { redirect: 'manual' })
      if (other.status !== 308 || other.headers.get('location') !== path)
        faults.push(`${turned} answers ${other.status} to ${other.headers.get('location')}`)
    }
    assert.deepEqual(faults, [])
    const { items } = await site.ask<{ items: { key: string; title: string }[] }>('/reports')
    for (const { key, title } of items)
      assert.ok((await (await fetch(`${site.url}/reports/${key}`)).text()).includes(title))
    const docs = await fetch(`${site.url}/docs`, { redirect: 'manual' })
    assert.deepEqual([docs.status, docs.headers.get('location')], [302, '/documentation'])
    assert.equal((await fetch(`${site.url}/Docs`, { redirect: 'manual' })).headers.get('location'), '/docs')
    for (const path of [
      '/no-such-page',
      '/reports/none',
      '/bitcoin/l2s/none',
      '/analyze/bitcoin-treasuries/none',
    ])
      assert.equal((await fetch(site.url + path)).status, 404, path)
  })

  test('menus and footer have its entries in its order, at every width', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/stacks`)
    await settle(page)
    for (const menu of ['Pages', 'Menu'])
      for (const [group, labels] of Object.entries(SIDEBAR))
        assert.deepEqual(
          await page.locator(`nav[aria-label="${menu}"] section[aria-label="${group}"] a`).allTextContents(),
          labels,
          `${menu}: ${group}`,
        )
    assert.deepEqual(
      await page.locator('nav[aria-label="Pages"] section').evaluateAll(all => all.map(one => one.ariaLabel)),
      Object.keys(SIDEBAR),
    )
    const placed = {
      bar: 'header nav[aria-label="Site"] a',
      side: 'aside nav > ul a',
      sheet: 'nav[aria-label="Menu"] > ul a',
    }
    for (const place of Object.values(placed))
      assert.deepEqual(await page.locator(place).allTextContents(), TOP, place)
    const foot = await page.locator('footer').last().locator('a').allTextContents()
    assert.deepEqual(foot.slice(0, FOOTER.length), FOOTER)
    assert.equal(foot.length, FOOTER.length + 1, 'and one social link')
    assert.match((await page.locator('footer').last().textContent()) ?? '', /©/)
    // Wherever there is a sidebar or a sheet, one of the three places shows what the top menu has.
    const shownAt = async (width: number) => {
      await page.setViewportSize({ width, height: 900 })
      const all = await Promise.all(
        Object.entries(placed).map(async ([name, place]) =>
          (await page.locator(place).filter({ hasText: 'Pricing' }).isVisible()) ? name : '',
        ),
      )
      return all.filter(name => name !== '')
    }
    assert.deepEqual(await shownAt(1440), ['bar'])
    assert.deepEqual(await shownAt(1200), ['bar'])
    assert.deepEqual(await shownAt(1199), ['side'])
    assert.deepEqual(await shownAt(820), ['side'])
    assert.deepEqual(await shownAt(768), ['side'])
    assert.deepEqual(await shownAt(390), [])
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.locator(placed.sheet).filter({ hasText: 'Pricing' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('its sizes and delays are what is drawn', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      assert.ok(box, selector)
      return box
    }
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((at, key) => getComputedStyle(at).getPropertyValue(key), name)
    // What a scroll bar leaves.
    const roomOf = async () => Number(await page.evaluate('document.documentElement.clientWidth'))
    await page.goto(`${site.url}/About`)
    await beginScripts(page)
    for (const width of [1600, 1440, 1000, 768]) {
      await page.setViewportSize({ width, height: 900 })
      const bar = await boxOf('header')
      assert.deepEqual([bar.height, bar.width], [71, await roomOf()])
      assert.equal((await boxOf('aside')).width, Math.max(250, width / 5))
    }
    // No strip is left free for a scroll bar that is not there.
    await page.evaluate(() => document.documentElement.style.setProperty('overflow', 'hidden'))
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal((await boxOf('header')).width, width)
    }
    await page.reload()
    await beginScripts(page)
    await page.setViewportSize({ width: 767, height: 900 })
    assert.equal(await page.locator('aside').first().isVisible(), false)
    assert.ok(Math.abs((await boxOf('main')).width - (await roomOf()) * 0.96) < 1)
    await page.setViewportSize({ width: 390, height: 900 })
    assert.ok(Math.abs((await boxOf('main')).width - (await roomOf()) * 0.96) < 1)
    await page.setViewportSize({ width: 2400, height: 900 })
    assert.equal((await boxOf('main')).width, 1400)

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${site.url}/stacks`)
    // The text of a nested entry against the text above it.
    const indent = await page.evaluate(() => {
      const startOf = (element: Element | null | undefined) => {
        const text = document.createTreeWalker(element as Element, NodeFilter.SHOW_TEXT).nextNode()
        const range = document.createRange()
        range.selectNodeContents(text as Node)
        return range.getBoundingClientRect().left
      }
      const branch = document.querySelector('aside button[aria-expanded]')
      return startOf(branch?.nextElementSibling?.querySelector('a')) - startOf(branch)
    })
    assert.ok(Math.abs(indent - 24) < 0.5, `${indent}`)
    await page.locator('aside a[href="/bitcoin"]').hover()
    assert.equal(await styleOf('aside a[href="/bitcoin"]', 'transition-delay'), '0.1s')

    await page.goto(`${site.url}/documentation`)
    const rail = 'nav[aria-label="Documentation"]'
    assert.equal((await boxOf(rail)).width, 200)
    await page.setViewportSize({ width: 1000, height: 900 })
    assert.equal((await boxOf(rail)).width, 80)
  })

  test('the expandable menu opens and closes under the pointer after its delay, by click and by key', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.clock.install()
    await page.goto(`${site.url}/tokens`)
    await beginScripts(page)
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
    const branch = page.locator('aside button[aria-expanded]')
    const entry = page.locator('aside a[href="/stacks/mining"]')
    const isExpanded = async () => [await branch.getAttribute('aria-expanded'), await entry.isVisible()]
    const [closed, open] = [
      ['false', false],
      ['true', true],
    ] as const
    assert.deepEqual(await isExpanded(), closed)
    await branch.hover()
    await page.clock.runFor(99)
    assert.deepEqual(await isExpanded(), closed)
    await page.clock.runFor(2)
    assert.deepEqual(await isExpanded(), open)
    await page.locator('h1').hover()
    await page.clock.runFor(99)
    assert.deepEqual(await isExpanded(), open)
    await page.clock.runFor(2)
    assert.deepEqual(await isExpanded(), closed)
    // A click on what the pointer opened keeps it open.
    await branch.hover()
    await page.clock.runFor(101)
    await branch.click()
    await page.locator('h1').hover()
    await page.clock.runFor(101)
    assert.deepEqual(await isExpanded(), open)
    await branch.focus()
    await page.keyboard.press('Enter')
    assert.deepEqual(await isExpanded(), closed)
    await page.keyboard.press('Space')
    assert.deepEqual(await isExpanded(), open)
    await entry.focus()
    assert.deepEqual(complaints, [])

    await using plain = await newPage(site.browser, { javaScriptEnabled: false })
    await plain.page.goto(`${site.url}/tokens`)
    assert.equal(await plain.page.locator('aside a[href="/stacks/mining"]').isVisible(), true)
  })

  test('the upgrade overlay covers the whole window and goes at once, before the data of home has come', async () => {
    await using opened = await newPage(site.browser, { keepsVisits: true })
    const { page } = opened
    await page.goto(`${site.url}/errors`)
    await beginScripts(page)
    await page.evaluate(() =>
      localStorage.setItem(
        'track-key',
        JSON.stringify({ activities: 10, lastUpdated: Date.now(), lastUrl: '/errors' }),
      ),
    )
    const home = Promise.withResolvers<void>()
    await page.route(/\/_root\.data|\/\.data/, async route => {
      await home.promise
      await route.continue()
    })
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${site.url}/status`)
      const overlay = page.getByRole('dialog', { name: 'Upgrade to Premium' })
      await overlay.waitFor()
      const box = await overlay.boundingBox()
      assert.deepEqual([box?.x, box?.y, box?.width, box?.height], [0, 0, width, 900])
    }
    await page.mouse.click(5, 5)
    await page.getByRole('dialog', { name: 'Upgrade to Premium' }).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/status')
    home.resolve()
    await page.waitForURL(`${site.url}/`)
  })

  test('small things that browsers and readers look for are there', async () => {
    const icon = await fetch(`${site.url}/favicon.ico`)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon'])
    const home = await (await fetch(site.url)).text()
    assert.match(home, /href="\/reports\/feed\.xml"[^>]*>Newsletter</)
    assert.match(home, /href="\/reports\/feed\.xml"[^>]*>Get Updates</)
    const missing: Readonly<Record<string, readonly [near: string, name: string]>> = {
      '/treasurys': ['/tvl', ''],
      '/analyze/bitcoin-treasuries/strategi': ['/analyze/bitcoin-treasuries/strategy', 'Strategy'],
      '/bitcoin/l2s/liqiud': ['/bitcoin/l2s/liquid', 'Liquid'],
      '/documentation/metrics/price.closee': ['/documentation/metrics/price.close', 'Price'],
    }
    for (const [path, [near, name]] of Object.entries(missing)) {
      const answer = await fetch(site.url + path, { headers: { accept: 'text/html' } })
      const html = await answer.text()
      assert.equal(answer.status, 404, path)
      const nearest = /aria-label="Nearest pages".*?<\/nav>/s.exec(html)?.[0] ?? ''
      assert.match(nearest, /<a /, `${path} links to no near page`)
      if (path !== '/treasurys') assert.match(nearest, new RegExp(`href="${near}"[^>]*><span>${name}`))
      assert.match(html, /<title>Page not found · Assay<\/title>/, path)
      assert.equal((html.match(/<title>/g) ?? []).length, 1, `${path} has one title`)
    }
    const unknown = await (await fetch(`${site.url}/no-such-page`)).text()
    assert.match(unknown, /<title>Page not found · Assay<\/title>/)
  })

  test('a link is underlined while the pointer is on it', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}/About`)
    const link = page.locator('footer a').first()
    const lineOf = (of: typeof link) => of.evaluate(at => getComputedStyle(at).textDecorationLine)
    assert.equal(await lineOf(link), 'none')
    await link.hover()
    assert.equal(await lineOf(link), 'underline')
  })

  test('the first theme is light, whatever the system prefers, and the choice is one bare word', async () => {
    await using opened = await newPage(site.browser, { colorScheme: 'dark' })
    const { page } = opened
    await page.goto(`${site.url}/pricing`)
    await beginScripts(page)
    const theme = (at: Page) => at.locator('html').getAttribute('data-theme')
    assert.equal(await theme(page), 'light')
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    assert.equal(await theme(page), 'dark')
    assert.equal(await page.evaluate("localStorage.getItem('theme')"), 'dark')
  })
})
