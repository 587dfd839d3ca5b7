/** A user would copy, chart or save only part of a large result without noticing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { headOf, openQueryTool, write } from './queryTool.ts'
import { setUpMailSite, signUp, site } from './sharedMailSite.ts'

describe('large results', skipWithoutChromium, () => {
  setUpMailSite()

  test('a million rows can be copied, summed exactly in a chart, and saved', async () => {
    await using opened = await newPage(site.browser, { reducedMotion: 'reduce' })
    const { page, complaints } = opened
    await signUp(page, 'lou@large.example', 'Lou')
    await openQueryTool(page, site.url)
    const result = page.getByRole('region', { name: 'Result' })
    const run = async (sql: string, rows: string) => {
      await write(page, sql)
      await page.keyboard.press('Control+Enter')
      await headOf(page).getByText(rows, { exact: true }).waitFor()
    }
    const copied = () => page.evaluate(() => navigator.clipboard.readText())

    await run(
      "SELECT toUInt64(9007199254740993) AS big, number AS n, repeat('x', 40) AS wide FROM numbers(1000000)",
      '1,000,000 rows',
    )
    const grid = result.getByRole('grid')
    const menu = async (column: number, entry: string) => {
      await grid.focus()
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('ArrowUp')
      for (let at = 0; at < column; at += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Alt+ArrowDown')
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
    }
    await menu(1, 'Copy column with header')
    await result.getByText('Copied 1,000,000 cells with header').waitFor({ timeout: 60_000 })
    const lines = (await copied()).trim().split('\n')
    assert.deepEqual(
      [lines.length, lines[0], lines[1], lines[500_001], lines.at(-1)],
      [1_000_001, 'n', '0', '500000', '999999'],
    )

    await result.getByRole('tab', { name: 'Chart' }).click()
    await result.locator('input[type=radio] + span').getByText('Counter').click()
    await result.getByLabel('Value', { exact: true }).selectOption('big')
    await result.locator('strong[title="9,007,199,254,740,993,000,000"]').waitFor()
    await result.getByText('1,000,000 rows', { exact: true }).last().waitFor()
    await result.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /^JSON One/ }).click()
    assert.match((await download).suggestedFilename(), /^assay-[0-9a-f]{12}\.json$/)

    // Wide rows are read in smaller pages.
    await run("SELECT number AS n, repeat('y', 3000) AS wide FROM numbers(6000)", '6,000 rows')
    await result.getByRole('tab', { name: 'Rows' }).click()
    await grid.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await result.getByText('Copied 12,000 cells').waitFor({ timeout: 60_000 })
    const wide = (await copied()).trim().split('\n')
    assert.deepEqual([wide.length, wide.at(-1)], [6000, `5999\t${'y'.repeat(3000)}`])
    // The browser logs a failed request for each page that was too large.
    assert.deepEqual(
      complaints.filter(complaint => !complaint.includes('422')),
      [],
    )
  })
})
