import type { Browser, Page } from 'playwright-core'
import { newPage } from '../browser/chromium.ts'

/** A page of the book, by the name of its pictures. */
export type Leaf = { readonly name: string; readonly isWindow: boolean }

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Of a phone, then of a desk: menus that only a phone has are opened while the book is that narrow. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 1200, height: 800 },
] as const
export type Width = (typeof SIZES)[number]['width']

/** How a leaf lies open. */
export type View = { readonly leaf: Leaf; readonly width: Width; readonly theme: Theme }

/** `kpi-390-dark.png` */
export const pictureName = ({ leaf, width, theme }: View): string => `${leaf.name}-${width}-${theme}.png`

/** Nothing moves while a picture is taken, and no clock of the machine is in it. */
const STILL =
  '*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent }'
const NOW = '2026-01-31T13:00:00Z'

/** All pages of the book, as its contents list them. */
export async function leavesOf(browser: Browser, url: string): Promise<Leaf[]> {
  await using opened = await newPage(browser)
  const { page } = opened
  await page.goto(url)
  await page.waitForSelector('html[data-drawn]')
  return await page.locator('a[data-page]').evaluateAll(links =>
    links.map(link => ({
      name: link.getAttribute('data-page') ?? '',
      isWindow: link.hasAttribute('data-window'),
    })),
  )
}

/**
 * Opens a leaf at both widths in both themes, and shows it each time.
 * @returns what it complained of: errors of scripts, and what they wrote to the console
 */
export async function leafThrough(
  browser: Browser,
  url: string,
  leaf: Leaf,
  see: (page: Page, view: View) => Promise<void>,
): Promise<string[]> {
  await using opened = await newPage(browser, { viewport: SIZES[0] })
  const { page, complaints } = opened
  await page.clock.setFixedTime(NOW)
  await page.goto(`${url}/?page=${leaf.name}`)
  await page.waitForSelector('html[data-drawn]', { state: 'attached' })
  await page.addStyleTag({ content: STILL })
  for (const size of SIZES) {
    await page.setViewportSize(size)
    // As high as the leaf: what lies below the window would be drawn another time, or not at all.
    const height = leaf.isWindow
      ? size.height
      : await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: size.width, height })
    for (const theme of THEMES) {
      await page.evaluate(chosen => {
        document.documentElement.dataset.theme = chosen
      }, theme)
      await see(page, { leaf, width: size.width, theme })
    }
  }
  return complaints
}
