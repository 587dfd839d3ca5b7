/** A user could not save, compare, restore, file, star or fork a query by keyboard, or a stranger would not see its chart. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#kernel/until.testing.ts'
import { makeAccount, welcome } from './accounts.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, settle } from './pageFaults.ts'
import { mailed, setUpMailSite, site } from './sharedMailSite.ts'

describe('saved queries', skipWithoutChromium, () => {
  setUpMailSite()

  const headOf = (page: Page) => page.locator('form[aria-label="Query"]')
  async function openTool(page: Page, search = ''): Promise<void> {
    await page.goto(`${site.url}/Query${search}`)
    await settle(page)
    let x = 300
    const move = async () => {
      x = 601 - x
      await page.mouse.move(x, 300)
      return page.locator('.cm-content').isVisible()
    }
    await until('the editor has come', move, { betweenMs: 100 })
    await settle(page)
  }
  async function write(page: Page, sql: string): Promise<void> {
    await page.getByRole('textbox', { name: 'SQL' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(sql)
  }
  /** Presses a button as the keyboard does. */
  async function press(page: Page, name: string | RegExp): Promise<void> {
    await headOf(page).getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
  }

  test('by keyboard alone a query is saved, drawn, compared, restored, filed, starred and exported', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const email = 'kay@saved.example'
    await page.goto(`${site.url}/About`)
    await makeAccount(page, email, 'Kay')
    await welcome(page, 'Kay')
    await page.goto(await mailed(email, /http\S+\/idp\/u\/confirm\/[\w-]{43}/))
    await page.getByRole('button').click()
    await page.getByText('Your email is confirmed').first().waitFor()

    await openTool(page)
    await write(page, 'SELECT number AS n, n * n AS square FROM numbers(9)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('9 rows', { exact: true }).waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('tab', { name: 'Rows' }).focus()
    await page.keyboard.press('ArrowRight')
    await result.getByRole('radio', { name: 'Scatter' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('textbox', { name: 'SQL' }).focus()
    await page.keyboard.press('Control+s')
    const saving = page.getByRole('dialog', { name: 'Save query' })
    await saving.getByLabel('Name').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Squares')
    await saving.getByLabel('Who can open it').selectOption('link')
    const answer = page.waitForResponse(
      response => response.request().method() === 'POST' && response.url().endsWith('/api/v1/queries'),
    )
    await saving.getByLabel('Name').press('Enter')
    const { id, chart } = (await (await answer).json()) as { id: string; chart: { kind: string } | null }
    assert.equal(chart?.kind, 'area')
    await headOf(page).getByRole('button', { name: 'Version 1' }).waitFor()

    await write(page, 'SELECT number AS n, n * n AS square FROM numbers(10)')
    await page.keyboard.press('Control+s')
    await headOf(page).getByText('Saved as version 2.').waitFor()
    await press(page, 'Version 2')
    const versions = page.getByRole('dialog', { name: 'Versions of Squares' })
    await versions.getByRole('combobox').focus()
    await page.keyboard.press('ArrowDown')
    await versions.getByText('numbers(9)').first().waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await versions.getByRole('button', { name: 'Restore version 1' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Restored in the editor. Save to keep it.').waitFor()
    await page.locator('.cm-content').getByText('numbers(9)').waitFor()

    await press(page, /^Star/)
    await headOf(page).getByRole('button', { name: /^Star/, pressed: true }).waitFor()
    await press(page, 'Edit')
    const editing = page.getByRole('dialog', { name: 'Edit details' })
    await editing.getByLabel('Folder').focus()
    await page.keyboard.type('Numbers')
    await page.keyboard.press('Enter')
    await headOf(page).getByText('Saved.', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Saved', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Numbers' }).waitFor()
    await page.getByRole('button', { name: '★ Squares link' }).waitFor()

    await result.getByRole('tab', { name: 'Chart' }).focus()
    await page.keyboard.press('ArrowLeft')
    await result.getByRole('button', { name: 'Export' }).focus()
    await page.keyboard.press('Enter')
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /^Excel/ }).focus()
    await page.keyboard.press('Enter')
    assert.match((await download).suggestedFilename(), /\.xlsx$/)

    // Whoever has the link sees the chart and cannot change the query.
    await using stranger = await newPage(site.browser)
    await openTool(stranger.page, `?id=${id}`)
    await stranger.page.locator('ul[aria-label="Open queries"]').getByText('Squares').waitFor()
    await stranger.page.locator('input:checked + span').getByText('Area').waitFor()
    assert.equal(await headOf(stranger.page).getByRole('button', { name: 'Save' }).count(), 0)
    // Without a script the form has its text.
    await using plain = await newPage(site.browser, { javaScriptEnabled: false })
    await plain.page.goto(`${site.url}/Query?id=${id}`)
    assert.match(await plain.page.getByLabel('SQL', { exact: true }).inputValue(), /numbers\(10\)/)
    // Withdrawn, it is gone at once from the page that the server draws.
    await press(page, 'Share')
    await page.getByRole('dialog').getByLabel('Who can open it').selectOption('private')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Share|Save|Copy/ })
      .first()
      .click()
    await page.getByText('Only you can open it.').waitFor()
    await plain.page.goto(`${site.url}/Query?id=${id}`)
    assert.doesNotMatch(await plain.page.getByLabel('SQL', { exact: true }).inputValue(), /numbers/)
  })
})
