/** A stalled engine would stay stalled for all processes that share it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createAvailability } from '#kernel/availability.ts'
import { until } from '#kernel/until.testing.ts'
import { watchPings } from '#kernel/watchPings.ts'

/** A process that shares the warehouse of a folder: it answers each message with 1, read there, or with the code of the error. */
const USER = `
import { openEngine } from ${JSON.stringify(fileURLToPath(new URL('./engine/supervise.ts', import.meta.url)))}
import { embeddedClient } from ${JSON.stringify(fileURLToPath(new URL('./client.ts', import.meta.url)))}
const log = { info() {}, warn() {}, error() {} }
const engine = await openEngine({ ...JSON.parse(process.argv[1]), memoryBytes: 2 ** 29, readers: 1, graceMs: 0, log })
const reader = embeddedClient(engine, 'reader')
process.on('message', async () => {
  const said = await reader.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' }).then(
    async rows => (await rows.json())[0].one,
    cause => cause.code ?? cause.message,
  )
  process.send(said)
})
process.on('disconnect', () => process.exit())
process.send('open')
`

let folder: string
let users: ChildProcess[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-outage-'))
  users = []
})
afterEach(async () => {
  const { pid } = await endpointOf().catch(() => ({ pid: undefined }))
  for (const user of users) {
    user.kill('SIGKILL')
    if (user.exitCode === null && user.signalCode === null) await once(user, 'exit')
  }
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function startUser(options: { startTimeoutMs?: number; silenceMs?: number; patienceMs?: number } = {}) {
  const user = spawn(
    process.execPath,
    ['--input-type=module', '-e', USER, JSON.stringify({ folder, ...options })],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  users.push(user)
  return user
}
async function openUser(options?: Parameters<typeof startUser>[0]): Promise<ChildProcess> {
  const user = startUser(options)
  await once(user, 'message')
  return user
}
async function ask(user: ChildProcess): Promise<unknown> {
  const answer = once(user, 'message')
  user.send('read')
  return (await answer)[0]
}
const untilAnswered = (user: ChildProcess): Promise<boolean> =>
  until('the engine answers again', async () => (await ask(user)) === 1)
const endpointOf = async (): Promise<{ pid: number }> =>
  JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8'))
/** The process that holds the data; the file is read again where it is just being written. */
const lockHolder = (): Promise<number> =>
  until(
    'a process holds the data',
    async () => {
      const status = await readFile(join(folder, 'data', 'status'), 'utf8').catch(() => '')
      const pid = Number(/^PID: (\d+)\n/m.exec(status)?.[1] ?? 0)
      return pid > 0 && pid
    },
    { betweenMs: 1 },
  )
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a process that waited for the engine past its time adopts the one that another process has started', async () => {
  const web = await openUser({ startTimeoutMs: 100, patienceMs: 500 })
  const { pid: first } = await endpointOf()
  // The web server is stalled while the engine dies and another process starts the next one, slowly.
  web.kill('SIGSTOP')
  process.kill(first, 'SIGKILL')
  const follower = startUser()
  const isOpen = once(follower, 'message')
  const second = await until('another process holds the data', async () => {
    const pid = await lockHolder()
    return pid !== first && pid
  })
  process.kill(second, 'SIGSTOP')
  web.kill('SIGCONT')
  for (let failures = 0; failures < 3; failures++) assert.equal(await ask(web), 'warehouse.engine_gone')
  process.kill(second, 'SIGCONT')
  await isOpen
  await untilAnswered(web)
  assert.equal((await endpointOf()).pid, second)
})

test('an engine that stands still is ended by a process that comes to it, and all its users go on', async () => {
  const patient = await openUser()
  const { pid } = await endpointOf()
  process.kill(pid, 'SIGSTOP')
  const newcomer = await openUser({ silenceMs: 500 })
  assert.notEqual((await endpointOf()).pid, pid)
  assert.equal(await ask(newcomer), 1)
  await untilAnswered(patient)
})

test('when all users are stalled with the engine and only one comes back, it is served again', async () => {
  const [web, follower] = await Promise.all([openUser({ silenceMs: 500 }), openUser({ silenceMs: 500 })])
  const { pid } = await endpointOf()
  for (const user of [web, follower]) user.kill('SIGSTOP')
  process.kill(pid, 'SIGSTOP')
  follower.kill('SIGKILL')
  web.kill('SIGCONT')
  await untilAnswered(web)
  assert.notEqual((await endpointOf()).pid, pid)
})

test('a process that was stalled itself does not take the engine for silent', async () => {
  const closing = new AbortController()
  const availability = createAvailability()
  const changes: boolean[] = []
  availability.onChange(({ isUp }) => void changes.push(isUp))
  let silences = 0
  let answers = 0
  const watching = watchPings(
    {
      ping: async () => {
        await new Promise(setImmediate)
        if (++answers === 3) closing.abort()
        return true
      },
      availability,
      away: 'away',
      silenceMs: 200,
      handleSilence: () => void silences++,
    },
    closing.signal,
  )
  // Longer than the silence that would end the engine.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  await watching
  assert.equal(silences, 0)
  assert.deepEqual(changes, [])
})
