import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { createRandom } from '#ingest/testing.ts'
import { NAMED_TOKEN, transferInput } from '../evm/contracts.ts'
import { type MadeLayer, openMadeLayer } from '../evm/madeLayer.ts'
import { skipWithoutAnvil } from '../evm/openAnvil.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { openTestSite, type TestSite } from './testSite.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const HOUR_S = 3600
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Merlin: its catalogue names no first block that a node of ours would have to have. */
const LAYER = 'merlin'
const CHAIN_ID = 4200

const settle = (page: Page) => page.waitForLoadState('networkidle')

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

const skip = skipWithoutChromium.skip || skipWithoutAnvil.skip
describe('pages of EVM layers over a node', { skip }, () => {
  let layer: MadeLayer
  let site: TestSite
  let browser: Browser
  let token = ''
  let transfer = ''
  /** Of the block that holds it. */
  let height = ''
  let paths: string[] = []

  before(async () => {
    const start = Math.floor(Date.now() / 1000) - 80 * HOUR_S
    layer = await openMadeLayer({ chainId: CHAIN_ID, args: ['--timestamp', String(start)] })
    await layer.anvil.send('anvil_setBlockTimestampInterval', HOUR_S)
    await layer.grow(60, createRandom(5))
    const made = await layer.anvil.transact({ data: NAMED_TOKEN })
    await layer.anvil.mine()
    const receipt = (await layer.anvil.send('eth_getTransactionReceipt', made)) as { contractAddress: string }
    token = receipt.contractAddress
    transfer = await layer.anvil.transact({ to: token, data: transferInput(FRIEND, 1_500_000) })
    await layer.anvil.mine()
    height = String(await layer.height())
    await layer.anvil.mine(2)
    ;[site, browser] = await Promise.all([
      openTestSite({
        env: { MERLIN_RPC_URL: layer.anvil.url },
        before: [['backfill', '--chain', LAYER, '--from', '0']],
      }),
      openChromium(),
    ])
    paths = [
      `/${LAYER}`,
      `/${LAYER}?tab=usage`,
      `/${LAYER}?tab=economy`,
      `/${LAYER}?tab=contracts`,
      `/${LAYER}?tab=builders`,
      `/${LAYER}?tab=trust`,
      `/${LAYER}/tx/${transfer}`,
      `/${LAYER}/address/${FRIEND}`,
      '/rootstock',
      '/rootstock?tab=bitcoin',
      '/rootstock/block/4481139',
      '/bob',
      '/core?tab=bitcoin',
    ]
  })
  after(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    await layer?.[Symbol.asyncDispose]()
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
    await page.locator('#blocks').getByRole('link', { name: mined, exact: true }).waitFor({ timeout: 10_000 })
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

  test('no page of a layer has an accessibility fault or scrolls sideways, at any width, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await using opened = await newPage(browser, { theme })
      const { page, complaints } = opened
      for (const path of paths) {
        await page.goto(`${site.url}${path}`)
        await settle(page)
        for (const width of [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
          assert.ok(over <= 0, `${path} at ${width} px is ${over} px too wide`)
          const shots = process.env.ASSAY_SHOTS
          if (shots !== undefined)
            await page.screenshot({
              path: `${shots}/${path.replaceAll(/[/?=]+/g, '_').slice(0, 40)}-${width}-${theme}.png`,
              fullPage: true,
            })
        }
        assert.deepEqual(await faultsOf(page), [], `${path} ${theme}`)
      }
      assert.deepEqual(complaints, [])
    }
  })
})
