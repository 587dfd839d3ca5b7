/** Prices and payment results would not show. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

describe('plans and outcomes', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  test('pricing is reached from the menu and says the limits that the engine keeps, without a script', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/bitcoin`)
    await page.getByRole('banner').getByRole('link', { name: 'Pricing', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    const row = async (name: string) => {
      const head = page.getByRole('rowheader', { name, exact: true })
      return page.getByRole('row').filter({ has: head }).getByRole('cell').allTextContents()
    }
    const { guest, member } = SQL_LIMITS
    assert.deepEqual(await row('A statement may run'), [
      `${guest.seconds} s`,
      `${member.seconds} s`,
      `${guest.seconds} s, or ${member.seconds} s with a grant`,
    ])
    // What is said is what is kept: one row too many is refused.
    const told = Number((await row('Rows of an answer'))[0]?.replaceAll(',', ''))
    const answer = await fetch(`${site.url}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql: `SELECT number FROM numbers(${told + 1})` }),
    })
    const { rows = [] } = (await answer.json()) as { rows?: unknown[] }
    assert.ok(rows.length <= told)
  })

  test('without a session the page after a payment leads to the prices, and grants nothing', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/subscription-success?session_id=cs_live_1`)
    await settle(page)
    await page.getByRole('main').getByRole('link', { name: 'Pricing' }).first().waitFor()
    assert.deepEqual(await site.ask('/features'), {})
    assert.deepEqual(complaints, [])
  })

  test('a code of an error gives its sentence, anything else one that echoes nothing of the address', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/error?code=sql.unknown_column`)
    await settle(page)
    await page.getByRole('link', { name: 'More about this problem' }).click()
    await page.waitForURL('**/errors/sql.unknown_column')
    await page.goto(`${site.url}/error?code=mfa_required`)
    await page.getByRole('heading', { level: 1, name: 'A second proof is needed' }).waitFor()
    for (const code of ['<script>window.was=1</script>', '__proto__', 'constructor', 'x'.repeat(5000), '']) {
      const answer = await page.goto(`${site.url}/error?code=${encodeURIComponent(code)}&more=zebra`)
      assert.equal(answer?.status(), 200)
      await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
      const words = (await page.getByRole('main').textContent()) ?? ''
      assert.ok(code === '' || !words.includes(code))
      assert.doesNotMatch(words, /zebra/)
    }
    assert.equal(await page.evaluate('window.was'), undefined)
    assert.deepEqual(complaints, [])
  })
})
