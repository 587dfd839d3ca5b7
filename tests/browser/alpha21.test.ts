/** The signals page would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SignalComposite, SignalDetail, SignalList, SqlAnswer } from '#http/contract.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { counts } from './soon.ts'

const PATH = '/analyze/alpha21'

describe('Alpha21', { skip: skipWithoutChromium.skip }, () => {
  let site: SharedSite
  before(async () => {
    site = await sharedSite()
  })

  test('the menu leads to 21 cards that say what the API says, failed and silent ones too', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/`)
    const entry = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /Alpha21/ })
    await entry.first().click()
    await page.waitForURL(`**${PATH}`)
    await settle(page)
    const { items } = await site.ask<SignalList>('/signals')
    const cards = page.locator('main li[id]')
    await counts(cards, 21)
    for (const { id, state, isCurrent, absent } of items) {
      const text = ((await page.locator(`main li#${id}`).textContent()) ?? '').toLowerCase()
      assert.ok(text.includes(isCurrent && state ? state : 'no reading'), `${id}: ${text}`)
      if (absent !== null) assert.ok(text.includes('not enough history'), id)
    }
    await counts(page.getByText('not advice', { exact: false }), 1, 'said once')
    assert.deepEqual(complaints, [])
  })

  test('a card opens its signal: rule, price under states, records, stability; Escape leads back', async () => {
    await using opened = await newPage(site.browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}${PATH}`)
    await page.getByRole('link', { name: 'Price against its 200-day mean' }).first().click()
    await page.waitForURL('**signal=price-200d**')
    const sheet = page.getByRole('dialog', { name: 'Price against its 200-day mean' })
    await sheet.waitFor()
    await settle(page)
    const signal = await site.ask<SignalDetail>('/signals/price-200d')
    const bands = signal.spans.filter(({ state }) => state !== 'neutral')
    assert.ok(bands.length > 20)
    for (const title of [
      'Rule',
      'Price under its states',
      'Forward returns',
      'Stability of parameters',
      'Events',
    ])
      await counts(sheet.getByRole('heading', { name: title }), 1, title)
    const rows = await sheet.locator('#price-200d tbody tr').count()
    assert.equal(rows, 9, 'three parts at three horizons')
    await counts(sheet.locator('td[data-rule]'), 1, 'the rule is outlined once')
    await page.keyboard.press('Escape')
    await page.waitForURL(url => !url.search.includes('signal='))
    await sheet.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('a reading opens its assay over the signal, and the SQL of a record gives the events on screen', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}${PATH}?assay=signal.reading@price-200d&signal=price-200d`)
    await page.locator('#assay-title').waitFor()
    assert.match((await page.locator('#assay-title').textContent()) ?? '', /reading/)
    await counts(page.locator('#signal-title'), 1, 'the signal stays open beneath')
    const table = await site.ask<{ sql: string }>('/signals/price-200d/record')
    const answer = (await (
      await fetch(`${site.url}/api/v1/sql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql: table.sql }),
      })
    ).json()) as SqlAnswer
    const column = (name: string) => answer.columns.findIndex(each => each.name === name)
    const signal = await site.ask<SignalDetail>('/signals/price-200d')
    assert.deepEqual(
      answer.rows.map(row => Number((row as unknown[])[column('events')])),
      signal.history.map(({ events }) => events),
    )
    const run = await page.request.get(`${site.url}/assay/run?table=signals/price-200d`)
    assert.equal(run.status(), 200)
  })

  test('the composite stays hidden until asked for, and comes with its own record', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.goto(`${site.url}${PATH}`)
    assert.equal(await page.getByRole('heading', { name: 'Record of the composite' }).count(), 0)
    await page.getByRole('link', { name: 'Show the composite with its record' }).click()
    await page.getByRole('heading', { name: 'Record of the composite' }).waitFor()
    const { walk } = await site.ask<SignalComposite>('/signals/composite')
    const counts = await page
      .locator('#composite tbody tr')
      .evaluateAll(rows => rows.map(row => Number(row.querySelectorAll('td')[1]?.textContent)))
    assert.deepEqual(
      counts.slice(0, 3),
      walk.map(({ events }) => events),
    )
  })
})
