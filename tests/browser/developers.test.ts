/** The developers page would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ApplicationTable, Ecosystem, Series } from '#http/contract.ts'
import { figureText } from '#web/format/figure.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const PATH = '/developer-activity'

describe('the page about developers', skipWithoutChromium, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  const newestOf = async (metric: string, entity: string, more = ''): Promise<string> => {
    const { points, unit } = await site.ask<Series>(
      `/metrics/${metric}?entity=${entity}&range=1y&grain=day${more}`,
    )
    const value = points.findLast(point => point.value !== null && point.state !== 'partial')?.value
    assert.ok(value !== undefined && value !== null, `${metric} of ${entity} has no figure`)
    return figureText(value, unit).full
  }
  const keyFigure = (page: Page, metric: string) =>
    page.locator(`ul[aria-label="Key figures"] a[href*="assay=${metric}"][title]`).first()
  const cellsOf = (page: Page, id: string, column: number): Promise<string[]> =>
    page.locator(`#${id} tbody tr > :nth-child(${column})`).allTextContents()

  test('the menu leads to it, its figures are those of the API, and an ecosystem has figures of its own', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/status`)
    await page.getByRole('link', { name: 'Developer Activity' }).first().click()
    await page.waitForURL(`**${PATH}`)
    await settle(page)
    for (const metric of ['dev.monthly', 'dev.full_time', 'dev.part_time', 'dev.new_monthly', 'dev.repos'])
      assert.equal(
        await keyFigure(page, metric).getAttribute('title'),
        await newestOf(metric, 'ecosystems'),
        metric,
      )
    const { rows } = await site.ask<ApplicationTable>('/developers/tables/ecosystems')
    assert.deepEqual(
      await cellsOf(page, 'ecosystems', 1),
      rows.map(({ name }) => name),
    )
    assert.deepEqual(
      await cellsOf(page, 'ecosystems', 2),
      rows.map(({ monthly }) => String(monthly)),
    )
    await page.getByRole('navigation', { name: 'Whose' }).getByRole('link', { name: 'Stacks' }).click()
    await page.waitForURL('**of=stacks**')
    await settle(page)
    assert.equal(
      await keyFigure(page, 'dev.monthly').getAttribute('title'),
      await newestOf('dev.monthly', 'stacks'),
    )
    // Two of its recordings end before the others: the figure says how many repositories it includes.
    const stacks = rows.find(({ name }) => name === 'Stacks')
    assert.equal(stacks?.missing, 'alexgo-io/alex-v1, hirosystems/clarinet')
    await page
      .locator('ul[aria-label="Key figures"] > li')
      .filter({ has: page.locator('a[href*="assay=dev.monthly@"]') })
      .getByText(`${stacks.repositories} repositories`)
      .waitFor()
    assert.deepEqual(complaints, [])
  })

  test('who builds in two stands in a matrix of which both halves agree, and the list of ecosystems is all of the catalogue', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PATH}`)
    const { rows } = await site.ask<ApplicationTable>('/developers/tables/overlap')
    const shared = rows.filter(({ name, other }) => name !== other)
    assert.ok(shared.length >= 6)
    for (const { name, other, people } of shared) {
      const mirrored = shared.find(row => row.name === other && row.other === name)
      assert.equal(mirrored?.people, people, `${name} and ${other}`)
    }
    const [first] = shared
    assert.ok(first)
    const row = page.locator('#overlap tbody tr').filter({ hasText: String(first.name) })
    assert.match((await row.first().textContent()) ?? '', new RegExp(`${first.people}, .*${first.other} too`))
    const { items } = await site.ask<{ items: Ecosystem[] }>('/developers')
    const offered = await page.getByRole('navigation', { name: 'Whose' }).getByRole('link').allTextContents()
    assert.deepEqual(offered, ['All', ...items.map(({ name }) => name)])
  })

  test('a chart shows what is left out, and its raw line is the one of the API', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PATH}?raw.form=table&raw.grain=day&range=90d`)
    const valuesOf = async (metric: string) => {
      const { points, unit } = await site.ask<Series>(
        `/metrics/${metric}?entity=ecosystems&range=90d&grain=day`,
      )
      return points.map(({ value }) => (value === null ? 'not known' : figureText(value, unit).full))
    }
    const [raw, cleaned] = await Promise.all([valuesOf('dev.monthly_raw'), valuesOf('dev.monthly')])
    const titles = await page
      .locator('section#raw tbody tr')
      .evaluateAll(lines =>
        lines.map(line => [...line.querySelectorAll('td')].map(cell => cell.getAttribute('title') ?? '')),
      )
    assert.deepEqual(
      titles.toReversed().map(([one, two]) => [one, two]),
      raw.map((value, index) => [value, cleaned[index]]),
    )
    assert.ok(
      raw.every(
        (value, index) =>
          Number(value.replaceAll(/\D/g, '')) >= Number(cleaned[index]?.replaceAll(/\D/g, '')),
      ),
    )
  })

  test('a figure opens its assay view with SQL that runs, and no SQL reaches rows of people', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}`)
    await settle(page)
    await keyFigure(page, 'dev.monthly').click()
    const sheet = page.locator('dialog:modal')
    await sheet.getByText('How it can mislead').waitFor()
    await sheet
      .getByText(/^\d+ of \d+ repositories\. Not included: alexgo-io\/alex-v1, chainwayxyz\/citrea/)
      .waitFor()
    await sheet.getByRole('button', { name: /^Run/ }).first().click()
    await sheet.getByRole('table').first().waitFor()
    assert.deepEqual(complaints, [])
    const answer = await fetch(`${site.url}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql: 'SELECT * FROM base.dev_commits LIMIT 1' }),
    })
    assert.ok(answer.status >= 400 && answer.status < 500, `answered with ${answer.status}`)
  })
})
