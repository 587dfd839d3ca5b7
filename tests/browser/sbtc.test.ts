/** Tracing bitcoin through sBTC would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { CAROL, idOf } from '#explorer/stacks/sbtc/madeSbtc.testing.ts'
import type { SbtcDepositDetail, StacksYieldDetail } from '#http/contract.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts } from './soon.ts'

const MEMBER = 'SP3910KBW2WAXNDM5VXWGH0JR3JFD245YWM9BA5HE'

describe('a bitcoin followed through sBTC, and what stacking brought', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })
  const ask = <Answer>(path: string): Promise<Answer> => site.ask<Answer>(`/stacks${path}`)

  test('from what waits to a deposit, its steps on both chains, where it went, and a withdrawal', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/stacks`)
    await page.getByRole('link', { name: 'sBTC: follow a bitcoin' }).click()
    await page.waitForURL('**/stacks/sbtc')
    await settle(page)
    const states = await page.locator('#deposits tbody tr td:nth-child(2)').allTextContents()
    assert.deepEqual(states, ['waits for its mint', 'minted', 'minted'])
    assert.deepEqual(await faultsOf(page), [])

    // By the transaction of its deposit straight to its page.
    await page.getByLabel('Find deposits and withdrawals').fill(idOf('of alice'))
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(`**/stacks/sbtc/${idOf('of alice')}:0`)
    await settle(page)
    const { deposit, flow } = await ask<SbtcDepositDetail>(`/sbtc/deposits/${idOf('of alice')}`)
    const steps = await page.locator('#flow tbody tr').count()
    assert.equal(steps, flow?.steps.length)
    const btc = (sat: string) => `0.${sat.padStart(8, '0')}`
    const rests = (await page.locator('#flow tbody tr td:nth-child(4)').allTextContents()).filter(
      text => text !== '–',
    )
    assert.deepEqual(
      rests.sort(),
      flow?.steps.flatMap(({ restSat }) => (restSat === '0' ? [] : [btc(restSat)])).sort(),
    )
    assert.equal(
      await page.locator('#flow tfoot td:nth-child(4)').textContent(),
      btc(deposit.mintedSat ?? ''),
    )
    await page.getByText('2 Bitcoin blocks, 21 min since the deposit').waitFor()
    await page.getByRole('link', { name: 'Through contracts' }).click()
    await page.waitForURL('**through=contracts')
    await page.locator('#flow tbody tr').nth(steps).waitFor()
    assert.deepEqual(await faultsOf(page), [])

    await page.locator('#withdrawals tbody th a', { hasText: '1' }).click()
    await page.waitForURL('**/stacks/sbtc/withdrawal/1')
    await page.getByText('12 of 14 signers voted for it').first().waitFor()
    await page.getByText('2 Bitcoin blocks, 19 min').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(complaints, [])
  })

  test('filters, searches and what means nothing are told on the page, with and without script', async () => {
    const asText = async (path: string) => {
      const answer = await fetch(`${site.url}${path}`)
      return { status: answer.status, html: await answer.text() }
    }
    const rejected = await asText('/stacks/sbtc?status=rejected')
    assert.match(rejected.html, /withdrawals-2"/)
    assert.doesNotMatch(rejected.html, /withdrawals-1"/)
    const ofCarol = await asText(`/stacks/sbtc?of=${CAROL}`)
    assert.match(ofCarol.html, /Only what has to do with it is listed/)
    for (const asked of ["'; DROP TABLE stx_blocks --", '<script>alert(1)</script>', 'x'.repeat(4000)]) {
      const { status, html } = await asText(
        `/stacks/sbtc?of=${encodeURIComponent(asked)}&before=1.x&origin=nobody`,
      )
      assert.equal(status, 200)
      assert.match(html, /neither a transaction nor an address/)
      assert.doesNotMatch(html, /<script>alert/)
      const yields = await asText(`/stacks/yield?address=${encodeURIComponent(asked)}`)
      assert.equal(yields.status, 200)
      assert.match(yields.html, /is no address of Stacks/)
    }
    for (const path of [
      '/stacks/sbtc/nothing',
      `/stacks/sbtc/${'a'.repeat(64)}:9`,
      '/stacks/sbtc/withdrawal/9e9',
    ])
      assert.equal((await asText(path)).status, 404)
  })

  test('the yield of a member of a pool says what the API says', async () => {
    await using opened = await newPage(browser, { viewport: { width: 390, height: 844 } })
    const { page, complaints } = opened
    await page.goto(`${site.url}/stacks/yield`)
    await page.getByLabel('Address of Stacks').fill(MEMBER)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(`**address=${MEMBER}`)
    await settle(page)
    const { rows } = await ask<StacksYieldDetail>(`/yields/${MEMBER}`)
    await page
      .getByRole('navigation', { name: /^Rows of/ })
      .getByRole('link', { name: 'All' })
      .click()
    await page.getByRole('link', { name: 'In pages' }).waitFor()
    await counts(page.locator('#yields tbody tr'), rows.length)
    const got = await page.locator('#yields tbody tr').nth(1).locator('td').nth(3).textContent()
    // Cycle 126: 125.212105 STX, its share of 157,564.791334.
    assert.equal(got, '125.212105 STX')
    assert.equal(rows[1]?.paidUstx, '125212105')
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, `${width} px wide`)
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(complaints, [])
  })
})
