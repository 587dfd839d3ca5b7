import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { interleave, median, quantile } from './measure.ts'
import { CHROMIUM, firstPaintMs, openBrowser, openElsewhere } from './site/browser.ts'
import { openSite, REST_MS } from './site/openSite.ts'
import { openPeer } from './site/peers.ts'
import { publicPages } from './site/publicPages.ts'
import { record, save, unpacked } from './site/record.ts'
import { atMost, type Figure, rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCRIPT_LIMIT_KB = 150
/** Of each page and of its copy, in turn. */
const LOADS = 10

/** Clicks of one reader who compares. */
const CHOICES = 24
const INPUT_DELAY_MS = 50

/** What a reader's browser meets: first paint of each page against a static copy, script before any input, and on the home page how long a click waits. */
export const page: Suite = {
  name: 'page',
  about:
    'first paint of every page in Chromium against a static copy, script before any input, input delay while comparing layers',
  skipReason: () => (existsSync(CHROMIUM) ? undefined : `there is no Chromium at ${CHROMIUM}`),
  async run({ isQuick, folder, say }) {
    await using site = await openSite({ root: ROOT, command: 'app', home: join(folder, 'home') })
    await using browser = await openBrowser()
    const saved = join(folder, 'saved')
    const pages = await publicPages(isQuick)
    const parts = new Map<string, readonly string[]>()
    for (const path of pages) {
      parts.set(path, await partsOf(browser, site.origin, path))
      await save(site.origin, path, saved)
    }
    for (const path of new Set([...parts.values()].flat())) await save(site.origin, path, saved)
    using peer = openPeer()
    const still = await peer.ask({ type: 'static', folder: saved, pages })
    say('waiting until all is at rest')
    await wait(REST_MS)
    await using elsewhere = await openElsewhere()
    const figures: Figure[] = []
    for (const path of pages)
      figures.push(
        await paintFigure(path, site.origin, still.origin, (url: string) =>
          firstPaintMs(browser, url, elsewhere.url),
        ),
      )
    return [
      ...figures,
      await scriptFigure(site.origin, parts.get('/bitcoin') ?? []),
      await comparing(browser, site.origin),
    ]
  },
}

async function paintFigure(
  path: string,
  origin: string,
  stillOrigin: string,
  paintMs: (url: string) => Promise<number>,
): Promise<Figure> {
  const contestants = { ours: () => paintMs(origin + path), still: () => paintMs(stillOrigin + path) }
  await interleave(contestants, 1)
  const rounds = await interleave(contestants, LOADS)
  const [ours, theirs] = [median(rounds.ours!), median(rounds.still!)]
  return {
    figure: `first paint of ${path}, median of ${LOADS} loads`,
    ours: `${rounded(ours)} ms`,
    against: `static copy ${rounded(theirs)} ms`,
    ...atMost(ours / theirs, 1.3),
  }
}

/** Paths of all that a page fetches from its own origin before anybody touches it, itself left out. */
async function partsOf(browser: Browser, origin: string, path: string): Promise<string[]> {
  const context = await browser.newContext()
  const opened = await context.newPage()
  const paths: string[] = []
  opened.on('response', response => {
    const url = new URL(response.url())
    if (url.origin === origin && response.request().method() === 'GET' && response.ok())
      paths.push(url.pathname + url.search)
  })
  await opened.goto(origin + path, { waitUntil: 'networkidle' })
  await context.close()
  return paths.filter(each => each !== path && !each.includes('?'))
}

async function scriptFigure(origin: string, paths: readonly string[]): Promise<Figure> {
  let gzipBytes = 0
  let sentBytes = 0
  let count = 0
  for (const path of new Set(paths)) {
    const answer = await record(origin + path)
    if (!/javascript/.test(answer.headers['content-type'] ?? '')) continue
    count += 1
    gzipBytes += gzipSync(unpacked(answer), { level: 6 }).length
    sentBytes += answer.bytes.length
  }
  return {
    figure: `script before any input, gzip, ${count} files`,
    ...within(gzipBytes / 1000, SCRIPT_LIMIT_KB, 'kB'),
    against: `as sent ${rounded(sentBytes / 1000)} kB`,
  }
}

/** A reader picks metrics, ways to tell them and columns, one as soon as the last is drawn: how long a click waits before the page takes it up. */
async function comparing(browser: Browser, origin: string): Promise<Figure> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${origin}/?range=max&metric=token.price`, { waitUntil: 'networkidle' })
  await page.evaluate(() => {
    const waits: number[] = []
    Object.assign(window, { waits })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.name === 'click') waits.push(entry.processingStart - entry.startTime)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  const chart = page.locator('section#main')
  const columns = page.locator('section#layers').getByRole('navigation', { name: 'Columns' })
  const choice = (of: string, name: string) =>
    chart.getByRole('navigation', { name: of }).getByRole('link', { name, exact: true })
  const choices = [
    choice('Values', 'Absolute'),
    choice('Metric', 'TVL'),
    choice('Form', 'Stacked'),
    columns.getByRole('link', { name: 'Risk' }),
    choice('Metric', 'Token price'),
    columns.getByRole('link', { name: 'Money' }),
  ]
  for (let step = 0; step < CHOICES; step++) {
    await choices[step % choices.length]!.click()
    await page.waitForLoadState('networkidle')
  }
  const waits = await page.evaluate(() => (window as unknown as { waits: number[] }).waits)
  await context.close()
  // Clicks that were over within a frame are not told: they did not wait.
  const all = [...waits, ...new Array<number>(Math.max(0, CHOICES - waits.length)).fill(0)]
  return {
    figure: `input delay while comparing layers, p95 of ${CHOICES} choices`,
    ...within(quantile(all, 0.95), INPUT_DELAY_MS, 'ms'),
    against: `worst ${rounded(Math.max(...all))} ms`,
  }
}
