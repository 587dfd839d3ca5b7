/** The directory of Bitcoin layers would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { LayerDirectory, LayerProfile } from '#http/contract.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts, reads } from './soon.ts'

describe('the directory of Bitcoin layers and the page of each', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  const ask = <Answer>(path: string) => site.ask<Answer>(`/layers${path}`)

  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  test('a layer, a token and an application that are one file each are found on the site', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/bitcoin/l2s?layers.filter=atlan`)
    await page.locator('#layers').getByRole('link', { name: 'Atlantis', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Atlantis' }).waitFor()
    await page.locator('#tokens').getByText('atlBTC').waitFor()
    await page.locator('#protocols').getByText('Kraken Swap').waitFor()
    await page.goto(`${site.url}/search?q=atlantis`)
    await page.locator('main a[href="/bitcoin/l2s/atlantis"]').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a reader narrows the list, opens a layer, goes to its figures and back', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    const { items } = await ask<LayerDirectory>('')
    await page.goto(`${site.url}/bitcoin/l2s`)
    await settle(page)
    await counts(page.locator('#layers tbody tr'), items.length)
    await page
      .getByRole('navigation', { name: 'Type' })
      .getByRole('link', { name: /^Sidechains/ })
      .click()
    await page.waitForURL(/family=sidechain/)
    await settle(page)
    await page
      .getByRole('navigation', { name: 'Review' })
      .getByRole('link', { name: /^Reviewed/ })
      .click()
    await page.waitForURL(/reviewed=yes/)
    await settle(page)
    const expected = items.filter(({ family, isReviewed }) => family === 'sidechain' && isReviewed)
    await counts(page.locator('#layers tbody tr'), expected.length)
    await page
      .getByRole('navigation', { name: 'Question of the map' })
      .getByRole('link', { name: 'Finality' })
      .click()
    await page.waitForURL(/map\.by=finality/)
    await settle(page)
    await page.locator('#layers').getByRole('link', { name: 'Rootstock', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Rootstock' }).waitFor()
    for (const title of ['How bitcoin gets in and out', 'Whom a holder trusts', 'Contracts and addresses'])
      await page.getByRole('heading', { level: 2, name: title }).waitFor()
    const parts = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const named = await parts.evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
    const standing = await page
      .locator(named.join(', '))
      .evaluateAll(found => found.map(({ id }) => `#${id}`))
    assert.deepEqual(standing, named)
    await page.getByRole('link', { name: 'Rootstock in figures' }).click()
    // The profile's own address ends likewise.
    await page.waitForURL(({ pathname }) => pathname === '/rootstock')
    await settle(page)
    await page.getByRole('link', { name: /^Whom to trust/ }).click()
    await page.waitForURL(({ pathname }) => pathname === '/bitcoin/l2s/rootstock')
    await settle(page)
    await page.getByRole('link', { name: 'All layers' }).click()
    await page.waitForURL(/\/bitcoin\/l2s$/)
    assert.deepEqual(complaints, [])
  })

  test('figures, grades and days on screen are those of the API', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const { items } = await ask<LayerDirectory>('')
    await page.goto(`${site.url}/bitcoin/l2s?layers.columns=tvl,custody,finality`)
    await settle(page)
    for (const { name, slug, figures, grades } of items) {
      const cells = page.locator(`#layers-${slug} td`)
      const [tvl = '', custody = '', finality = ''] = await cells.allTextContents()
      if (figures.tvl === null) assert.equal(tvl, '–', name)
      else {
        const full = await cells.first().getByRole('link').getAttribute('title')
        const usd = Number(full?.replaceAll(/[^\d.]/g, ''))
        assert.ok(Math.abs(usd - Number(figures.tvl.value)) < 0.01, `${name}: ${full}`)
        assert.match(tvl, new RegExp(figures.tvl.day.slice(0, 4)), name)
      }
      for (const [shown, grade] of [
        [custody, grades.custody],
        [finality, grades.finality],
      ] as const)
        assert.ok(shown.includes(grade ?? 'not graded'), `${name}: ${shown} is not ${grade}`)
    }
    const stacks = await ask<LayerProfile>('/stacks')
    await page.goto(`${site.url}/bitcoin/l2s/stacks`)
    for (const { what } of stacks.incidents) await page.getByText(what, { exact: false }).first().waitFor()
    assert.equal(
      await page.locator('figure ol > li').count(),
      stacks.paths.flatMap(({ steps }) => steps).length,
    )
  })

  test('without JavaScript the list, its filters, the map and a layer’s page read', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/bitcoin/l2s`)
    await page
      .getByRole('navigation', { name: 'Status' })
      .getByRole('link', { name: /^Ended/ })
      .click()
    assert.match(page.url(), /status=ended/)
    await counts(page.locator('#layers tbody tr'), 2)
    await page
      .getByRole('navigation', { name: 'Question of the map' })
      .getByRole('link', { name: 'Data' })
      .click()
    assert.match(page.url(), /map\.by=data/)
    await page.locator('#layers').getByRole('link', { name: 'Bison' }).click()
    await reads(page.getByRole('heading', { level: 1 }), 'Bison')
    await page.getByText('counted as ended since', { exact: false }).waitFor()
    await page.goto(`${site.url}/bitcoin/l2s/rootstock`)
    await page.getByText('Buries the payment under 100 blocks').waitFor()
  })

  test('a name that is no layer answers 404 in the shell, with the nearest names', async () => {
    await using opened = await newPage(browser)
    const { page } = opened
    const answer = await page.goto(`${site.url}/bitcoin/l2s/rotstock`)
    assert.equal(answer?.status(), 404)
    await page.getByRole('banner').waitFor()
    await page
      .getByRole('navigation', { name: 'Nearest pages' })
      .getByRole('link', { name: /^Rootstock/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Rootstock' }).waitFor()
  })
})
