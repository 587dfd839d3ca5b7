/** A user could not write, run, save, share or join with only a keyboard, or a stranger could not see the chart of a query. */
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '#kernel/until.testing.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { enter, reach } from './keyboard.ts'
import { faultsOf, overflowsOf, WIDTHS } from './pageFaults.ts'
import { headOf, look, openQueryTool } from './queryTool.ts'
import { setUpMailSite, signUp, site } from './sharedMailSite.ts'

describe('saved queries', skipWithoutChromium, () => {
  setUpMailSite()

  const openTool = (page: Page, search = '') => openQueryTool(page, site.url, search)
  const isFocused = (place: Locator) => place.evaluate(element => element === document.activeElement)
  /** Moves down a menu to an item. */
  async function typeTo(page: Page, entry: Locator): Promise<void> {
    for (let presses = 0; presses < 20 && !(await isFocused(entry)); presses += 1)
      await page.keyboard.press('ArrowDown')
  }
  /** Presses a toolbar button of the editor. */
  const press = (page: Page, name: string | RegExp) => enter(page, headOf(page).getByRole('button', { name }))
  const copiedOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('with only a keyboard, a query can be run, canceled, sorted, copied, charted, saved, compared, shared and joined to an upload', async () => {
    await using opened = await newPage(site.browser, { reducedMotion: 'reduce' })
    const { page, complaints } = opened
    await signUp(page, 'kay@saved.example', 'Kay')

    await openTool(page)
    const editor = page.getByRole('textbox', { name: 'SQL' })
    const writeHere = async (sql: string) => {
      await reach(page, editor)
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(sql)
    }
    await writeHere('SELECT sum(sipHash64(number)) FROM numbers(1000000000000)')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await headOf(page).getByText('Canceled. No result was saved.').waitFor()
    await writeHere('select number as n, n * n as square from numbers(9)')
    await page.keyboard.press('Shift+Alt+f')
    await headOf(page).getByText('Formatted.').waitFor()
    await writeHere('SELECT number AS n, n * n AS square FROM numbers(9)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('9 rows', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('Stored result').waitFor()
    await page.keyboard.press('Control+Alt+Enter')
    await headOf(page).getByText('Stored result').waitFor({ state: 'detached' })
    await headOf(page).getByText('9 rows', { exact: true }).waitFor()
    await press(page, 'Shortcuts')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await look(page, 'shortcuts')
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])
    await page.keyboard.press('Escape')

    // Rows: sort in the header, filter and profile from the column menu, and copy all.
    const result = page.getByRole('region', { name: 'Result' })
    const grid = result.getByRole('grid')
    await reach(page, grid)
    for (const key of ['ArrowUp', 'Enter', 'Enter']) await page.keyboard.press(key)
    await grid
      .getByRole('columnheader', { name: /^n,/ })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await reach(page, page.getByRole('menuitem', { name: 'Sort ascending' }))
    await typeTo(page, page.getByRole('menuitem', { name: 'Filter…' }))
    await page.keyboard.press('Enter')
    const filter = page.getByRole('dialog', { name: 'Filter' })
    assert.deepEqual(await faultsOf(page), [])
    await filter.getByLabel('Condition').waitFor()
    await page.keyboard.type('is at l')
    await reach(page, filter.getByLabel('Value'))
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await result.getByText('2 of 9 rows').waitFor()
    await reach(page, grid)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await result.getByText('Copied 4 cells').waitFor()
    assert.equal((await copiedOf(page)).trim(), '8\t64\n7\t49')
    await page.keyboard.press('Alt+ArrowDown')
    await reach(page, page.getByRole('menuitem', { name: 'Sort ascending' }))
    await typeTo(page, page.getByRole('menuitem', { name: 'Profile' }))
    await page.keyboard.press('Enter')
    const profile = result.getByRole('complementary').or(result.getByRole('region', { name: /profile/i }))
    await profile.first().waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await look(page, 'profile')
    assert.deepEqual(await overflowsOf(page, WIDTHS), [])

    await reach(page, result.getByRole('tab', { name: 'Rows' }))
    await page.keyboard.press('ArrowRight')
    await reach(page, result.getByRole('group', { name: 'Kind of chart' }).locator('input:checked'))
    const scatter = result.getByRole('radio', { name: 'Scatter' })
    for (let presses = 0; presses < 9 && !(await scatter.isChecked()); presses += 1)
      await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    assert.deepEqual(await faultsOf(page), [])
    await reach(page, editor)
    await page.keyboard.press('Control+s')
    const saving = page.getByRole('dialog', { name: 'Save query' })
    await reach(page, saving.getByLabel('Name'))
    assert.deepEqual(await faultsOf(page), [])
    await look(page, 'save')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Squares')
    const answer = page.waitForResponse(
      response => response.request().method() === 'POST' && response.url().endsWith('/api/v1/queries'),
    )
    await page.keyboard.press('Enter')
    const { id, chart } = (await (await answer).json()) as { id: string; chart: { kind: string } | null }
    assert.equal(chart?.kind, 'area')
    await headOf(page).getByRole('button', { name: 'Version 1' }).waitFor()

    await writeHere('SELECT number AS n, n * n AS square FROM numbers(10)')
    await page.keyboard.press('Control+s')
    await headOf(page).getByText('Saved as version 2.').waitFor()
    await press(page, 'Version 2')
    const versions = page.getByRole('dialog', { name: 'Versions of Squares' })
    await reach(page, versions.getByRole('combobox'))
    await page.keyboard.press('ArrowDown')
    await versions.getByText('numbers(9)').first().waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await enter(page, versions.getByRole('button', { name: 'Restore version 1' }))
    await page.getByText('Restored in the editor. Save to keep it.').waitFor()
    await page.locator('.cm-content').getByText('numbers(9)').waitFor()

    await press(page, /^Star/)
    await headOf(page).getByRole('button', { name: /^Star/, pressed: true }).waitFor()
    await press(page, 'Share')
    const sharing = page.getByRole('dialog', { name: 'Share Squares' })
    await sharing.getByLabel('Who can open it').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await look(page, 'share')
    await enter(page, sharing.getByRole('button', { name: 'Share' }))
    await page.getByText('Anyone with the link can open it. Link copied.').waitFor()
    assert.equal(await copiedOf(page), `${site.url}/Query?id=${id}`)
    await press(page, 'Edit')
    const editing = page.getByRole('dialog', { name: 'Edit details' })
    await reach(page, editing.getByLabel('Folder'))
    assert.deepEqual(await faultsOf(page), [])
    await page.keyboard.type('Numbers')
    await page.keyboard.press('Enter')
    await headOf(page).getByText('Saved.', { exact: true }).waitFor()
    const openSection = async (name: string) => {
      await reach(
        page,
        page.getByRole('tablist', { name: 'Kinds of data' }).locator('[role=tab]:not([tabindex="-1"])'),
      )
      const tab = page.getByRole('tab', { name, exact: true })
      for (let presses = 0; presses < 6 && !(await isFocused(tab)); presses += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await openSection('Saved')
    await page.getByRole('heading', { name: 'Numbers' }).waitFor()
    await page.getByRole('button', { name: '★ Squares link' }).waitFor()

    await reach(page, result.getByRole('tab', { name: 'Chart' }))
    await page.keyboard.press('ArrowLeft')
    await enter(page, result.getByRole('button', { name: 'Export' }))
    const download = page.waitForEvent('download')
    await typeTo(page, page.getByRole('menuitem', { name: /^Excel/ }))
    await page.keyboard.press('Enter')
    assert.match((await download).suggestedFilename(), /\.xlsx$/)

    await openSection('Uploads')
    await enter(page, page.getByRole('button', { name: 'Upload file' }))
    const uploading = page.getByRole('dialog', { name: 'Upload file' })
    await reach(page, uploading.getByLabel(/Choose a file/))
    assert.deepEqual(await faultsOf(page), [])
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    const file = { name: 'Names.csv', mimeType: 'text/csv', buffer: Buffer.from('n,name\n2,two\n3,three\n') }
    await (await chooser).setFiles(file)
    await uploading.getByLabel('Name in queries').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await look(page, 'upload')
    await enter(page, uploading.getByRole('button', { name: 'Create table' }))
    await page.getByText('uploads.names has 2 rows.').waitFor()
    await reach(page, editor)
    await page.keyboard.press('Shift+Alt+n')
    await page.locator('ul[aria-label="Open queries"] > li').nth(1).waitFor()
    await writeHere(
      'SELECT name FROM uploads.names AS u JOIN numbers(9) AS s ON toInt64(s.number) = u.n ORDER BY u.n',
    )
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('2 rows', { exact: true }).waitFor()
    await result.getByText('three', { exact: true }).first().waitFor()
    await reach(page, page.locator('ul[aria-label="Open queries"] [aria-current]'))
    await page.keyboard.press('Delete')
    assert.deepEqual(complaints, [])

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

  test('a result link shows the result without running it, with and without JavaScript, or says that it is gone', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    const sql = 'SELECT number AS n, toString(number * 7) AS text FROM numbers(20000)'
    await openTool(page, `?${new URLSearchParams({ sql })}`)
    await page.getByRole('textbox', { name: 'SQL' }).press('Control+Enter')
    const pinned = page.waitForRequest(request => request.url().endsWith('/pin'))
    await page.getByRole('button', { name: 'Copy link to result' }).click()
    const hash = /results\/([0-9a-f]{64})\/pin$/.exec((await pinned).url())?.[1] ?? ''
    await page.getByText('Link copied. The result may be removed if nobody opens it for a while.').waitFor()

    await using plain = await newPage(site.browser, { javaScriptEnabled: false })
    const drawn = plain.page.getByRole('region', { name: 'Result' })
    await plain.page.goto(`${site.url}/Query?result=${hash}`)
    assert.match(await plain.page.getByLabel('SQL', { exact: true }).inputValue(), /number \* 7/)
    for (const text of ['First 10,000 rows', 'Computed', 'Data version'])
      await headOf(plain.page).getByText(text, { exact: true }).waitFor()
    await drawn.getByRole('cell', { name: '343', exact: true }).waitFor()
    await drawn.getByText('First 50 of the first 10,000 rows.').waitFor()

    await using stranger = await newPage(site.browser)
    const asked: string[] = []
    stranger.page.on('request', request =>
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`),
    )
    await openTool(stranger.page, `?result=${hash}&title=Sevens`)
    await stranger.page.locator('ul[aria-label="Open queries"]').getByText('Sevens').waitFor()
    await stranger.page.getByRole('grid').getByText('91', { exact: true }).waitFor()
    assert.deepEqual(
      asked.filter(request => request === 'POST /api/v1/queries/runs'),
      [],
    )
    assert.deepEqual(await faultsOf(stranger.page), [])
    await stranger.page.reload()
    assert.equal(new URL(stranger.page.url()).searchParams.get('result'), hash)
    await openTool(stranger.page, `?result=${hash}`)
    await headOf(stranger.page).getByRole('button', { name: 'Run again on current data' }).click()
    await until('the address has the query', async () => /sql=SELECT/.test(stranger.page.url()))
    await headOf(stranger.page).getByRole('button', { name: 'Run again', exact: true }).waitFor()

    const results = join(site.home, 'results')
    await rename(join(results, `${hash}.json`), join(results, `${hash}.gone`))
    await plain.page.goto(`${site.url}/Query?result=${hash}`)
    await plain.page.getByText('The result is no longer stored.').waitFor()
    assert.match(await plain.page.getByLabel('SQL', { exact: true }).inputValue(), /number \* 7/)
    await using late = await newPage(site.browser)
    await openTool(late.page, `?result=${hash}`)
    await headOf(late.page).getByRole('button', { name: 'Run on current data' }).click()
    await headOf(late.page).getByText('First 10,000 rows').waitFor()

    for (const hostile of [
      '',
      hash.toUpperCase(),
      `${hash}0`,
      '../../account',
      `${hash}%0a`,
      "'--",
      '<b>x</b>',
    ]) {
      await openTool(late.page, `?result=${encodeURIComponent(hostile)}`)
      await late.page.getByText('This link has no valid result address.').waitFor()
    }
  })
})
