/** Application pages would not work in a browser. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { ApplicationTable, Series, SqlAnswer } from '#http/contract.ts'
import { addDays, dayText } from '#web/format/day.ts'
import { figureText, grouped } from '#web/format/figure.ts'
import { copiedOn, newPage, skipWithoutChromium } from './chromium.ts'
import { settle } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'
import { reads } from './soon.ts'

/** An application of each kind whose key figures are known here. */
const OF_EACH_KIND = ['/alex', '/granite?tab=risk', '/arkadiko', '/welsh']
const LP_DAYS = 30

describe('what a reader does on the pages of applications', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  /** Values of a chart that stands as a table, oldest first: every digit, days without one left out. */
  const valuesIn = async (page: Page, chart: string): Promise<string[]> => {
    const titles = await page
      .locator(`section#${chart} tbody td`)
      .evaluateAll(cells => cells.map(cell => cell.getAttribute('title') ?? ''))
    return titles.filter(title => title !== 'not known').toReversed()
  }
  const valuesOf = ({ points, unit }: Series): string[] =>
    points.flatMap(({ value }) => (value === null ? [] : figureText(value, unit).full))

  /** The newest whole day of a figure: with it the charts of the page end. */
  const wholeDayOf = async (subject: string): Promise<string> => {
    const { points } = await site.ask<Series>(`/metrics/${subject}&range=max&grain=day`)
    return points.findLast(({ state }) => state === 'whole')?.day ?? assert.fail(`no whole day of ${subject}`)
  }

  test('the grain of a chart goes along with its link, and its weeks are those of the API', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/alex?range=max`)
    await settle(page)
    const chart = page.locator('section#volume')
    await chart.getByLabel('Range, scale, values and grain').click()
    await chart.getByRole('navigation', { name: 'Volume: grain' }).getByRole('link', { name: 'Week' }).click()
    await page.waitForURL('**volume.grain=week**')
    await settle(page)
    await chart.getByLabel('Share or embed').click()
    await chart.getByRole('button', { name: 'Copy the link to this chart' }).click()
    const link = await copiedOn(page, text => text.includes('volume.grain=week'))
    // A range that ends with the newest day would show others tomorrow: the link has the days that are drawn.
    const asked = new URL(link).searchParams
    const days = await site.ask<Series>('/metrics/dex.volume?entity=alex&range=max&grain=week')
    const known = days.points.filter(({ value }) => value !== null)
    assert.deepEqual(
      [new URL(link).hash, asked.get('range'), asked.get('volume.grain'), asked.get('from')],
      ['#volume', null, 'week', known[0]?.day],
    )

    await using other = await newPage(browser)
    await other.page.goto(link)
    const shared = other.page.locator('section#volume')
    await shared.getByText('USD, weekly', { exact: true }).waitFor()
    await shared.getByRole('link', { name: 'Show as a table' }).click()
    await shared.getByRole('columnheader', { name: 'Week, UTC' }).waitFor()
    const to = await wholeDayOf('dex.volume?entity=alex')
    const weeks = valuesOf(await site.ask<Series>(`/metrics/dex.volume?entity=alex&to=${to}&grain=week`))
    assert.ok(weeks.length > 4)
    assert.deepEqual(await valuesIn(other.page, 'volume'), weeks)
    assert.deepEqual([...complaints, ...other.complaints], [])
  })

  test('the slider over the fall of a price tells at each step what the API does, by keys, by its link and without JavaScript', async () => {
    const { rows } = await site.ask<ApplicationTable>('/applications/granite/tables/ladder')
    const told = (fall: number): string => {
      const row = rows.find(each => Math.round(Number(each.fall) * 100) === fall)
      assert.ok(row, `no row of ${fall} %`)
      const usd = (cell: unknown) => figureText(Number(cell), 'USD').text
      const short = Number(row.short) > 0 ? `; ${usd(row.short)} of debt has nothing behind it.` : '.'
      return `${grouped(String(row.positions))} of ${grouped(String(row.all_positions))} positions may be liquidated: ${usd(row.collateral)} of collateral against ${usd(row.debt)} of debt${short}`
    }
    const shock = await site.ask<Series>('/metrics/shock.minus20?entity=granite&range=max')
    assert.equal(Number(rows[20]?.debt), Number(shock.points.at(-1)?.value))
    assert.ok(Number(rows[20]?.debt) < Number(rows.at(-1)?.debt), 'a deeper fall exposes no more debt')
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    await page.goto(`${site.url}/granite?tab=risk`)
    await settle(page)
    const words = page.locator('p[aria-live="polite"]')
    await reads(words, told(20))
    const slider = page.getByRole('slider', { name: /^Price falls by/ })
    await slider.focus()
    for (const [key, fall] of [
      ['ArrowRight', 21],
      ['End', rows.length - 1],
      ['ArrowLeft', rows.length - 2],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForURL(new RegExp(`[?&]fall=${fall}(&|$)`))
      await words.filter({ hasText: told(fall) }).waitFor()
    }
    assert.deepEqual(complaints, [])

    await using plain = await newPage(browser, { javaScriptEnabled: false })
    await plain.page.goto(`${site.url}/granite?tab=risk&fall=35`)
    const said = plain.page.locator('p[aria-live="polite"]')
    await reads(said, told(35))
    await plain.page.getByRole('slider', { name: /^Price falls by/ }).fill('50')
    await plain.page.getByRole('button', { name: 'Show', exact: true }).click()
    await plain.page.waitForURL('**fall=50**')
    assert.match(plain.page.url(), /tab=risk/)
    await reads(said, told(50))
  })

  test('providing against holding is what follows from the reserves and prices of both days, on screen as in the API', async () => {
    await using opened = await newPage(browser, { javaScriptEnabled: false })
    const { page } = opened
    await page.goto(`${site.url}/alex?tab=pools&range=max&vshold.form=table&vshold.grain=day`)
    const asked = await fetch(`${site.url}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        sql: "SELECT toString(day), toFloat64(reserve_x), toFloat64(reserve_y), value_x, value_y, toString(shares) FROM stx_pool_values WHERE protocol = 'alex' AND value_x > 0 AND value_y > 0 ORDER BY day",
      }),
    })
    const days = ((await asked.json()) as SqlAnswer).rows.map(([day, ...cells]) => {
      const [x = 0, y = 0, valueX = 0, valueY = 0, shares = 0] = cells.map(Number)
      return { day: String(day), x, y, priceX: valueX / x, priceY: valueY / y, shares }
    })
    assert.equal(new Set(days.map(({ shares }) => shares)).size, 1, 'shares were made or destroyed')
    const byDay = new Map(days.map(each => [each.day, each]))
    const expected = days.flatMap(({ day, x, y, priceX, priceY }) => {
      const then = byDay.get(addDays(day, -LP_DAYS))
      if (then === undefined) return []
      return [{ day, value: (x * priceX + y * priceY) / (then.x * priceX + then.y * priceY) - 1 }]
    })
    assert.ok(expected.length >= 5 && expected.some(({ value }) => value !== 0))
    const series = await site.ask<Series>('/metrics/lp.vs_hold?entity=alex&range=max&grain=day')
    const known = series.points.filter(({ value }) => value !== null)
    assert.deepEqual(
      known.map(({ day }) => day),
      expected.map(({ day }) => day),
    )
    for (const [at, { day, value }] of known.entries())
      assert.ok(
        Math.abs(Number(value) - (expected[at]?.value ?? Number.NaN)) < 1e-9,
        `of ${day} it is ${value}, not ${expected[at]?.value}`,
      )
    const to = await wholeDayOf('lp.vs_hold?entity=alex')
    assert.deepEqual(
      await valuesIn(page, 'vshold'),
      valuesOf({ ...series, points: series.points.filter(({ day }) => day <= to) }),
    )
  })

  test('a figure of each kind of application opens, and its SQL, run again, gives it again', async () => {
    await using opened = await newPage(browser)
    const { page, complaints } = opened
    for (const path of OF_EACH_KIND) {
      await page.goto(`${site.url}${path}${path.includes('?') ? '&' : '?'}range=max`)
      await settle(page)
      const figure = page.locator('ul[aria-label="Key figures"] a[href*="assay="][title]').first()
      const full = await figure.getAttribute('title')
      const shown = (await figure.locator('xpath=ancestor::li').textContent()) ?? ''
      const [id, entity] = (
        new URL((await figure.getAttribute('href')) ?? '', site.url).searchParams.get('assay') ?? ''
      ).split('@')
      const { points, unit } = await site.ask<Series>(`/metrics/${id}?entity=${entity}&range=max&grain=day`)
      // The last, since “8 Oct” stands in “18 Oct” too.
      const day = points.findLast(point => shown.includes(dayText(point.day)))?.day
      assert.ok(day, `${path}: no day of ${id} in “${shown}”`)

      await figure.click()
      const sheet = page.locator('dialog:modal')
      await sheet.getByText('How it can mislead').waitFor()
      for (const name of ['from', 'to']) await sheet.getByLabel(new RegExp(`^${name}\\b`)).fill(day)
      await sheet.getByRole('button', { name: /Run/ }).click()
      const found = sheet.getByRole('region', { name: 'Rows' })
      await found.waitFor()
      const heads = await found.getByRole('columnheader').allTextContents()
      const rows = await found
        .locator('tbody tr')
        .evaluateAll(all =>
          all.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent ?? '')),
        )
      const values = rows
        .filter(cells => cells[heads.indexOf('day')] === day)
        .map(cells => (cells[heads.indexOf('value')] ?? '').replaceAll(',', '').replace('−', '-'))
      const sum = values.reduce((all, value) => all + Number(value), 0)
      assert.ok(
        [...values, sum].some(value => figureText(value, unit).full === full),
        `${path}: ${id} of ${day} shows ${full}, its SQL gives ${values}`,
      )
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(complaints, [])
  })
})
