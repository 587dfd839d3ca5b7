import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Series } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { existingPages, siteWith } from '#web/site.ts'
import { copiedOn, newPage } from './chromium.ts'
import { beginScripts, faultsOf, settle } from './pageFaults.ts'
import { counts } from './soon.ts'

type Site = { url: string; browser: Browser }

const FEES = '/bitcoin?tab=fees'

const chartOf = (page: Page, id: string) => page.locator(`section#${id}`)

/** What readers do with charts of all kinds, on a site that is open already. */
export function chartJourneys(siteOf: () => Site): void {
  test('flows on screen are those of the API, each with its way to the assay view', async () => {
    const { url, browser } = siteOf()
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${url}/bitcoin?tab=layers&coins.form=table`)
    const answer = await fetch(`${url}/api/v1/metrics/stables.by_token?entity=rootstock&range=1y&grain=day`)
    const series = (await answer.json()) as Series
    const day = series.points.at(-1)?.day
    const expected = series.points
      .filter(point => point.day === day && Number(point.value) > 0)
      .map(point => `${point.key} to Rootstock: ${figureText(Number(point.value), 'USD').full}`)
    const rows = await chartOf(page, 'coins')
      .locator('tbody tr')
      .evaluateAll(found =>
        found.map(row => ({
          name: row.querySelector('th')?.textContent ?? '',
          full: row.querySelector('td')?.getAttribute('title'),
          href: row.querySelector('td a')?.getAttribute('href') ?? '',
        })),
      )
    for (const { href } of rows) assert.match(href, /assay=stables\.by_token@/)
    const shown = rows
      .filter(({ name }) => name.endsWith('to Rootstock'))
      .map(({ name, full }) => `${name}: ${full}`)
    assert.ok(expected.length > 2)
    assert.deepEqual(shown.toSorted(), expected.toSorted())
  })

  test('the keyboard walks a calendar day by day and opens one; its words are those of the day', async () => {
    const { url, browser } = siteOf()
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${url}${FEES}`)
    await chartOf(page, 'days').scrollIntoViewIfNeeded()
    const slider = chartOf(page, 'days').getByRole('slider')
    await slider.focus()
    const first = await slider.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowRight')
    const next = await slider.getAttribute('aria-valuetext')
    assert.notEqual(next, first)
    const words = chartOf(page, 'days').locator('[data-mark-words]')
    assert.ok(next?.startsWith((await words.locator('p').textContent()) ?? '–'))
    // Across is a week.
    const dayOf = (text: string | null | undefined) => Date.parse(`${text?.split(',')[0]} UTC`)
    assert.equal((dayOf(next) - dayOf(first)) / 86_400_000, 7)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    assert.match(page.url(), /assay=fees\.total@bitcoin&assay\.day=\d{4}-\d{2}-\d{2}/)
    assert.deepEqual(complaints, [])
  })

  test('a chart is copied as a frame that another site may show, in the state at hand; pages may not be framed', async () => {
    const { url, browser } = siteOf()
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${url}${FEES}&range=max&feespread.scale=linear`)
    await settle(page)
    await chartOf(page, 'feespread').getByLabel('Share or embed').click()
    await page.getByRole('button', { name: 'Copy the code to embed it' }).click()
    const code = await copiedOn(page, text => text.includes('<iframe'))
    await using other = await openOtherSite(`${code}<iframe id="whole" src="${url}/bitcoin"></iframe>`)
    await page.goto(other.url)
    const frame = page.frameLocator('iframe >> nth=0')
    await frame.locator('section#feespread').waitFor()
    await counts(frame.locator('section'), 1)
    const link = frame.getByRole('link', { name: 'Bitcoin on Assay' })
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /^\/bitcoin\?.*feespread\.scale=linear.*range=max.*#feespread$/,
    )
    await frame.getByLabel('Show as a table').click()
    await frame.getByRole('table').waitFor()
    const addresses = page.frames().map(each => each.url())
    assert.ok(
      addresses.some(address => address.startsWith('chrome-error:')),
      addresses.join(' '),
    )
  })

  test('a chart alone in a frame is clean for axe and does not move while it loads', async () => {
    const { url, browser } = siteOf()
    const address = '/embed/chart?page=/bitcoin&tab=fees&theme=dark&chart='
    await using opened = await newPage(browser, { viewport: { width: 390, height: 700 } })
    const { page, complaints } = opened
    await page.addInitScript(() => {
      const log = window as unknown as { moved: number }
      log.moved = 0
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) log.moved += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const ofBitcoin = ['days', 'rateheat', 'feespread', 'blockrate'].map(chart => address + chart)
    const ofOthers = ['/&metric=tvl.total&range=max&chart=main', '/bitcoin/l2s/liquid&chart=btc'].map(
      rest => `/embed/chart?theme=dark&page=${rest}`,
    )
    for (const chart of [...ofBitcoin, ...ofOthers]) {
      assert.equal((await page.goto(url + chart))?.status(), 200)
      await settle(page)
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
      assert.deepEqual(await faultsOf(page), [], chart)
      assert.ok(((await page.evaluate('moved')) as number) < 0.01, `${chart} moved`)
      assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= 390)
    }
    // There is no search in a frame: its keys stay those of the page around and of the browser.
    await page.evaluate(() => {
      window.addEventListener('keydown', event => Reflect.set(window, 'wasTaken', event.defaultPrevented), {
        once: true,
      })
    })
    await page.keyboard.press('/')
    assert.equal(await page.evaluate('wasTaken'), false)
    assert.deepEqual(complaints, [])
    const missing = await page.goto(`${url}/embed/chart?page=/bitcoin&chart=${encodeURIComponent('<b>')}`)
    assert.equal(missing?.status(), 404)
  })

  test('a frame that a page offers is there, whatever the page', async () => {
    const { url } = siteOf()
    const offered: string[] = []
    for (const { path } of existingPages(
      siteWith({ layers: [{ id: 'bob', name: 'BOB' }], applications: [] }),
    ).filter(({ frames }) => frames === 'own')) {
      const page = await fetch(url + path).then(answer => answer.text())
      const frame = /href="(\/embed\/chart\?[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
      if (frame === undefined) continue
      offered.push(path)
      assert.equal((await fetch(url + frame)).status, 200, frame)
    }
    assert.ok(offered.length >= 12, offered.join(' '))
  })

  test('every kind of chart is saved as a picture', async () => {
    const { url, browser } = siteOf()
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    for (const [path, charts] of [
      [FEES, ['days', 'rateheat', 'feespread', 'fees']],
      ['/bitcoin?tab=layers', ['coins', 'valueeach']],
      ['/rootstock?tab=money', ['tvlmap']],
    ] as const) {
      await page.goto(url + path)
      await settle(page)
      // Charts come to life with the first step of a reader.
      await beginScripts(page)
      for (const chart of charts) {
        const saved = page.waitForEvent('download')
        await chartOf(page, chart).getByLabel('Save as a picture').click()
        const file = readFileSync(await (await saved).path())
        assert.equal(file.subarray(1, 4).toString(), 'PNG', chart)
        // A picture of words alone packs into less.
        assert.ok(file.length > 20_000, `${chart} weighs ${file.length} bytes`)
      }
    }
    assert.deepEqual(complaints, [])
  })

  test('a calculator takes what is typed into the address, says what is wrong, and works without JavaScript', async () => {
    const { url, browser } = siteOf()
    {
      await using opened = await newPage(browser)
      const { page } = opened
      await page.goto(`${url}${FEES}`)
      await settle(page)
      await page.getByLabel('Fee rate, sat/vB').fill('10')
      await page.getByText('1,410 sat').waitFor()
      assert.match(page.url(), /txcost\.rate=10/)
      await page.getByLabel('Fee rate, sat/vB').fill('ten')
      await page.getByText('Fee rate must be a number').waitFor()
      assert.equal(await page.getByText('1,410 sat').count(), 0)
    }
    await using plain = await newPage(browser, { javaScriptEnabled: false })
    await plain.page.goto(`${url}${FEES}&range=30d`)
    await plain.page.getByLabel('Fee rate, sat/vB').fill('20')
    await plain.page.getByRole('button', { name: 'Compute' }).click()
    await plain.page.getByText('2,820 sat').waitFor()
    assert.match(plain.page.url(), /range=30d/)
  })
}

/** A site on another origin that shows this in its body. */
async function openOtherSite(body: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Another site</title>${body}`),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  }
}
