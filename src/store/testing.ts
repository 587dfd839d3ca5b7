import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { freePort } from '#kernel/freePort.testing.ts'
import { silentLog } from '#kernel/log.ts'
import { inPhase } from '#kernel/phases.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { openStore, type Store, type StoreConfig } from './store.ts'

/** A kind of store that tests run on, or the reason why this machine has none. */
export type StoreKind = {
  readonly name: string
  readonly skip: string | undefined
  /** Where a fresh one is; it goes when it is disposed. */
  open(): Promise<AsyncDisposable & Pick<StoreConfig, 'home' | 'url'>>
}

const [binaries] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()

/** Both stores that there are: what holds on one holds on the other. */
export const STORE_KINDS: readonly StoreKind[] = [
  { name: 'embedded', skip: undefined, open: openFolder },
  {
    name: 'PostgreSQL',
    skip: binaries === undefined ? 'Debian’s package postgresql is not installed' : undefined,
    open: openPostgres,
  },
]

/** A store that is open, in a place of its own. */
export async function openTestStore(kind: StoreKind): Promise<Store & Pick<StoreConfig, 'home' | 'url'>> {
  const place = await inPhase('store', () => kind.open())
  const store = await inPhase('store', () => openStore({ home: place.home, url: place.url, log: silentLog }))
  return {
    ...store,
    home: place.home,
    url: place.url,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

let template: Promise<string> | undefined

/** Making a base takes seconds of work, copying one a moment: one is made for each process of tests. */
async function made(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'assay-store-template-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  await (await openStore({ home, log: silentLog }))[Symbol.asyncDispose]()
  return join(home, 'store', 'data')
}

async function openFolder() {
  const home = await mkdtemp(join(tmpdir(), 'assay-store-'))
  template ??= made()
  await cp(await template, join(home, 'store', 'data'), { recursive: true })
  return {
    home,
    url: undefined,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

/** Nobody: a server refuses to run as root. */
const UNPRIVILEGED = 65_534

async function openPostgres() {
  const home = await mkdtemp(join(tmpdir(), 'assay-postgres-'))
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  if (isRoot) chownSync(home, UNPRIVILEGED, UNPRIVILEGED)
  const folder = join(home, 'data')
  execFileSync(
    join(binaries ?? '', 'initdb'),
    ['-D', folder, '-U', 'assay', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-locale'],
    { ...as, cwd: home, stdio: 'pipe' },
  )
  const port = await freePort()
  const server = spawn(
    join(binaries ?? '', 'postgres'),
    // Shared memory in its own folder: that of a killed server would stay in /dev/shm for ever.
    `-D ${folder} -k ${home} -p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c dynamic_shared_memory_type=mmap`.split(
      ' ',
    ),
    { ...as, cwd: home, stdio: 'ignore' },
  )
  const url = `postgres://assay@127.0.0.1:${port}/postgres`
  await answering(url, server)
  return {
    home,
    url,
    async [Symbol.asyncDispose]() {
      server.kill('SIGQUIT')
      await once(server, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}

const answering = (url: string, server: ChildProcess): Promise<boolean> =>
  until('PostgreSQL takes connections', async () => {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  })
