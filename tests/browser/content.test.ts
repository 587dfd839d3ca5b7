/** Texts and reports would not open or would not count visits. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { GuideList, MetricEntry, Report, ReportList, SqlAnswer, WrittenPage } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { beginScripts, heldWeight, isAlive, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

const TEXTS = [
  ['/About', 'About Us'],
  ['/Terms', 'Terms of Service'],
  ['/Privacy', 'Privacy Policy'],
  ['/Contact', 'Contact Us'],
] as const

describe('what editors wrote', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  let browser: Browser
  let reports: ReportList['items']

  before(async () => {
    site = await sharedSite()
    browser = site.browser
    reports = (await site.ask<ReportList>('/reports')).items
  })

  async function sql(text: string): Promise<SqlAnswer> {
    const answer = await fetch(`${site.url}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql: text }),
    })
    assert.equal(answer.status, 200, text)
    return (await answer.json()) as SqlAnswer
  }

  test('the footer of every page leads to the texts, which read without a script', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    for (const [path, label] of TEXTS) {
      await page.goto(`${site.url}/bitcoin`)
      await page
        .getByRole('navigation', { name: 'Footer' })
        .getByRole('link', { name: label, exact: true })
        .click()
      await page.waitForURL(`**${path}`)
      const written = await site.ask<WrittenPage>(`/pages${path}`)
      await reads(page.getByRole('heading', { level: 1 }), written.title)
      assert.equal(
        await page.locator('article h2').count(),
        written.blocks.filter(block => block.type === 'heading' && block.depth === 2).length,
      )
    }
  })

  test('a page of text fetches no script before its reader does something, and then does what was asked', async () => {
    const texts = [
      ...TEXTS.map(([path]) => path),
      '/reports',
      '/documentation',
      '/documentation/tables',
      '/errors',
    ]
    {
      await using opened = await newPage(browser)
      const { page, complaints } = opened
      for (const path of texts) {
        await page.goto(site.url + path)
        await settle(page)
        assert.equal(await heldWeight(page), 0, path)
      }
      await beginScripts(page)
      assert.equal(await heldWeight(page), undefined)
      assert.deepEqual(complaints, [])
    }
    const steps: [string, (page: Page) => Promise<void>, string][] = [
      ['/', page => page.keyboard.press('/'), '#find:focus'],
      ['Control+k', page => page.keyboard.press('Control+k'), '#find:focus'],
      [
        'click',
        // Nothing moves there first: the press itself is the first step.
        page => page.getByRole('button', { name: 'Switch between light and dark' }).dispatchEvent('click'),
        'html[data-theme=dark]',
      ],
    ]
    for (const [name, step, done] of steps) {
      await using opened = await newPage(browser)
      const { page } = opened
      await page.goto(`${site.url}/About`)
      await settle(page)
      await step(page)
      if (name === 'click') await beginScripts(page)
      await isAlive(page)
      await settle(page)
      await counts(page.locator(done), 1, name)
    }
  })

  test('what is pressed while the scripts take a page over is done once', async () => {
    const presses: [string, string][] = [
      [
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))",
        '#find:focus',
      ],
      [
        'document.querySelector(\'button[aria-label="Switch between light and dark"]\').click()',
        'html[data-theme=dark]',
      ],
    ]
    for (const [press, done] of presses) {
      await using opened = await newPage(browser)
      const { page, complaints } = opened
      // The router is there while React draws; a timer comes between two stretches of that, or right after.
      await page.addInitScript(`
        let router
        Object.defineProperty(window, '__reactRouterDataRouter', {
          get: () => router,
          set: made => {
            if (router === undefined) setTimeout(() => { ${press}; globalThis.wasPressed = true })
            router = made
          },
        })`)
      await page.goto(`${site.url}/About`)
      await settle(page)
      await beginScripts(page)
      await page.waitForFunction('globalThis.wasPressed === true')
      await counts(page.locator(done), 1, done)
      assert.deepEqual(complaints, [])
    }
  })

  test('a visit of a page of text is counted before its scripts come, once, and the tenth is blocked', async () => {
    await using opened = await newPage(browser, { keepsVisits: true })
    const { page } = opened
    const kept = async () =>
      JSON.parse((await page.evaluate(() => localStorage.getItem('track-key'))) ?? 'null')
    await page.goto(`${site.url}/reports`)
    await settle(page)
    assert.equal(await heldWeight(page), 0)
    const first = await kept()
    assert.deepEqual([first?.activities, first?.lastUrl], [1, '/reports'])
    await beginScripts(page)
    assert.deepEqual(await kept(), first)
    await page.evaluate(() =>
      localStorage.setItem(
        'track-key',
        JSON.stringify({ activities: 9, lastUpdated: Date.now(), lastUrl: '/tvl' }),
      ),
    )
    await page.goto(`${site.url}/reports`)
    await page.getByRole('dialog').waitFor()
    assert.equal((await kept())?.activities, 10)
  })

  test('the menu leads to the reports and from there to each, whose numbers are those of the metrics', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    assert.ok(reports.length >= 3)
    await page.goto(`${site.url}/`)
    await page.getByRole('link', { name: 'Featured Reports' }).first().click()
    await page.waitForURL('**/reports')
    await settle(page)
    assert.deepEqual(
      await page.locator('main li h2').allTextContents(),
      reports.map(({ title }) => title),
    )
    for (const { key, title } of reports) {
      const report = await site.ask<Report>(`/reports/${key}`)
      await page.goto(`${site.url}/reports`)
      await settle(page)
      await page.getByRole('link', { name: title, exact: true }).click()
      await page.waitForURL(`**/reports/${key}`)
      await settle(page)
      assert.ok(report.figures.length >= 5, key)
      const texts = report.figures.map(({ published, unit }) => figureText(published, unit).text)
      assert.deepEqual(await page.locator('article a[title*="; now "]').allTextContents(), texts)
      // On the snapshot that they were written from, what was published is what is known.
      for (const { metric, entity, day, published, now, unit } of report.figures)
        assert.equal(
          figureText(now, unit).text,
          figureText(published, unit).text,
          `${key}: ${metric}@${entity} of ${day}`,
        )
      await page.locator('#figures tbody tr').first().waitFor()
      await counts(page.locator('#figures tbody tr'), report.figures.length)
      // Whoever comes from another page has the scripts of tables and charts on their way: all of them must come.
      for (const { title } of report.charts)
        await page
          .locator('article section')
          .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
          .locator('figure svg')
          .first()
          .waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  test('a number of a report opens what it rests on, at its day', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const [first] = reports
    assert.ok(first)
    const { figures } = await site.ask<Report>(`/reports/${first.key}`)
    await page.goto(`${site.url}/reports/${first.key}`)
    await settle(page)
    await page.locator('article a[title*="; now "]').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.match(
      page.url(),
      new RegExp(`assay=${figures[0]?.metric}@${figures[0]?.entity}.*assay\\.day=${figures[0]?.day}`),
    )
    await dialog
      .getByText(figures[0]?.name ?? '')
      .first()
      .waitFor()
  })

  test('a report that is none is told with the nearest, inside the shell', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const [first] = reports
    const answer = await page.goto(`${site.url}/reports/${first?.key}s`)
    assert.equal(answer?.status(), 404)
    await page
      .getByText(first?.key ?? '')
      .first()
      .waitFor()
  })

  test('search engines and feed readers find what there is', async () => {
    const text = async (path: string) => (await fetch(site.url + path)).text()
    const robots = await text('/robots.txt')
    assert.match(robots, /^User-agent: \*$/m)
    assert.match(robots, /^Sitemap: https?:\/\/.*\/sitemap\.xml$/m)
    const closed = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path)
    const isClosed = (path: string) => closed.some(start => path.startsWith(start))
    for (const path of ['/', '/errors/sql.unknown_column', '/error', '/subscription-success'])
      assert.ok(!isClosed(path), path)
    for (const path of ['/search?q=fees', '/account', '/api/v1/metrics']) assert.ok(isClosed(path), path)
    const addresses = [...(await text('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, at = '']) => new URL(at).pathname,
    )
    assert.equal(new Set(addresses).size, addresses.length)
    for (const path of [
      '/',
      '/About',
      '/stacks/mining',
      '/rootstock',
      '/analyze/bitcoin-treasuries/strategy',
    ])
      assert.ok(addresses.includes(path), path)
    for (const path of addresses)
      assert.doesNotMatch(
        path,
        /^\/(api|search|assay|embed|account|callback|editor|subscription-success|error$)/,
      )
    for (const path of addresses.filter((_, index) => index % 9 === 0))
      assert.equal((await fetch(site.url + path)).status, 200, path)
    const feed = await text('/reports/feed.xml')
    assert.deepEqual(
      [...feed.matchAll(/<guid[^>]*>([^<]+)<\/guid>/g)].map(([, at = '']) => new URL(at).pathname),
      reports.map(({ key }) => `/reports/${key}`),
    )
  })

  test('/docs leads to the documentation, whose parts say what the program declares', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/docs`)
    assert.equal(new URL(page.url()).pathname, '/documentation')
    const { items } = await site.ask<GuideList>('/documentation')
    assert.ok(items.length >= 4)
    for (const { title } of items)
      await page.getByRole('link', { name: title, exact: true }).first().waitFor()

    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Metrics', exact: true })
      .click()
    await page.waitForURL('**/documentation/metrics')
    await settle(page)
    const { metrics } = await site.ask<{ metrics: MetricEntry[] }>('/metrics')
    await page.getByRole('navigation', { name: 'Rows of' }).getByRole('link', { name: 'All' }).click()
    await page.waitForURL('**metrics.page=all')
    await page.getByRole('link', { name: 'In pages' }).waitFor()
    await counts(page.locator('#metrics tbody tr'), new Set(metrics.map(({ id }) => id)).size)
    await page.getByRole('link', { name: 'fees.total', exact: true }).click()
    await page.waitForURL('**/documentation/metrics/fees.total')
    await settle(page)
    const fees = metrics.filter(({ id }) => id === 'fees.total')
    assert.deepEqual(
      await page.locator('main pre').allTextContents(),
      fees.map(({ sql }) => sql),
    )
    for (const { misleads } of fees) await page.getByText(misleads).first().waitFor()

    await page.goto(`${site.url}/documentation/tables`)
    await page.getByRole('link', { name: 'btc_blocks', exact: true }).click()
    await page.waitForURL('**/documentation/tables/btc_blocks')
    await settle(page)
    const { rows } = await sql('DESCRIBE TABLE btc_blocks')
    assert.deepEqual(
      await page.locator('#columns tbody th').allTextContents(),
      rows.map(([name]) => name),
    )
    for (const path of [
      '/documentation/metrics/fees.totl',
      '/documentation/tables/btc_block',
      '/documentation/sqll',
    ])
      assert.equal((await fetch(site.url + path)).status, 404, path)
    assert.deepEqual(
      complaints.filter(text => !text.includes('404')),
      [],
    )
  })

  test('the gallery leads to each dashboard over all chains, and layers lead to the gallery', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/rootstock`)
    await page.getByRole('link', { name: 'All dashboards', exact: true }).click()
    await page.waitForURL('**/dashboards')
    const paths = await page
      .locator('main li a')
      .evaluateAll(links => links.map(link => link.getAttribute('href')))
    assert.deepEqual(paths.toSorted(), [
      '/addressbalance',
      '/collections',
      '/contractsdeployed',
      '/dashboards/discovermints',
      '/dashboards/hotcontracts',
      '/popularcalls',
      '/tokens',
      '/tvl',
    ])
    for (const path of paths) {
      await page.goto(`${site.url}${path}`)
      await counts(page.getByRole('heading', { level: 1 }), 1)
    }
  })

  test('what the chapters tell to ask is answered', async () => {
    const { items } = await site.ask<GuideList>('/documentation')
    let asked = 0
    for (const { name } of items) {
      const { blocks } = await site.ask<WrittenPage>(`/documentation/${name}`)
      for (const { text } of blocks.filter(block => block.type === 'code')) {
        for (const [, path] of text.matchAll(/^GET (\/\S+)$/gm)) {
          assert.equal((await fetch(site.url + path)).status, 200, `${name}: ${path}`)
          asked += 1
        }
        const [body] = /^\{"sql".*\}$/m.exec(text) ?? []
        if (body === undefined) continue
        await sql((JSON.parse(body) as { sql: string }).sql)
        asked += 1
      }
    }
    assert.ok(asked >= 6)
  })
})
