import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile, timed } from './measure.ts'
import { openSite } from './site/openSite.ts'
import { type BenchContext, type Figure, rounded } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USERS = 50
const HEAVY = 10
const MOST_TIMES = 1.5
const PAGES = {
  '/bitcoin': '/bitcoin',
  'a metric': '/api/v1/metrics/fees.total?from=2024-01-01&to=2024-12-31',
} as const
/** Readers look at a page every so often. */
const READ_EACH_MS = 50
/** Users read a result before they send the next query. */
const THINK_MS = 1_000

const light = (at: number): string =>
  `SELECT toStartOfMonth(day) AS month, count() AS n, ${at} AS at FROM prices GROUP BY month ORDER BY month`
const heavy = (at: number): string =>
  `SELECT number % 1000 AS k, uniqExact(sipHash64(number, ${at})) AS n FROM numbers(20000000) GROUP BY k`

/** Pages of others while users query, against the same pages without them. */
export async function queryUsers({ folder, isQuick, say }: BenchContext): Promise<Figure[]> {
  // Each user comes from an address of its own.
  process.env.TRUST_PROXY = '127.0.0.1,::1'
  await using site = await openSite({ root: ROOT, command: 'app', home: join(folder, 'users') })
  const ms = isQuick ? 20_000 : 60_000
  const read = async (until: number, path: string): Promise<number[]> => {
    const times: number[] = []
    while (performance.now() < until) {
      times.push(
        await timed(async () => {
          const answer = await fetch(site.origin + path)
          await answer.arrayBuffer()
          if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
        }),
      )
      await wait(READ_EACH_MS)
    }
    return times
  }
  const readAll = async (): Promise<number[][]> => {
    const until = performance.now() + ms
    return Promise.all(Object.values(PAGES).map(path => read(until, path)))
  }
  await readAll()
  const alone = await readAll()
  const stop = new AbortController()
  const outcomes: Record<string, number> = {}
  let sent = 0
  const user = async (at: number): Promise<void> => {
    await wait((THINK_MS * at) / USERS)
    while (!stop.signal.aborted) {
      const sql = at < HEAVY ? heavy(sent++) : light(sent++)
      try {
        const answer = await fetch(`${site.origin}/api/v1/queries/runs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `${at + 11}.51.100.7` },
          body: JSON.stringify({ sql, waitSeconds: 30 }),
          signal: stop.signal,
        })
        const { state, code } = (await answer.json()) as { state?: string; code?: string }
        const outcome = state ?? code ?? 'none'
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      } catch (cause) {
        if (!stop.signal.aborted) throw cause
      }
      await wait(THINK_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const users = Array.from({ length: USERS }, (_, at) => user(at))
  await wait(2_000)
  const beside = await readAll()
  stop.abort()
  await Promise.all(users)
  say(`queries of ${USERS} users: ${JSON.stringify(outcomes)}`)
  return Object.keys(PAGES).map((name, i) => {
    const [before, now] = [quantile(alone[i] ?? [], 0.99), quantile(beside[i] ?? [], 0.99)]
    return {
      figure: `${name} beside ${USERS} users querying, ${HEAVY} heavily, p99`,
      ours: `${rounded(now)} ms (median ${rounded(quantile(beside[i] ?? [], 0.5))} ms)`,
      against: `without them ${rounded(before)} ms`,
      ratio: now / before,
      target: `≤ ${MOST_TIMES}×`,
      isMet: now <= before * MOST_TIMES,
    }
  })
}
