/** A user could not save, version, share or fork a query, or make a key that runs only that query. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#kernel/until.testing.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, WIDTHS } from './pageFaults.ts'
import { headOf, openQueryTool, write } from './queryTool.ts'
import { setUpMailSite, signUp, site } from './sharedMailSite.ts'

describe('saved queries', skipWithoutChromium, () => {
  setUpMailSite()

  const textOf = async (page: Page) => (await page.locator('.cm-content').textContent()) ?? ''
  const openTool = (page: Page, search = '') => openQueryTool(page, site.url, search)
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  async function saveAs(page: Page, name: string, visibility = 'private'): Promise<void> {
    const dialog = page.getByRole('dialog', { name: /^Save/ })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Who can open it').selectOption(visibility)
    await button(page, 'Save').last().click()
    await page.getByText('Saved.', { exact: true }).waitFor()
  }
  /** The address follows what is in front a moment later. */
  async function idOf(page: Page, notId = ''): Promise<string> {
    const read = () => new URL(page.url()).searchParams.get('id')
    return until('the address names the query', () => read() !== notId && read())
  }

  test('a query is saved, changed, compared, restored, starred, shared, forked and published', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await signUp(page, 'ola@example.org', 'Ola')
    await openTool(page)
    await write(page, 'SELECT 1 AS a')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('1 row', { exact: true }).waitFor()
    await button(page, 'Save').click()
    await saveAs(page, 'One')
    await button(page, 'Version 1').waitFor()
    const id = await idOf(page)

    await write(page, 'SELECT 2 AS a')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    await button(page, 'Version 2').click()
    const versions = page.getByRole('dialog', { name: 'Versions of One' })
    await versions.getByLabel('Compare').selectOption('1')
    await versions.getByText('SELECT 1 AS a').waitFor()
    await versions.getByText('SELECT 2 AS a').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await button(page, 'Restore version 1').click()
    await page.getByText('Restored in the editor. Save to keep it.').waitFor()
    assert.match(await textOf(page), /SELECT 1 AS a/)
    await button(page, 'Save').click()
    await page.getByText('Saved as version 3.').waitFor()

    const star = page.getByRole('button', { name: /Star,/ })
    await star.click()
    await until('the star counts', async () => /1/.test((await star.textContent()) ?? ''))

    await using other = await newPage(site.browser)
    await openTool(other.page, `?id=${id}`)
    assert.doesNotMatch(await textOf(other.page), /SELECT 1/)
    assert.equal(await button(other.page, /^Version/).count(), 0)

    await button(page, 'Share').click()
    await button(page, 'Share').last().click()
    await page.getByText('Anyone with the link can open it. Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(link, `${site.url}/Query?id=${id}`)

    await using stranger = await newPage(site.browser)
    await openTool(stranger.page, `?id=${id}`)
    await until('the shared text is there', async () => /SELECT 1 AS a/.test(await textOf(stranger.page)))
    await stranger.page.getByRole('textbox', { name: 'SQL' }).focus()
    await stranger.page.keyboard.press('Control+Enter')
    await headOf(stranger.page).getByText('1 row', { exact: true }).waitFor()
    assert.equal(await button(stranger.page, 'Share').count(), 0)
    // Without an account, the query, its versions and comments are readable, and saving leads to the plans.
    await headOf(stranger.page).getByRole('link', { name: 'Premium' }).waitFor()
    await stranger.page.getByRole('button', { name: /Star,/ }).click()
    await stranger.page.getByText('Sign in to star a query.').waitFor()
    await button(stranger.page, 'Version 3').click()
    await stranger.page.getByRole('dialog', { name: 'Versions of One' }).getByLabel('Compare').waitFor()
    await stranger.page.keyboard.press('Escape')
    await button(stranger.page, 'Comments').click()
    await button(stranger.page, 'Sign in to comment').waitFor()
    assert.deepEqual(await faultsOf(stranger.page), [])
    await stranger.page.keyboard.press('Escape')
    assert.deepEqual(await overflowsOf(stranger.page, WIDTHS), [])
    await stranger.page.getByRole('textbox', { name: 'SQL' }).focus()
    await stranger.page.keyboard.press('Control+s')
    await stranger.page.getByText(/^Saving needs Premium/).waitFor()
    assert.deepEqual(stranger.complaints, [])

    await using second = await newPage(site.browser)
    await signUp(second.page, 'una@example.org', 'Una')
    await openTool(second.page, `?id=${id}`)
    await button(second.page, 'Fork').click()
    await saveAs(second.page, 'Copy of one', 'public')
    await button(second.page, 'Version 1').waitFor()
    await idOf(second.page, id)

    await openTool(other.page)
    await other.page.getByRole('tab', { name: /Saved/ }).click()
    await button(other.page, /Copy of one/).click()
    await until('the public text is there', async () => /SELECT 1 AS a/.test(await textOf(other.page)))
    assert.equal(await button(other.page, /^One/).count(), 0)
  })

  test('a key has the scopes that were chosen, or runs one saved query', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await signUp(page, 'kai@example.org', 'Kai')
    await openTool(page)
    await write(page, 'SELECT 3 AS a')
    await button(page, 'Save').click()
    await saveAs(page, 'Three')
    const id = await idOf(page)
    await page.goto(`${site.url}/account`)
    const make = async (name: string) => {
      await page.getByLabel('Name of the new key').fill(name)
      await button(page, 'Make a key').click()
      const made = page.getByRole('status').filter({ hasText: `The key “${name}”` })
      return (await made.locator('code').textContent()) ?? ''
    }
    const row = (name: string) =>
      page.getByRole('listitem').filter({ has: button(page, `Revoke the key ${name}`) })
    await page.getByLabel('Read your data').check()
    const wide = await make('Wide')
    await row('Wide').getByText('Run queries, Read your data', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: /^Queries/ }).selectOption('named')
    await page.getByLabel('Three').check()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, [390, 820, 1440]), [])
    const narrow = await make('Narrow')
    await row('Narrow').getByText('Run queries. Only Three', { exact: true }).waitFor()
    const post = async (key: string, path: string, body: object) => {
      const answer = await fetch(`${site.url}/api/v1/queries${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    assert.deepEqual(await post(wide, '/runs', { sql: 'SELECT 1', waitSeconds: 30 }), [200, undefined])
    assert.deepEqual(await post(narrow, '/runs', { sql: 'SELECT 1' }), [403, 'accounts.key_queries'])
    assert.deepEqual(await post(narrow, `/${id}/runs`, { waitSeconds: 30 }), [200, undefined])
    await page.reload()
    await row('Narrow')
      .getByText(/last used/)
      .waitFor()
    assert.deepEqual(complaints, [])
  })
})
