/** Contract calls, gifts and names would not work from a wallet. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Cl, cvToHex } from '@stacks/transactions'
import { skipWithoutChromium } from './chromium.ts'
import { faultsOf, faultsOfPages, overflowsOf } from './pageFaults.ts'
import {
  ADDRESS,
  browser,
  connect,
  HELD,
  idOf,
  lastAsked,
  node,
  open,
  panelOf,
  setUpCallsSite,
  site,
  WIDTHS,
} from './sharedCallsSite.ts'

/** Its interface is told by the node alone. */
const ASKED = idOf('swap')

describe('calls and gifts from a wallet, and names', skipWithoutChromium, () => {
  setUpCallsSite()

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
})
