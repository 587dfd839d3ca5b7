import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import type { BalancesAnswer, HotContractsAnswer } from '#http/contract.ts'
import { createRandom } from '#ingest/testing.ts'
import { type MadeLayer, openMadeLayer } from '../evm/madeLayer.ts'
import { skipWithoutAnvil } from '../evm/openAnvil.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { openTestSite, type TestSite } from './testSite.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PATHS = [
  '/dashboards/hotcontracts',
  '/popularcalls',
  '/contractsdeployed',
  '/dashboards/discovermints',
  '/tokens',
  '/collections',
  '/tvl?count=borrowed',
  `/addressbalance?address=${FRIEND}`,
]
/** Those whose blocks differ: colours are looked at on these in the dark too. */
const DARK_PATHS = [PATHS[0]!, PATHS[2]!, PATHS[6]!, PATHS[7]!]
const CHAIN_ID = 4200
const settle = (page: Page) => page.waitForLoadState('networkidle')

const skip = skipWithoutChromium.skip || skipWithoutAnvil.skip
describe('pages about all chains', { skip }, () => {
  let layer: MadeLayer
  let site: TestSite
  let browser: Browser

  const ask = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`${site.url}/api/v1${path}`)).json()) as Answer

  before(async () => {
    const start = Math.floor(Date.now() / 1000) - 20 * 600
    layer = await openMadeLayer({ chainId: CHAIN_ID, args: ['--timestamp', String(start)] })
    await layer.anvil.send('anvil_setBlockTimestampInterval', 600)
    await layer.grow(16, createRandom(5))
    ;[site, browser] = await Promise.all([
      openTestSite({
        env: { MERLIN_RPC_URL: layer.anvil.url },
        before: [['backfill', '--chain', 'merlin', '--from', '0']],
      }),
      openChromium(),
    ])
    // The hours are computed beside the pages, right after the start.
    const deadline = Date.now() + 20_000
    while ((await ask<HotContractsAnswer>('/contracts/hot')).callCount === 0 && Date.now() < deadline)
      await new Promise(resolve => setTimeout(resolve, 200))
  })
  after(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    await layer?.[Symbol.asyncDispose]()
  })

  test('the figures on screen are those of the API, and a span and a chain stay in the address', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/dashboards/hotcontracts`)
    await page.getByRole('link', { name: '7 days' }).click()
    await page.waitForURL('**span=7d')
    await page.getByRole('navigation', { name: 'Chain' }).getByRole('link', { name: 'Merlin' }).click()
    await page.waitForURL('**chain=merlin**')
    await settle(page)
    const { items } = await ask<HotContractsAnswer>('/contracts/hot?span=7d&chain=merlin')
    assert.ok(items.length >= 2)
    const drawn = await page
      .locator('#contracts tbody tr')
      .evaluateAll(rows =>
        rows.map(row => [
          row.querySelector('a')?.getAttribute('title'),
          row.querySelectorAll('td')[1]?.textContent,
        ]),
      )
    assert.deepEqual(
      drawn,
      items.map(({ contract, callCount }) => [contract, String(callCount)]),
    )
    assert.deepEqual(complaints, [])
  })

  test('a new call shows on the open page by itself', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/dashboards/hotcontracts?chain=merlin`)
    const calls = page.getByRole('list', { name: 'Key figures' }).locator('li').first()
    const shown = Number((await calls.locator('a').textContent()) ?? 0)
    await page.waitForRequest(request => request.url().includes('/api/v1/changes'))
    await layer.grow(3, () => 0.5)
    await page.waitForFunction(
      before => Number(document.querySelector('[aria-label="Key figures"] a')?.textContent) > before,
      shown,
      { timeout: 15_000 },
    )
  })

  test('addresses pasted with junk among them are answered, and the junk is named', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/addressbalance`)
    await page
      .getByLabel('Addresses, one a line')
      .fill(`address\n${FRIEND}\n\n"${FRIEND.toLowerCase()}",7\nnonsense <b>here</b>`)
    await page.getByRole('button', { name: 'Show balances' }).click()
    await page.getByText('1 of 4 lines is an address', { exact: false }).waitFor()
    await page.locator('#lines').getByText('The same address as on line 2.').waitFor()
    await page.locator('#lines').getByText('nonsense <b>here</b>').waitFor()
    const { balances } = await ask<BalancesAnswer>(`/addresses/${FRIEND}/balances`)
    assert.equal(await page.locator('#balances tbody tr').count(), balances.length)
    assert.ok(balances.some(({ source, balance }) => source === 'node' && balance !== null))
    assert.deepEqual(complaints, [])
  })

  test('layers lead to the lists, and the search finds them', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/merlin`)
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Tokens' }).click()
    await page.waitForURL('**/tokens?chain=merlin')
    await page.goto(`${site.url}/search?q=popular`)
    await page.getByRole('link', { name: 'Popular calls' }).click()
    await page.waitForURL('**/popularcalls')
  })

  test('every list is a file too', async () => {
    for (const path of [
      '/contracts/hot',
      '/contracts/calls',
      '/contracts/deployed',
      '/tokens',
      '/mints',
      '/tvl',
    ]) {
      const answer = await fetch(`${site.url}/api/v1${path}?format=csv`)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
      const [head = ''] = (await answer.text()).split('\r\n')
      assert.match(head, /chain/, path)
    }
  })

  test('no page has an accessibility fault or scrolls sideways, at any width, in either theme', async () => {
    const faults: string[] = []
    for (const theme of ['light', 'dark'] as const) {
      await using opened = await newPage(browser, { theme })
      const { page, complaints } = opened
      for (const path of theme === 'light' ? PATHS : DARK_PATHS) {
        await page.goto(`${site.url}${path}`)
        await settle(page)
        for (const width of [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
          if (over > 0) faults.push(`${path} at ${width} px is ${over} px too wide`)
          const shots = process.env.ASSAY_SHOTS
          if (shots !== undefined)
            await page.screenshot({
              path: `${shots}/${path.replaceAll(/[/?=]+/g, '_').slice(0, 40)}-${width}-${theme}.png`,
              fullPage: true,
            })
        }
        await page.evaluate(axeSource)
        const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
        faults.push(
          ...violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target }) => `${path} ${theme} ${id}: ${target.join(' ')}`),
          ),
        )
      }
      assert.deepEqual(complaints, [])
    }
    assert.deepEqual(faults, [])
  })
})
