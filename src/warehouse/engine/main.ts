import { writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createChangeCount } from './changes.ts'
import { ownConfinement } from './confinement.ts'
import { createControl } from './control.ts'
import { createExecute } from './execute.ts'
import { answerPipePathsOf, dataOf, pipePathsOf } from './folder.ts'
import { createLeases } from './leases.ts'
import { openNativeEngine } from './native.ts'
import { takeAnswerPipes, takePipes } from './pipes.ts'
import { Slots } from './queue.ts'
import { ROLES, type Role, roleLimits, userQueries } from './roles.ts'
import { createEngineServer } from './server.ts'
import { type EngineStart, type Listening, serverArguments } from './start.ts'

// The engine's own process: reads its orders from standard input, says on standard output where it listens, and ends with
// its last lease. Everything with a lifetime is built here.
const start = JSON.parse(await text(process.stdin)) as EngineStart

const engine = openNativeEngine(dataOf(start.folder))
// Held until the end: the engine lives as long as a connection does, and takes its server settings from the first.
const root = engine.connect(serverArguments(start))
const control = createControl(engine)
const changes = createChangeCount()
const limits = roleLimits(start.memoryBytes, start.readers)
// One entry for each role, by construction.
const slots = Object.fromEntries(ROLES.map(role => [role, new Slots(limits[role])])) as Record<Role, Slots>
const execute = createExecute({
  engine,
  control,
  changes,
  limits,
  slots,
  pipes: takePipes(pipePathsOf(start.folder, limits.writer.running)),
  answerPipes: takeAnswerPipes(answerPipePathsOf(start.folder, userQueries(limits))),
  settingNames: new Set(await control.settingNames()),
  giveUp,
  ...(start.mostBusyMs !== undefined && { mostBusyMs: start.mostBusyMs }),
})

const leases = createLeases({ graceMs: start.graceMs, onNone: () => void stop() })
const server = createEngineServer({ token: start.token, execute, changes, leases })
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const listening: Listening = { port, confinement: ownConfinement() }
  process.stdout.write(`${JSON.stringify(listening)}\n`)
})
process.on('SIGTERM', () => void stop())
// The terminal's interrupt goes to the whole group: those who hold leases decide when the engine ends.
process.on('SIGINT', () => {})

/** Whoever holds a lease starts the next engine. An orderly end would wait for the query. */
function giveUp(sql: string): void {
  const excerpt = sql.replace(/\s+/g, ' ').slice(0, 500)
  writeSync(2, `A user query ran far beyond its time limit, so the engine ends itself: ${excerpt}\n`)
  process.kill(process.pid, 'SIGKILL')
}

async function stop(): Promise<void> {
  server.close()
  // Who still sends rows would keep its insert waiting for ever.
  server.closeAllConnections()
  await control.stopAll().catch(() => {})
  control.close()
  root.close()
  process.exit(0)
}
