import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { quantile } from './measure.ts'
import { type Figure, within } from './suite.ts'

/** Down by several screens a second, as a hand at the wheel does, px a frame. */
const WHEEL_STEP = 240
const FRAME_LIMIT_MS = 50
const TAB_LIMIT_MB = 150
const MB = 1e6

export type GridMeasure = {
  /** Time between frames of the same page at rest, ms: what the machine itself takes. */
  readonly restMs: readonly number[]
  /** Time between frames while the wheel turns, and while the thumb of the scroll bar is dragged from end to end, ms. */
  readonly wheelMs: readonly number[]
  readonly dragMs: readonly number[]
  /** CPU time of the longest task of the page meanwhile, ms: what a frame costs where nothing else wants the processor. */
  readonly longestTaskMs: number
  /** Private memory of the process of the page; undefined where the system does not tell. */
  readonly tabBytes: number | undefined
  /** Memory of the page's scripts after a collection. */
  readonly heapBytes: number
}

/** Scrolls the grid of a result that `page` shows, by wheel and by the thumb of the scroll bar, and measures frames and memory. */
export async function measureQueryGrid(page: Page, frames = 600): Promise<GridMeasure> {
  const grid = page.getByRole('grid')
  await grid.waitFor()
  const run = (kind: 'rest' | 'wheel' | 'drag') =>
    grid.evaluate(
      async (element, { step, count, way }) => {
        const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))
        const gaps: number[] = []
        const end = element.scrollHeight - element.clientHeight
        element.scrollTop = 0
        await frame()
        let last = await frame()
        for (let turn = 1; turn <= count; turn++) {
          if (way === 'drag') element.scrollTop = (end * turn) / count
          else if (way === 'wheel') element.scrollBy(0, step)
          const now = await frame()
          gaps.push(now - last)
          last = now
        }
        return gaps
      },
      { step: WHEEL_STEP, count: frames, way: kind },
    )
  const restMs = await run('rest')
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel'] })
  const wheelMs = await run('wheel')
  const dragMs = await run('drag')
  const longestTaskMs = longestTask(await browser?.stopTracing())
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('HeapProfiler.collectGarbage')
  await protocol.send('Performance.enable')
  const { metrics } = await protocol.send('Performance.getMetrics')
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
  return { restMs, wheelMs, dragMs, longestTaskMs, heapBytes, tabBytes: await largestTab(page) }
}

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  /** CPU time, µs. */
  tdur?: number
  args?: { name?: string }
}

/** CPU time of the longest task on the main thread of any page, ms. */
function longestTask(trace: Buffer | undefined): number {
  if (trace === undefined) return 0
  // Chromium's own trace format; fields that are missing are checked below.
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  return traceEvents
    .filter(event => event.ph === 'X' && event.name.endsWith('RunTask') && main.has(threadOf(event)))
    .reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0)
}

/** Private memory of the largest renderer of the browser: the tab under test is the only one with content. */
async function largestTab(page: Page): Promise<number | undefined> {
  const protocol = await page.context().browser()?.newBrowserCDPSession()
  if (protocol === undefined) return undefined
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo')
  const sizes = await Promise.all(
    processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateBytes(id)),
  )
  const known = sizes.filter(size => size !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

async function privateBytes(processId: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${processId}/smaps_rollup`, 'utf8').catch(() => '')
  const sizes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)]
  return sizes.length === 0 ? undefined : sizes.reduce((sum, [, size]) => sum + Number(size) * 1024, 0)
}

/** The measurements as lines of the table that `npm run bench` prints. */
export function queryGridFigures({
  restMs,
  wheelMs,
  dragMs,
  longestTaskMs,
  tabBytes,
  heapBytes,
}: GridMeasure): Figure[] {
  return [
    {
      figure: 'grid: slowest frame by wheel',
      ...within(Math.max(...wheelMs), FRAME_LIMIT_MS, 'ms'),
      against: `the same page at rest ${Math.max(...restMs).toFixed(1)} ms`,
    },
    { figure: 'grid: slowest frame by scroll bar', ...within(Math.max(...dragMs), FRAME_LIMIT_MS, 'ms') },
    { figure: 'grid: longest task, CPU', ...within(longestTaskMs, FRAME_LIMIT_MS, 'ms') },
    { figure: 'grid: median frame by wheel', ours: `${quantile(wheelMs, 0.5).toFixed(1)} ms` },
    tabBytes === undefined
      ? { figure: 'grid: heap of the page', ...within(heapBytes / MB, TAB_LIMIT_MB, 'MB') }
      : {
          figure: 'grid: private memory of the tab',
          ...within(tabBytes / MB, TAB_LIMIT_MB, 'MB'),
          against: `heap ${(heapBytes / MB).toFixed(1)} MB`,
        },
  ]
}
