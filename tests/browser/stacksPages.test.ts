import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import type { ApplicationTable, Series } from '#http/contract.ts'
import { dayText } from '#web/format/day.ts'
import { exactUnits, figureText, grouped } from '#web/format/figure.ts'
import { APPS, type AppId } from '#web/pages/apps/apps.ts'
import { specOf } from '#web/pages/apps/specs/index.ts'
import { existingPages, siteWith } from '#web/site.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { faultsOf, overflowsOf, settle, WIDTHS } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

/** Bytes, packed, that a page may fetch before any input. */
const SCRIPT_LIMIT = 150_000
const SHIFT_LIMIT = 0.01

/** The lists over all chains, with the table that each answer fills. */
const LISTS: Readonly<Record<string, { table: string; answer: string }>> = {
  '/dashboards/hotcontracts': { table: 'contracts', answer: '/contracts/hot' },
  '/dashboards/discovermints': { table: 'mints', answer: '/mints' },
  '/contractsdeployed': { table: 'deployed', answer: '/contracts/deployed' },
  '/popularcalls': { table: 'calls', answer: '/contracts/calls' },
  '/tokens': { table: 'tokens', answer: '/tokens' },
  '/collections': { table: 'collections', answer: '/collections' },
  '/tvl': { table: 'protocols', answer: '/tvl' },
}
/** Stacks, the applications on it, and the lists over all chains. */
const PAGES = existingPages(siteWith({ layers: [], applications: [] })).filter(
  ({ path }) =>
    path === '/stacks' ||
    path.startsWith('/stacks/') ||
    Object.keys(APPS).includes(path.slice(1)) ||
    path in LISTS ||
    path === '/addressbalance',
)

/** The further tabs of applications. */
const tabsOf = (apps: readonly AppId[]) =>
  apps.flatMap(app =>
    specOf({ slug: app, name: APPS[app], kind: 'other' })
      .tabs.slice(1)
      .map(({ key }) => ({ path: `/${app}?tab=${key}`, label: APPS[app] })),
  )
const APP_TABS = tabsOf(Object.keys(APPS) as AppId[])
/** Those of one application of each kind: others have the same blocks. */
const KINDS_OF_TABS = tabsOf(['alex', 'arkadiko', 'granite', 'hermetica', 'stacking-dao', 'welsh'])

/** Adds up what moves while a page loads, from before its first paint, and tells what it was. */
const WATCH_SHIFTS = `globalThis.shifted = 0
globalThis.movers = []
new PerformanceObserver(list => {
  for (const entry of list.getEntries().filter(each => !each.hadRecentInput)) {
    globalThis.shifted += entry.value
    for (const { node } of entry.sources) globalThis.movers.push(node?.nodeName + ' ' + node?.textContent.slice(0, 30))
  }
}).observe({ type: 'layout-shift', buffered: true })`

describe('pages of Stacks, its applications and all chains', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  test('there are as many as the map of the site promises', () => assert.equal(PAGES.length, 28))

  test('each draws the figures that the API gives, without JavaScript', async () => {
    await using opened = await newPage(browser, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    const { page } = opened
    const faults: string[] = []
    let figures = 0
    let rows = 0
    for (const { path, label } of [...PAGES, ...APP_TABS]) {
      const answer = await page.goto(site.url + path)
      const heading = await page.getByRole('heading', { level: 1 }).allTextContents()
      if (answer?.status() !== 200 || heading.length !== 1 || heading[0] !== label)
        faults.push(`${path} answers ${answer?.status()}, its heading is ${heading.join(', ')}`)
      const kpis = await kpiFaults(page)
      const tables = [...(await tableFaults(page)), ...(await listFaults(page, path))]
      figures += kpis.count
      rows += tables.reduce((sum, { count }) => sum + count, 0)
      faults.push(
        ...[...kpis.faults, ...tables.flatMap(table => table.faults)].map(fault => `${path} ${fault}`),
      )
    }
    assert.deepEqual(faults, [])
    assert.ok(figures >= 25 && rows >= 300, `${figures} figures and ${rows} rows were compared`)
  })

  test('each keeps to its width, its weight and its place, in both themes, and axe finds nothing', async () => {
    // Colours that are on their way to others would be judged half-way.
    await using opened = await newPage(browser, { reducedMotion: 'reduce' })
    const { page, complaints } = opened
    await page.addInitScript(WATCH_SHIFTS)
    const faults: string[] = []
    const weights = new Map<string, Promise<number>>()
    for (const { path, label } of [...PAGES, ...KINDS_OF_TABS]) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(site.url + path)
      await settle(page)
      const found: string[] = []
      if (!plain(await page.title()).includes(plain(label))) found.push(`is titled ${await page.title()}`)
      const shift = Number(await page.evaluate('globalThis.shifted'))
      if (shift >= SHIFT_LIMIT) found.push(`moved by ${shift}: ${await page.evaluate('movers')}`)
      const weight = await scriptWeight(page, weights)
      if (weight === 0 || weight > SCRIPT_LIMIT) found.push(`has scripts of ${weight} bytes`)
      found.push(...(await faultsOf(page)).map(fault => `light ${fault}`))
      found.push(...(await overflowsOf(page, [...WIDTHS].reverse())))
      // Both themes are one page: only its colours change. Further tabs have the blocks and colours of other pages.
      if (!path.includes('?tab=')) {
        await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
        found.push(...(await faultsOf(page)).map(fault => `dark ${fault}`))
      }
      found.push(...complaints.splice(0))
      faults.push(...found.map(fault => `${path} ${fault}`))
    }
    assert.deepEqual(faults, [])
  })

  type Compared = { count: number; faults: string[] }

  /** Key figures with a value against the series of the API: the same digits, on the day that is said. */
  async function kpiFaults(page: Page): Promise<Compared> {
    const shown = await page.locator('ul[aria-label="Key figures"] > li').evaluateAll(items =>
      items.flatMap(item => {
        const link = item.querySelector('a[href*="assay="][title]')
        return link
          ? [
              {
                href: link.getAttribute('href') ?? '',
                full: link.getAttribute('title'),
                text: item.textContent ?? '',
              },
            ]
          : []
      }),
    )
    const faults: string[] = []
    for (const { href, full, text } of shown) {
      const [id, entity] = (new URL(href, site.url).searchParams.get('assay') ?? '').split('@')
      const { points, unit } = await site.ask<Series>(`/metrics/${id}?entity=${entity}&range=max&grain=day`)
      const ofDay = points.filter(({ day }) => text.includes(dayText(day)))
      const isGiven = ofDay.some(({ value }) => figureText(value, unit).full === full)
      const sum = ofDay.reduce((all, { value }) => all + Number(value), 0)
      if (!isGiven && figureText(sum, unit).full !== full)
        faults.push(`shows ${full} as ${id} of ${entity}: the API has ${ofDay.map(({ value }) => value)}`)
    }
    return { count: shown.length, faults }
  }

  /** Tables of our statements against their answers: as many rows, and each count, figure and amount to the digit. */
  async function tableFaults(page: Page): Promise<Compared[]> {
    const tables = await page.locator('section:has(a[href^="/assay/run?table="])').evaluateAll(sections =>
      sections.map(section => ({
        name:
          new URL(
            (section.querySelector('a[href^="/assay/run?table="]') as HTMLAnchorElement).href,
          ).searchParams.get('table') ?? '',
        rows: [...section.querySelectorAll('tbody tr')].map(row =>
          [...row.querySelectorAll('th, td')].map(cell => ({
            text: cell.textContent ?? '',
            full: cell.querySelector('span[title]')?.getAttribute('title') ?? '',
          })),
        ),
      })),
    )
    return Promise.all(
      tables.map(async ({ name, rows }): Promise<Compared> => {
        const [of = '', id = ''] = name.split('/')
        const told = await site.ask<ApplicationTable>(
          of === 'stacks' ? `/stacks/tables/${id}` : `/applications/${of}/tables/${id}`,
        )
        // A table of which no row is told shows its sentence.
        if (rows.length === 0 && told.rows.every(row => row.contracts === null))
          return { count: 0, faults: [] }
        if (rows.length !== told.rows.length)
          return { count: 0, faults: [`${name} has ${rows.length} rows of ${told.rows.length}`] }
        const columns = told.columns.filter(({ isOptional }, at) => at === 0 || !isOptional)
        const faults = rows.flatMap((cells, at) =>
          columns.flatMap((column, place) => {
            const row = told.rows[at] ?? {}
            const expected = fullOf(row, column)
            const cell = cells[place]
            return expected === undefined || cell?.text === expected || cell?.full === expected
              ? []
              : [`${name}, row ${at}, ${column.key}: ${cell?.text} (${cell?.full}) is not ${expected}`]
          }),
        )
        return { count: rows.length, faults }
      }),
    )
  }

  async function listFaults(page: Page, path: string): Promise<Compared[]> {
    const list = LISTS[path]
    if (list === undefined) return []
    const { items } = await site.ask<{ items: unknown[] }>(list.answer)
    const count = await page.locator(`#${list.table} tbody tr`).count()
    return [{ count, faults: count === items.length ? [] : [`lists ${count} of ${items.length}`] }]
  }
})

/** Letters and digits alone: a title may say “meme coins” of the page Memecoins. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9²]/g, '')

type Column = ApplicationTable['columns'][number]

/** What the cell says in full; undefined where it is a name or a link. */
function fullOf(row: ApplicationTable['rows'][number], { key, form, unit }: Column): string | undefined {
  const value = row[key] ?? null
  switch (form) {
    case 'count':
      return value === null ? '–' : grouped(String(value))
    case 'figure':
      return value === null ? '–' : figureText(value as string | number, unit ?? '').full
    case 'amount': {
      const decimals = row[`${key}_decimals`]
      const symbol = row[`${key}_symbol`]
      if (value === null || decimals === null || decimals === undefined) return undefined
      return `${exactUnits(String(value), Number(decimals))}${symbol == null ? '' : ` ${symbol}`}`
    }
    default:
      return undefined
  }
}

/** Bytes of the scripts that a page has fetched, packed; each script is weighed once. */
async function scriptWeight(page: Page, weights: Map<string, Promise<number>>): Promise<number> {
  const urls = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter(name => /\\.js(\\?|$)/.test(name))`,
  )) as string[]
  const all = await Promise.all(
    [...new Set(urls)].map(url => {
      const weight =
        weights.get(url) ??
        fetch(url).then(async answer => gzipSync(Buffer.from(await answer.arrayBuffer())).length)
      weights.set(url, weight)
      return weight
    }),
  )
  return all.reduce((sum, weight) => sum + weight, 0)
}
