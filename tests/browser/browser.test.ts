/** Readers could not open a figure, run its SQL and share it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { copiedOn, newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

describe('pages in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser

  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

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
})
