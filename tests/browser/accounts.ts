import type { Page } from 'playwright-core'

export const PASSWORD = 'a long and good password'

/** Signs up by the way that a page offers, through to where the provider leads back. */
export async function makeAccount(
  page: Page,
  email: string,
  name: string,
  way = page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true }).first(),
): Promise<void> {
  await way.click()
  await fillAccount(page, email, name)
}

/** The same from the provider’s page to sign in on. */
export async function fillAccount(page: Page, email: string, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Make an account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
}

/** Waits until the bar knows the reader. */
export const welcome = (page: Page, name: string): Promise<void> =>
  page.getByRole('banner').getByText(`Welcome, ${name}`).first().waitFor({ state: 'attached' })
