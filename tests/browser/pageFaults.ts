import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Of a phone, a tablet and a desk. */
export const WIDTHS = [390, 820, 1440] as const

/** Waits until nothing is under way in the network, letters have their shapes, and the page is that of its address, which changes before the page does. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.fonts.ready.then(() => 0)')
  await page.waitForFunction(() => {
    const of = document.querySelector<HTMLElement>('main[data-of]')?.dataset.of
    // The router knows the address as the page was told it; where no script runs, and in frames, there is none.
    const at = (window as { __reactRouterDataRouter?: Router }).__reactRouterDataRouter?.state.location
    if (of === undefined || at === undefined) return true
    const query = new URLSearchParams(at.search)
    query.sort()
    return of === `${at.pathname}?${query}`
  })
}
type Router = {
  readonly state: { readonly location: { readonly pathname: string; readonly search: string } }
}

/** What axe finds wrong with a page as it stands, one line a rule and place. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
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
