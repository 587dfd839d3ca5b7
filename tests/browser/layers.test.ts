/** Pages of EVM layers would not update or not open blocks. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { MadeLayer } from '../evm/madeLayer.ts'
import { skipWithoutAnvil } from '../evm/openAnvil.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { FRIEND } from './madeMerlin.ts'
import { faultsOfPages } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const LAYER = 'merlin'

const skip = skipWithoutChromium.skip || skipWithoutAnvil.skip
describe('pages of EVM layers over a node', { skip }, () => {
  let layer: MadeLayer
  let site: SharedSite
  let browser: Browser
  let token = ''
  let transfer = ''
  let height = ''

  before(async () => {
    site = await sharedSite()
    browser = site.browser
    ;({ layer, token, transfer, height } = site.merlin!)
  })
  test('a page that is open shows a new block by itself, and keeps what the reader chose', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/${LAYER}?unit=btc`)
    await page.evaluate(() => {
      document.body.dataset.mark = 'same document'
    })
    const stream = page.waitForRequest(request => request.url().includes('/api/v1/changes'))
    await stream
    await layer.anvil.mine()
    const mined = String(await layer.height())
    await page.locator('#blocks').getByRole('link', { name: mined, exact: true }).waitFor()
    assert.equal(await page.evaluate(() => document.body.dataset.mark), 'same document')
    assert.equal(new URL(page.url()).search, '?unit=btc')
    assert.deepEqual(complaints, [])
  })

  test('a reader walks from the layer to a block, its transaction, its contract and an address', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/${LAYER}`)
    await page.locator('#blocks').getByRole('link', { name: height, exact: true }).click()
    await page.waitForURL(`**/${LAYER}/block/${height}`)
    await page.getByRole('heading', { level: 1, name: `Merlin block ${height}` }).waitFor()
    await page.locator('#txs tbody tr a').first().click()
    await page.waitForURL(`**/${LAYER}/tx/${transfer}`)
    const transfers = page.locator('#transfers')
    await transfers.getByText('1.5 TST').waitFor()
    await transfers.locator('tbody tr td:last-child a').first().click()
    await page.waitForURL(`**/${LAYER}/contract/*`)
    await page.getByRole('heading', { level: 1, name: 'TST' }).waitFor()
    await page.getByText('Test Token (TST), 6 decimals', { exact: false }).waitFor()
    assert.equal(new URL(page.url()).pathname.split('/').at(-1)?.toLowerCase(), token.toLowerCase())
    await page
      .locator('#transfers')
      .getByRole('link', { name: /0x7099/ })
      .first()
      .click()
    await page.waitForURL(`**/${LAYER}/address/${FRIEND}`)
    await page.locator('#balances').getByText('1.5 TST').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('hashes and addresses of layers are found by the search', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    for (const [asked, path] of [
      [transfer, `/${LAYER}/tx/${transfer}`],
      [FRIEND.toLowerCase(), `/${LAYER}/address/${FRIEND}`],
      [token, `/${LAYER}/contract/`],
    ] as const) {
      await page.goto(`${site.url}/search?q=${asked}`)
      assert.ok(new URL(page.url()).pathname.startsWith(path), `${asked} leads to ${page.url()}`)
    }
  })

  test('figures of the days that are held whole are drawn, and each opens its assay', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/${LAYER}`)
    await page.getByRole('heading', { name: 'Transactions', exact: true, level: 2 }).first().waitFor()
    await page.goto(`${site.url}/${LAYER}?assay=fees.total@${LAYER}`)
    await page
      .getByText('Fees of users’ transactions in the layer’s blocks', { exact: false })
      .first()
      .waitFor()
  })

  test('a layer of which nothing is held says what to configure, and a header what it is', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitlayer`)
    await page.getByText('BITLAYER_RPC_URL=public', { exact: false }).first().waitFor()
    await page.goto(`${site.url}/rootstock/block/4481139`)
    await page.getByText('the header alone was recorded', { exact: false }).waitFor()
    const answer = await fetch(`${site.url}/api/v1/rootstock/blocks/4481139/txs`)
    assert.equal(answer.status, 404)
    assert.equal(((await answer.json()) as { code: string }).code, 'explorer.txs_not_held')
  })

  test('no page of a layer has a fault, whichever its tab', async () => {
    const paths = [
      ...['', '?tab=usage', '?tab=economy', '?tab=contracts', '?tab=builders', '?tab=trust'],
      `/tx/${transfer}`,
      `/address/${FRIEND}`,
    ]
    const urls = [...paths.map(path => `/${LAYER}${path}`), `/addressbalance?address=${FRIEND}`]
    assert.deepEqual(
      await faultsOfPages(
        browser,
        urls.map(path => site.url + path),
      ),
      [],
    )
  })
})
