import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { quantile } from './measure.ts'
import { type Figure, within } from './suite.ts'

const LIMIT_MS = 100
/** Runs for seconds and returns some megabytes of rows per second. */
export const SLOW_SQL =
  "SELECT number AS n, repeat('x', 2000) AS text FROM numbers(20000000000) WHERE sipHash64(number) % 20000 = 1"

/** From the first bytes of the result on the disk to the run event with the first rows. `home` is the data folder of the site. */
export async function firstRowsFigure(origin: string, home: string, rounds: number): Promise<Figure> {
  const eventMs = async () => {
    const stored = firstBytesAt(join(home, 'results'))
    return (await firstEventAt(origin)) - (await stored)
  }
  // The first run starts the engine that reads results.
  await eventMs()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await eventMs())
  return {
    figure: 'first rows after the first bytes of the result, p95',
    ...within(quantile(times, 0.95), LIMIT_MS, 'ms'),
  }
}

/**
 * The same until the frame after the rows are in the page, in one run: a browser that draws makes the engine slower too. `page` has the
 * editor.
 */
export async function firstRowsOnScreen(page: Page, home: string, rounds: number): Promise<Figure> {
  const screenMs = async () => {
    const shown = page.evaluate(
      () =>
        new Promise<number>(resolve => {
          // Looked at when something changes: frames drawn for the measure would take processor time from the engine.
          const changes = new MutationObserver(() => {
            const rows = document.querySelector('section[aria-label="First rows"]')?.textContent
            if (!rows?.includes('still running')) return
            changes.disconnect()
            requestAnimationFrame(() => resolve(Date.now()))
          })
          changes.observe(document.body, { childList: true, subtree: true, characterData: true })
        }),
    )
    const stored = firstBytesAt(join(home, 'results'))
    await page.locator('.cm-content').press('Control+Enter')
    const ms = (await shown) - (await stored)
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await page.getByText('The query was canceled').waitFor()
    return ms
  }
  // The first run loads scripts.
  await screenMs()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await screenMs())
  return {
    figure: 'first rows on screen after the first bytes of the result, p95',
    ...within(quantile(times, 0.95), LIMIT_MS, 'ms'),
  }
}

/** When the first draft of a result in the folder has bytes, as `Date.now()`. Drafts of before do not count. */
async function firstBytesAt(folder: string): Promise<number> {
  const drafts = async () => (await readdir(folder)).filter(name => name.endsWith('.draft'))
  const before = new Set(await drafts())
  for (;;) {
    for (const name of await drafts()) {
      const size = before.has(name) ? 0 : ((await stat(join(folder, name)).catch(() => undefined))?.size ?? 0)
      if (size > 0) return Date.now()
    }
    await wait(2)
  }
}

/** When the event has come, as `Date.now()`. */
async function firstEventAt(origin: string): Promise<number> {
  const runs = `${origin}/api/v1/queries/runs`
  const started = await fetch(runs, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql: SLOW_SQL, isFresh: true }),
  })
  const { id } = (await started.json()) as { id: string }
  const events = await fetch(`${runs}/${id}/events`)
  let text = ''
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('"firstRows":{')) break
  }
  const at = Date.now()
  if (!text.includes('"firstRows":{')) throw new Error(`no event has first rows: ${text.slice(-300)}`)
  await fetch(`${runs}/${id}`, { method: 'DELETE' })
  return at
}
