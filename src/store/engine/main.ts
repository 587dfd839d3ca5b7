import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { createFront } from './front.ts'
import { type Endpoint, type EngineStart, HOLDER_FILE } from './start.ts'
import { createTurns } from './turns.ts'

// The store's own process: reads its orders from standard input, says on standard output where it listens, and ends with
// its last connection. Everything with a lifetime is built here.
const start = JSON.parse(await text(process.stdin)) as EngineStart
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const { folder, graceMs } = start
await mkdir(folder, { recursive: true, mode: 0o700 })
await chmod(folder, 0o700)

// SQLite's lock on a file is the system's: it goes with its process, whatever ends that. `stop` names it, so that it is not
// collected, and with it let go of, before.
const lock = new DatabaseSync(join(folder, 'lock'))
try {
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
} catch {
  say({ isHeld: true })
  process.exit(0)
}

await writeFile(join(folder, HOLDER_FILE), String(process.pid), { mode: 0o600 })

// Loaded by the one that holds the folder alone: those who come while it starts look in again and again.
const { PGlite } = await import('@electric-sql/pglite')
// The defaults are those of a server: 128 MB of buffers alone.
const database = await PGlite.create({
  dataDir: join(folder, 'data'),
  startParams: [
    ...PGlite.defaultStartParams,
    ...['shared_buffers=8MB', 'fsync=on', 'max_wal_size=64MB', 'min_wal_size=32MB'].flatMap(setting => [
      '-c',
      setting,
    ]),
  ],
})
const turns = createTurns(message => database.execProtocolRaw(message))

let ending: NodeJS.Timeout | undefined
const endIn = (ms: number): void => {
  clearTimeout(ending)
  ending = setTimeout(() => void stop(), ms)
}
const token = randomBytes(24).toString('base64url')
const server = createFront({
  token,
  turns,
  onCount: count => (count === 0 ? endIn(graceMs) : clearTimeout(ending)),
})
const file = join(folder, 'endpoint.json')
server.listen(0, '127.0.0.1', async () => {
  const endpoint: Endpoint = { port: (server.address() as AddressInfo).port, pid: process.pid, token }
  await writeFile(`${file}.new`, JSON.stringify(endpoint), { mode: 0o600 })
  await rename(`${file}.new`, file)
  say(endpoint)
  // Whoever started it comes at once, or has died.
  endIn(10_000)
})
process.on('SIGTERM', () => void stop())
// The terminal's interrupt goes to the whole group: those who hold connections decide when it ends.
process.on('SIGINT', () => {})

// A session without a postmaster has nobody beside it who would shorten its log and clear away dead rows.
const upkeep = setInterval(
  () => void turns.alone(async () => void (await database.exec('VACUUM; CHECKPOINT'))).catch(() => {}),
  10 * 60_000,
)

let isStopping = false
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  clearInterval(upkeep)
  server.close()
  await rm(file, { force: true })
  await turns.alone(() => database.close()).catch(() => {})
  lock.close()
  process.exit(0)
}
