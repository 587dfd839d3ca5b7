/** Contract calls, gifts and names would not work from a wallet. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Cl, cvToHex } from '@stacks/transactions'
import type { Browser, Frame, Page } from 'playwright-core'
import { freePort } from '#kernel/freePort.testing.ts'
import { clarityArchive, MADE_CONTRACTS } from '#tests/stacks/clarityChain.ts'
import { type NodeCalls, openNodeCalls } from '#tests/stacks/openNodeCalls.ts'
import { makeWallet } from '#tests/wallets/account.ts'
import { walletScript } from '#tests/wallets/bundle.ts'
import { type MadeHub, openHub } from '#tests/wallets/openHub.ts'
import { openOuter } from '#tests/wallets/openOuter.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { faultsOf, faultsOfPages, overflowsOf, settle } from './pageFaults.ts'
import { counts } from './soon.ts'
import { openTestSite, type TestSite } from './testSite.ts'

const KEY = `${'1d'.repeat(32)}01`
/** Of other wallets: the server gives each only so many messages to sign in a minute. */
const [KEY_WITH_HUB, KEY_WITHOUT] = [`${'3c'.repeat(32)}01`, `${'4e'.repeat(32)}01`]
const { address: ADDRESS } = makeWallet({ key: KEY })
const SUPPORT = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
const idOf = (name: string): string => {
  const { deployer } = MADE_CONTRACTS.find(made => made.name === name) ?? assert.fail(name)
  return `${deployer}.${name}`
}
/** Its interface came with its block. */
const HELD = idOf('bridge')
/** Its interface is told by the node alone. */
const ASKED = idOf('swap')
const WIDTHS = [390, 820, 1440] as const

describe('calls and gifts from a wallet, and names', skipWithoutChromium, () => {
  let site: TestSite
  let browser: Browser
  let node: NodeCalls
  let hub: MadeHub
  /** Where Asigna is played, which frames our pages. */
  let outerPort: number
  before(async () => {
    node = await openNodeCalls()
    hub = await openHub()
    outerPort = await freePort()
    const folder = await mkdtemp(join(tmpdir(), 'assay-calls-'))
    const archive = join(folder, 'chain.tsv')
    await writeFile(archive, clarityArchive())
    site = await openTestSite({
      command: 'serve',
      env: {
        STACKS_API_URL: node.url,
        SUPPORT_ADDRESS: SUPPORT,
        ASIGNA_ORIGINS: `http://localhost:${outerPort}`,
        HUB_HOSTS: `https://gaia.hiro.so,${hub.url}`,
      },
      before: [['backfill', '--chain', 'stacks', '--from-archive', archive]],
    })
    await rm(folder, { recursive: true })
    browser = await openChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    await node?.[Symbol.asyncDispose]()
    await hub?.[Symbol.asyncDispose]()
  })

  async function open(
    path: string,
    options: Parameters<typeof newPage>[1] = {},
    made: { wallets?: string[]; key?: string; hasToken?: boolean; profileUrl?: string; hubUrl?: string } = {},
  ) {
    const opened = await newPage(browser, { reducedMotion: 'reduce', ...options })
    const setting = { key: KEY, wallets: ['leather'], delayMs: 0, refused: [], hasToken: false, ...made }
    await opened.page.addInitScript({
      content: `window.madeWallets = ${JSON.stringify(setting)};${await walletScript()}`,
    })
    await opened.page.goto(`${site.url}${path}`)
    await settle(opened.page)
    return opened
  }
  async function connect(page: Page | Frame, wallet = 'LeatherProvider'): Promise<void> {
    await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).click()
    await page.locator(`[data-wallet="${wallet}"]`).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  /** What the wallet was last asked for. */
  const lastAsked = (page: Page) =>
    page.evaluate(() => window.wallets?.asked.at(-1) as { method: string; params: Record<string, unknown> })
  const panelOf = (page: Page | Frame) => page.getByRole('region', { name: 'Call a function' })

  test('pages that offer a call, a gift or a name weigh, move and look as all others', async () => {
    const paths = [`/stacks/contract/${HELD}`, `/stacks/address/${HELD.split('.')[0]}`, '/pricing']
    assert.deepEqual(
      await faultsOfPages(
        browser,
        paths.map(path => site.url + path),
      ),
      [],
    )
  })

  test('the manifest that sign-in by token names is served, with an icon that is there', async () => {
    const answer = await fetch(`${site.url}/manifest.json`)
    assert.match(answer.headers.get('content-type') ?? '', /json/)
    const { name, start_url: start, icons } = await answer.json()
    assert.deepEqual([name, start, icons.length], ['Assay', '/', 1])
    const icon = await fetch(new URL(icons[0].src, site.url))
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, icons[0].type])
  })

  test('nothing of wallets is fetched before the button is pressed', async () => {
    await using opened = await open(`/stacks/contract/${HELD}`)
    const { page } = opened
    const fetched = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter(name => /assets\/.*(?:CallPanel|crypto|wallet)/i.test(name)),
      )
    assert.deepEqual(await fetched(), [])
    await panelOf(page).getByRole('button', { name: 'Call a function' }).click()
    await page.getByLabel('Public function').waitFor()
    assert.notDeepEqual(await fetched(), [])
  })

  test('a function is chosen, its arguments are checked by type, and the wallet sends what was typed', async () => {
    await using opened = await open(`/stacks/contract/${HELD}`)
    const { page, complaints } = opened
    const panel = panelOf(page)
    await panel.getByRole('button', { name: 'Call a function' }).click()
    const choice = panel.getByLabel('Public function')
    await choice.waitFor()
    // What only reads is not sent.
    assert.deepEqual(await choice.locator('option').allTextContents(), ['Choose …', 'send-many'])
    await choice.selectOption('send-many')
    await connect(page)
    assert.equal(new URL(page.url()).pathname, `/stacks/contract/${HELD}`)
    await panel.getByLabel('amount uint').fill('1.5')
    await panel.getByLabel('to principal').fill(`${ADDRESS.slice(0, -1)}0`)
    await panel.getByLabel('memo (optional').selectOption('some')
    await panel.getByLabel('some (buff 34)').fill('hello')
    await panel.getByRole('button', { name: 'Add an item' }).click()
    await panel.getByRole('button', { name: 'Call send-many' }).click()
    for (const words of [
      'no whole number from 0 to 2^128',
      'a letter is missing, too many or mistyped',
      'Bytes are written in hex',
      'Needed: a whole number, 0 or above',
      'Choose true or false.',
      'Nothing was sent: correct the fields that are marked.',
    ])
      await panel.getByText(words).first().waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    assert.notEqual((await lastAsked(page)).method, 'stx_callContract')

    await panel.getByLabel('amount uint').fill('15')
    // A fault goes as it is corrected.
    await panel.getByText('no whole number from 0 to 2^128').waitFor({ state: 'detached' })
    await panel.getByLabel('to principal').fill(`${ADDRESS}.vault-2`)
    await panel.getByLabel('some (buff 34)').fill('0x6869')
    await panel.getByLabel('share uint').fill('100')
    await panel.getByLabel('isFinal bool').selectOption('true')
    await panel.getByText('Nothing was sent').waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Add a post-condition' }).click()
    await panel.getByLabel('STX', { exact: true }).fill('2.5')
    await panel.getByRole('button', { name: 'Add a post-condition' }).click()
    await panel.getByLabel('Who sends').nth(1).selectOption('contract')
    await panel.getByLabel('What', { exact: true }).nth(1).selectOption('token')
    await panel.getByLabel('How much').nth(1).selectOption('at least')
    await panel.getByLabel('Smallest units').fill('7')
    await panel.getByLabel('Which token').fill(`${HELD}::lp`)
    await panel.getByRole('button', { name: 'Call send-many' }).click()
    const sent = panel.getByRole('status').filter({ hasText: 'Sent.' })
    await sent.waitFor()
    const link = (await sent.getByRole('link').getAttribute('href')) ?? ''
    assert.match(link, /^\/stacks\/tx\/[0-9a-f]{64}$/)
    const { method, params } = await lastAsked(page)
    assert.equal(method, 'stx_callContract')
    assert.deepEqual(
      [params.contract, params.functionName, params.postConditionMode],
      [HELD, 'send-many', 'deny'],
    )
    assert.deepEqual(params.functionArgs, [
      cvToHex(Cl.uint(15)),
      cvToHex(Cl.principal(`${ADDRESS}.vault-2`)),
      cvToHex(Cl.some(Cl.bufferFromHex('6869'))),
      cvToHex(Cl.list([Cl.tuple({ share: Cl.uint(100), isFinal: Cl.bool(true) })])),
    ])
    assert.equal((params.postConditions as string[]).length, 2)
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    assert.deepEqual(complaints, [])
  })

  test('an interface that is not held is asked of the node, and what a node does not take is told in sentences', async () => {
    node.instead.set(`GET /v2/contracts/interface/${ASKED.replace('.', '/')}`, {
      status: 200,
      body: {
        functions: [{ name: 'run', access: 'public', args: [], outputs: { type: 'bool' } }],
        variables: [],
        maps: [],
        fungible_tokens: [],
        non_fungible_tokens: [],
      },
    })
    await using opened = await open(`/stacks/contract/${ASKED}`)
    const { page } = opened
    const panel = panelOf(page)
    await panel.getByRole('button', { name: 'Call a function' }).click()
    await panel.getByLabel('Public function').selectOption('run')
    await panel.getByText('It takes no arguments.').waitFor()
    await connect(page)
    await page.evaluate(() => {
      const { wallets } = window
      if (wallets === undefined) return
      const { wallet } = wallets
      wallets.wallet = {
        ...wallet,
        answer: async (method, params) => {
          if (method === 'stx_callContract')
            throw { code: -32_603, message: 'transaction rejected: NotEnoughFunds' }
          return wallet.answer(method, params)
        },
      }
    })
    await panel.getByLabel('Let anything else move too').check()
    await panel.getByText('Only do this with a contract that you trust.').waitFor()
    await panel.getByRole('button', { name: 'Call run' }).click()
    // At the button, and beside the page for who has scrolled on; both tell the node’s own word.
    const toast = page.getByRole('alert').filter({ hasText: 'The transaction was not sent' })
    for (const place of [panel.getByRole('status'), toast]) {
      await place.getByText('There is not enough STX. Amount and fee together are more').waitFor()
      const raw = place.getByText('NotEnoughFunds: Leather refused: transaction rejected: NotEnoughFunds')
      assert.equal(await raw.isVisible(), false)
      await place.getByText('Details').click()
      await raw.waitFor()
    }
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    assert.equal((await lastAsked(page)).params.postConditionMode, 'allow')
    await toast.getByRole('button', { name: 'Dismiss' }).click()
    await toast.waitFor({ state: 'detached' })
    await page.evaluate(() => {
      if (window.wallets) window.wallets.refused = ['stx_callContract']
    })
    await panel.getByRole('button', { name: 'Call run' }).click()
    await panel.getByText('Canceled in Leather.').waitFor()
    // Whoever cancelled knows.
    assert.equal(await toast.count(), 0)
  })

  test('an application’s contracts can be called from its page', async () => {
    await using opened = await open('/alex?tab=contracts')
    const panel = panelOf(opened.page)
    await panel.getByRole('button', { name: 'Call a function' }).click()
    await panel.getByLabel('Contract').waitFor()
    await panel.getByLabel('Public function').selectOption('delegate')
    await panel.getByLabel('amount uint').waitFor()
    assert.deepEqual(await overflowsOf(opened.page, WIDTHS), [])
  })

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
