import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import process from 'node:process'

/** Below the ports that systems give to outgoing connections, above those that browsers refuse. */
const FIRST = 20_000
const END = 32_000
const HOST = '127.0.0.1'

let next = FIRST + ((process.pid * 2) % (END - FIRST))

/**
 * A port of 127.0.0.1 for a server that must know its port before it starts. Until this process ends, no other test gets
 * the same one: the process listens on the odd port after it.
 */
export async function freePort(): Promise<number> {
  for (let tries = (END - FIRST) / 2; tries > 0; tries--) {
    const port = next
    next = port + 2 < END ? port + 2 : FIRST
    const reservation = await listen(port + 1)
    if (reservation === undefined) continue
    const trial = await listen(port)
    if (trial !== undefined) {
      trial.close()
      await once(trial, 'close')
      reservation.unref()
      return port
    }
    reservation.close()
  }
  throw new Error(`no free port from ${FIRST} to ${END - 1}`)
}

/** A server on the port, or undefined where another one listens. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, HOST)
  try {
    await once(server, 'listening')
    return server
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') return undefined
    throw cause
  }
}
