/** Pages across chains would show other figures than the API. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { BalancesAnswer, HotContractsAnswer } from '#http/contract.ts'
import { until } from '#kernel/until.testing.ts'
import type { MadeLayer } from '../evm/madeLayer.ts'
import { skipWithoutAnvil } from '../evm/openAnvil.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { FRIEND } from './madeMerlin.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts } from './soon.ts'

const skip = skipWithoutChromium.skip || skipWithoutAnvil.skip
describe('pages about all chains', { skip }, () => {
  let layer: MadeLayer
  let site: SharedSite
  let browser: Browser

  before(async () => {
    site = await sharedSite()
    browser = site.browser
    layer = site.merlin!.layer
    // The hours are computed beside the pages, right after the start.
    await until(
      'an hour of contracts is computed',
      async () => (await site.ask<HotContractsAnswer>('/contracts/hot')).callCount !== 0,
      { betweenMs: 200 },
    )
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
    const { items } = await site.ask<HotContractsAnswer>('/contracts/hot?span=7d&chain=merlin')
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
    // Over seven days nothing leaves the span while the chain grows.
    await page.goto(`${site.url}/dashboards/hotcontracts?chain=merlin&span=7d`)
    const calls = page.getByRole('list', { name: 'Key figures' }).locator('li').first()
    const shown = Number((await calls.locator('a').textContent()) ?? 0)
    await page.waitForRequest(request => request.url().includes('/api/v1/changes'))
    await layer.grow(3, () => 0.5)
    await page.waitForFunction(
      before => Number(document.querySelector('[aria-label="Key figures"] a')?.textContent) > before,
      shown,
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
    const { balances } = await site.ask<BalancesAnswer>(`/addresses/${FRIEND}/balances`)
    await counts(page.locator('#balances tbody tr'), balances.length)
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
})
