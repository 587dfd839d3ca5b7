import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createControl } from './control.ts'
import { createExecute } from './execute.ts'
import { createLeases } from './leases.ts'
import { openNativeEngine } from './native.ts'
import { openPipes } from './pipes.ts'
import { Slots } from './queue.ts'
import { ROLES, type Role, roleLimits } from './roles.ts'
import { createEngineServer } from './server.ts'
import { type Endpoint, type EngineStart, noFilesOf, serverArguments } from './start.ts'

// The engine's own process: reads its orders from standard input, says on standard output where it listens, and ends with
// its last lease. Everything with a lifetime is built here.
const start = JSON.parse(await text(process.stdin)) as EngineStart
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

await mkdir(start.folder, { recursive: true, mode: 0o700 })
await chmod(start.folder, 0o700)
// It is the folder of this process: emptied, not made anew.
const noFiles = noFilesOf(start.folder)
await mkdir(noFiles, { recursive: true, mode: 0o500 })
for (const name of await readdir(noFiles)) await rm(join(noFiles, name), { recursive: true, force: true })
const engine = openNativeEngine(join(start.folder, 'data'))
// Held until the end: the engine lives as long as a connection does, and takes its server settings from the first.
const root = engine.connect(serverArguments(start))
const control = createControl(engine)
const limits = roleLimits(start.memoryBytes, start.readers)
// One entry for each role, by construction.
const slots = Object.fromEntries(ROLES.map(role => [role, new Slots(limits[role])])) as Record<Role, Slots>
const execute = createExecute({
  engine,
  control,
  limits,
  slots,
  pipes: await openPipes(join(start.folder, 'pipes'), limits.writer.running),
  settingNames: new Set(await control.settingNames()),
})

const leases = createLeases({ graceMs: start.graceMs, onNone: () => void stop() })
const server = createEngineServer({ token: start.token, execute, leases })
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo
  const endpoint: Endpoint = { port, pid: process.pid }
  const file = join(start.folder, 'endpoint.json')
  await writeFile(`${file}.new`, JSON.stringify(endpoint), { mode: 0o600 })
  await rename(`${file}.new`, file)
  say(endpoint)
})
process.on('SIGTERM', () => void stop())
// The terminal's interrupt goes to the whole group: those who hold leases decide when the engine ends.
process.on('SIGINT', () => {})

async function stop(): Promise<void> {
  server.close()
  // Who still sends rows would keep its insert waiting for ever.
  server.closeAllConnections()
  await rm(join(start.folder, 'endpoint.json'), { force: true })
  await control.stopAll().catch(() => {})
  control.close()
  root.close()
  process.exit(0)
}
