import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Comparison, Series } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { newPage } from './chromium.ts'
import { settle } from './pageFaults.ts'
import type { SharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

/** States of the home page for the tests that walk through all pages. */
export const COMPARE_PATHS = [
  '/',
  '/?set=usage&more=on',
  '/?set=bitcoin&unit=usd',
  '/?set=risk&more=on',
  '/?set=build',
  '/?metric=tvl.total&main.look=stacked&main.mode=share&range=max',
  '/?metric=tvl.total&against=stables.cap&main.look=scatter&range=max',
  '/?metric=tx.count&main.by=user',
]

const table = (page: Page): Locator => page.locator('section#layers')

/** What a reader does on the home page of the bundled snapshot. */
export function compareJourneys(opened: () => { site: SharedSite; browser: Browser }): void {
  const ask = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${opened().site.url}${path}`)).json()) as T

  test('home: figures on screen are those of the API, and each opens its assay view', async () => {
    const { site, browser } = opened()
    await using fresh = await newPage(browser)
    const { page, complaints } = fresh
    await page.goto(`${site.url}/`)
    await reads(page.getByRole('heading', { level: 1 }), 'Bitcoin L2 Compare')
    const { figures, entities } = await ask<Comparison>(
      '/api/v1/compare?metrics=tvl.total,btc.bridged,stables.cap&entities=stacks,rootstock,bob,merlin,bitlayer,b2-network,core&range=1y',
    )
    const known = figures.filter(({ value }) => value !== null)
    assert.ok(known.length >= 15, `${known.length} figures of the snapshot`)
    for (const { metric, entity, of, day, value, unit } of known) {
      const { name } = entities.find(one => one.entity === entity)!
      const row = table(page)
        .locator('tbody tr')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      const figure = row.locator(`a[href*="assay=${metric}@${of}"]`)
      await reads(figure, figureText(value, unit).text, `${metric} of ${entity}`)
      assert.match((await figure.getAttribute('href')) ?? '', new RegExp(`assay\\.day=${day}`))
    }
    const total = known
      .filter(({ metric }) => metric === 'tvl.total')
      .reduce((sum, { value }) => sum + Number(value), 0)
    const strip = page.getByRole('list', { name: 'Key figures' })
    const button = strip.getByRole('button', { name: /^TVL/ })
    await reads(button, figureText(total, 'USD').number)

    await button.click()
    const parts = page.getByRole('dialog', { name: 'TVL, its parts' })
    await parts.getByRole('link', { name: /^Stacks: .*Open its assay view/ }).click()
    await page.getByRole('dialog').getByText('How it can mislead').waitFor()
    assert.match(page.url(), /assay=tvl\.total@stacks/)
    assert.deepEqual(complaints, [])
  })

  test('home: metric, layers, way and columns are chosen, stay in the address and come back with it', async () => {
    const { site, browser } = opened()
    await using fresh = await newPage(browser)
    const { page, complaints } = fresh
    await page.goto(`${site.url}/?range=max`)
    await settle(page)
    const chart = page.locator('section#main')
    await chart.getByRole('navigation', { name: 'Metric' }).getByRole('link', { name: 'Stablecoins' }).click()
    await chart.getByRole('heading', { name: 'Stablecoins', exact: true }).waitFor()
    await chart.locator('summary', { hasText: /layers/ }).click()
    await chart.getByRole('link', { name: /^Core ?, drawn/ }).click()
    await page.waitForURL(/picks=/)
    // The address is the browser's before the links of the page are drawn for it.
    await settle(page)
    assert.doesNotMatch(new URL(page.url()).searchParams.get('picks') ?? '', /core/)
    await page.keyboard.press('Escape')
    await chart.getByRole('navigation', { name: 'Values' }).getByRole('link', { name: 'Indexed' }).click()
    await chart.getByText(/\d{4} = 100/).waitFor()
    await table(page).getByRole('navigation', { name: 'Columns' }).getByRole('link', { name: 'Risk' }).click()
    await table(page)
      .getByRole('columnheader', { name: /Who holds the bitcoin/ })
      .waitFor()
    const { search } = new URL(page.url())
    assert.equal(
      search,
      '?main.mode=indexed&metric=stables.cap&picks=stacks,rootstock,bob,bitlayer,b2-network&range=max&set=risk',
    )

    const read = () =>
      page.evaluate(() => [
        document.querySelector('#main figcaption')?.textContent,
        document.querySelector('#layers tbody')?.textContent,
      ])
    const before = await read()
    await page.goto(site.url + search)
    await settle(page)
    assert.deepEqual(await read(), before)
    assert.deepEqual(complaints, [])
  })

  test('home: what the chart draws is the series of the API', async () => {
    const { site, browser } = opened()
    await using fresh = await newPage(browser, { javaScriptEnabled: false })
    const { page } = fresh
    await page.goto(
      `${site.url}/?metric=tvl.total&picks=rootstock&range=max&main.form=table&main.grain=month`,
    )
    const series = await ask<Series>('/api/v1/metrics/tvl.total?entity=rootstock&range=max&grain=month')
    const values = series.points.flatMap(({ value }) => (value === null ? [] : figureText(value, 'USD').text))
    const cells = await page.locator('section#main tbody td').allTextContents()
    assert.ok(values.length >= 12)
    for (const value of values) assert.ok(cells.includes(value), `${value} is not in ${cells.join(' ')}`)
  })

  test('home: without JavaScript it reads, choices are links and sums open', async () => {
    const { site, browser } = opened()
    await using fresh = await newPage(browser, { javaScriptEnabled: false })
    const { page } = fresh
    await page.goto(`${site.url}/`)
    assert.ok((await page.locator('section#main svg path').count()) > 2, 'the chart is not in the HTML')
    await counts(table(page).locator('tbody tr'), 8)
    await page.getByRole('button', { name: /^BTC bridged/ }).click()
    await page.getByRole('dialog', { name: 'BTC bridged, its parts' }).waitFor()
    await page.goto(`${site.url}/?set=risk`)
    await table(page)
      .getByRole('link', { name: /^Stacks, custody: Very High/ })
      .waitFor()
    await table(page)
      .getByRole('link', { name: /more from the catalog/ })
      .click()
    assert.ok((await table(page).locator('tbody tr').count()) > 20)
    await table(page).getByRole('columnheader', { name: 'Layer' }).getByRole('link').click()
    assert.match(page.url(), /layers\.sort=-layer/)
  })

  test('home: an odd address is a page with defaults, and says what it left out', async () => {
    const { site, browser } = opened()
    await using fresh = await newPage(browser, { javaScriptEnabled: false })
    const { page } = fresh
    const eleven = 'stacks,rootstock,bob,merlin,bitlayer,b2-network,core,bitcoin,citrea,liquid,goat'
    for (const search of [
      'metric=no.such&set=nothing&main.look=pie&main.by=nobody&picks=none,no-layer',
      `metric=tvl.total&picks=${eleven}`,
      `picks=${'a,'.repeat(2000)}`,
      'main.look=scatter&against=no.such&range=7d',
      'range=custom&from=2030-01-01&to=2020-01-01',
    ]) {
      const answer = await page.goto(`${site.url}/?${search}`)
      assert.equal(answer?.status(), 200, search)
      await counts(table(page).locator('tbody tr'), 8, search)
    }
    await page.goto(`${site.url}/?metric=tvl.total&range=max&picks=${eleven}`)
    await page.getByText('The first 10 layers of the address are drawn; 1 more are named.').waitFor()
  })

  test('home: nothing moves while it loads', async () => {
    const { site, browser } = opened()
    for (const width of [390, 820, 1440]) {
      await using fresh = await newPage(browser, { viewport: { width, height: 900 } })
      const { page } = fresh
      await page.goto(`${site.url}/`)
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
}
