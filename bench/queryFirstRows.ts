import type { Readable } from 'node:stream'
import type { DataFormat } from '@clickhouse/client'
import type { Page } from 'playwright-core'
import type { Warehouse } from '#warehouse/index.ts'
import { interleave, median, quantile } from './measure.ts'
import { type Figure, rounded, within } from './suite.ts'

const LIMIT_MS = 100
/** Runs for seconds and returns some megabytes of rows per second. */
export const SLOW_SQL =
  "SELECT number AS n, repeat('x', 2000) AS text FROM numbers(20000000000) WHERE sipHash64(number) % 20000 = 1"

/** Delay from the engine's first block to the run event with the first rows, compared with the engine alone. */
export async function firstRowsFigure(origin: string, warehouse: Warehouse, rounds: number): Promise<Figure> {
  const times = await interleave(
    { ours: () => firstEventMs(origin), engine: () => firstBlockMs(warehouse) },
    rounds,
  )
  const engine = times.engine ?? []
  const later = (times.ours ?? []).map((ms, i) => ms - (engine[i] ?? 0))
  return {
    figure: 'first rows after the first block of the engine, p95',
    ...within(quantile(later, 0.95), LIMIT_MS, 'ms'),
    against: `first block of the engine alone ${rounded(median(engine))} ms`,
  }
}

/** The same until the rows are drawn: from Ctrl+Enter to the frame after they are in the page. `page` has the editor. */
export async function firstRowsOnScreen(page: Page, warehouse: Warehouse, rounds: number): Promise<Figure> {
  const screenMs = async () => {
    const shown = page.evaluate(
      () =>
        new Promise<number>(resolve => {
          let start = 0
          document.addEventListener('keydown', () => (start = performance.now()), {
            once: true,
            capture: true,
          })
          // Looked at when something changes: frames drawn for the measure would take processor time from the engine.
          const changes = new MutationObserver(() => {
            const rows = document.querySelector('section[aria-label="First rows"]')?.textContent
            if (start === 0 || !rows?.includes('still running')) return
            changes.disconnect()
            requestAnimationFrame(() => resolve(performance.now() - start))
          })
          changes.observe(document.body, { childList: true, subtree: true, characterData: true })
        }),
    )
    await page.locator('.cm-content').press('Control+Enter')
    const ms = await shown
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await page.getByText('The query was canceled').waitFor()
    return ms
  }
  const times = await interleave({ ours: screenMs, engine: () => firstBlockMs(warehouse) }, rounds)
  const engine = times.engine ?? []
  const later = (times.ours ?? []).map((ms, i) => ms - (engine[i] ?? 0))
  return {
    figure: 'first rows on screen after the first block of the engine, p95',
    ...within(quantile(later, 0.95), LIMIT_MS, 'ms'),
    against: `first block of the engine alone ${rounded(median(engine))} ms`,
  }
}

async function firstBlockMs(warehouse: Warehouse): Promise<number> {
  const stop = new AbortController()
  const start = performance.now()
  const { stream } = await warehouse.member.exec({
    query: SLOW_SQL,
    clickhouse_settings: { default_format: 'Native' as DataFormat, wait_end_of_query: 0 },
    abort_signal: stop.signal,
  })
  for await (const _ of stream as Readable) break
  const ms = performance.now() - start
  stop.abort()
  return ms
}

async function firstEventMs(origin: string): Promise<number> {
  const runs = `${origin}/api/v1/queries/runs`
  const start = performance.now()
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
  const ms = performance.now() - start
  if (!text.includes('"firstRows":{')) throw new Error(`no event has first rows: ${text.slice(-300)}`)
  await fetch(`${runs}/${id}`, { method: 'DELETE' })
  return ms
}
