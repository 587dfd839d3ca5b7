/** A reader could not upload a file, see what its columns are, and join it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { silentLog } from '#kernel/log.ts'
import { openStore } from '#store/index.ts'
import { makeAccount, welcome } from './accounts.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle, WIDTHS } from './pageFaults.ts'
import { openQueryTool } from './queryTool.ts'
import { setUpPeopleSite, site } from './sharedPeopleSite.ts'

const EMAIL = 'grace@example.org'

/** What a confirmed email and a grant give. */
async function givePremium(email: string): Promise<void> {
  await using store = await openStore({ home: site.home, log: silentLog })
  await store.query('UPDATE assay.accounts SET email_proved_at = now() WHERE email = $1', [email])
  await store.query(
    "INSERT INTO assay.grants (holder, features, reason, granted_by, granted_at) VALUES ($1, '{query}', 'test', 'test', now())",
    [email],
  )
}

describe('uploads', skipWithoutChromium, () => {
  setUpPeopleSite()

  test('a file is uploaded, its doubtful dates corrected, joined, appended to and deleted', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/errors`)
    await makeAccount(page, EMAIL, 'Grace')
    await welcome(page, 'Grace')
    await givePremium(EMAIL)
    await openRail(page)
    await page.getByRole('button', { name: 'Upload file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload file' })
    await choose(dialog, 'Fund flows.csv', 'number,paid,Amount (USD)\n1,03/04/2026,1.5\n2,05/04/2026,\n')
    const type = dialog.getByLabel('Type of column paid')
    await dialog.getByText('The day or the month may come first. Choose which.').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    await type.selectOption({ label: 'Date, 31/12/2026' })
    await dialog
      .getByText('The day or the month may come first. Choose which.')
      .waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Name in queries').inputValue(), 'fund_flows')
    await dialog.getByRole('button', { name: 'Create table' }).click()
    await page.getByText('uploads.fund_flows has 2 rows.').waitFor()

    await page.getByRole('textbox', { name: 'SQL' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(
      'SELECT paid, Amount_USD FROM uploads.fund_flows JOIN numbers(3) AS n ON toInt64(n.number) = fund_flows.number ORDER BY fund_flows.number',
    )
    await page.keyboard.press('Control+Enter')
    const head = page.locator('form[aria-label="Query"]')
    await head.getByText('2 rows', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Result' }).getByText('2026-04-03').first().waitFor()

    // The link shows the result to its owner. Others see no rows, query or names.
    const pinned = page.waitForRequest(request => request.url().endsWith('/pin'))
    await page.getByRole('button', { name: 'Copy link to result' }).click()
    await page.getByText('Link copied. Only you can open it.').waitFor()
    const hash = /results\/([0-9a-f]{64})\/pin$/.exec((await pinned).url())?.[1]
    const shown = await (await fetch(`${site.url}/Query?result=${hash}`)).text()
    assert.match(shown, /The result rests on an upload, which only its owner can read\./)
    assert.doesNotMatch(shown, /fund_flows|Amount_USD|2026-04-03/)
    const linked = await page.context().newPage()
    await linked.goto(`${site.url}/Query?result=${hash}`)
    await settle(linked)
    await linked.mouse.move(300, 300)
    await linked.getByRole('region', { name: 'Result' }).getByText('2026-04-03').first().waitFor()
    await linked.getByText('Only you. The query reads one of your uploads.').waitFor()
    await linked.close()

    await page.getByRole('button', { name: /^fund_flows/ }).click()
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('button', { name: 'Append' }).click()
    const appending = page.getByRole('dialog', { name: 'Append rows of fund_flows' })
    await choose(appending, 'more.csv', 'number,paid,Amount (USD)\n3,31/04/2026,2.5\n')
    await appending.getByLabel('Type of column paid').selectOption({ label: 'Date, 31/12/2026' })
    await appending.getByText(/Row 2: 31\/04\/2026/).waitFor()
    await appending.getByRole('button', { name: 'Append rows' }).click()
    await appending
      .getByRole('alert')
      .getByText(/Row 2, column paid/)
      .waitFor()
    await appending.getByLabel(/Leave values empty/).check()
    await appending.getByRole('button', { name: 'Append rows' }).click()
    await page.getByText('uploads.fund_flows has 3 rows.').waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('fund_flows deleted.').waitFor()
    assert.deepEqual(
      complaints.filter(text => !/status of 422/.test(text)),
      [],
    )
  })

  async function openRail(page: Page): Promise<void> {
    await openQueryTool(page, site.url)
    await page.getByRole('tab', { name: 'Uploads' }).click()
  }

  const choose = (dialog: ReturnType<Page['getByRole']>, name: string, text: string) =>
    dialog
      .getByLabel(/Choose a file/)
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
})
