/** Readers would get errors while the engine or the store restarts. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seedOf } from '#kernel/seed.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { openTestSite } from '../browser/testSite.ts'
import { randomFrom } from './random.ts'

const isDrill = process.env.ASSAY_DRILL === '1'
const DRILL_MS = 1000 * Number(process.env.DRILL_SECONDS ?? 600)
const READERS = isDrill ? 50 : 10
/** The requirement: from the moment at which engine or store is back. */
const MOST_RECOVERY_MS = 10_000
/** Longer than a process may stay silent: it is ended, nobody lets it go on. */
const FOR_EVER_MS = 45_000

const PATHS = [
  ...['/', '/bitcoin', '/rootstock', '/stacks', '/bitcoin/l2s', '/tokens', '/status'],
  ...['/rootstock.data', '/api/v1/metrics', '/api/v1/metrics/tvl.total?entity=rootstock'],
  ...['/api/v1/problems', '/api/v1/bitcoin/blocks?limit=2', '/api/v1/layers', '/healthz'],
]
/** Rests on rows that the followers write all the time. */
const FRESH = '/api/v1/metrics/tvl.total?entity=rootstock'

type What = 'engine' | 'store'
type Fault = { readonly what: What; readonly frozenMs: number | undefined }
const FOLDERS = { engine: 'warehouse', store: 'store' } as const

test('pages that were served before never answer 5xx while engine and store are killed and frozen under readers', {
  timeout: 1_200_000,
}, async t => {
  const seed = seedOf(t)
  const random = randomFrom(seed)
  await using site = await openTestSite({ command: 'serve' })
  let readers: Readers | undefined
  const followers = ['one', 'two'].map(name => startFollower(site.home, name))
  try {
    await Promise.all(followers.map(({ child }) => once(child, 'message')))
    readers = await openReaders(site.url)
    const recoveries: number[] = []
    const outages: number[] = []
    const faults: string[] = []
    const endAt = Date.now() + DRILL_MS
    const short: Fault[] = [
      { what: 'engine', frozenMs: undefined },
      { what: 'engine', frozenMs: 3_000 },
      { what: 'store', frozenMs: undefined },
      { what: 'store', frozenMs: 3_000 },
    ]
    for (let next = isDrill ? anyFault(random) : short.shift(); next; ) {
      const { what, frozenMs } = next
      const faultAt = Date.now()
      const backAt = await inflict(site.home, next)
      const recoveredAt = await recovered(what, backAt, site.url, followers)
      recoveries.push(recoveredAt - backAt)
      outages.push(recoveredAt - faultAt)
      faults.push(`${what} ${frozenMs === undefined ? 'killed' : `frozen ${(frozenMs / 1000).toFixed(1)} s`}`)
      // The next fault comes at any moment of the work.
      await delay(random.below(isDrill ? 3_000 : 200))
      next = isDrill ? (Date.now() < endAt ? anyFault(random) : undefined) : short.shift()
    }
    const { requests, stale, failures, slowestMs } = await readers.close()
    recoveries.sort((a, b) => a - b)
    const kills = faults.filter(fault => fault.endsWith('killed')).length
    t.diagnostic(`${kills} kills, ${faults.length - kills} freezes: ${faults.join(', ')}`)
    t.diagnostic(
      `${requests} requests of ${READERS} readers, ${stale} answered with the last good answer, slowest ${slowestMs} ms, ${failures.length} failed`,
    )
    t.diagnostic(
      `worst outage ${Math.max(...outages)} ms; recovery p50 ${recoveries[recoveries.length >> 1]} ms, max ${recoveries.at(-1)} ms`,
    )
    assert.deepEqual(failures, [])
    assert.ok(stale > 0, 'no reader met an outage')
    // A run of all tests shares its machine with others: there it is enough that everything recovers.
    if (isDrill) assert.ok((recoveries.at(-1) ?? 0) <= MOST_RECOVERY_MS)
  } finally {
    await readers?.close()
    for (const { child } of followers) {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  }
})

function anyFault(random: ReturnType<typeof randomFrom>): Fault {
  const what: What = random.below(3) === 0 ? 'store' : 'engine'
  if (random.below(2) === 0) return { what, frozenMs: undefined }
  return { what, frozenMs: random.below(8) === 0 ? FOR_EVER_MS : 500 + random.below(9_000) }
}

type Follower = { readonly child: ChildProcess; readonly wroteAt: Record<What, number> }

function startFollower(home: string, name: string): Follower {
  const child = fork(fileURLToPath(new URL('./outageChild.ts', import.meta.url)), [home, name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const wroteAt = { engine: 0, store: 0 }
  child.on('message', (message: { what?: What; beganAt?: number }) => {
    if (message.what !== undefined) wroteAt[message.what] = message.beganAt ?? 0
  })
  return { child, wroteAt }
}

type Readers = { close(): Promise<Seen> }
type Seen = { requests: number; stale: number; slowestMs: number; readonly failures: string[] }

/** Asks for every address once, then keeps readers asking until closed. What fails after that has failed for a reader. */
async function openReaders(url: string): Promise<Readers> {
  const seen: Seen = { requests: 0, stale: 0, slowestMs: 0, failures: [] }
  const closing = new AbortController()
  const paths: string[] = []
  for (const path of PATHS) {
    const answer = await fetch(url + path)
    await answer.arrayBuffer()
    if (answer.status === 200) paths.push(path)
  }
  assert.ok(paths.length > PATHS.length / 2, `only ${paths.join(', ')} could be served`)
  const statusOf = async (path: string): Promise<number> => {
    const answer = await fetch(url + path)
    const body = await answer.text()
    const isStale = answer.headers.has('cache-status')
    if (isStale) seen.stale++
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    const hasBanner = /<p id="outage"[^>]*>Data engine unavailable/.test(body)
    if (answer.ok && isPage && hasBanner !== isStale) seen.failures.push(`${path} without its banner`)
    return answer.status
  }
  const read = async (reader: number) => {
    for (let turn = reader; !closing.signal.aborted; turn++) {
      const path = paths[turn % paths.length] ?? '/'
      const beganAt = Date.now()
      const status = await statusOf(path).catch(
        error => `${error} (${error.cause?.code}: ${error.cause?.message}) after ${Date.now() - beganAt} ms`,
      )
      seen.requests++
      seen.slowestMs = Math.max(seen.slowestMs, Date.now() - beganAt)
      if (status !== 200) seen.failures.push(`${path}: ${status}`)
      // Readers read: how fast they ask decides nothing.
      await delay(100)
    }
  }
  const reading = Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
  return {
    async close() {
      closing.abort()
      await reading
      return seen
    },
  }
}

const endpointOf = async (home: string, what: What): Promise<{ pid: number; port: number }> =>
  JSON.parse(await readFile(join(home, FOLDERS[what], 'endpoint.json'), 'utf8'))

/** Does it to the process that runs now. Returns when it, or the next one, takes connections again. */
async function inflict(home: string, { what, frozenMs }: Fault): Promise<number> {
  const { pid } = await endpointOf(home, what)
  if (frozenMs === undefined) {
    process.kill(pid, 'SIGKILL')
    return nextOne(home, what, pid)
  }
  process.kill(pid, 'SIGSTOP')
  if (frozenMs === FOR_EVER_MS) return nextOne(home, what, pid)
  // How long it stands still is the fault itself.
  await delay(frozenMs)
  process.kill(pid, 'SIGCONT')
  return Date.now()
}

const nextOne = (home: string, what: What, killed: number): Promise<number> =>
  until(`another ${what} listens`, async () => {
    const next = await endpointOf(home, what).catch(() => undefined)
    return next !== undefined && next.pid !== killed && (await listens(next.port)) && Date.now()
  })

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** When every process that shares it has done its work on it again: the followers write, the web server answers unmarked. */
async function recovered(
  what: What,
  backAt: number,
  url: string,
  followers: readonly Follower[],
): Promise<number> {
  await until(`every follower writes to the ${what}`, () =>
    followers.every(({ wroteAt }) => wroteAt[what] >= backAt),
  )
  return until('the web server answers unmarked', async () => {
    const answer = await fetch(url + FRESH)
    await answer.arrayBuffer()
    return answer.status === 200 && !answer.headers.has('cache-status') && Date.now()
  })
}
