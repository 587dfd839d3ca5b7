/** The index page and its builder would not work in a browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { ApplicationTable, BacktestAnswer, IndexList, Series } from '#http/contract.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { reads } from './soon.ts'

const PATH = '/analyze/bitcoin-defi-indices'

describe('the page of indices', skipWithoutChromium, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  test('the menu leads to it, cards tell the levels of the API, and another index has its own figures and tables', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/status`)
    await page.getByRole('link', { name: 'Bitcoin DeFi Indices' }).first().click()
    await page.waitForURL(`**${PATH}`)
    const { items } = await site.ask<IndexList>('/indices')
    const cards = page.getByRole('navigation', { name: 'Indices' })
    await cards.locator('b').first().waitFor()
    const drawn = await cards
      .locator('b')
      .evaluateAll(levels => levels.map(level => level.getAttribute('title')))
    assert.deepEqual(
      drawn.map(text => Number(text?.replaceAll(',', '')).toFixed(3)),
      items.flatMap(({ level }) => (level === null ? [] : [level.toFixed(3)])),
    )
    await cards.getByRole('link', { name: /Bitcoin DeFi market/ }).click()
    await page.waitForURL('**tab=bitcoin-defi')
    await settle(page)
    const { rows } = await site.ask<ApplicationTable>('/indices/bitcoin-defi/tables/rebalancings')
    // The address changes before the page has its new rows.
    await page.waitForFunction(
      count => document.querySelectorAll('#rebalancings tbody tr').length === count,
      rows.length,
    )
    assert.match((await page.locator('#members tbody').textContent()) ?? '', /no volume|no fees|no price/)
    assert.deepEqual(complaints, [])
  })

  test('a figure opens its assay view with SQL that runs, and a table its statement', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}?tab=layer-tokens-equal`)
    await page.getByRole('list', { name: 'Key figures' }).locator('a').first().click()
    await page.waitForURL('**assay=index.level**')
    const sheet = page.locator('dialog:modal')
    await sheet.getByText('index_levels').first().waitFor()
    await sheet.getByRole('button', { name: /^Run/ }).first().click()
    await sheet.getByRole('table').first().waitFor()
    await page.goto(`${site.url}${PATH}?tab=layer-tokens-equal`)
    await page.getByRole('link', { name: 'SQL of Rebuild it yourself' }).click()
    await page.waitForURL('**/assay/run**')
    await page.getByRole('table').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('the builder computes what is chosen, as the API does, keeps it in the address, and gives a file', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}`)
    await page.getByRole('link', { name: /Build your own/ }).click()
    await page.waitForURL('**tab=builder')
    await page.getByLabel('Weights', { exact: true }).selectOption('inverse-volatility')
    await page.waitForURL('**b.weighting=inverse-volatility**')
    await page.getByLabel('MERL').uncheck()
    await page.waitForURL(url => !url.search.includes('b.token=merl') && url.search.includes('b.token=stx'))
    await page.getByLabel('Largest weight, %').fill('60')
    await page.waitForURL('**b.cap=60**')
    await settle(page)
    const tokens = new URL(page.url()).searchParams.getAll('b.token')
    const answer = await site.ask<BacktestAnswer>(
      `/indices/backtest?tokens=${tokens.join(',')}&weighting=inverse-volatility&cap=60`,
    )
    const shown = await page
      .locator('#statistics tbody tr')
      .first()
      .locator('td')
      .first()
      .locator('..')
      .textContent()
    assert.ok(answer.statistics.level.total !== null && shown !== null)
    const percent = Math.abs(answer.statistics.level.total * 100)
    assert.ok(
      shown.replaceAll(',', '').includes(percent.toFixed(1)) || shown.includes(percent.toFixed(2)),
      `${shown} does not tell ${percent}`,
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Levels as CSV', exact: true }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    assert.equal(lines.length, answer.days.length + 1)
    assert.equal(Number(lines.at(-1)?.split(',')[1]), answer.level.at(-1))
    await page.getByLabel('Largest weight, %').fill('600')
    await page.getByText('A number from 1 to 100').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('what is chosen in the builder before its script has come is computed when it has', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    const chosen = Promise.withResolvers<void>()
    await page.route('**/*.js', async route => {
      await chosen.promise
      await route.continue()
    })
    await page.goto(`${site.url}${PATH}?tab=builder`, { waitUntil: 'commit' })
    await page.getByLabel('MERL').uncheck()
    await page.getByLabel('Rebalanced', { exact: true }).selectOption('weekly')
    chosen.resolve()
    await page.waitForURL(
      ({ search }) =>
        search.includes('b.rebalance=weekly') &&
        search.includes('b.token=stx') &&
        !search.includes('b.token=merl'),
    )
    await settle(page)
    assert.equal(await page.getByLabel('MERL').isChecked(), false)
    assert.deepEqual(complaints, [])
  })

  test('the matrix shows how indices move together, as daily changes tell it', async () => {
    await using bare = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = bare
    const { rows } = await site.ask<ApplicationTable>('/indices/tables/correlations')
    const { items } = await site.ask<IndexList>('/indices')
    const pair = rows.find(
      ({ name, other, year_1: year }) =>
        year !== null && name !== 'Bitcoin' && name !== 'Stacks' && other === 'Bitcoin',
    )
    assert.ok(pair, 'an index has a year beside bitcoin')
    const id = items.find(({ name }) => name === pair.name)?.id
    const closes = async (path: string): Promise<Map<string, number>> => {
      const { points } = await site.ask<Series>(path)
      return new Map(
        points.flatMap(({ day, value }) => (value === null ? [] : [[day, Number(value)] as const])),
      )
    }
    const [ours, theirs] = await Promise.all([
      closes(`/metrics/index.level?entity=${id}&range=max&grain=day`),
      closes('/metrics/price.close?entity=bitcoin&range=max&grain=day'),
    ])
    const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
    const change = (of: Map<string, number>, day: string): number =>
      Math.log((of.get(day) ?? Number.NaN) / (of.get(dayBefore(day)) ?? Number.NaN))
    const both = [...ours.keys()]
      .toSorted()
      .map(day => [change(ours, day), change(theirs, day)] as const)
      .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
      .slice(-365)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const [mx, my] = [mean(both.map(([x]) => x)), mean(both.map(([, y]) => y))]
    const sum = (of: (x: number, y: number) => number) =>
      both.reduce((total, [x, y]) => total + of(x - mx, y - my), 0)
    const expected = sum((x, y) => x * y) / Math.sqrt(sum(x => x * x) * sum((_, y) => y * y))
    assert.equal(Number(pair.days), both.length)
    assert.ok(Math.abs(Number(pair.year_1) - expected) < 1e-6, `${pair.year_1} is not ${expected}`)
    for (const row of rows) {
      const mirror = rows.find(({ name, other }) => name === row.other && other === row.name)
      assert.ok(row.year_1 === null || Math.abs(Number(row.year_1) - Number(mirror?.year_1)) < 1e-9)
    }
    await page.goto(site.url + PATH)
    const line = page
      .locator('#correlations tbody tr')
      .filter({ has: page.getByRole('rowheader', { name: String(pair.name), exact: true }) })
    const at = (await page.locator('#correlations thead th').allTextContents()).indexOf('Bitcoin')
    await reads(line.locator('td').nth(at), expected.toFixed(2).replace('-', '−'))
    await page.getByRole('navigation', { name: 'Days' }).getByRole('link', { name: '90 d' }).click()
    await page.waitForURL('**moves=90d**')
  })

  test('it reads without a script', async () => {
    await using bare = await newPage(site.browser, { javaScriptEnabled: false })
    await bare.page.goto(`${site.url}${PATH}?tab=builder&b.weighting=cap&b.token=stx&b.token=rif`)
    await bare.page.getByRole('heading', { name: 'Backtest against bitcoin and ether' }).waitFor()
    await bare.page.getByRole('button', { name: 'Compute' }).waitFor()
  })
})
