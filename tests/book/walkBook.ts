import type { Browser, Page } from 'playwright-core'
import { faultsOf } from '../browser/pageFaults.ts'
import { blockFaults } from './blockFaults.ts'
import { leafThrough, leavesOf, pictureName } from './leaf.ts'

/** Rules about a page as a whole: on a leaf of the book the same block stands several times. */
const OF_PAGES = [
  'heading-order',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'region',
]

const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Leaves that are open at a time. */
const AT_ONCE = 2

export type Walk = {
  /** PNG files as the browser wrote them, by name. */
  files: Map<string, Buffer>
  /** What is wrong with blocks whatever their pictures are. */
  faults: string[]
}

/** Tries until a page stands still; on a machine that has much else to do parts of it may come late. */
const MOST_TAKES = 8

/** The picture of a page once it stands still: one that is known to be right, or that two takings in a row agree on. */
async function stillPicture(page: Page, isRight: (file: Buffer) => boolean): Promise<Buffer> {
  let last = await page.screenshot({ animations: 'disabled' })
  for (let take = 1; take < MOST_TAKES && !isRight(last); take += 1) {
    const next = await page.screenshot({ animations: 'disabled' })
    if (next.equals(last)) break
    last = next
  }
  return last
}

/** Goes through all leaves of the book at both widths in both themes; `isRight` tells a picture that is the same as the kept one. */
export async function walkBook(
  browser: Browser,
  url: string,
  isRight: (name: string, file: Buffer) => boolean = () => false,
): Promise<Walk> {
  const walk: Walk = { files: new Map(), faults: [] }
  const waiting = await leavesOf(browser, url)
  const turn = async (): Promise<void> => {
    for (let leaf = waiting.shift(); leaf !== undefined; leaf = waiting.shift()) {
      const complaints = await leafThrough(browser, url, leaf, async (page, view) => {
        const name = pictureName(view)
        walk.files.set(name, await stillPicture(page, file => isRight(name, file)))
        const faults: string[] = []
        // Both themes lie on the page in the same way; of the other one and at the other width only colours are in question.
        if (view.theme === 'light') faults.push(...(await page.evaluate(blockFaults)))
        else if (view.width === 1200) faults.push(...(await faultsOf(page, OF_COLOURS)))
        if (view.theme === 'light' && view.width === 390)
          faults.push(
            ...(await faultsOf(page)).filter(fault => !OF_PAGES.some(rule => fault.startsWith(`${rule}:`))),
          )
        walk.faults.push(...faults.map(fault => `${name}, ${fault}`))
      })
      walk.faults.push(...complaints.map(complaint => `${leaf.name}: ${complaint}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
  walk.files = new Map([...walk.files].sort(([a], [b]) => (a < b ? -1 : 1)))
  walk.faults.sort()
  return walk
}
