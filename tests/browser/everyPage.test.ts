/** A page would show wrong figures, overflow, be inaccessible or grow heavy. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testCatalog } from '#catalog/testing.ts'
import type { ApplicationTable, ReportList, Series } from '#http/contract.ts'
import { rowsOfPage, WHOLE_ROWS } from '#web/blocks/tableView.ts'
import { dayText } from '#web/format/day.ts'
import { exactUnits, figureText, grouped } from '#web/format/figure.ts'
import { APPS, type AppId } from '#web/pages/apps/apps.ts'
import { specOf } from '#web/pages/apps/specs/index.ts'
import { TABS } from '#web/pages/bitcoin/tabs/index.ts'
import { existingPages, siteWith } from '#web/site.ts'
import { aPart } from '../aPart.ts'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { COMPARE_PATHS } from './compareJourneys.ts'
import { faultsOfPages } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

/** The lists over all chains, with the table that each answer fills. */
type List = { table: string; answer: string; isIn?: (item: Record<string, unknown>) => boolean }
const LISTS: Readonly<Record<string, List>> = {
  '/dashboards/hotcontracts': { table: 'contracts', answer: '/contracts/hot' },
  '/dashboards/discovermints': { table: 'mints', answer: '/mints' },
  '/contractsdeployed': { table: 'deployed', answer: '/contracts/deployed' },
  '/popularcalls': { table: 'calls', answer: '/contracts/calls' },
  // Tokens without any figure have a table of their own.
  '/tokens': {
    table: 'tokens',
    answer: '/tokens',
    isIn: ({ pools, ...token }) =>
      [
        'capUsd',
        'priceUsd',
        'liquidityUsd',
        'supply',
        'holderCount',
        'transferCount7d',
        'transferCount24h',
        'moverCount7d',
      ]
        .map(key => token[key] ?? (pools as typeof token | null)?.[key])
        .some(figure => figure != null),
  },
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

/** Further tabs and choices of pages of which each is walked: a run of all tests takes a third of them. */
const OF_ONE_FORM = [
  ...KINDS_OF_TABS,
  ...COMPARE_PATHS.filter(path => path !== '/'),
  ...TABS.slice(1).map(({ key }) => `/bitcoin?tab=${key}`),
]

/** Pages that are about one thing, and what addresses choose on a page. */
const FURTHER = [
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
    await using opened = await newPage(browser)
    const { page } = opened
    // Links of what is read below are those of this site.
    await page.goto(`${site.url}/status`)
    const faults: string[] = []
    let figures = 0
    let rows = 0
    for (const { path, label } of [...PAGES, ...APP_TABS]) {
      const answer = await fetch(site.url + path, { headers: { accept: 'text/html' } })
      // What the server has sent, read as a browser without scripts reads it: nothing of it is run.
      const drawn = await page.evaluate(readDrawn, {
        html: await answer.text(),
        list: LISTS[path]?.table ?? '',
      })
      if (answer.status !== 200 || drawn.headings.length !== 1 || drawn.headings[0] !== label)
        faults.push(`${path} answers ${answer.status}, its heading is ${drawn.headings.join(', ')}`)
      const kpis = await kpiFaults(drawn.figures)
      const tables = [...(await tableFaults(drawn.tables)), ...(await listFaults(drawn.listRows, path))]
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
      ...aPart(OF_ONE_FORM, 3),
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

  const asked = new Map<string, Promise<Series>>()

  /** A figure stands on several pages: its history is asked for once. */
  function historyOf(path: string): Promise<Series> {
    const answer = asked.get(path) ?? site.ask<Series>(path)
    asked.set(path, answer)
    return answer
  }

  /** Key figures with a value against the series of the API: the same digits, on the day that is said. */
  async function kpiFaults(shown: Drawn['figures']): Promise<Compared> {
    const faults: string[] = []
    for (const { href, full, text } of shown) {
      const [id, entity] = (new URL(href, site.url).searchParams.get('assay') ?? '').split('@')
      const { points, unit } = await historyOf(`/metrics/${id}?entity=${entity}&range=max&grain=day`)
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
  async function tableFaults(tables: Drawn['tables']): Promise<Compared[]> {
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

  async function listFaults(count: number, path: string): Promise<Compared[]> {
    const list = LISTS[path]
    if (list === undefined) return []
    const answer = await site.ask<{ items: Record<string, unknown>[] }>(list.answer)
    const items = answer.items.filter(list.isIn ?? (() => true))
    return [
      {
        count,
        faults: count === rowsOfPage(1, items.length).to ? [] : [`lists ${count} of ${items.length}`],
      },
    ]
  }
})

type Drawn = {
  readonly headings: readonly string[]
  readonly figures: readonly { readonly href: string; readonly full: string | null; readonly text: string }[]
  readonly tables: readonly {
    readonly name: string
    readonly rows: readonly (readonly { readonly text: string; readonly full: string }[])[]
    readonly pages: string
  }[]
  readonly listRows: number
}

/** Headings, key figures with a value and tables of our statements, of a page as it was sent. Runs in the browser. */
function readDrawn({ html, list }: { html: string; list: string }): Drawn {
  const sent = new DOMParser().parseFromString(html, 'text/html')
  const all = (selector: string, of: ParentNode = sent) => [...of.querySelectorAll<HTMLElement>(selector)]
  return {
    headings: all('h1').map(heading => heading.textContent ?? ''),
    figures: all('ul[aria-label="Key figures"] > li').flatMap(item =>
      all('a[href*="assay="][title]', item)
        .slice(0, 1)
        .map(link => ({
          href: link.getAttribute('href') ?? '',
          full: link.getAttribute('title'),
          text: item.textContent ?? '',
        })),
    ),
    tables: all('section:has(a[href^="/assay/run?table="])').map(section => ({
      name:
        new URL(
          all('a[href^="/assay/run?table="]', section)[0]?.getAttribute('href') ?? '',
          document.baseURI,
        ).searchParams.get('table') ?? '',
      rows: all('tbody tr', section).map(row =>
        all('th, td', row).map(cell => ({
          text: cell.textContent ?? '',
          full: cell.querySelector('span[title]')?.getAttribute('title') ?? '',
        })),
      ),
      pages: section.querySelector('nav[aria-label^="Rows of "]')?.textContent ?? '',
    })),
    listRows: list === '' ? 0 : all(`#${list} tbody tr`).length,
  }
}

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
