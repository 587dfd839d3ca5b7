/** The wallet dialog would not offer, connect or cancel wallets. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Frame, Page } from 'playwright-core'
import { makeWallet } from '#tests/wallets/account.ts'
import { walletScript } from '#tests/wallets/bundle.ts'
import { type ModalSite, openModalSite } from '#tests/wallets/openModalSite.ts'
import { newPage, openChromium, quietNetwork, skipWithoutChromium } from './chromium.ts'
import { faultsOf } from './pageFaults.ts'

const KEY = `${'1d'.repeat(32)}01`
const OTHER_KEY = `${'2e'.repeat(32)}01`
const { address: ADDRESS } = makeWallet({ key: KEY })

type Setting = { wallets: string[]; delayMs?: number; refused?: string[]; hasToken?: boolean }

const scriptWith = async ({ wallets, delayMs = 0, refused = [], hasToken = false }: Setting) =>
  `window.madeWallets = ${JSON.stringify({ key: KEY, wallets, delayMs, refused, hasToken })};${await walletScript()}`

describe('wallets', { skip: skipWithoutChromium.skip }, () => {
  let browser: Browser
  let site: ModalSite
  before(async () => {
    site = await openModalSite(await scriptWith({ wallets: ['asigna'] }))
    browser = await openChromium()
  })
  after(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
  })

  async function open(setting: Setting) {
    const opened = await newPage(browser, { reducedMotion: 'reduce' })
    await opened.page.addInitScript({ content: await scriptWith(setting) })
    await opened.page.goto(site.url)
    await opened.page.getByRole('button', { name: 'Connect Wallet' }).click()
    return opened
  }
  const told = (page: Page | Frame) => page.locator('output').textContent()
  const stored = (page: Page | Frame) => page.evaluate(() => localStorage.getItem('blockstack-session'))
  const overflow = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).overflowY)

  test('the modal offers three wallets with links to those that are absent, keeps the page still, and Escape gives it back', async () => {
    await using opened = await open({ wallets: [] })
    const { page, complaints } = opened
    const dialog = page.getByRole('dialog', { name: 'Connect a wallet' })
    await dialog.waitFor()
    const links = await dialog
      .getByRole('link')
      .evaluateAll(found => found.map(one => [one.getAttribute('data-install'), one.getAttribute('href')]))
    assert.deepEqual(links, [
      ['LeatherProvider', 'https://leather.io/install-extension'],
      ['XverseProviders.BitcoinProvider', 'https://www.xverse.app/download'],
      ['AsignaProvider', 'https://stx.asigna.io/'],
    ])
    await dialog.getByText('No Stacks wallet is in this browser').waitFor()
    assert.equal(await overflow(page), 'hidden')
    assert.deepEqual(await faultsOf(page), [])
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      assert.notEqual(await page.evaluate(() => document.activeElement?.textContent), 'Connect Wallet')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await told(page), 'closed')
    assert.notEqual(await overflow(page), 'hidden')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Connect Wallet')
    assert.equal(await stored(page), null)
    assert.deepEqual(complaints, [])
  })

  for (const [wallet, id] of [
    ['leather', 'LeatherProvider'],
    ['xverse', 'XverseProviders.BitcoinProvider'],
  ] as const)
    for (const hasToken of [true, false])
      test(`${wallet} appears by itself, signs in ${hasToken ? 'by token' : 'by its address'}, and the server believes its signature`, async () => {
        await using opened = await open({ wallets: [wallet], delayMs: 300, hasToken })
        const { page, complaints } = opened
        await page.locator(`[data-wallet="${id}"]`).click()
        await page.getByText(`${ADDRESS} proved`).waitFor()
        const record = JSON.parse((await stored(page)) ?? '')
        assert.deepEqual(Object.keys(record), ['version', 'userData', 'transitKey', 'etags'])
        assert.equal(record.userData.address, ADDRESS)
        assert.equal(record.userData.appPrivateKey !== null, hasToken)
        const ask = (headers: Record<string, string>) =>
          page.evaluate(async given => (await fetch('/api/v1/account', { headers: given })).status, headers)
        assert.equal(await ask({ 'wallet-address': ADDRESS }), 200)
        assert.equal(await ask({ 'wallet-address': makeWallet({ key: OTHER_KEY }).address }), 401)
        assert.doesNotMatch(await page.evaluate(() => document.cookie), /wsid/)
        await page.evaluate(() => window.door?.endSession())
        assert.equal(await stored(page), null)
        const refused = (text: string) => /401/.test(text)
        assert.equal(await ask({ 'wallet-address': ADDRESS }), 401)
        assert.deepEqual(
          complaints.filter(text => !refused(text)),
          [],
        )
      })

  test('a refusal says so and stores nothing; one of the proof leaves the way on without it', async () => {
    await using opened = await open({
      wallets: ['leather', 'xverse'],
      refused: ['getAddresses', 'stx_signMessage'],
    })
    const { page } = opened
    await page.locator('[data-wallet="LeatherProvider"]').click()
    await page.getByText('Canceled in Leather.').waitFor()
    assert.equal(await stored(page), null)
    await page.locator('[data-wallet="XverseProviders.BitcoinProvider"]').click()
    await page.getByText('Canceled in Xverse Wallet.').waitFor()
    await page.evaluate(() => {
      if (window.wallets) window.wallets.refused = []
    })
    await page.getByRole('button', { name: 'Sign again' }).click()
    await page.getByText(`${ADDRESS} proved`).waitFor()
  })

  test('Escape while a wallet is asked cancels: a late answer signs nobody in', async () => {
    for (const hasToken of [false, true]) {
      await using opened = await open({ wallets: ['leather'], hasToken })
      const { page } = opened
      await page.evaluate(() => {
        const { wallets } = window
        if (wallets === undefined) return
        const late = new Promise(resolve => window.addEventListener('answer now', resolve))
        const { wallet } = wallets
        const answered = () => document.documentElement.setAttribute('data-answered', '')
        wallets.wallet = {
          ...wallet,
          answer: (method, params) => late.then(() => wallet.answer(method, params)).finally(answered),
          authResponse: request => late.then(() => wallet.authResponse(request)).finally(answered),
        }
      })
      await page.locator('[data-wallet="LeatherProvider"]').click()
      await page.getByText('Waiting for Leather.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await told(page), 'closed')
      await page.evaluate(() => window.dispatchEvent(new Event('answer now')))
      await page.locator('html[data-answered]').waitFor()
      await quietNetwork(page)
      assert.deepEqual([await told(page), await stored(page)], ['closed', null])
      assert.equal(await page.evaluate(() => window.wallets?.asked.length), 1)
    }
  })

  test('another account in the wallet ends the session', async () => {
    await using opened = await open({ wallets: ['xverse'] })
    const { page } = opened
    await page.locator('[data-wallet="XverseProviders.BitcoinProvider"]').click()
    await page.getByText(`${ADDRESS} proved`).waitFor()
    await page.evaluate(() => window.door?.watchAccount())
    await page.evaluate(key => window.wallets?.use(key), OTHER_KEY)
    await page.waitForFunction(() => localStorage.getItem('blockstack-session') === null)
  })

  test('inside Asigna the page around is the wallet', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    await page.goto(site.outerUrl)
    const frame = page.frames()[1] ?? assert.fail('no frame')
    await frame.getByRole('button', { name: 'Connect Wallet' }).click()
    await frame.locator('[data-wallet="AsignaProvider"]').click()
    await frame.getByText(ADDRESS).waitFor()
    assert.equal(JSON.parse((await stored(frame)) ?? '').userData.walletId, 'AsignaProvider')
  })
})
