import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '#kernel/log.ts'
import { createExecutor, openQueryTool } from '#queries/index.ts'
import { openStore } from '#store/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { type Catalog, entriesOf, findEntries } from '../src/web/pages/query/catalog.ts'
import { quantile } from './measure.ts'
import { sqlOf } from './queries.ts'
import { firstRowsOnScreen, SLOW_SQL } from './queryFirstRows.ts'
import { measureQueryGrid, queryGridFigures } from './queryGrid.ts'
import { openBrowser } from './site/browser.ts'
import { type BenchContext, type Figure, within } from './suite.ts'

const FIRST_KB = 150
const EDITOR_KB = 145
const FORMATTER_KB = 28
const SEARCH_MS = 100
const COLUMNS = 10_000
const GRID_ROWS = 1_000_000
const MEBIBYTE = 2 ** 20

type Site = { readonly origin: string; readonly home: string; readonly warehouse: Warehouse }

/** `/Query` in Chromium: its scripts, the search over all columns, and the grid of a million rows. */
export async function queryPage({ isQuick }: BenchContext, site: Site): Promise<Figure[]> {
  await using browser = await openBrowser()
  const figures = await scriptFigures(browser, site.origin)
  figures.push(searchFigure())
  const hash = await storeRows(site)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${site.origin}/Query?result=${hash}`)
  await wake(page)
  figures.push(...queryGridFigures(await measureQueryGrid(page, isQuick ? 200 : 600)))
  const slow = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await slow.goto(`${site.origin}/Query?sql=${encodeURIComponent(SLOW_SQL)}`)
  await wake(slow)
  figures.push(await firstRowsOnScreen(slow, site.home, isQuick ? 3 : 10))
  return figures
}

/** Moves the pointer until the editor has loaded. */
async function wake(page: Page): Promise<void> {
  const editor = page.locator('.cm-content')
  for (let at = 300; !(await editor.isVisible()); at = at === 300 ? 310 : 300) {
    await page.mouse.move(at, at)
    await editor.waitFor({ timeout: 200 }).catch(() => {})
  }
}

/** Script size after gzip, by user action: none, a pointer move, the format button. */
async function scriptFigures(browser: Browser, origin: string): Promise<Figure[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const scripts: Promise<{ readonly bytes: number; readonly isEditor: boolean }>[] = []
  page.on('response', response => {
    if (!/\.js(\?|$)/.test(response.url())) return
    scripts.push(
      response.body().then(body => ({
        bytes: gzipSync(body, { level: 6 }).length,
        // Only CodeMirror has these class names.
        isEditor: /cm-(?:scroller|tooltip)/.test(body.toString()),
      })),
    )
  })
  const loaded = async () => {
    await page.waitForLoadState('networkidle')
    return Promise.all(scripts)
  }
  const sum = (files: Awaited<ReturnType<typeof loaded>>) =>
    files.reduce((total, { bytes }) => total + bytes, 0) / 1000
  await page.goto(`${origin}/Query`, { waitUntil: 'networkidle' })
  const first = await loaded()
  await wake(page)
  const awake = await loaded()
  const answered = page.waitForResponse(response => response.url().endsWith('/equivalence'))
  await page.getByRole('button', { name: 'Format', exact: true }).click()
  await answered
  const formatting = await loaded()
  await page.close()
  const editor = awake.filter(({ isEditor }) => isEditor)
  return [
    { figure: '/Query: script before any input', ...within(sum(first), FIRST_KB, 'kB') },
    { figure: '/Query: editor with all parts, on demand', ...within(sum(editor), EDITOR_KB, 'kB') },
    {
      figure: '/Query: the tool around it, on demand',
      ours: `${(sum(awake) - sum(first) - sum(editor)).toFixed(1)} kB`,
    },
    {
      figure: '/Query: formatter, on demand',
      ...within(sum(formatting) - sum(awake), FORMATTER_KB, 'kB'),
    },
  ]
}

/** Searches typed letter by letter over as many columns as a large warehouse has. */
function searchFigure(): Figure {
  const catalog: Catalog = {
    tables: Array.from({ length: COLUMNS / 20 }, (_, table) => ({
      name: `table_${table}_of_blocks`,
      about: 'Blocks of a chain, one row each, with what was paid in them.',
      columns: Array.from({ length: 20 }, (_, column) => ({
        name: `column_${column}_fee_${table}`,
        type: 'UInt64',
        about: `Fees of the block in satoshis, part ${column}, by the time at which the block was mined.`,
      })),
    })),
    metrics: [],
    examples: [],
    saved: [],
  }
  const entries = entriesOf(catalog)
  const times: number[] = []
  for (const text of ['fee block', 'column_7', 'table_499', 'satoshis time mined', 'nothing has this'])
    for (let letters = 1; letters <= text.length; letters++) {
      const start = performance.now()
      findEntries(entries, text.slice(0, letters), 100)
      times.push(performance.now() - start)
    }
  return {
    figure: `search over ${COLUMNS.toLocaleString('en-US')} columns, p95 of a letter`,
    ...within(quantile(times, 0.95), SEARCH_MS, 'ms'),
  }
}

/** A result that needs Premium, stored where the site reads it. */
async function storeRows({ home, warehouse }: Site): Promise<string> {
  await using store = await openStore({ home, log: silentLog })
  await using tool = await openQueryTool({
    reader: { home, memoryBytes: 512 * MEBIBYTE },
    resultBytes: 2048 * MEBIBYTE,
    executor: createExecutor({ warehouse, knownSql: () => [], log: silentLog }),
    warehouse,
    schema: { tables: [], baseViews: [], fills: [], views: [] },
    data: { version: () => 'bench', asOf: async () => [] },
    store,
    problemOf: String,
    log: silentLog,
  })
  const caller = { owner: 'bench', caller: 'bench', role: 'member', hasHistory: false } as const
  const { id } = await tool.runs.start({ sql: sqlOf(GRID_ROWS), parameters: {}, isFresh: true }, caller)
  const run = await tool.runs.settle(id, 'bench', 60_000, new AbortController().signal)
  if (run?.result == null) throw new Error(`the run failed: ${run?.error}`)
  return run.result.hash
}
