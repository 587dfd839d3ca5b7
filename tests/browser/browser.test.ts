/** Readers could not open a figure, run its SQL and share it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { chartJourneys } from './chartJourneys.ts'
import { copiedOn, newPage, skipWithoutChromium } from './chromium.ts'
import { compareJourneys } from './compareJourneys.ts'
import { isAlive, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

const BLOCK = '/bitcoin/block/170'
const STACKS_TX = '/stacks/tx/337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406'

describe('pages in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser

  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  compareJourneys(() => ({ site, browser }))

  test('a reader opens a figure, changes its SQL, runs it, shares the link and finds the same again', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    await page.getByRole('link', { name: /^Fees, day: .*Open its assay view/ }).click()
    const sheet = page.locator('dialog:modal')
    await sheet.getByRole('heading', { name: /Fees paid/ }).waitFor()
    assert.match(page.url(), /assay=fees\.total@bitcoin/)
    for (const part of [
      'Definition',
      'How it is computed',
      'How it can mislead',
      'Sources',
      'Blocks it rests on',
      'Restated',
    ]) {
      await sheet.getByText(part, { exact: true }).waitFor()
    }
    const editor = sheet.getByRole('textbox', { name: 'SQL', exact: true })
    assert.match(await editor.inputValue(), /SELECT/)

    await editor.fill(
      'SELECT height, fee_sat AS changed_by_me\nFROM btc_blocks\nWHERE height BETWEEN 165 AND 170\nORDER BY height',
    )
    await editor.press('Control+Enter')
    await sheet.getByRole('columnheader', { name: 'changed_by_me' }).waitFor()
    await counts(sheet.getByRole('region', { name: 'Rows' }).getByRole('row'), 7)

    await sheet.getByRole('button', { name: 'Share this figure' }).click()
    const shared = await copiedOn(page, text => /assay\.day=\d{4}-\d{2}-\d{2}/.test(text))

    await using other = await newPage(browser)
    await other.page.goto(shared)
    const again = other.page.getByRole('dialog')
    await again.getByRole('columnheader', { name: 'changed_by_me' }).waitFor()
    assert.match(await again.getByRole('textbox', { name: 'SQL', exact: true }).inputValue(), /changed_by_me/)
    await again.getByText(/This link was made for/).waitFor()
    assert.deepEqual([...complaints, ...other.complaints], [])
  })

  test('wrong SQL is answered with its line and column, at the SQL', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin?assay=fees.total@bitcoin`)
    // Without its script the form would lead to a page of its own.
    const sheet = page.locator('dialog:modal')
    await sheet
      .getByRole('textbox', { name: 'SQL', exact: true })
      .fill('SELECT height\nFROM btc_blocks\nWHERE no_such_column = 1')
    await sheet.getByRole('button', { name: /Run/ }).click()
    await sheet.getByText(/Line 3, column 7/).waitFor()
    const explained = await sheet.getByRole('link', { name: 'About this problem' }).getAttribute('href')
    await page.goto(site.url + explained)
    await page.getByRole('heading', { name: 'Column not found', level: 1 }).waitFor()
    await page.getByText('sql.unknown_column', { exact: true }).waitFor()
  })

  test('of an answer of thousands of rows those in sight are drawn, and each can be scrolled to', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin?assay=fees.total@bitcoin`)
    const sheet = page.locator('dialog:modal')
    await sheet
      .getByRole('textbox', { name: 'SQL', exact: true })
      .fill("SELECT arrayJoin(range(9000)) AS n, concat('row ', toString(n)) AS words")
    await sheet.getByRole('button', { name: /Run/ }).click()
    const table = sheet.locator('table[aria-rowcount="9001"]')
    await table.waitFor()
    await table.getByRole('cell', { name: 'row 0', exact: true }).waitFor()
    const rows = sheet.getByRole('region', { name: 'Rows' })
    const widths = () =>
      table.locator('th').evaluateAll(heads => heads.map(head => head.getBoundingClientRect().width))
    const before = await widths()
    await rows.focus()
    await page.keyboard.press('End')
    await table.getByRole('cell', { name: 'row 8999', exact: true }).waitFor()
    assert.ok((await table.locator('tr').count()) < 100, 'as many rows are drawn as are in sight')
    const last = table.locator('tr[aria-rowindex]').last()
    assert.equal(await last.getAttribute('aria-rowindex'), '9001')
    assert.deepEqual(await widths(), before)
    assert.deepEqual(complaints, [])
  })

  test('what is typed before the scripts have come is kept', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    // The scripts of the page are held back until something is typed.
    const typed = Promise.withResolvers<void>()
    await page.route('**/*.js', async route => {
      await typed.promise
      await route.continue()
    })
    await page.goto(`${site.url}/bitcoin?assay=fees.total@bitcoin`, { waitUntil: 'commit' })
    const field = page.getByRole('textbox', { name: 'SQL', exact: true })
    await field.fill('SELECT 41 + 1 AS answer')
    await page.getByLabel(/^to/).fill('2020-12-31')
    typed.resolve()
    await settle(page)
    await page.getByRole('dialog').getByRole('heading', { name: 'SQL, changed by you' }).waitFor()
    assert.equal(await field.inputValue(), 'SELECT 41 + 1 AS answer')
    await page.getByRole('dialog').getByRole('button', { name: /Run/ }).click()
    await page.getByRole('dialog').getByRole('cell', { name: '42', exact: true }).waitFor()
  })

  test('without JavaScript the page reads, charts are drawn, ranges and the assay view work', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    const fees = page.locator('section#fees')
    assert.ok((await fees.locator('svg path').count()) >= 2, 'the chart is not in the HTML')
    assert.match((await fees.locator('figcaption').textContent()) ?? '', /latest .* highest/)
    assert.ok(
      (await page.locator('section#blocks tbody tr').count()) >= 5,
      'the block list is not in the HTML',
    )
    await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: '30d' }).click()
    assert.match(page.url(), /range=30d/)
    assert.equal(
      await page.getByRole('navigation', { name: 'Range' }).locator('[aria-current]').textContent(),
      '30d',
    )

    await page.getByRole('link', { name: /^Fees, day: / }).click()
    await page.getByText('How it can mislead').waitFor()
    await page
      .getByRole('textbox', { name: 'SQL', exact: true })
      .fill('SELECT count() AS held FROM btc_blocks')
    await page.getByRole('button', { name: /Run/ }).click()
    await reads(page.getByRole('heading', { level: 1 }), 'Rows of your SQL')
    await page.getByRole('columnheader', { name: 'held' }).waitFor()

    // The same address opened from outside shows the query and runs it on request.
    await page.goto('about:blank')
    await page.goto(`${site.url}/assay/run?sql=SELECT+count()+AS+held+FROM+btc_blocks`)
    assert.equal(await page.getByRole('columnheader', { name: 'held' }).count(), 0)
    await page.getByRole('link', { name: 'Run query' }).click()
    await page.getByRole('columnheader', { name: 'held' }).waitFor()
  })

  test('value, tokens and grades of a layer are those that the API gives, without JavaScript too', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    const ask = async <Answer>(path: string) => (await (await fetch(site.url + path)).json()) as Answer
    const { points } = await ask<{ points: { key: string; value: number }[] }>(
      '/api/v1/metrics/tvl.by_protocol?entity=rootstock&from=2026-08-05&to=2026-08-05',
    )
    await page.goto(`${site.url}/rootstock?tab=money`)
    const rows = page.locator('section#protocols tbody tr')
    await counts(rows, points.length)
    const largest = points.toSorted((a, b) => b.value - a.value)[0]!
    assert.match(
      (await rows.first().textContent()) ?? '',
      new RegExp(`\\$${(largest.value / 1e6).toPrecision(4)}M`),
    )

    const layer = await ask<{ grades: Record<string, string>; assessments: { url: string }[] }>(
      '/api/v1/layers/core',
    )
    await page.goto(`${site.url}/core?tab=trust`)
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Whom a holder trusts' }) })
    for (const [at, category] of ['custody', 'data', 'operators', 'finality'].entries())
      assert.match(
        (await card.locator('tbody tr').nth(at).textContent()) ?? '',
        new RegExp(layer.grades[category]!),
      )
    assert.equal(await card.getByRole('link').first().getAttribute('href'), layer.assessments.at(-1)?.url)
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

  test('a block and a transaction open with their parts', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${BLOCK}`)
    await settle(page)
    await page.getByRole('link', { name: /^f4184fc5/ }).click()
    await page.getByRole('heading', { level: 1, name: /f4184fc5/ }).waitFor()
    await page.getByRole('list', { name: '2 outputs' }).getByText('10.00000000 BTC').waitFor()
    await page
      .getByRole('list', { name: '1 input', exact: true })
      .getByRole('link', { name: 'block 9' })
      .waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a search for a height opens the block, for words lists figures', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    const box = page.getByRole('banner').getByRole('combobox', { name: /^Search/ })
    await box.fill('170')
    await box.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
    // A height that one other chain has opens there; where several have it, all are listed.
    await page.goto(`${site.url}/search?q=51,451`)
    assert.equal(new URL(page.url()).pathname, '/stacks/block/51451')
    await page.goto(`${site.url}/search?q=47`)
    for (const chain of ['Bitcoin', 'Stacks'])
      await page.getByRole('link', { name: `Block 47 of ${chain}`, exact: true }).waitFor()
    await page.goto(`${site.url}/search?q=fees+paid`)
    // Several chains have fees: each result says whose they are.
    const found = page.getByRole('listitem').filter({ hasText: 'Bitcoin · Fees of all' }).first()
    await found.getByRole('link', { name: 'Fees paid', exact: true }).waitFor()
  })

  test('a reader finds Stacks in the menu and a call decoded in words: arguments, amounts, post-conditions', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    await page.getByRole('complementary').getByText('Stacks', { exact: true }).click()
    await page.getByRole('link', { name: 'Mining', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Mining' }).waitFor()
    await page.goto(`${site.url}${STACKS_TX}`)
    await page.getByText('buy-in-ustx').first().waitFor()
    for (const title of ['Arguments', 'Post-conditions', 'Amounts that moved'])
      await page.getByRole('heading', { name: title }).waitFor()
    await page
      .getByText(/sends (?:exactly|at most) [\d,.]+ STX/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'SP2KA…3S45C.wasteland-apes-nft' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'wasteland-apes-nft' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a search for an id of Stacks opens it: transaction, block, contract, address', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const id = '337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406'
    const block = await fetch(`${site.url}/api/v1/stacks/blocks/51451`).then(answer => answer.json())
    for (const [asked, path] of [
      [`0x${id}`, `/stacks/tx/${id}`],
      [`${(block as { hash: string }).hash}`, '/stacks/block/51451'],
      ['SP000000000000000000002Q6VF78.pox', '/stacks/contract/SP000000000000000000002Q6VF78.pox'],
      [
        'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
        '/stacks/address/SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
      ],
    ]) {
      await page.goto(`${site.url}/search?q=${encodeURIComponent(asked ?? '')}`)
      assert.equal(new URL(page.url()).pathname, path)
    }
  })

  test('a finger reads a chart: the words stay when it lifts, within the window, and a press elsewhere ends them', async () => {
    await using opened = await newPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page } = opened
    await page.goto(`${site.url}/bitcoin?tab=fees`)
    await settle(page)
    const words = page.locator('#ladder [data-crosshair-words]')
    await page.locator('#ladder figure').scrollIntoViewIfNeeded()
    for (const share of [0.02, 0.5, 0.98]) {
      const ground = page.getByRole('slider', { name: /^Recommended fee rates/ })
      await ground.waitFor()
      const box = await ground.boundingBox()
      assert.ok(box)
      await page.touchscreen.tap(box.x + box.width * share, box.y + box.height / 2)
      await words.getByText('next block').waitFor()
      const place = await words.boundingBox()
      assert.ok(
        place && place.x >= 0 && place.x + place.width <= 390,
        `at ${share}: ${JSON.stringify(place)}`,
      )
    }
    await page.touchscreen.tap(200, 30)
    await words.waitFor({ state: 'detached' })
  })

  test('a chart takes a range of its own, and its panel closes by Escape', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    const chart = page.locator('#price')
    await chart.getByText('23 Aug 2025 to 22 Aug 2026', { exact: true }).waitFor()
    await chart.getByLabel('Range, scale, values and grain').click()
    await chart.getByRole('navigation', { name: 'Price: range' }).getByRole('link', { name: '30d' }).click()
    await chart.getByText('24 Jul 2026 to 22 Aug 2026', { exact: true }).waitFor()
    assert.match(page.url(), /price\.range=30d/)
    await page.keyboard.press('Escape')
    assert.equal(await chart.locator('details[open]').count(), 0)
  })

  test('all figures of a tab come as one CSV and as SQL, lines of several metrics too', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin?tab=activity&range=max`)
    const read = async (href: string | null) => (await fetch(site.url + href)).text()
    const chart = page.locator('#transactions').getByRole('link', { name: 'Download as CSV' })
    assert.deepEqual(
      [
        ...new Set(
          (await read(await chart.getAttribute('href')))
            .trim()
            .split('\r\n')
            .slice(1)
            .map(line => line.split(',')[1]),
        ),
      ],
      ['tx.count', 'tx.count_with_coinbase'],
    )
    const all = page.getByRole('link', { name: 'All figures here as CSV' })
    assert.match(await read(await all.getAttribute('href')), /value\.transferred,bitcoin/)
    const sql = page.getByRole('link', { name: 'SQL of all figures here' })
    assert.match(await read(await sql.getAttribute('href')), /SET param_from = '[\d-]+';/)
  })

  test('a legend takes a line out by address, and a table stands in the place of a chart at its size', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin?tab=blocks`)
    await settle(page)
    const interval = page.locator('section#interval')
    await interval.getByRole('link', { name: /^Mean/ }).click()
    await page.waitForURL(/interval\.hide=mean/)
    await interval.getByRole('link', { name: /^Mean.*hidden/ }).waitFor()
    const before = await interval.boundingBox()
    await interval.getByRole('link', { name: 'Show as a table' }).click()
    await interval.getByRole('table').waitFor()
    assert.match(page.url(), /interval\.form=table/)
    assert.equal((await interval.boundingBox())?.height, before?.height)
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

  chartJourneys(() => ({ url: site.url, browser }))
})
