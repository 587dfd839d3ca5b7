import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from '#kernel/freePort.testing.ts'
import { endedChildrenSeconds, processorSecondsOf } from '../memory/processes.ts'

export type ReplayAnswer = {
  /** Height, id, and counts of transactions, transfers and prints of each canonical block. */
  readonly lines: readonly string[]
  readonly seconds: number
  readonly processorS: number
}

/** Both sides are compared from here on: the API tells what genesis holds as of the first block. */
export const FIRST_COMPARED = 2

const PACKAGES = '/usr/lib/postgresql'
const DATABASE = 'replay'

/** Why the peer cannot run here; undefined where it can. */
export function whyNoReplay(): string | undefined {
  const folder = process.env.HIRO_API
  if (folder === undefined || !existsSync(join(folder, 'lib/index.js')))
    return `HIRO_API is to name a built checkout of Hiro’s API (docs/decisions/stacks-ingest.md says how to make one)`
  if (postgresPrograms() === undefined)
    return `there is no Postgres in ${PACKAGES} (Debian: apt install postgresql)`
  return undefined
}

/** The newest Postgres of the system's packages. */
function postgresPrograms(): string | undefined {
  if (!existsSync(PACKAGES)) return undefined
  const [version] = readdirSync(PACKAGES)
    .filter(name => existsSync(join(PACKAGES, name, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))
  return version === undefined ? undefined : join(PACKAGES, version, 'bin')
}

/** Replays an archive into a Postgres of its own, in the mode that keeps all events; until the program has ended. */
export async function runReplay(
  folder: string,
  { archive, chainId }: { archive: string; chainId: string },
): Promise<ReplayAnswer> {
  await using postgres = await openPostgres(folder)
  const schema = 'stacks_blockchain_api'
  postgres.ask('postgres', `CREATE DATABASE ${DATABASE}`)
  postgres.ask(DATABASE, `CREATE SCHEMA ${schema}`)
  const processorOf = () => processorSecondsOf(postgres.pid) + endedChildrenSeconds()
  const processorBefore = processorOf()
  const began = performance.now()
  const api = process.env.HIRO_API!
  const child = spawn(
    process.execPath,
    ['lib/index.js', 'import-events', '--file', archive, '--mode', 'archival'],
    {
      cwd: api,
      stdio: 'ignore',
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'error',
        STACKS_CHAIN_ID: chainId,
        PG_HOST: '127.0.0.1',
        PG_PORT: String(postgres.port),
        PG_USER: 'postgres',
        PG_DATABASE: DATABASE,
        PG_SCHEMA: schema,
      },
    },
  )
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - began) / 1000
  const processorS = processorOf() - processorBefore
  if (code !== 0) throw new Error(`the event replay of ${api} ended with ${code}`)
  const counts = (tables: readonly string[]): string =>
    `(SELECT index_block_hash, count(*) AS rows FROM (${tables
      .map(
        table => `SELECT index_block_hash FROM ${schema}.${table} WHERE canonical AND microblock_canonical`,
      )
      .join(' UNION ALL ')}) AS all_rows GROUP BY index_block_hash)`
  const lines = postgres.ask(
    DATABASE,
    `SELECT concat_ws(' ', block_height, '0x' || encode(index_block_hash, 'hex'), coalesce(txs.rows, 0), coalesce(transfers.rows, 0), coalesce(prints.rows, 0))
FROM ${schema}.blocks
LEFT JOIN ${counts(['txs'])} AS txs USING (index_block_hash)
LEFT JOIN ${counts(['stx_events', 'ft_events', 'nft_events'])} AS transfers USING (index_block_hash)
LEFT JOIN ${counts(['contract_logs'])} AS prints USING (index_block_hash)
WHERE canonical AND block_height >= ${FIRST_COMPARED}
ORDER BY block_height`,
  )
  return { lines, seconds, processorS }
}

type Postgres = AsyncDisposable & {
  readonly pid: number
  readonly port: number
  /** Lines of an answer. */
  ask(database: string, sql: string): readonly string[]
}

/** A Postgres with a new data folder, set for loading: nothing waits for the disk but checkpoints, and those are rare. */
async function openPostgres(folder: string): Promise<Postgres> {
  const programs = postgresPrograms()!
  const data = join(folder, 'postgres')
  mkdirSync(data)
  const user = unprivileged()
  if (user !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, data])
  execFileSync(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
    { stdio: 'ignore', cwd: data, ...user },
  )
  const port = await freePort()
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
shared_buffers = '1GB'
work_mem = '64MB'
maintenance_work_mem = '256MB'
synchronous_commit = off
max_wal_size = '4GB'
checkpoint_timeout = '30min'
`,
  )
  const child = spawn(join(programs, 'postgres'), ['-D', data], { stdio: 'ignore', cwd: data, ...user })
  const kill = () => child.kill('SIGINT')
  process.once('exit', kill)
  const ask: Postgres['ask'] = (database, sql) =>
    execFileSync(
      join(programs, 'psql'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database, '-XAtq', '-c', sql],
      { encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'pipe'] },
    )
      .split('\n')
      .filter(line => line !== '')
  const isUp = (): boolean => {
    try {
      ask('postgres', 'SELECT 1')
      return true
    } catch {
      return false
    }
  }
  const close = async (): Promise<void> => {
    process.off('exit', kill)
    kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
  for (let tries = 0; !isUp(); tries++) {
    if (child.exitCode !== null || tries > 300) {
      await close()
      throw new Error(`Postgres of ${programs} did not start`)
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { pid: child.pid!, port, ask, [Symbol.asyncDispose]: close }
}

/** Postgres refuses to run as root: then it runs as the user that its package made. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
