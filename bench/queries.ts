import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ClickHouseSettings, DataFormat } from '@clickhouse/client'
import { silentLog } from '#kernel/log.ts'
import { createExecutor, createSharedTurns, openQueryTool, type QueryTool } from '#queries/index.ts'
import { openStore } from '#store/index.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import { interleave, median, quantile, timed } from './measure.ts'
import { querySite } from './querySite.ts'
import { queryUsers } from './queryUsers.ts'
import { type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const CALLER = { owner: 'bench', caller: 'bench', role: 'member', hasHistory: false } as const
const never = new AbortController().signal
const READER = { caller: 'bench', signal: never } as const
/** A run may take this much longer than the engine alone, by rows: factor and milliseconds. */
const ALLOWED = new Map([
  [1, { factor: 1.1, ms: 10 }],
  [1_000, { factor: 1.1, ms: 10 }],
  [1_000_000, { factor: 1.25, ms: 0 }],
])
const MEBIBYTE = 2 ** 20

/** Maximum growth of the server's heap during a run. */
const HEAP_MB = 30

/** Runs with stored results, against the same statement on the engine alone. */
export const queries: Suite = {
  name: 'queries',
  about:
    'runs with stored results compared with the engine alone; result pages, cancels, estimates and files through the API; scripts, search and grid of /Query; pages with 50 active users',
  async run(context) {
    await using opened = new AsyncDisposableStack()
    const home = join(context.folder, 'home')
    await mkdir(home, { recursive: true })
    const warehouse = opened.use(await openWarehouse({ home, memoryBytes: 1024 * MEBIBYTE, log: silentLog }))
    const store = opened.use(await openStore({ home, log: silentLog }))
    const turns = opened.use(createSharedTurns({ store, log: silentLog }))
    const executor = createExecutor({ warehouse, knownSql: () => [], log: silentLog, shared: turns })
    let version = 0
    const tool = opened.use(
      await openQueryTool({
        reader: { home, memoryBytes: 512 * MEBIBYTE },
        resultBytes: 2048 * MEBIBYTE,
        executor,
        turns,
        warehouse,
        schema: { tables: [], baseViews: [], fills: [], views: [] },
        // Each run is of new data: none is answered by the one before.
        data: { version: () => String(version++), asOf: async () => [] },
        store,
        problemOf: String,
        log: silentLog,
      }),
    )
    // Plans of the store and code of this process are warm, as on a server that has had queries before.
    for (let i = 0; i < 10; i++) await runOf(tool, 'SELECT 1')
    const figures: Figure[] = []
    for (const [rows, allowed] of ALLOWED)
      figures.push(await runAgainstEngine({ tool, warehouse }, rows, allowed, context))
    figures.push(...(await pagesOf(tool, context)))
    figures.push(await cancels(tool, context))
    await opened.disposeAsync()
    figures.push(...(await querySite(context)))
    figures.push(...(await queryUsers(context)))
    return figures
  },
}

/** Five columns of different types. */
export const sqlOf = (rows: number): string =>
  `SELECT number AS n, toString(number) AS text, number / 7 AS ratio, toDate('2024-01-01') + number % 365 AS day, sipHash64(number) AS hash FROM numbers(${rows})`

async function runOf(tool: QueryTool, sql: string) {
  const { id } = await tool.runs.start({ sql, parameters: {}, isFresh: true }, CALLER)
  const run = await tool.runs.settle(id, CALLER.owner, 60_000, never)
  if (run?.result == null) throw new Error(`the run failed: ${run?.error}`)
  return run.result
}

async function runAgainstEngine(
  { tool, warehouse }: { tool: QueryTool; warehouse: Warehouse },
  rows: number,
  { factor, ms }: { factor: number; ms: number },
  { isQuick }: BenchContext,
): Promise<Figure> {
  const query = sqlOf(rows)
  const clickhouse_settings: ClickHouseSettings = {
    default_format: 'Native' as DataFormat,
  }
  const heapBefore = process.memoryUsage().heapUsed
  let highest = heapBefore
  const times = await interleave(
    {
      ours: () =>
        timed(async () => {
          await runOf(tool, query)
          highest = Math.max(highest, process.memoryUsage().heapUsed)
        }),
      engine: () =>
        timed(async () => {
          const { stream } = await warehouse.member.exec({ query, clickhouse_settings })
          await buffer(stream as Readable)
        }),
    },
    isQuick ? 5 : 15,
  )
  const [ours, engine] = [median(times.ours ?? []), median(times.engine ?? [])]
  const limit = engine * factor + ms
  const heap = (highest - heapBefore) / MEBIBYTE
  return {
    figure: `run and store ${rows.toLocaleString('en-US')} rows`,
    ours: `${rounded(ours)} ms, heap +${rounded(heap)} MB`,
    against: `engine alone ${rounded(engine)} ms`,
    ratio: ours / engine,
    target: `≤ ${factor}×${ms > 0 ? ` + ${ms} ms` : ''}, heap +${HEAP_MB} MB`,
    isMet: ours <= limit && heap <= HEAP_MB,
  }
}

async function pagesOf(tool: QueryTool, { isQuick }: BenchContext): Promise<Figure[]> {
  const rows = 1_000_000
  const { hash } = await runOf(tool, sqlOf(rows))
  const times: number[] = []
  const sorted: number[] = []
  for (let i = 0; i < (isQuick ? 20 : 100); i++) {
    const offset = Math.floor(((i * 0.618034) % 1) * (rows - 200))
    times.push(await timed(() => tool.results.page(hash, {}, { offset, limit: 200 }, READER)))
    if (i % 10 === 0)
      sorted.push(
        await timed(() =>
          tool.results.page(
            hash,
            { sort: { column: 4, isDescending: true } },
            { offset, limit: 200 },
            READER,
          ),
        ),
      )
  }
  return [
    { figure: '200 rows anywhere in a stored million, p95', ...within(quantile(times, 0.95), 100, 'ms') },
    {
      figure: 'the same, sorted by another column, median',
      ours: `${rounded(median(sorted))} ms`,
    },
  ]
}

async function cancels(tool: QueryTool, { isQuick }: BenchContext): Promise<Figure> {
  const times: number[] = []
  for (let i = 0; i < (isQuick ? 5 : 30); i++) {
    const sql = `SELECT count() FROM numbers(100000000000) WHERE sipHash64(number, ${i}) = 1`
    const { id } = await tool.runs.start({ sql, parameters: {}, isFresh: true }, CALLER)
    for await (const { state } of (await tool.runs.follow(id, CALLER.owner, never)) ?? [])
      if (state === 'running') break
    times.push(await timed(() => tool.runs.cancel(id, CALLER.owner)))
  }
  return { figure: 'cancel until the slot is free, p95', ...within(quantile(times, 0.95), 300, 'ms') }
}
