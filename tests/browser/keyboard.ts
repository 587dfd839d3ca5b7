import type { Locator, Page } from 'playwright-core'

/** More Tab stops than any page has. */
const MOST_PRESSES = 90

/** Moves focus with Tab or Shift+Tab only. Throws with the stops along the way if it cannot reach the element. */
export async function reach(page: Page, place: Locator): Promise<void> {
  const wanted = place.first()
  await wanted.waitFor()
  const passed: string[] = []
  for (let presses = 0; presses <= MOST_PRESSES; presses += 1) {
    const way = await wanted.evaluate(element => {
      const { activeElement: active } = document
      if (active === element) return 'here'
      const position = active?.compareDocumentPosition(element) ?? 0
      return (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0 ? 'Shift+Tab' : 'Tab'
    })
    if (way === 'here') return
    await page.keyboard.press(way)
    passed.push(
      await page.evaluate(() => {
        const { activeElement: at } = document
        return `${at?.nodeName} ${at?.getAttribute('aria-label') ?? at?.textContent?.trim().slice(0, 30)}`
      }),
    )
  }
  throw new Error(`Tab does not reach ${wanted}:\n${passed.join('\n')}`)
}

/** Moves focus to a button or link and presses Enter. */
export async function enter(page: Page, place: Locator): Promise<void> {
  await reach(page, place)
  await page.keyboard.press('Enter')
}
