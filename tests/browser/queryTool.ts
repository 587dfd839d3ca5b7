import process from 'node:process'
import type { Locator, Page } from 'playwright-core'
import { until } from '#kernel/until.testing.ts'
import { settle } from './pageFaults.ts'

/** Opens the query tool of a site and waits until its editor has loaded. */
export async function openQueryTool(page: Page, url: string, search = ''): Promise<void> {
  await page.goto(`${url}/Query${search}`)
  await settle(page)
  await wake(page)
  await settle(page)
}

/** Moves the mouse until the editor has loaded: a move before the scripts listen starts nothing. */
export async function wake(page: Page): Promise<void> {
  let at = 300
  const move = async () => {
    at = at === 300 ? 310 : 300
    await page.mouse.move(at, at)
    return page.locator('.cm-content').isVisible()
  }
  await until('the editor has come', move, { betweenMs: 100 })
}

/** The form around the editor, with its toolbar and the state of the run. */
export const headOf = (page: Page): Locator => page.locator('form[aria-label="Query"]')

/** Replaces the text of the editor. */
export async function write(page: Page, sql: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(sql)
}

/** Saves screenshots in both themes at three widths to the folder in LOOK_AT. */
export async function look(page: Page, name: string, { isWhole = false } = {}): Promise<void> {
  const folder = process.env.LOOK_AT
  if (folder === undefined) return
  for (const theme of ['light', 'dark'])
    for (const width of [390, 820, 1440]) {
      await page.evaluate(chosen => {
        document.documentElement.dataset.theme = chosen
      }, theme)
      await page.setViewportSize({ width, height: 1000 })
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: isWhole })
    }
}
