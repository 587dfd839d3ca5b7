/** A reader could not write, run, cancel or keep a query. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#kernel/until.testing.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle, WIDTHS } from './pageFaults.ts'
import { headOf, openQueryTool, wake, write } from './queryTool.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts } from './soon.ts'

const PAGE = '/Query'
/** Reads for as long as it is let. */
const ENDLESS = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)'

describe('the query tool', skipWithoutChromium, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  const editorOf = (page: Page) => page.getByRole('textbox', { name: 'SQL' })
  const openTool = (page: Page, search = '') => openQueryTool(page, site.url, search)
  /** A browser logs an answer that says what is wrong, too. */
  const unexpected = (complaints: readonly string[]) =>
    complaints.filter(text => !/status of (400|404)/.test(text))

  test('a query is written, run by key and answered with its rows', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await openTool(page)
    await write(page, 'SELECT number AS n FROM numbers(7)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('7 rows', { exact: true }).waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('6', { exact: true }).first().waitFor()
    // The same on the same data comes from what is stored, and can be run anew.
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('Stored result').waitFor()
    await headOf(page).getByRole('button', { name: 'Run again' }).click()
    await headOf(page).getByText('Stored result').waitFor({ state: 'detached' })
    await headOf(page).getByText('7 rows', { exact: true }).waitFor()
    assert.deepEqual(unexpected(complaints), [])
  })

  test('a result that is cut says so, and how to get the rest', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT number FROM numbers(20000)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('First 10,000 rows').waitFor()
    await headOf(page)
      .getByText(/the rest was cut/)
      .waitFor()
  })

  test('a run is cancelled at once, and goes on while another tab is in front', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, ENDLESS)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await page.getByRole('button', { name: 'New query', exact: true }).last().click()
    await page.getByRole('img', { name: 'Running' }).waitFor()
    await counts(page.getByRole('button', { name: 'Cancel' }), 0)
    await page.locator('ul[aria-label="Open queries"] button').first().click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Canceled. No result was saved.').waitFor()
  })

  test('a long query shows its first rows, which stay marked as incomplete when it is canceled', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await openTool(page)
    await write(
      page,
      "SELECT number AS n, repeat('x', 2000) AS padding FROM numbers(4000000000) WHERE sipHash64(number) % 20000 = 1",
    )
    await page.keyboard.press('Control+Enter')
    const rows = page.getByRole('region', { name: 'First rows' })
    await rows.getByText(/First [\d,]+ rows?, still running/).waitFor()
    assert.ok((await rows.getByRole('row').count()) > 1)
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await rows
      .getByText(/Incomplete\. The query was canceled, so these are only its first [\d,]+ rows?\./)
      .waitFor()
    assert.ok((await rows.getByRole('row').count()) > 1)
    await counts(page.getByRole('region', { name: 'Result', exact: true }), 0)
    assert.deepEqual(await faultsOf(page), [])
    // The next run replaces them.
    await write(page, 'SELECT 7 AS n')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Result', exact: true }).waitFor()
    await counts(rows, 0)
    assert.deepEqual(unexpected(complaints), [])
  })

  test('an error is marked at its place in the whole text, and a suggested name fixes it', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT 1;\n\nSELECT heigth\nFROM btc_blocks\nLIMIT 5')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByRole('button', { name: 'Line 3, column 8' }).waitFor()
    assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'heigth')
    assert.deepEqual(await faultsOf(page), [])
    await headOf(page).getByRole('button', { name: 'height', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('5 rows', { exact: true }).waitFor()
  })

  test('a first word with a typo, and a column that another table of the query has, are fixed by a press', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELEC b.feerate\nFROM btc_blocks AS b LIMIT 5')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('The query starts with an unknown word, `SELEC`.').waitFor()
    await headOf(page).getByRole('button', { name: 'SELECT', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByRole('button', { name: 'Line 1, column 8' }).waitFor()
    await headOf(page).getByRole('button', { name: 'b.fee_sat', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('5 rows', { exact: true }).waitFor()
  })

  test('an estimate that was refused because of too many requests says so, and comes later', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    let refusals = 1
    await page.route('**/api/v1/queries/estimate', route =>
      refusals-- > 0
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '1' },
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title: 'Busy',
              status: 429,
              detail: 'Busy.',
              code: 'sql.too_many_at_once',
            },
          })
        : route.continue(),
    )
    await openTool(page)
    await write(page, 'SELECT count() FROM btc_blocks')
    await headOf(page).getByText('Too many requests for an estimate. Trying again in 1 s.').waitFor()
    await headOf(page)
      .getByText(/^Limits: /)
      .waitFor()
    await counts(headOf(page).getByText('Too many requests'), 0)
  })

  test('on a phone all kinds of data are in sight, and the editor is as tall as its text until it is dragged', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    const editor = page.locator('.cm-editor')
    const height = async () => (await editor.boundingBox())?.height ?? 0
    for (const [width, least] of [
      [320, 80],
      [390, 80],
      [1440, 160],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      for (const tab of await page.getByRole('tab').all()) {
        const box = await tab.boundingBox()
        assert.ok(
          box !== null && box.x >= 0 && box.x + box.width <= width,
          `${await tab.textContent()} at ${width}`,
        )
      }
      await write(page, 'SELECT 1')
      const short = await height()
      assert.ok(short >= least && short < least + 60, `${short} at ${width}`)
      await write(page, Array.from({ length: 12 }, (_, line) => `-- ${line}`).join('\n'))
      const taller = await height()
      assert.ok(taller > short && taller < 320, `${taller} at ${width}`)
      await write(page, Array.from({ length: 200 }, (_, line) => `-- ${line}`).join('\n'))
      const longest = await height()
      assert.ok(longest > taller && longest <= 480, `${longest} at ${width}`)
    }
    const box = await editor.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width - 4, box.y + box.height - 4)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 4, box.y + box.height + 200, { steps: 5 })
    await page.mouse.up()
    assert.ok((await height()) > box.height + 100)
  })

  test('all statements run in order, each with its own result', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT number FROM numbers(3);\nSELECT number FROM numbers(4)')
    await page.getByRole('button', { name: 'Run all 2' }).click()
    await headOf(page).getByText('4 rows', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^1 done/ }).click()
    await headOf(page).getByText('3 rows', { exact: true }).waitFor()
  })

  test('parameters are asked for, bound, and part of the address', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT {{word}} AS word, {days:Array(Date)} AS days, {n:UInt8} AS n')
    await page.keyboard.press('Control+Enter')
    const word = page.getByLabel('word', { exact: true })
    await page.locator('#parameter-word[aria-invalid]').waitFor()
    assert.ok(await word.evaluate(field => field === document.activeElement))
    await word.fill("it's {x}")
    await page.getByLabel('days', { exact: true }).fill('2026-01-31, 2026-02-01')
    await page.getByLabel('n', { exact: true }).fill('300')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await page.locator('#parameter-n[aria-invalid]').waitFor()
    await page.getByLabel('n', { exact: true }).fill('30')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Result' }).getByText("it's {x}").first().waitFor()
    await page.waitForURL(/p\.n=30/)
    await page.getByLabel('Type of word').selectOption('Array(String)')
    await page.getByText('-- {{word}} type: Array(String)').waitFor()
    await page.getByLabel('word', { exact: true }).fill('one, two')
    await page.waitForURL(/p\.word=one/)
    // The address shows the same in another browser.
    await using other = await newPage(site.browser)
    await openTool(other.page, new URL(page.url()).search)
    assert.equal(await other.page.getByLabel('word', { exact: true }).inputValue(), 'one, two')
    await editorOf(other.page).focus()
    await other.page.keyboard.press('Control+Enter')
    await headOf(other.page).getByText('1 row', { exact: true }).waitFor()
    await other.page.getByRole('region', { name: 'Result' }).getByText('["one","two"]').first().waitFor()
    await write(page, '-- {{word}} default: a\nSELECT {{word}} AS word')
    await page.getByLabel('word', { exact: true }).fill('')
    await page.waitForURL(/p\.word=(?:&|$)/)
  })

  test('tabs and results are there again after the page was closed, and a closed tab comes back', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT number FROM numbers(11)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('11 rows', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New query', exact: true }).last().click()
    await write(page, 'SELECT 2')
    await page.waitForFunction(() => localStorage.getItem('query-tabs')?.includes('SELECT 2'))
    // The address follows a moment later, and says which tab is in front.
    await page.waitForURL(/sql=SELECT(?:\+|%20)2/)
    await page.reload()
    await wake(page)
    await page.getByText('SELECT 2').waitFor()
    await page.getByRole('button', { name: 'Close New query', exact: true }).click()
    await counts(page.locator('ul[aria-label="Open queries"] > li'), 1)
    await page.getByRole('button', { name: 'Reopen New query' }).click()
    await headOf(page).getByText('11 rows', { exact: true }).waitFor()
  })

  test('two windows share their tabs: neither overwrites what the other wrote, and a full storage shows a warning', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page, '?sql=SELECT+1')
    await page.waitForFunction(() => localStorage.getItem('query-tabs')?.includes('SELECT 1'))
    const second = await page.context().newPage()
    await openTool(second, '?sql=SELECT+1')
    await write(second, 'SELECT 12')
    // The first window shows it too, and does not store older text when it closes.
    await page.locator('.cm-content').getByText('SELECT 12').waitFor()
    await write(page, 'SELECT 123')
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')))
    await second.locator('.cm-content').getByText('SELECT 123').waitFor()
    await second.close({ runBeforeUnload: true })
    assert.match(String(await page.evaluate(() => localStorage.getItem('query-tabs'))), /SELECT 123/)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await write(page, 'SELECT 1234')
    await page.getByText(/^Couldn’t store your open queries/).waitFor()
  })

  test('the editor completes columns of the tables of a query', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'SELECT  FROM btc_blocks AS b')
    await page.keyboard.press('Control+Home')
    for (let at = 0; at < 'SELECT '.length; at += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('b.heig')
    await page.getByRole('option', { name: /^height/ }).click()
    await page.getByText('SELECT b.height FROM btc_blocks AS b').waitFor()
  })

  test('formatting lays a query out and leaves what it would change', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(page, 'select height from btc_blocks limit 5')
    await page.getByRole('button', { name: 'Format' }).click()
    await page.getByText('Formatted.').waitFor()
    await counts(page.locator('.cm-line'), 6)
    await write(page, "select '")
    await page.getByRole('button', { name: 'Format' }).click()
    await page.getByText(/^Not formatted/).waitFor()
  })

  test('data is searched, opened and put into the query', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await page.getByLabel('Search tables, columns, metrics and queries').fill('coinbase_sat')
    const column = page.getByRole('treeitem', { name: /^coinbase_sat btc_blocks/ })
    await column.waitFor()
    await write(page, 'SELECT ')
    await column.click()
    await page.getByText('SELECT coinbase_sat').waitFor()
    await page.getByLabel('Search tables, columns, metrics and queries').fill('btc_blocks')
    await page.getByRole('treeitem', { name: 'btc_blocks', exact: true }).click()
    // What it covers is told once it is open.
    await page.getByRole('treeitem', { name: /^btc_blocks.* rows · .* to .* · height / }).waitFor()
    await page.getByRole('treeitem', { name: 'Sample rows' }).click()
    await headOf(page)
      .getByText(/^\d+ rows$/)
      .waitFor()
  })

  test('without a script the form runs its query, and the tables lead to their reference', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PAGE}`)
    await page.getByLabel('SQL', { exact: true }).fill('SELECT number AS n FROM numbers(3)')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rows of your SQL' }).waitFor()
    await counts(page.locator('main tbody tr'), 3)
    await page.getByRole('link', { name: /^Back/ }).click()
    await page.waitForURL(`**${PAGE}**`)
    const sql =
      '-- {{coins}} type: Array(String)\n-- {{coins}} default: a, b\nSELECT arrayJoin({{coins}}) AS coin, {{n}} AS n'
    await page.goto(`${site.url}${PAGE}?${new URLSearchParams({ sql, 'p.n': '7' })}`)
    await page.getByLabel('coins', { exact: true }).fill('a, b, c')
    await page.getByRole('button', { name: 'Run' }).click()
    await counts(page.locator('main tbody tr'), 3)
    await page.getByRole('link', { name: /^Back/ }).click()
    assert.equal(await page.getByLabel('coins', { exact: true }).inputValue(), 'a, b, c')
    for (let level = 0; level < 2; level += 1)
      await page.locator('#query-data details:not([open]) > summary:visible').first().click()
    await page.getByRole('link', { name: 'Reference' }).first().click()
    await page.waitForURL('**/documentation/tables/**')
  })

  test('parameters have defaults and lists from a query', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(
      page,
      `-- {{n}} default: 3
-- {{words}} choices: SELECT concat('w', toString(number)) FROM numbers(300)
SELECT {n:UInt8} AS n, {words:Array(String)} AS words, {from:Date} AS f, {to:Date} AS t`,
    )
    // Completions of the last word lie over the page.
    await page.keyboard.press('Escape')
    assert.equal(await page.getByLabel('n', { exact: true }).inputValue(), '3')
    await page.getByRole('button', { name: 'Choose words' }).focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: 'Values of words' })
    await list.getByText('First 100 of 300 values').waitFor()
    await page.keyboard.type('w29')
    await list.getByText('11 values').waitFor()
    await list.getByLabel('w299', { exact: true }).check()
  })

  test('a long list loads page by page, and typing searches all of it', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    await write(
      page,
      `-- {{coin}} choices: SELECT number AS "a\`) --", concat('Coin ', toString(number % 7)) FROM numbers(1200000)
SELECT {{coin}} AS coin`,
    )
    await page.getByRole('button', { name: 'Choose coin' }).click()
    const list = page.getByRole('dialog', { name: 'Values of coin' })
    await list.getByText(/^First 100 of [\d,]+ values, truncated at the row limit/).waitFor()
    await list.getByRole('button', { name: 'Show more' }).click()
    await counts(list.getByRole('radio'), 200)
    await list.getByRole('searchbox').fill(`coin 1199993`)
    await list.getByText('1 value', { exact: true }).waitFor()
    await list.getByRole('searchbox').fill(`') OR 1=1 -- \``)
    await list.getByText('No match').waitFor()
    await list.getByRole('searchbox').fill('1199993')
    await list.getByText('1 value', { exact: true }).waitFor()
    await list.getByRole('radio', { name: /^1199993 / }).click()
    assert.equal(await page.getByLabel('coin', { exact: true }).inputValue(), '1199993')
  })

  test('a result is drawn as the chart that the reader picks, which is there again after a reload', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await openTool(page)
    await write(page, 'SELECT number AS n, n * n AS square FROM numbers(9)')
    await page.keyboard.press('Control+Enter')
    await headOf(page).getByText('9 rows', { exact: true }).waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('tab', { name: 'Rows' }).focus()
    await page.keyboard.press('ArrowRight')
    const kinds = result.getByRole('group', { name: 'Kind of chart' })
    await kinds.getByRole('radio', { name: 'Scatter' }).focus()
    await page.keyboard.press('ArrowLeft')
    await kinds.locator('input:checked + span').getByText('Area').waitFor()
    await result.getByText('9 rows', { exact: true }).last().waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await page.waitForFunction(() => localStorage.getItem('query-tabs')?.includes('"kind":"area"'))
    await page.reload()
    await wake(page)
    await kinds.locator('input:checked + span').getByText('Area').waitFor()
    assert.deepEqual(unexpected(complaints), [])
  })

  test('a script that is gone after a deployment leaves the rest of the tool and the text', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.route('**/assets/CodeEditor-*.js', route => route.abort())
    await page.goto(`${site.url}${PAGE}?sql=SELECT+7+AS+n`)
    let x = 300
    const move = async () => {
      x = 601 - x
      await page.mouse.move(x, 300)
      return page.getByText('Couldn’t load the editor.').isVisible()
    }
    await until('the page says what is missing', move, { betweenMs: 100 })
    assert.equal(await editorOf(page).inputValue(), 'SELECT 7 AS n')
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await headOf(page).getByText('1 row', { exact: true }).waitFor()
  })

  test('without a script an example fills the form', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PAGE}`)
    await page.getByRole('tab', { name: 'Examples' }).click()
    await page.getByRole('link', { name: 'Empty blocks by year' }).click()
    await page.waitForURL(/example=/)
    assert.match(await page.getByLabel('SQL', { exact: true }).inputValue(), /FROM btc_/)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rows of your SQL' }).waitFor()
  })

  test('the editor is a few presses of Tab away, and the data has one stop', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await openTool(page)
    const focused = () =>
      page.evaluate(() =>
        `${document.activeElement?.getAttribute('role') ?? ''} ${document.activeElement?.textContent ?? ''}`.trim(),
      )
    await page.locator('#page').focus()
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to the editor')
    const seen: string[] = []
    for (let press = 0; press < 14 && !seen.at(-1)?.startsWith('textbox'); press += 1) {
      await page.keyboard.press('Tab')
      seen.push(await focused())
    }
    assert.match(seen.at(-1) ?? '', /^textbox/, seen.join('\n'))
    assert.equal(seen.filter(each => each.startsWith('treeitem')).length, 1, seen.join('\n'))
    // The tree by arrows alone: open a subject, then a table, and put its name into the query.
    await write(page, 'SELECT * FROM ')
    await page.getByRole('treeitem').first().focus()
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter'])
      await page.keyboard.press(key)
    await page.getByText(/SELECT \* FROM btc_/).waitFor()
  })

  test('stored tabs are in sight before the scripts come, and the name of a shared tab is kept', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await openTool(page, '?sql=SELECT+5&title=Five')
    await page.locator('ul[aria-label="Open queries"]').getByText('Five').waitFor()
    await page.getByRole('button', { name: 'New query', exact: true }).last().click()
    await write(page, 'SELECT 6')
    await page.waitForFunction(() => localStorage.getItem('query-tabs')?.includes('SELECT 6'))
    await page.waitForURL(/sql=SELECT(?:\+|%20)6/)
    await page.reload()
    assert.equal(await page.locator('textarea#query-sql').inputValue(), 'SELECT 6')
    await page.locator('#query-tabs-early').getByText('Five').waitFor()
    await wake(page)
    await counts(page.locator('ul[aria-label="Open queries"] > li'), 2)
    await page.getByText('SELECT 6').waitFor()
    assert.deepEqual(unexpected(complaints), [])
  })

  test('a result and an open panel fit every width, and axe finds nothing', async () => {
    await using opened = await newPage(site.browser, { reducedMotion: 'reduce' })
    const { page } = opened
    await openTool(page, '?sql=SELECT+{{a}},+{b:Date}&p.a=1')
    await page.getByLabel('b', { exact: true }).fill('2026-01-31')
    await page.getByRole('button', { name: /^Run/ }).click()
    await headOf(page).getByText('1 row', { exact: true }).waitFor()
    await settle(page)
    assert.deepEqual(await faultsOf(page), [])
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const section = page.getByRole('tab', { name: 'Tables', exact: true })
      await section.click()
      if (!(await page.locator('#query-data').isVisible())) await section.click()
      assert.deepEqual(await overflowsOf(page, [width]), [])
    }
    await page.setViewportSize({ width: 390, height: 900 })
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    assert.deepEqual(await faultsOf(page), [])
  })
})
