import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { operationsOf } from '#http/operations.ts'
import { addressOf, exampleOf, valuesOf } from '#web/pages/documentation/operation.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const PAGE = '/documentation/console'

describe('the console of the API', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  test('every operation is listed, and answers the examples that its form begins with', async () => {
    const document = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as Record<string, unknown>
    const operations = operationsOf(document)
    const html = await (await fetch(site.url + PAGE)).text()
    assert.deepEqual(
      operations.filter(({ id }) => !html.includes(`?op=${id}"`)).map(({ id }) => id),
      [],
    )
    const asked = operations.filter(
      ({ method, path, media, parameters }) =>
        method === 'GET' &&
        !media.includes('text/event-stream') &&
        parameters.every(({ name, isRequired }) => !isRequired || exampleOf(path, name) !== undefined),
    )
    assert.ok(asked.length >= 65, `${asked.length} have an example`)
    const refused: string[] = []
    for (const operation of asked) {
      const address = addressOf(operation, valuesOf(operation, new URLSearchParams()))
      const { status } = await fetch(site.url + address)
      if (status !== 200) refused.push(`${address} ${status}`)
    }
    assert.deepEqual(refused, [])
  })

  test('a reader chooses an operation, fills it in by keys and sees what a program gets', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/documentation/api`)
    await page.getByRole('main').getByRole('link', { name: 'the console' }).click()
    await page.waitForURL(`**${PAGE}`)
    await settle(page)
    await page.getByLabel('entity', { exact: false }).first().fill('bitcoin')
    await page.getByLabel(/^from/).fill('2011-01-01')
    await page.getByLabel(/^to/).fill('2011-01-03')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: /^200/ }).waitFor()
    const shown = await page.getByRole('region', { name: 'Body of the answer' }).textContent()
    const address = '/metrics/fees.total?entity=bitcoin&from=2011-01-01&to=2011-01-03'
    const { points } = await site.ask<{ points: unknown }>(address)
    assert.deepEqual((JSON.parse(shown ?? '') as { points: unknown }).points, points)
    assert.match(page.url(), /p\.from=2011-01-01/)
    // The address shows the same form again.
    await page.reload()
    await settle(page)
    assert.equal(await page.getByLabel(/^to/).inputValue(), '2011-01-03')
    const code = await page.getByRole('region', { name: 'Request for curl' }).textContent()
    assert.ok(code?.includes(`/api/v1${address}`), code ?? '')

    // A problem is told as one, with the way to what it means.
    await page.getByLabel(/^from/).fill('yesterday')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').filter({ hasText: /^400/ }).waitFor()
    await page.getByRole('link', { name: /what http\.parameter means/ }).waitFor()
    assert.deepEqual(
      complaints.filter(text => !/400/.test(text)),
      [],
    )
  })

  test('without a script a form leads to the answer itself', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}${PAGE}?op=readMetric`)
    await page.getByLabel(/^entity/).fill('bitcoin')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL('**/api/v1/metrics/fees.total?entity=bitcoin')
  })
})
