import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { DataFormat } from '@clickhouse/client'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import { interleave, median, quantile, timed } from './measure.ts'
import { sqlOf } from './queries.ts'
import { firstRowsFigure } from './queryFirstRows.ts'
import { queryPage } from './queryPage.ts'
import { CHROMIUM } from './site/browser.ts'
import { openSite } from './site/openSite.ts'
import { type BenchContext, type Figure, rounded, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MEMORY_BYTES = 1024 * 2 ** 20
/** Maximum extra time of the API over the engine alone. */
const ALLOWED = { factor: 1.1, ms: 10 } as const
const ESTIMATE_MS = 150
const FORMATS = { csv: 'CSVWithNames', jsonl: 'JSONEachRow' } as const
const ESTIMATED = [
  'SELECT count() FROM btc_block_stats',
  "SELECT day, close FROM prices WHERE asset = 'BTC' ORDER BY day",
  `SELECT toStartOfMonth(stats.block_time) AS month, avg(used.close) FROM btc_block_stats AS stats
JOIN btc_usd_daily AS used ON used.day = toDate(stats.block_time) GROUP BY month`,
] as const

/** The query tool end to end: runs and files through the API, estimates, the page in Chromium. */
export async function querySite(context: BenchContext): Promise<Figure[]> {
  const { folder, isQuick, say } = context
  const home = join(folder, 'site')
  await using site = await openSite({ root: ROOT, command: 'app', home })
  // Joins the engine of the site.
  await using warehouse = await openWarehouse({ home, memoryBytes: MEMORY_BYTES, log: silentLog })
  const figures: Figure[] = []
  const rounds = isQuick ? 5 : 20
  for (const rows of [1, 1_000]) figures.push(await runFigure(site.origin, warehouse, rows, rounds))
  for (const format of ['csv', 'jsonl'] as const)
    figures.push(await fileFigure(site.origin, warehouse, format, rounds))
  figures.push(await estimateFigure(site.origin, isQuick ? 10 : 50))
  figures.push(await firstRowsFigure(site.origin, home, isQuick ? 3 : 10))
  if (existsSync(CHROMIUM))
    figures.push(...(await queryPage(context, { origin: site.origin, home, warehouse })))
  else say(`/Query is not measured: there is no Chromium at ${CHROMIUM}`)
  return figures
}

async function post<T>(url: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  // The API's own schema.
  return (await answer.json()) as T
}

async function runOf(origin: string, sql: string): Promise<string> {
  const { result } = await post<{ result: { hash: string } | null }>(`${origin}/api/v1/queries/runs`, {
    sql,
    isFresh: true,
    waitSeconds: 30,
  })
  if (result === null) throw new Error('the run has no result')
  return result.hash
}

async function engineAlone(warehouse: Warehouse, query: string, format: string): Promise<void> {
  const { stream } = await warehouse.member.exec({
    query,
    clickhouse_settings: { default_format: format as DataFormat },
  })
  await buffer(stream as Readable)
}

async function against(
  figure: string,
  rounds: number,
  contestants: { readonly ours: () => Promise<unknown>; readonly engine: () => Promise<unknown> },
): Promise<Figure> {
  const timedOnes = {
    ours: () => timed(contestants.ours),
    engine: () => timed(contestants.engine),
  }
  await interleave(timedOnes, 2)
  const times = await interleave(timedOnes, rounds)
  const [ours, engine] = [median(times.ours ?? []), median(times.engine ?? [])]
  return {
    figure,
    ours: `${rounded(ours)} ms`,
    against: `engine alone ${rounded(engine)} ms`,
    ratio: ours / engine,
    target: `≤ ${ALLOWED.factor}× + ${ALLOWED.ms} ms`,
    isMet: ours <= engine * ALLOWED.factor + ALLOWED.ms,
  }
}

const runFigure = (origin: string, warehouse: Warehouse, rows: number, rounds: number): Promise<Figure> =>
  against(`run and store ${rows.toLocaleString('en-US')} rows through the API`, rounds, {
    ours: () => runOf(origin, sqlOf(rows)),
    engine: () => engineAlone(warehouse, sqlOf(rows), 'Native'),
  })

function fileFigure(
  origin: string,
  warehouse: Warehouse,
  format: keyof typeof FORMATS,
  rounds: number,
): Promise<Figure> {
  const sql = sqlOf(1_000)
  return against(`run, store and send 1,000 rows as ${format.toUpperCase()} through the API`, rounds, {
    async ours() {
      const answer = await fetch(`${origin}/api/v1/queries/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql, isFresh: true, format }),
      })
      if (!answer.ok) throw new Error(`the file answered ${answer.status}`)
      await answer.arrayBuffer()
    },
    engine: () => engineAlone(warehouse, sql, FORMATS[format]),
  })
}

async function estimateFigure(origin: string, rounds: number): Promise<Figure> {
  const times: number[] = []
  for (let i = 0; i < rounds; i++)
    times.push(
      await timed(() => post(`${origin}/api/v1/queries/estimate`, { sql: ESTIMATED[i % ESTIMATED.length] })),
    )
  return { figure: 'estimate of a query, p95', ...within(quantile(times, 0.95), ESTIMATE_MS, 'ms') }
}
