import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { inPhase } from '#kernel/phases.testing.ts'
import { idle, newPage, quietNetwork } from './chromium.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Of a phone, a tablet, a desk and a wide one. */
export const WIDTHS = [390, 820, 1440, 1600] as const
const DESK = 1440
const PHONE = 390
/** So many pages are looked at side by side: while one waits, another is drawn. */
const AT_ONCE = 2
/** Bytes of script, packed, that a page may bring before any input. */
const SCRIPT_LIMIT = 150_000
export const SHIFT_LIMIT = 0.01

/** Adds up what moves while a page loads, from before its first paint, and tells what it was. */
export const WATCH_SHIFTS = `globalThis.shifted = 0
globalThis.movers = []
new PerformanceObserver(list => {
  for (const entry of list.getEntries().filter(each => !each.hadRecentInput)) {
    globalThis.shifted += entry.value
    for (const { node } of entry.sources) globalThis.movers.push(node?.nodeName + ' ' + node?.textContent.slice(0, 30))
  }
}).observe({ type: 'layout-shift', buffered: true })`

/**
 * What is wrong with pages as a reader may come to each, a line a fault: what moves while it loads, scripts that weigh too
 * much, what the browser complains of, what axe finds on a desk in light and on a phone in dark, and what is wider than its
 * window. `more` looks for further faults while the page stands on a desk.
 */
export async function faultsOfPages(
  browser: Browser,
  urls: readonly string[],
  more: (page: Page, url: string) => Promise<readonly string[]> = async () => [],
): Promise<string[]> {
  const found = new Map<string, readonly string[]>()
  const waiting = urls.values()
  const walk = async () => {
    // Colours that are on their way to others would be judged half-way.
    await using opened = await newPage(browser, { reducedMotion: 'reduce' })
    await opened.page.addInitScript(WATCH_SHIFTS)
    for (const url of waiting) found.set(url, await faultsOfPage(opened, url, more))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
  return urls.flatMap(url => {
    const { pathname, search } = new URL(url)
    return (found.get(url) ?? []).map(fault => `${pathname}${search} ${fault}`)
  })
}

async function faultsOfPage(
  { page, complaints }: Pick<Awaited<ReturnType<typeof newPage>>, 'page' | 'complaints'>,
  url: string,
  more: (page: Page, url: string) => Promise<readonly string[]>,
): Promise<string[]> {
  await page.setViewportSize({ width: DESK, height: 900 })
  let answer = await page.goto(url)
  await settle(page)
  const found: string[] = []
  const shiftNow = async () => Number(await page.evaluate('globalThis.shifted'))
  // Figures that change on the server while a page loads are drawn anew in it: what moves by itself moves again.
  if ((await shiftNow()) >= SHIFT_LIMIT) {
    answer = await page.goto(url)
    await settle(page)
  }
  const shift = await shiftNow()
  if (shift >= SHIFT_LIMIT) found.push(`moved by ${shift}: ${await page.evaluate('movers')}`)
  // What a reader has chosen on a page may bring more.
  const isChosen = !/^(\?tab=[\w-]+)?$/.test(new URL(url).search)
  const held = await heldWeight(page)
  const fetched = held ?? (await fetchedWeight(page))
  const weight = fetched + (await inlineWeight(page))
  if ((held !== undefined) !== (fetched === 0)) found.push(`has fetched scripts of ${fetched} bytes`)
  if (weight > SCRIPT_LIMIT && !isChosen) found.push(`has scripts of ${weight} bytes`)
  await beginScripts(page)
  const later = (await shiftNow()) - shift
  if (later >= SHIFT_LIMIT)
    found.push(`moved by ${later} with the first step: ${await page.evaluate('movers')}`)
  found.push(...(await more(page, url)))
  found.push(...(await structureFaults(page)))
  found.push(...(await faultsOf(page)).map(fault => `light ${fault}`))
  found.push(...(await overflowsOf(page, [...WIDTHS].reverse())))
  // Both themes are one page: only its colours change.
  await page.setViewportSize({ width: PHONE, height: 900 })
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  found.push(...(await faultsOf(page, OF_LOOK)).map(fault => `dark ${fault}`))
  // A page that says that there is none is answered so, of which the browser complains.
  const isMissing = (text: string) => answer?.status() === 404 && /404/.test(text)
  found.push(...complaints.splice(0).filter(text => !isMissing(text)))
  return found
}

/** Links that give their target a handle on this window, and titles that are not one. */
async function structureFaults(page: Page): Promise<string[]> {
  const { titles, open } = await page.evaluate(() => ({
    titles: document.querySelectorAll('h1').length,
    open: [...document.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')]
      .filter(({ origin, relList }) => origin !== location.origin && !relList.contains('noopener'))
      .map(({ href }) => href),
  }))
  return [
    ...(titles === 1 ? [] : [`has ${titles} h1`]),
    ...open.map(href => `links to ${href} without rel=noopener`),
  ]
}

const weights = new Map<string, Promise<number>>()

/** Bytes of the scripts that a page has fetched, packed; each file is weighed once. */
async function fetchedWeight(page: Page): Promise<number> {
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

/** Bytes of the scripts that stand in a page, packed; data is none. */
async function inlineWeight(page: Page): Promise<number> {
  const texts = (await page.evaluate(
    `[...document.querySelectorAll('script:not([src])')].filter(({ type }) => /^(|module|later)$/.test(type)).map(({ text }) => text)`,
  )) as string[]
  return gzipSync(texts.join('\n')).length
}

/** Bytes of script, packed, that a page of text has fetched whose scripts wait for a reader’s first step; undefined for a page whose scripts have begun. */
export const heldWeight = async (page: Page): Promise<number | undefined> =>
  (await page.locator('script[data-waits]').count()) > 0 ? fetchedWeight(page) : undefined

/** Waits until the scripts of a page have taken it over: there is a router, and what was pressed early was told. A frame keeps nothing back. */
export const isAlive = (page: Page) =>
  page.waitForFunction(
    () =>
      Reflect.get(window, '__reactRouterDataRouter') !== undefined &&
      (document.getElementById('find') === null || !('pressedEarly' in window)),
  )

/** Takes the first step on a page whose scripts wait for it, and waits until it is alive. */
export async function beginScripts(page: Page): Promise<void> {
  await page.mouse.move(1, 1)
  await page.mouse.move(2, 2)
  await isAlive(page)
  await settle(page)
}

/**
 * Waits until nothing is under way in the network, letters have their shapes, the scripts have taken the page over (unless they wait for a
 * reader’s first step, or none run), the router loads nothing, and the page is that of its address, which changes before it does.
 */
export const settle = (page: Page): Promise<void> => inPhase('waiting for quiet', () => settled(page))

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction(
    () =>
      !document.documentElement.classList.contains('js') ||
      document.querySelector('script[data-waits]') !== null ||
      (document.querySelector('script[type="later"]') === null &&
        Reflect.get(window, '__reactRouterDataRouter') !== undefined &&
        (document.getElementById('find') === null || !('pressedEarly' in window))),
  )
  // What the scripts ask for by themselves, they ask for now.
  await idle(page)
  await quietNetwork(page)
  await page.evaluate('document.fonts.ready.then(() => 0)')
  await page.waitForFunction(() => {
    const of = document.querySelector<HTMLElement>('main[data-of]')?.dataset.of
    // The router knows the address as the page was told it; where no script runs, and in frames, there is none.
    const state = (window as { __reactRouterDataRouter?: Router }).__reactRouterDataRouter?.state
    if (state !== undefined && (state.navigation.state !== 'idle' || state.revalidation !== 'idle'))
      return false
    const at = state?.location
    if (of === undefined || at === undefined) return true
    const query = new URLSearchParams(at.search)
    query.sort()
    return of === `${at.pathname}?${query}`
  })
}
type Router = {
  readonly state: {
    readonly location: { readonly pathname: string; readonly search: string }
    readonly navigation: { readonly state: string }
    readonly revalidation: string
  }
}

/** Rules whose outcome hangs on colours and sizes; what the others judge is the same in each theme and at each width. */
const OF_LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** Rules whose outcome hangs on style sheets and media alone: for them axe fetches and reads all of these in each run. */
const OF_FILES = ['css-orientation-lock', 'no-autoplay-audio']
/** Style sheets and media that those rules have judged on a page before. */
const judged = new Set<string>()

const filesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('link[rel=stylesheet], style, audio, video')].map(
      ({ outerHTML }) => outerHTML,
    ),
  )

/** Waits until nothing fades or moves any more: colors on their way to others would be judged halfway. */
const endAnimations = (page: Page) =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

/** What axe finds wrong with a page once it stands still, one line a rule and place; by all rules unless some are named. */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await endAnimations(page)
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource)
  const files = rules === undefined ? await filesOf(page) : []
  const isNew = files.some(file => !judged.has(file))
  const others = { preload: false, rules: Object.fromEntries(OF_FILES.map(id => [id, { enabled: false }])) }
  const chosen = rules ? { runOnly: rules } : isNew ? {} : others
  const options = { resultTypes: ['violations'], ...chosen }
  for (const file of files) judged.add(file)
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** By how many pixels a page is too wide for each of the widths, one line for each that is. */
export async function overflowsOf(page: Page, widths: readonly number[]): Promise<string[]> {
  const wide: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const over = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
    if (over > 0) wide.push(`at ${width} px ${over} px too wide`)
  }
  return wide
}
