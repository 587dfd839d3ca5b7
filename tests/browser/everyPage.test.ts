import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testCatalog } from '#catalog/testing.ts'
import type { ApplicationTable, ReportList, Series } from '#http/contract.ts'
import { rowsOfPage, WHOLE_ROWS } from '#web/blocks/tableView.ts'
import { dayText } from '#web/format/day.ts'
import { exactUnits, figureText, grouped } from '#web/format/figure.ts'
import { APPS, type AppId } from '#web/pages/apps/apps.ts'
import { specOf } from '#web/pages/apps/specs/index.ts'
import { TABS } from '#web/pages/bitcoin/tabs/index.ts'
import { existingPages, siteWith } from '#web/site.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { COMPARE_PATHS } from './compareJourneys.ts'
import { faultsOfPages } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

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
const { evm } = await testCatalog()
const PAGES = existingPages(siteWith({ layers: evm, applications: [] }))

/** The further tabs of applications. */
const tabsOf = (apps: readonly AppId[]) =>
  apps.flatMap(app =>
    specOf({ slug: app, name: APPS[app], kind: 'other' })
      .tabs.slice(1)
      .map(({ key }) => ({ path: `/${app}?tab=${key}`, label: APPS[app] })),
  )
const APP_TABS = tabsOf(Object.keys(APPS) as AppId[])
/** Those of one application of each kind: others have the same blocks. */
const KINDS_OF_TABS = tabsOf(['alex', 'arkadiko', 'granite', 'hermetica', 'stacking-dao', 'welsh']).map(
  ({ path }) => path,
)

/** Pages that are about one thing, tabs, and what addresses choose on a page. */
const FURTHER = [
  ...KINDS_OF_TABS,
  ...COMPARE_PATHS,
  ...TABS.slice(1).map(({ key }) => `/bitcoin?tab=${key}`),
  '/bitcoin?assay=fees.total@bitcoin',
  '/bitcoin?unit=usd&range=max&price.scale=log&fees.form=table',
  '/bitcoin/block/170',
  '/bitcoin/tx/f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  `/bitcoin/tx/${'0'.repeat(64)}`,
  '/bitcoin/l2s?view=map',
  '/bitcoin/l2s?family=rollup&map.by=finality',
  '/bitcoin/l2s/stacks',
  '/bitcoin/l2s/arkade',
  '/bitcoin/l2s/bison',
  '/stacks/block/51451',
  '/stacks/tx/337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406',
  '/stacks/contract/SP000000000000000000002Q6VF78.pox',
  '/stacks/address/SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/stacks/sip-033?range=30d',
  '/rootstock?tab=money',
  '/rootstock?tab=bitcoin',
  '/rootstock/block/4481139',
  '/core?tab=trust',
  '/core?tab=bitcoin',
  '/tvl?count=borrowed',
  '/analyze/alpha21?signal=price-200d',
  '/analyze/bitcoin-treasuries/strategy',
  '/analyze/bitcoin-defi-indices?tab=fundamentals',
  '/analyze/bitcoin-defi-indices?tab=builder',
  '/developer-activity?of=stacks',
  '/documentation/console',
  '/documentation/console?op=runSql',
  '/documentation/self-hosting',
  '/documentation/metrics',
  '/documentation/sources',
  '/documentation/sources/stacks.chain',
  '/documentation/metrics/fees.total',
  '/documentation/tables/btc_blocks',
  '/search?q=fees',
  '/error?code=sql.unknown_column',
  '/subscription-success',
  '/errors',
  '/errors/sql.unknown_column',
  '/no-such-page',
]

describe('every page', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

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
    const reports = (await site.ask<ReportList>('/reports')).items
    const paths = [
      ...PAGES.map(({ path }) => path),
      ...FURTHER,
      ...reports.map(({ key }) => `/reports/${key}`),
    ]
    const faults = await faultsOfPages(
      browser,
      paths.map(path => site.url + path),
      async (page, url) => {
        const { pathname, search } = new URL(url)
        const label = search === '' ? PAGES.find(({ path }) => path === pathname)?.label : undefined
        const title = await page.title()
        return label === undefined || plain(title).includes(plain(label)) ? [] : [`is titled ${title}`]
      },
    )
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
      const told = points.filter(({ day }) => text.includes(dayText(day)))
      const isGiven = told.some(({ value }) => figureText(value, unit).full === full)
      // A figure by kind is shown as the sum of its day; words beside it may name another day.
      const isSum = [...Map.groupBy(told, ({ day }) => day).values()].some(
        ofDay =>
          figureText(
            ofDay.reduce((all, { value }) => all + Number(value), 0),
            unit,
          ).full === full,
      )
      if (!isGiven && !isSum)
        faults.push(`shows ${full} as ${id} of ${entity}: the API has ${told.map(({ value }) => value)}`)
    }
    return { count: shown.length, faults }
  }

  /** Tables of our statements against their answers: as many rows on their first page as it holds, all counted below it, and each count, figure and amount to the digit. */
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
        pages: section.querySelector('nav[aria-label^="Rows of "]')?.textContent ?? '',
      })),
    )
    return Promise.all(
      tables
        .filter(({ name }) => !SHOWN_OTHERWISE.test(name))
        .map(async ({ name, rows, pages }): Promise<Compared> => {
          const told = await site.ask<ApplicationTable>(addressOfTable(name))
          // A table of which no row is told shows its sentence.
          if (rows.length === 0 && told.rows.every(row => row.contracts === null))
            return { count: 0, faults: [] }
          const all = told.rows.length
          if (rows.length !== rowsOfPage(1, all).to)
            return { count: 0, faults: [`${name} has ${rows.length} rows of ${all}`] }
          if (all > WHOLE_ROWS && !pages.includes(`of ${grouped(String(all))} rows`))
            return { count: 0, faults: [`${name} tells of its ${all} rows: ${pages}`] }
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
    return [
      {
        count,
        faults: count === rowsOfPage(1, items.length).to ? [] : [`lists ${count} of ${items.length}`],
      },
    ]
  }
})

/** Letters and digits alone: a title may say “meme coins” of the page Memecoins. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9²]/g, '')

/** Where the API has a table of which a page names the statement: `stacks/clarity-words`, `treasuries/strategy/events`. */
function addressOfTable(name: string): string {
  const [of = '', id = '', part] = name.split('/')
  if (part !== undefined) return `/${of}/${id}/tables/${part}`
  return OF_THE_SITE.has(of) ? `/${of}/tables/${id}` : `/applications/${of}/tables/${id}`
}
/** Tables of signals, one that hides rows until asked, two that are drawn as matrices: each is held by the test of its page. */
const SHOWN_OTHERWISE =
  /^(signals\/|opportunities\/opportunities$|developers\/overlap$|indices\/correlations$)/
const OF_THE_SITE = new Set(['stacks', 'developers', 'opportunities', 'treasuries', 'indices'])

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
