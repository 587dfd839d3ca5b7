import type { Locator, Page } from 'playwright-core'

/** Stops between any two places of a page, with much room. */
const MOST_PRESSES = 90

/** Goes to a place as the keyboard does, by Tab or Shift and Tab alone. Throws with the stops on the way if it is not reached. */
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

/** Goes to a button or a link and presses Enter. */
export async function enter(page: Page, place: Locator): Promise<void> {
  await reach(page, place)
  await page.keyboard.press('Enter')
}
