/** The API console would not run the documented examples. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { operationsOf } from '#http/operations.ts'
import { addressOf, exampleOf, valuesOf } from '#web/pages/documentation/operation.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts } from './soon.ts'

const PAGE = '/documentation/console'

/** What is asked of a Stacks node at once: the site of the tests has none. */
const OF_A_NODE = ['block-times', 'fees/transfer', 'info', 'pox'].map(
  name => `/api/v1/stacks/node/${name} http.stacks_node_off`,
)

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
      const answer = await fetch(site.url + address)
      if (answer.status === 200) continue
      const { code } = (await answer.json()) as { code: string }
      refused.push(`${operation.path} ${code}`)
    }
    // Who asks here is nobody: what the document calls somebody's own says that it needs a sign-in, and nothing else does.
    const ofSomebody = asked.filter(({ needsPerson }) => needsPerson)
    assert.ok(ofSomebody.length >= 6)
    assert.deepEqual(
      refused.sort(),
      [...ofSomebody.map(({ path }) => `${path} accounts.needed`), ...OF_A_NODE].sort(),
    )
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

  test('an operation is found by its words, with and without a script, and tells what its answer holds', async () => {
    const plain = await (await fetch(`${site.url}${PAGE}?find=stacks%20block`)).text()
    const listed = (html: string) =>
      [...html.matchAll(/href="[^"]*\?op=([A-Za-z0-9]+)&amp;find=/g)].map(([, id]) => id)
    const document = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as Record<string, unknown>
    const meant = operationsOf(document).filter(({ id, method, path, summary }) =>
      ['stacks', 'block'].every(word => `${id} ${method} ${path} ${summary}`.toLowerCase().includes(word)),
    )
    assert.ok(meant.length > 0)
    assert.deepEqual(listed(plain).sort(), meant.map(({ id }) => id).sort())

    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(site.url + PAGE)
    await settle(page)
    await page.getByLabel('Find an operation').fill('series')
    await page
      .getByRole('navigation', { name: 'Operations' })
      .getByRole('link', { name: /GET \/series$/ })
      .click()
    const fields = page.getByRole('region', { name: 'Fields of the answer' })
    await fields.getByText('series[].points[].day', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Find an operation').inputValue(), 'series')
    await page.getByLabel('Find an operation').fill('no such words')
    await page.getByText('No operation has these words.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('what is typed before the script has come is what is asked, and looked for', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    const typed = Promise.withResolvers<void>()
    await page.route('**/*.js', async route => {
      await typed.promise
      await route.continue()
    })
    await page.goto(`${site.url}${PAGE}?op=readMetric&p.id=fees.total&p.entity=bitcoin`, {
      waitUntil: 'commit',
    })
    await page.getByLabel(/^from/).fill('2011-01-01')
    await page.getByLabel('Find an operation').fill('no such words')
    typed.resolve()
    await page.getByText('No operation has these words.').waitFor()
    assert.equal(await page.getByLabel(/^from/).inputValue(), '2011-01-01')
    await page
      .getByRole('region', { name: 'Request for curl' })
      .getByText('from=2011-01-01', { exact: false })
      .waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a program takes an answer in the form in which it comes, and back leads to what was asked before', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}${PAGE}?op=readMetric&p.id=fees.total&p.entity=bitcoin`)
    await settle(page)
    const python = page.getByRole('region', { name: 'Request for Python' })
    assert.match((await python.textContent()) ?? '', /\.json\(\)$/)
    await page.getByLabel(/^format/).selectOption('parquet')
    assert.match((await python.textContent()) ?? '', /\.content$/)
    await page.getByLabel(/^format/).selectOption('csv')
    assert.match(
      (await page.getByRole('region', { name: 'Request for JavaScript' }).textContent()) ?? '',
      /answer\.text\(\)$/,
    )
    await page.goto(`${site.url}${PAGE}?op=readMetric&p.id=blocks.count&p.entity=stacks`)
    await settle(page)
    const id = page.getByLabel(/^id/)
    assert.equal(await id.inputValue(), 'blocks.count')
    await page
      .getByRole('navigation', { name: 'Operations' })
      .getByRole('link', { name: 'GET /metrics/{id}', exact: true })
      .click()
    await page.waitForURL('**op=readMetric')
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[name="p.id"]')?.value === 'fees.total',
    )
    await page.goBack()
    await page.waitForURL('**p.id=blocks.count**')
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[name="p.id"]')?.value === 'blocks.count',
    )
  })

  test('a source leads to the metrics that rest on it, a table to rows of its own', async () => {
    await using opened = await newPage(site.browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/documentation/sources?sources.page=all`)
    const { sources } = await site.ask<{ sources: { id: string }[] }>('/status')
    assert.deepEqual(
      await page.locator('#sources tbody th').allTextContents(),
      sources.map(({ id }) => id),
    )
    await page.getByRole('link', { name: 'stacks.pox', exact: true }).click()
    await page.waitForURL('**/documentation/sources/stacks.pox')
    const { metrics } = await site.ask<{ metrics: { id: string; sources: { id: string }[] }[] }>('/metrics')
    const expected = new Set(
      metrics.filter(metric => metric.sources.some(({ id }) => id === 'stacks.pox')).map(({ id }) => id),
    )
    assert.ok(expected.size > 0)
    assert.deepEqual(new Set(await page.locator('#metrics tbody th').allTextContents()), expected)
    await page.goto(`${site.url}/documentation/tables/btc_blocks`)
    await page.getByRole('link', { name: 'Run it' }).click()
    await counts(page.locator('table tbody tr'), 10)
    assert.equal((await page.goto(`${site.url}/documentation/sources/stacks.po`))?.status(), 404)
    await page.getByRole('link', { name: 'stacks.pox' }).waitFor()
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
