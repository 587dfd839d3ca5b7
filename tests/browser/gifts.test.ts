/** Gifts, names and profile pictures would not work from a wallet. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { walletScript } from '#tests/wallets/bundle.ts'
import { openOuter } from '#tests/wallets/openOuter.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf } from './pageFaults.ts'
import {
  ADDRESS,
  browser,
  connect,
  HELD,
  hub,
  KEY,
  lastAsked,
  open,
  outerPort,
  panelOf,
  SUPPORT,
  setUpCallsSite,
  site,
  WIDTHS,
} from './sharedCallsSite.ts'
import { counts } from './soon.ts'

/** Of other wallets: the server gives each only so many messages to sign in a minute. */
const [KEY_WITH_HUB, KEY_WITHOUT] = [`${'3c'.repeat(32)}01`, `${'4e'.repeat(32)}01`]

describe('gifts from a wallet, and names', skipWithoutChromium, () => {
  setUpCallsSite()

  for (const [name, wallet] of [
    ['leather', 'LeatherProvider'],
    ['xverse', 'XverseProviders.BitcoinProvider'],
  ] as const)
    test(`a gift goes from ${name} to the configured address, exactly as typed`, async () => {
      await using opened = await open('/pricing', { theme: 'dark' }, { wallets: [name] })
      const { page, complaints } = opened
      const card = page.getByRole('region', { name: 'Support us' })
      await card.getByText(SUPPORT).waitFor()
      await card.getByRole('button', { name: 'Send STX' }).click()
      await connect(page, wallet)
      await card.getByLabel('Amount, STX').fill('0')
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      await card.getByText('An amount above zero is needed.').waitFor()
      await card.getByLabel('Amount, STX').fill('0.000001')
      await card.getByLabel('Memo').fill('thanks')
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      await card.getByText('Sent.').waitFor()
      const { method, params } = await lastAsked(page)
      assert.equal(method, 'stx_transferStx')
      assert.deepEqual([params.recipient, params.amount, params.memo], [SUPPORT, '1', 'thanks'])
      assert.deepEqual(await faultsOf(page), [])
      assert.deepEqual(await overflowsOf(page, WIDTHS), [])
      assert.deepEqual(complaints, [])
    })

  test('inside Asigna a call and a gift are asked of the page around', async () => {
    const setting = { key: KEY, wallets: ['asigna'], delayMs: 0, refused: [], hasToken: false }
    await using _outer = await openOuter({
      port: outerPort,
      script: `window.madeWallets = ${JSON.stringify(setting)};${await walletScript()}`,
      framed: path => site.url + path,
    })
    await using opened = await newPage(browser, { reducedMotion: 'reduce' })
    const { page, complaints } = opened
    const inFrame = async (path: string) => {
      await page.goto(`http://localhost:${outerPort}${path}`)
      return page.frames()[1] ?? assert.fail('no frame')
    }
    const contract = await inFrame(`/stacks/contract/${HELD}`)
    const panel = panelOf(contract)
    await panel.getByRole('button', { name: 'Call a function' }).click()
    await panel.getByLabel('Public function').selectOption('send-many')
    await connect(contract, 'AsignaProvider')
    await panel.getByLabel('amount uint').fill('15')
    await panel.getByLabel('to principal').fill(ADDRESS)
    await panel.getByRole('button', { name: 'Call send-many' }).click()
    await panel.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()
    const called = await lastAsked(page)
    assert.deepEqual(
      [called.method, called.params.contract, called.params.functionName],
      ['stx_callContract', HELD, 'send-many'],
    )
    // Whoever has signed in once is known on the next page too.
    const pricing = await inFrame('/pricing')
    const card = pricing.getByRole('region', { name: 'Support us' })
    await card.getByRole('button', { name: 'Send STX' }).click()
    await card.getByLabel('Amount, STX').fill('2.5')
    await card.getByRole('button', { name: 'Send', exact: true }).click()
    await card.getByText('Sent.').waitFor()
    const given = await lastAsked(page)
    assert.deepEqual(
      [given.method, given.params.recipient, given.params.amount],
      ['stx_transferStx', SUPPORT, '2500000'],
    )
    assert.deepEqual(complaints, [])
    await page.evaluate(() => {
      if (window.wallets) window.wallets.refused = ['stx_transferStx']
    })
    await card.getByLabel('Amount, STX').fill('1')
    await card.getByRole('button', { name: 'Send', exact: true }).click()
    await card.getByText('Canceled in Asigna.').waitFor()
  })

  test('a name that no block held tells of is the node’s, on the page of an address and in the menu', async () => {
    const [deployer = ''] = HELD.split('.')
    await using opened = await open(`/stacks/address/${deployer}`)
    const { page, complaints } = opened
    await page.getByText('a.btc, from a Stacks node').waitFor()
    await page.goto(`${site.url}/account`)
    await connect(page)
    await page.getByRole('banner').getByText('Welcome, a.btc').first().waitFor({ state: 'attached' })
    // A sign-in leads home.
    await page.waitForURL(`${site.url}/`)
    await page.goto(`${site.url}/account`)
    await page.getByText('a.btc, from a Stacks node').waitFor()
    await page.getByText('The wallet reports none.').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    assert.deepEqual(complaints, [])
  })

  test('names are kept at the wallet’s own hub, locked, and come back from it', async () => {
    await using opened = await open('/account', {}, { key: KEY_WITH_HUB, hasToken: true, hubUrl: hub.url })
    const { page, complaints } = opened
    await connect(page)
    await page.waitForURL(`${site.url}/`)
    await page.goto(`${site.url}/account`)
    const card = page.getByRole('region', { name: 'Names of addresses' })
    const [keep, restore] = ['Back up', 'Restore'].map(name =>
      card.getByRole('button', { name, exact: true }),
    )
    assert.ok(keep && restore)
    await card.getByText('No backup yet.').waitFor()
    assert.deepEqual([await keep.isDisabled(), await restore.isDisabled()], [true, true])
    assert.deepEqual(await faultsOf(page), [])
    for (const [address, name] of [
      [SUPPORT, 'Treasury'],
      [ADDRESS, 'Mine'],
    ] as const) {
      await card.getByRole('textbox', { name: 'Address' }).fill(address)
      await card.getByLabel('Name', { exact: true }).fill(name)
      await card.getByRole('button', { name: 'Name it' }).click()
      await card.getByRole('button', { name: `Remove the name ${name}` }).waitFor()
    }
    await keep.click()
    await card.getByText('Stored at your hub: 2 names.').waitFor()
    const [file] = hub.files.values()
    assert.equal(hub.files.size, 1)
    assert.deepEqual(Object.keys(JSON.parse(String(file?.bytes))).sort(), [
      'cipherText',
      'cipherTextEncoding',
      'ephemeralPK',
      'iv',
      'mac',
      'wasString',
    ])
    assert.doesNotMatch(String(file?.bytes), /Treasury|SP2J6/)
    // One is lost, another has a further name by now.
    await card.getByRole('button', { name: 'Remove the name Treasury' }).click()
    await card.getByText('Treasury').waitFor({ state: 'detached' })
    await card.getByRole('textbox', { name: 'Address' }).fill(ADDRESS)
    await card.getByLabel('Name', { exact: true }).fill('Savings')
    await card.getByRole('button', { name: 'Name it' }).click()
    await card.getByRole('button', { name: 'Remove the name Savings' }).waitFor()
    await page.reload()
    await card.getByText('It has a backup of yours').waitFor()
    await restore.click()
    await card
      .getByText('Restored 1 name of 2. 1 name that you have changed since stayed as it was.')
      .waitFor()
    for (const name of ['Treasury', 'Savings'])
      await card.getByRole('button', { name: `Remove the name ${name}` }).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    // A hub answers so for what it does not hold yet, of which the browser complains.
    assert.deepEqual(
      complaints.filter(text => !/404/.test(text)),
      [],
    )
    // What the hub does not do is told in its words.
    hub.refusals.push(402)
    await keep.click()
    await card.getByRole('alert').getByText('The hub wants more proofs of this identity').waitFor()
  })

  test('where there is no hub to keep names at, the page says why', async () => {
    for (const [made, words] of [
      [{ key: KEY_WITHOUT, hasToken: false }, 'Leather signed in with its address only, without a hub.'],
      [
        { key: KEY_WITHOUT, hasToken: true, hubUrl: 'https://hub.elsewhere.example' },
        'This site does not use your wallet’s hub, hub.elsewhere.example.',
      ],
    ] as const) {
      await using opened = await open('/account', {}, made)
      const { page, complaints } = opened
      await connect(page)
      await page.waitForURL(`${site.url}/`)
      await page.goto(`${site.url}/account`)
      const card = page.getByRole('region', { name: 'Names of addresses' })
      await card.getByText(words).waitFor()
      assert.equal(await card.getByRole('button', { name: 'Back up' }).count(), 0)
      assert.deepEqual(await faultsOf(page), [])
      assert.deepEqual(complaints, [])
    }
  })

  test('the picture of a wallet’s profile is drawn, from the hub alone that the site asks', async () => {
    const hub = 'https://gaia.hiro.so/hub/1Bp'
    const drawn = await readFile(new URL('../pictures/buttons-390-light.png', import.meta.url))
    for (const [image, words] of [
      [`${hub}/avatar.png`, 'Ann of the Hub'],
      [
        'https://elsewhere.example/avatar.png',
        'Its picture: The picture is stored on a site that this site does not contact.',
      ],
    ] as const) {
      await using opened = await open('/', {}, { hasToken: true, profileUrl: `${hub}/profile.json` })
      const { page, complaints } = opened
      const asked: string[] = []
      await page.context().route(/^https:/, async (route, request) => {
        asked.push(request.url())
        const headers = { 'access-control-allow-origin': '*' }
        if (request.url().endsWith('.png'))
          await route.fulfill({ body: drawn, contentType: 'image/png', headers })
        else {
          const claim = { name: 'Ann of the Hub', image: [{ name: 'avatar', contentUrl: image }] }
          await route.fulfill({ json: [{ decodedToken: { payload: { claim } } }], headers })
        }
      })
      await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).first().click()
      await page.locator('[data-wallet="LeatherProvider"]').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.goto(`${site.url}/account`)
      await page.getByText(words, { exact: false }).waitFor()
      const picture = page.getByRole('main').locator('img')
      const isHere = image.startsWith(hub)
      if (isHere) await picture.waitFor()
      await counts(picture, isHere ? 1 : 0)
      if (isHere)
        await page.waitForFunction(
          width => document.querySelector<HTMLImageElement>('main img')?.naturalWidth === width,
          drawn.readUInt32BE(16),
        )
      assert.deepEqual([...new Set(asked)], [`${hub}/profile.json`, ...(isHere ? [image] : [])])
      assert.deepEqual(await faultsOf(page), [])
      assert.deepEqual(await overflowsOf(page, WIDTHS), [])
      assert.deepEqual(complaints, [])
    }
  })
})
