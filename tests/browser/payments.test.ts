/** A paying user would not get Premium. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type FakeStripe, openFakeStripe } from '#tests/stripe/fakeStripe.ts'
import { makeAccount, welcome } from './accounts.ts'
import { newPage, openChromium, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf } from './pageFaults.ts'
import { reads } from './soon.ts'
import { openTestSite, type TestSite } from './testSite.ts'

describe('a payment, from the prices to what it opens', skipWithoutChromium, () => {
  let stripe: FakeStripe
  let site: TestSite
  let browser: Browser
  before(async () => {
    stripe = await openFakeStripe()
    ;[site, browser] = await Promise.all([
      openTestSite({
        command: 'serve',
        env: {
          STRIPE_SECRET_KEY: 'sk_test_1',
          STRIPE_WEBHOOK_SECRET: stripe.secret,
          STRIPE_PRICE_MONTHLY: 'price_month',
          STRIPE_PRICE_YEARLY: 'price_year',
          STRIPE_API_URL: stripe.url,
        },
      }),
      openChromium(),
    ])
  })
  after(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    await stripe?.[Symbol.asyncDispose]()
  })

  test('who pays has Premium once the provider’s message came, and no sooner', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/pricing`)
    const main = page.getByRole('main')
    await main.getByText('$19').first().waitFor()
    await makeAccount(page, 'pat@example.org', 'Pat', main.getByRole('button', { name: 'Sign in to buy' }))
    await page.waitForURL(`${site.url}/pricing`)
    await welcome(page, 'Pat')
    const bar = page.getByRole('banner')
    await bar.getByRole('link', { name: 'Premium', exact: true }).waitFor()
    assert.deepEqual(await faultsOf(page), [])

    await main.getByRole('button', { name: /Go Premium, year/ }).click()
    await page.getByRole('heading', { name: 'Pay' }).waitFor()
    // It pays on the provider's page, whose message does not come yet.
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL(/subscription-success\?session_id=cs_test_/)
    await page.getByText('The payment provider’s word may take a moment').waitFor()
    await bar.getByRole('link', { name: 'Premium', exact: true }).waitFor()
    const [made] = stripe.subscriptions.values()
    const { body, signature } = stripe.sign({
      id: 'evt_of_pat',
      object: 'event',
      type: 'customer.subscription.created',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object: { id: made?.id, object: 'subscription', customer: made?.customer } },
    })
    const tell = (signed: string) =>
      fetch(`${site.url}/api/v1/billing/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signed },
        body,
      })
    assert.equal((await tell(signature.replace(/v1=../, 'v1=00'))).status, 400)
    assert.equal((await tell(signature)).status, 200)
    await page.getByText('The server confirms it: Premium is active.').waitFor()
    await bar.getByRole('link', { name: 'Custom Dashboards', exact: true }).waitFor()
    await bar.getByRole('link', { name: 'Premium', exact: true }).waitFor({ state: 'hidden' })
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])

    await page.goto(`${site.url}/account`)
    await page.getByText('by your plan').first().waitFor()
    await page.goto(`${site.url}/pricing`)
    await page.getByText(/You have Premium\. It is renewed on/).waitFor()
    assert.equal(await main.getByRole('button', { name: /Go Premium/ }).count(), 0)
    await main.getByRole('button', { name: 'Manage Subscription' }).click()
    await page.getByRole('heading', { name: 'Portal' }).waitFor()
    await reads(page.locator('#customer'), made?.customer)
    assert.deepEqual(complaints, [])
  })
})
