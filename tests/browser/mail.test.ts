/** Users could not confirm an email or reset a password. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeAccount, PASSWORD, welcome } from './accounts.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { OPERATOR as EMAIL, mailed, setUpMailSite, site } from './sharedMailSite.ts'

const NEW_PASSWORD = 'another long and good one'

describe('mail with links', skipWithoutChromium, () => {
  setUpMailSite()

  /** The link of a purpose in the newest mail that has one. */
  const linkOf = (purpose: 'confirm' | 'reset') =>
    mailed(EMAIL, new RegExp(`${site.url}/idp/u/${purpose}/[\\w-]{43}`))

  test('the mail of a new account confirms its email, by the button and once', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}/About`)
    await makeAccount(page, EMAIL, 'Mia')
    await welcome(page, 'Mia')
    await page.goto(`${site.url}/account`)
    await page.getByText(`${EMAIL} (not confirmed yet)`).waitFor()
    // The session says in which browser it was begun.
    await page.getByText(/^Chrome on /).waitFor()
    // What is given to the email is not given to who only typed it.
    assert.equal(await page.getByText('Operator of this server').count(), 0)
    const link = await linkOf('confirm')
    await page.goto(link)
    await page.getByRole('button').click()
    await page.getByText('Your email is confirmed').first().waitFor()
    await page.goto(link)
    await page.getByText('This link does not work').first().waitFor()
    await page.goto(`${site.url}/account`)
    await page.getByText('Operator of this server').waitFor()
  })

  test('a forgotten password is replaced by the link of a mail, and the old one opens nothing', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const signIn = async (password: string) => {
      await page.goto(`${site.url}/About`)
      await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
      await page.getByLabel('Email').fill(EMAIL)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto(`${site.url}/About`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByRole('button').click()
    await page.getByText('Look into your mail').first().waitFor()
    const link = await linkOf('reset')
    await page.goto(link)
    await page.getByLabel(/password/i).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('Your password is changed').first().waitFor()
    await page.goto(link)
    await page.getByText('This link does not work').first().waitFor()
    await signIn(PASSWORD)
    await page.getByRole('alert').waitFor()
    await signIn(NEW_PASSWORD)
    await welcome(page, 'Mia')
  })

  test('the letters of the sign-in are those of the site', async () => {
    await using opened = await newPage(site.browser, { theme: 'dark' })
    const { page, complaints } = opened
    await page.goto(`${site.url}/About`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first().click()
    await page.getByLabel('Email').waitFor()
    await page.evaluate(async () => {
      await document.fonts.ready
    })
    assert.ok(
      await page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded'),
      ),
    )
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    assert.deepEqual(complaints, [])
  })
})
