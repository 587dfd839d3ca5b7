/** Treasury pages would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ApplicationTable, Series, Watched } from '#http/contract.ts'
import { dayText } from '#web/format/day.ts'
import { figureText } from '#web/format/figure.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const PATH = '/analyze/bitcoin-treasuries'
const HOLDER = 'strategy'

describe('the pages about treasuries', skipWithoutChromium, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  const cellsOf = (page: Page, table: string, column: number): Promise<string[]> =>
    page.locator(`#${table} tbody tr > :nth-child(${column})`).allTextContents()

  test('the menu leads to all holders, the largest first, and from one of them to its own page and back', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/status`)
    await page.getByRole('link', { name: 'Bitcoin Treasuries' }).first().click()
    await page.waitForURL(`**${PATH}`)
    await settle(page)
    const { rows } = await site.ask<ApplicationTable>('/treasuries/tables/holders')
    const shown = await cellsOf(page, 'holders', 1)
    assert.ok(shown.length > 20)
    assert.deepEqual(
      shown,
      rows.slice(0, shown.length).map(({ name }) => String(name)),
    )
    // What does not add up is listed: every holder but funds, by its name.
    const apart = await site.ask<ApplicationTable>('/treasuries/tables/conservation')
    assert.deepEqual(
      await cellsOf(page, 'conservation', 1),
      apart.rows.map(({ name }) => String(name)),
    )
    assert.deepEqual(apart.rows.map(({ name }) => name).sort(), rows.map(({ name }) => name).sort())
    const held = rows.map(row => Number(row.held)).filter(amount => amount > 0)
    assert.deepEqual(
      held,
      held.toSorted((a, b) => b - a),
    )
    const share = await site.ask<Series>(
      '/metrics/supply.share?entity=bitcoin&range=1y&grain=day&breakdown=cap',
    )
    const figure = page.locator('ul[aria-label="Key figures"] a[href*="assay=supply.share"][title]').first()
    assert.equal(await figure.getAttribute('title'), figureText(share.points.at(-1)?.value, share.unit).full)
    await page
      .locator('#holders')
      .getByRole('link', { name: /^Strategy/ })
      .click()
    await page.waitForURL(`**${PATH}/${HOLDER}`)
    await page.getByRole('heading', { level: 1, name: /^Strategy/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Bitcoin Treasuries' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a holder’s page shows each purchase with its evidence, and says what it rests on', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}/${HOLDER}`)
    await settle(page)
    const events = await site.ask<ApplicationTable>(`/treasuries/${HOLDER}/tables/events`)
    const days = await cellsOf(page, 'events', 1)
    assert.ok(days.length >= 10)
    assert.deepEqual(
      days,
      events.rows.slice(0, days.length).map(({ day }) => dayText(String(day))),
    )
    const graded = events.rows.find(({ grade_href }) => String(grade_href ?? '') !== '')
    assert.ok(graded, 'no event has evidence to open')
    const link = page.locator(`#events a[href="${graded.grade_href}"]`).first()
    assert.match((await link.textContent()) ?? '', /^[A-E]/)
    assert.deepEqual(complaints, [])
  })

  test('the list of holders and the fall of bitcoin say what the page of each holder says', async () => {
    const { rows } = await site.ask<ApplicationTable>('/treasuries/tables/holders')
    const row = rows.find(({ name_href }) => String(name_href).endsWith(`/${HOLDER}`))
    for (const [column, metric] of [
      ['mnav', 'mnav.basic'],
      ['mnav_diluted', 'mnav.diluted'],
      ['mnav_ev', 'mnav.ev'],
      ['btc_yield', 'btc.yield'],
    ] as const) {
      const { points } = await site.ask<Series>(`/metrics/${metric}?entity=${HOLDER}&range=1y&grain=day`)
      const [told, shown] = [Number(points.at(-1)?.value), Number(row?.[column])]
      assert.ok(Math.abs(shown - told) < 1e-9, `${column}: ${shown}, not ${told}`)
    }
    const own = await site.ask<ApplicationTable>(`/treasuries/${HOLDER}/tables/shock`)
    const all = await site.ask<ApplicationTable>('/treasuries/tables/fall')
    const fallen = own.rows.find(({ fall }) => Number(fall) === -0.3)
    const among = all.rows.find(({ name_href }) => String(name_href).endsWith(`/${HOLDER}`))
    for (const column of ['value', 'debt', 'covered', 'left'])
      assert.equal(Number(among?.[column]), Number(fallen?.[column]), column)
    const covered = all.rows.flatMap(({ covered: by }) => (by === null ? [] : [Number(by)]))
    assert.deepEqual(
      covered,
      covered.toSorted((a, b) => a - b),
    )
    assert.ok(covered.length >= 10)
  })

  test('what is left on a published address is a gap until every block is held', async () => {
    const { rows } = await site.ask<ApplicationTable>('/treasuries/el-salvador/tables/addresses')
    assert.ok(rows.length > 10)
    for (const { address, left, blocks, of_blocks: of } of rows)
      assert.equal(left === null, Number(blocks) !== Number(of), String(address))
  })

  test('the assay view of mNAV tells when an alert on it would have spoken, as the API does', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}/${HOLDER}?assay=mnav.basic@${HOLDER}`)
    const alerts = page.getByRole('dialog').getByRole('region', { name: 'Worth an alert' })
    await alerts.waitFor()
    const { watches } = await site.ask<Watched>(`/metrics/mnav.basic/watches?entity=${HOLDER}&range=1y`)
    const [below] = watches
    assert.ok(below && below.occurrences.length > 0)
    for (const { day } of below.occurrences.slice(-3)) await alerts.getByText(dayText(day)).first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('without a script the holders, the purchases and the ladder of debt read', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PATH}/${HOLDER}`)
    for (const title of ['Purchases and sales', 'Evidence', 'Debt and dilution ladder'])
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
    assert.ok((await cellsOf(page, 'instruments', 1)).includes('convertible'))
  })
})
