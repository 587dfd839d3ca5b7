/** The SIP-033 page would show other figures than the API. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { StacksTableAnswer } from '#http/contract.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

const PAGE = '/stacks/sip-033?range=30d'

describe('SIP-033 in a browser, over blocks of its days', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  const tableOf = (id: string) => site.ask<StacksTableAnswer>(`/stacks/tables/${id}`)

  test('figures on screen are those of the API, and a contract opens', async () => {
    await using tab = await newPage(browser)
    const { page, complaints } = tab
    await page.goto(`${site.url}${PAGE}`)
    const [words, versions, firsts] = await Promise.all(
      ['clarity-words', 'clarity-versions', 'clarity-first'].map(tableOf),
    )
    const shown = async (id: string): Promise<string[][]> =>
      page
        .locator(`#${id} tbody tr`)
        .evaluateAll(rows =>
          rows.map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent ?? '')),
        )
    const wordRows = await shown('clarity-words')
    assert.deepEqual(
      wordRows.map(([word, , contracts, , calls]) => [word, contracts, calls]),
      words?.rows.map(row => [row.word, row.contracts ?? '–', row.calls ?? '–']),
    )
    assert.ok(words?.rows.some(row => Number(row.calls) > 0))
    const card = page.getByRole('region', { name: 'What Clarity 4 brings' })
    for (const row of words?.rows.filter(({ since }) => since === 4) ?? []) {
      const count = row.contracts === '1' ? '1 contract' : `${row.contracts} contracts`
      await card
        .locator('dt', { hasText: String(row.word) })
        .filter({ hasText: count })
        .first()
        .waitFor()
    }
    assert.deepEqual(
      (await shown('clarity-versions')).map(([version, contracts]) => [version, contracts]),
      versions?.rows.map(row => [row.version, row.contracts ?? '–']),
    )
    await page.getByText('206,433,235 STX voted, all in favor').waitFor()
    await page.getByText('2,778,103 STX voted, 99.991001 % in favor').waitFor()

    const first = String(firsts?.rows[0]?.contract)
    await page.locator(`#clarity-first a[href="/stacks/contract/${first}"]`).click()
    await page.getByRole('heading', { level: 1, name: first.split('.')[1] ?? '' }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
