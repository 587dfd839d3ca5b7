import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { interleave, median, quantile } from './measure.ts'
import { CHROMIUM, firstPaintMs, openBrowser } from './site/browser.ts'
import { openSite } from './site/openSite.ts'
import { openPeer } from './site/peers.ts'
import { record, save, unpacked } from './site/record.ts'
import { atMost, type Figure, rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCRIPT_LIMIT_KB = 150

/** Clicks of one reader who compares. */
const CHOICES = 24
const INPUT_DELAY_MS = 50

/** What a reader's browser meets: first paint of `/bitcoin` against a static copy, script before any input, and on the home page how long a click waits. */
export const page: Suite = {
  name: 'page',
  about:
    'first paint of /bitcoin in Chromium against a static copy, script before any input, input delay while comparing layers',
  skipReason: () => (existsSync(CHROMIUM) ? undefined : `there is no Chromium at ${CHROMIUM}`),
  async run({ isQuick, folder, say }) {
    await using site = await openSite({ root: ROOT, command: 'app', home: join(folder, 'home') })
    await using browser = await openBrowser()
    const saved = join(folder, 'saved')
    const paths = await pathsOfPage(browser, site.origin)
    for (const path of new Set(['/bitcoin', ...paths])) await save(site.origin, path, saved)
    using peer = openPeer()
    const still = await peer.ask({ type: 'static', folder: saved })

    say('loading in turn')
    const load = (url: string) => () => firstPaintMs(browser, url)
    const contestants = {
      ours: load(`${site.origin}/bitcoin`),
      still: load(`${still.origin}/bitcoin`),
    }
    await interleave(contestants, 2)
    const rounds = await interleave(contestants, isQuick ? 8 : 24)
    const ours = median(rounds.ours!)
    const theirs = median(rounds.still!)
    return [
      {
        figure: `first paint, median of ${rounds.ours!.length} loads`,
        ours: `${rounded(ours)} ms`,
        against: `static copy ${rounded(theirs)} ms`,
        ...atMost(ours / theirs, 1.3),
      },
      await scriptFigure(site.origin, paths),
      await comparing(browser, site.origin),
    ]
  },
}

/** Paths of all that the page fetches from its own origin before anybody touches it. */
async function pathsOfPage(browser: Browser, origin: string): Promise<string[]> {
  const context = await browser.newContext()
  const opened = await context.newPage()
  const paths: string[] = []
  opened.on('response', response => {
    const url = new URL(response.url())
    if (url.origin === origin && response.request().method() === 'GET' && response.ok()) {
      paths.push(url.pathname + url.search)
    }
  })
  await opened.goto(`${origin}/bitcoin`, { waitUntil: 'networkidle' })
  await context.close()
  return paths.filter(path => !path.includes('?'))
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
