/** Visitors would be tracked without consent, or ads would not go away. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { PNG_20_TO_1 } from '#content/testing.ts'
import { CONTENT_DIR } from '#http/testing.ts'
import { until } from '#kernel/until.testing.ts'
import { makeWallet } from '#tests/wallets/account.ts'
import { walletScript } from '#tests/wallets/bundle.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle } from './pageFaults.ts'
import { counts } from './soon.ts'
import { openTestSite, type TestSite } from './testSite.ts'

const KEY = `${'1d'.repeat(32)}01`
const { address: OPERATOR } = makeWallet({ key: KEY })
const ADS = `- {id: shown, title: Shown to readers, link: /Terms, image: a.png, start: 2020-01-01T00:00:00Z, end: 2090-01-01T00:00:00Z}
- {id: over, title: Over long ago, link: /Terms, image: a.png, start: 2020-01-01T00:00:00Z, end: 2020-02-01T00:00:00Z}
`

describe('advertisements, counted views, and the editor', skipWithoutChromium, () => {
  let site: TestSite
  let browser: Browser
  let counter: Server
  let content: string
  /** Bodies that were told to the counter of views. */
  const told: string[] = []
  before(async () => {
    content = await mkdtemp(join(tmpdir(), 'assay-content-'))
    await cp(CONTENT_DIR, content, { recursive: true })
    await mkdir(join(content, 'ads'), { recursive: true })
    await writeFile(join(content, 'ads', 'a.png'), PNG_20_TO_1)
    await writeFile(join(content, 'ads.yaml'), ADS)
    counter = createServer(async (request, reply) => {
      let body = ''
      for await (const part of request.setEncoding('utf8')) body += part
      told.push(body)
      reply.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(counter, 'listening')
    const { port } = counter.address() as AddressInfo
    ;[site, browser] = await Promise.all([
      openTestSite({
        command: 'serve',
        env: {
          ASSAY_CONTENT: content,
          ASSAY_OPERATORS: OPERATOR,
          ANALYTICS_URL: `http://127.0.0.1:${port}/views`,
        },
      }),
      openChromium(),
    ])
  })
  after(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    counter?.closeAllConnections()
    counter?.close()
    await rm(content, { recursive: true, force: true })
  })

  const events: string[] = []
  /** Counts what a page tells of advertisements. */
  function hear(page: Page): void {
    page.on('request', request => {
      if (!request.url().endsWith('/api/cms/ads/events')) return
      const { id, event } = JSON.parse(request.postData() ?? '{}')
      events.push(`${id} ${event}`)
    })
  }
  const boxOf = (page: Page) => page.getByRole('complementary', { name: 'Advertisement' })
  const timesOf = (event: string) => events.filter(one => one === `shown ${event}`).length

  test('views of pages are told to nobody before the reader has agreed, and never after a no', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    hear(page)
    await page.goto(`${site.url}/About`)
    const bar = page.getByRole('region', { name: 'Counting views' })
    await bar.waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
    await bar.getByRole('button', { name: 'No', exact: true }).click()
    await bar.waitFor({ state: 'detached' })
    await page.goto(`${site.url}/Terms`)
    await settle(page)
    assert.equal(await bar.count(), 0)
    assert.deepEqual(told, [])

    await using other = await newPage(browser)
    hear(other.page)
    await other.page.goto(`${site.url}/About`)
    const asked = other.page.getByRole('region', { name: 'Counting views' })
    await asked.waitFor()
    await settle(other.page)
    assert.deepEqual(told, [])
    await asked.getByRole('button', { name: 'Yes', exact: true }).click()
    await until('one view is counted', () => told.length === 1)
    await other.page
      .getByRole('navigation', { name: 'Footer' })
      .getByRole('link', { name: 'Terms of Service', exact: true })
      .click()
    await until('two views are counted', () => told.length === 2)
    assert.deepEqual(
      told.map(text => JSON.parse(text)),
      ['/About', '/Terms'].map(path => ({ event: 'page_view', path, from: null })),
    )
    assert.deepEqual([...complaints, ...other.complaints], [])
  })

  test('an advertisement is shown in its window, followed, and dismissed, each told once', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    hear(page)
    const before = timesOf('view')
    await page.goto(`${site.url}/About`)
    const picture = boxOf(page).getByRole('img', { name: 'Shown to readers' })
    await picture.waitFor()
    assert.equal(await page.getByRole('img', { name: 'Over long ago' }).count(), 0)
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
    await until('the view is counted', () => timesOf('view') === before + 1)
    const tab = page.waitForEvent('popup')
    await picture.click()
    assert.equal(new URL((await tab).url() || `${site.url}/Terms`).pathname, '/Terms')
    await (await tab).close()
    await until('the click is counted', () => timesOf('click') === 1)
    await boxOf(page).getByRole('button', { name: 'Dismiss the advertisement' }).click()
    await picture.waitFor({ state: 'detached' })
    await until('the dismissal is counted', () => timesOf('cancel') === 1)
    assert.equal(await boxOf(page).isVisible(), false)
    assert.deepEqual(complaints, [])
  })

  test('what was dismissed stays away on further pages, and when it is asked anew who reads', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    const setting = { key: KEY, wallets: ['leather'], delayMs: 0, refused: [], hasToken: false }
    await page.addInitScript({
      content: `window.madeWallets = ${JSON.stringify(setting)};${await walletScript()}`,
    })
    hear(page)
    const picture = boxOf(page).getByRole('img', { name: 'Shown to readers' })
    const footer = page.getByRole('navigation', { name: 'Footer' })
    await page.goto(`${site.url}/About`)
    await picture.waitFor()
    // It stands over the links of the footer.
    await page
      .getByRole('region', { name: 'Counting views' })
      .getByRole('button', { name: 'No', exact: true })
      .click()
    // Another asks in between: what is shown stays shown.
    await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).first().click()
    await page.locator('[data-wallet="LeatherProvider"]').click()
    await page.waitForURL(`${site.url}/`)
    await settle(page)
    await counts(picture, 1)
    await boxOf(page).getByRole('button', { name: 'Dismiss the advertisement' }).click()
    await footer.getByRole('link', { name: 'Terms of Service', exact: true }).click()
    await page.waitForURL(`${site.url}/Terms`)
    await page.getByRole('banner').getByRole('button', { name: 'Disconnect Wallet' }).first().click()
    await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).first().waitFor()
    await footer.getByRole('link', { name: 'About Us', exact: true }).click()
    await page.waitForURL(`${site.url}/About`)
    await settle(page)
    assert.equal(await picture.count(), 0)
    assert.equal(await boxOf(page).isVisible(), false)
    assert.deepEqual(complaints, [])
  })

  test('when an advertisement ends another takes its place, and after the last the box stays until the next page', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const ad = (title: string, startMs: number, endMs: number) => ({
      _id: title,
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      link: '/Terms',
      image: '/content/ads/a.png',
      title,
    })
    const now = Date.now()
    const [turn, over] = [now + 8_000, now + 14_000]
    await page.route('**/api/cms/ads', route =>
      route.fulfill({ json: [ad('First', 0, turn), ad('Second', turn, over)] }),
    )
    await page.route('**/api/cms/ads/events', route => route.fulfill({ status: 204 }))
    hear(page)
    const before = events.length
    await page.goto(`${site.url}/About`)
    await boxOf(page).getByRole('img', { name: 'First' }).waitFor()
    await boxOf(page).getByRole('img', { name: 'Second' }).waitFor()
    await counts(boxOf(page).getByRole('img'), 1)
    const top = () => page.locator('main').evaluate(main => main.getBoundingClientRect().top)
    const place = await top()
    await boxOf(page).getByRole('img').waitFor({ state: 'detached' })
    assert.equal(await top(), place)
    assert.deepEqual(events.slice(before), ['First view', 'Second view'])
    await page
      .getByRole('navigation', { name: 'Footer' })
      .getByRole('link', { name: 'Terms of Service', exact: true })
      .click()
    await page.waitForURL(`${site.url}/Terms`)
    await settle(page)
    assert.equal(await boxOf(page).isVisible(), false)
  })

  test('an operator finds in the editor how often each was met, and publishes a text that all read', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const setting = { key: KEY, wallets: ['leather'], delayMs: 0, refused: [], hasToken: false }
    await page.addInitScript({
      content: `window.madeWallets = ${JSON.stringify(setting)};${await walletScript()}`,
    })
    hear(page)
    await page.goto(`${site.url}/account`)
    await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).click()
    await page.locator('[data-wallet="LeatherProvider"]').click()
    await page.waitForURL(`${site.url}/`)
    await settle(page)
    await page.goto(`${site.url}/editor`)
    await page.getByRole('heading', { name: 'Advertisements' }).waitFor()
    await settle(page)
    const numbers = async () => {
      const head = page.getByRole('rowheader', { name: 'Shown to readers' })
      const cells = page.getByRole('row').filter({ has: head }).getByRole('cell')
      return (await cells.allTextContents()).slice(0, 3).map(Number)
    }
    await page.reload()
    await page.getByRole('rowheader', { name: 'Shown to readers' }).waitFor()
    await settle(page)
    const [shown = 0, followed, dismissed] = await numbers()
    // The page itself may have shown it once more since it asked.
    assert.ok(shown >= 2 && shown <= timesOf('view'), `${shown} of ${timesOf('view')}`)
    assert.deepEqual([followed, dismissed], [timesOf('click'), timesOf('cancel')])
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])

    await page.getByRole('link', { name: 'page/About' }).click()
    const field = page.getByLabel('Head of YAML, then Markdown')
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('title:'))
    const words = await field.inputValue()
    const read = async () => (await fetch(`${site.url}/About`)).text()
    const own = 'A sentence of the operator.'
    // Kept pages are made anew within moments.
    const reads = (isThere: boolean) =>
      until(
        `the sentence ${isThere ? 'appears' : 'is gone'}`,
        async () => (await read()).includes(own) === isThere,
      )
    await field.fill(`${words}\n\n${own}\n`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText(own).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft. Readers cannot see it.').waitFor()
    assert.ok(!(await read()).includes(own))
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published.', { exact: true }).waitFor()
    await reads(true)
    // What no reader could be shown is not kept, and the words stay.
    await field.fill('no head at all')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('status').filter({ hasText: 'head' }).waitFor()
    assert.equal(await field.inputValue(), 'no head at all')
    await page
      .getByLabel('Add a picture')
      .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(PNG_20_TO_1) })
    await page.getByText('Image saved.').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The file counts again.').waitFor()
    await reads(false)
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
  })
})
