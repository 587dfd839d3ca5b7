/** Readers could not find a block, a transaction or an address. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const BLOCK = '/bitcoin/block/170'
const STACKS_TX = '/stacks/tx/337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406'

describe('blocks, transactions and the search in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser

  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  test('a block and a transaction open with their parts', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${BLOCK}`)
    await settle(page)
    await page.getByRole('link', { name: /^f4184fc5/ }).click()
    await page.getByRole('heading', { level: 1, name: /f4184fc5/ }).waitFor()
    await page.getByRole('list', { name: '2 outputs' }).getByText('10.00000000 BTC').waitFor()
    await page
      .getByRole('list', { name: '1 input', exact: true })
      .getByRole('link', { name: 'block 9' })
      .waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a search for a height opens the block, for words lists figures', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    const box = page.getByRole('banner').getByRole('combobox', { name: /^Search/ })
    await box.fill('170')
    await box.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Block 170' }).waitFor()
    // A height that one other chain has opens there; where several have it, all are listed.
    await page.goto(`${site.url}/search?q=51,451`)
    assert.equal(new URL(page.url()).pathname, '/stacks/block/51451')
    await page.goto(`${site.url}/search?q=47`)
    for (const chain of ['Bitcoin', 'Stacks'])
      await page.getByRole('link', { name: `Block 47 of ${chain}`, exact: true }).waitFor()
    await page.goto(`${site.url}/search?q=fees+paid`)
    // Several chains have fees: each result says whose they are.
    const found = page.getByRole('listitem').filter({ hasText: 'Bitcoin · Fees of all' }).first()
    await found.getByRole('link', { name: 'Fees paid', exact: true }).waitFor()
  })

  test('a reader finds Stacks in the menu and a call decoded in words: arguments, amounts, post-conditions', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin`)
    await settle(page)
    await page.getByRole('complementary').getByText('Stacks', { exact: true }).click()
    await page.getByRole('link', { name: 'Mining', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Mining' }).waitFor()
    await page.goto(`${site.url}${STACKS_TX}`)
    await page.getByText('buy-in-ustx').first().waitFor()
    for (const title of ['Arguments', 'Post-conditions', 'Amounts that moved'])
      await page.getByRole('heading', { name: title }).waitFor()
    await page
      .getByText(/sends (?:exactly|at most) [\d,.]+ STX/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'SP2KA…3S45C.wasteland-apes-nft' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'wasteland-apes-nft' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a search for an id of Stacks opens it: transaction, block, contract, address', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const id = '337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406'
    const block = await fetch(`${site.url}/api/v1/stacks/blocks/51451`).then(answer => answer.json())
    for (const [asked, path] of [
      [`0x${id}`, `/stacks/tx/${id}`],
      [`${(block as { hash: string }).hash}`, '/stacks/block/51451'],
      ['SP000000000000000000002Q6VF78.pox', '/stacks/contract/SP000000000000000000002Q6VF78.pox'],
      [
        'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
        '/stacks/address/SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
      ],
    ]) {
      await page.goto(`${site.url}/search?q=${encodeURIComponent(asked ?? '')}`)
      assert.equal(new URL(page.url()).pathname, path)
    }
  })
})
