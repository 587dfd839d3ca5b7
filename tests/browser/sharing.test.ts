/** Shared links, cards and structured data would be broken. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Series } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { copiedOn, newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { reads } from './soon.ts'

/** Of kinds of pages that the catalogue has many of, so many are walked. */
const OF_A_KIND = 2

describe('what pages show of themselves elsewhere', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  const headOf = async (path: string): Promise<string> => {
    const response = await fetch(`${site.url}${path}`)
    assert.equal(response.status, 200, path)
    const html = await response.text()
    return html.slice(0, html.indexOf('</head>'))
  }
  const contentOf = (head: string, name: string): string[] =>
    [...head.matchAll(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"/>`, 'g'))].map(
      ([, content = '']) => content.replaceAll('&amp;', '&'),
    )
  const canonicalsOf = (head: string): string[] =>
    [...head.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, href = '']) => href)

  /** Width and height of a PNG, from its first chunk. */
  async function sizeOf(
    url: string,
  ): Promise<{ type: string | null; size: [number, number]; bytes: number }> {
    const response = await fetch(url)
    assert.equal(response.status, 200, url)
    const png = Buffer.from(await response.arrayBuffer())
    return {
      type: response.headers.get('content-type'),
      size: [png.readUInt32BE(16), png.readUInt32BE(20)],
      bytes: png.length,
    }
  }

  test('every listed page has one canonical address, a card that is a picture, and data that parses', async () => {
    const map = await (await fetch(`${site.url}/sitemap.xml`)).text()
    const paths = [...map.matchAll(/<loc>[^<]*?:\d+([^<]*)<\/loc>/g)].map(([, path = '']) => path || '/')
    const kinds = Map.groupBy(paths, path => path.split('/').slice(0, 3).join('/'))
    const walked = [...kinds.values()].flatMap(ofKind => ofKind.slice(0, OF_A_KIND))
    assert.ok(walked.length > 50, `${walked.length} pages`)
    const datasets: string[] = []
    for (const path of walked) {
      const head = await headOf(path)
      const [canonical, ...others] = canonicalsOf(head)
      assert.deepEqual(others, [], path)
      assert.equal(canonical, `${site.url}${path}`)
      for (const name of ['og:title', 'og:type', 'og:url', 'og:image', 'twitter:card'])
        assert.equal(contentOf(head, name).length, 1, `${path} ${name}`)
      const [image = ''] = contentOf(head, 'og:image')
      const { type, size, bytes } = await sizeOf(image)
      assert.deepEqual([path, type, size], [path, 'image/png', [1200, 630]])
      assert.ok(bytes > 8000 && bytes < 400_000, `${path}: a card of ${bytes} bytes`)
      for (const [, text = ''] of head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
        for (const thing of [JSON.parse(text)].flat()) {
          assert.equal(thing['@context'], 'https://schema.org')
          if (thing['@type'] === 'Dataset') datasets.push(path)
        }
    }
    for (const path of ['/bitcoin', '/stacks/defi', '/analyze/bitcoin-treasuries'])
      assert.ok(datasets.includes(path), `${path} is a dataset`)
  })

  test('files that a dataset names are there', async () => {
    const head = await headOf('/bitcoin')
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head) ?? []
    const [data] = [JSON.parse(text)].flat()
    for (const { contentUrl, encodingFormat } of data.distribution) {
      const response = await fetch(contentUrl)
      assert.equal(response.status, 200, contentUrl)
      assert.ok(response.headers.get('content-type')?.startsWith(encodingFormat), contentUrl)
    }
  })

  test('a chart in a frame and a figure that is open have cards of their own', async () => {
    const ofPage = contentOf(await headOf('/bitcoin'), 'og:image')[0] ?? ''
    const cards = [ofPage]
    for (const path of ['/embed/chart?page=/bitcoin&chart=fees', '/bitcoin?assay=fees.total@bitcoin']) {
      const [image = ''] = contentOf(await headOf(path), 'og:image')
      assert.deepEqual((await sizeOf(image)).size, [1200, 630])
      cards.push(image)
    }
    assert.equal(new Set(cards).size, 3)
    const unknown = await fetch(`${site.url}/card.png?page=/bitcoin&chart=none`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.headers.get('content-type') ?? '', /problem\+json/)
    assert.equal((await fetch(`${site.url}/card.png?page=/search`)).status, 404)
  })

  test('a link that is copied today draws the same days when the newest day is another', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin?range=1y`)
    await settle(page)
    const chart = page.locator('section#fees')
    const days = await chart.locator('footer').textContent()
    await chart.getByLabel('Share or embed').click()
    await chart.getByRole('button', { name: 'Copy the link to this chart' }).click()
    const link = new URL(await copiedOn(page, text => text.includes('#fees')))
    assert.equal(link.searchParams.get('range'), null)
    assert.match(link.searchParams.get('to') ?? '', /^\d{4}-\d{2}-\d{2}$/)
    await page.getByRole('button', { name: 'Copy the link to this page' }).click()
    const whole = new URL(await copiedOn(page, text => text !== link.href))
    assert.ok(whole.searchParams.has('from') && whole.searchParams.has('to'), whole.search)

    const head = await headOf(link.pathname + link.search)
    assert.match(contentOf(head, 'og:image')[0] ?? '', /chart=fees/)
    assert.deepEqual(canonicalsOf(head), [`${site.url}/bitcoin`])
    await using other = await newPage(browser)
    await other.page.goto(link.href)
    await settle(other.page)
    await reads(other.page.locator('section#fees footer'), days)
    assert.deepEqual([...complaints, ...other.complaints], [])
  })

  test('on days that are over, the strip stands at the last of them', async () => {
    const head = await headOf('/bitcoin?from=2025-01-01&to=2025-06-30')
    assert.match(contentOf(head, 'og:description')[0] ?? '', /\(30 Jun 2025\)/)
    const { points, unit } = await site.ask<Series>(
      '/metrics/price.close?entity=bitcoin&from=2025-06-30&to=2025-06-30',
    )
    const { full } = figureText(points[0]?.value, unit)
    assert.match(full, /USD$/)
    const html = await (await fetch(`${site.url}/bitcoin?from=2025-01-01&to=2025-06-30`)).text()
    assert.ok(html.includes(`exactly ${full}`), `the price of that day, ${full}, is in the strip`)
  })
})
