import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Makes request ids: unlike those of any other process, cheap, in order. */
export function createRequestIds(): () => string {
  const process = randomBytes(5).toString('hex')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}

/** An id that a proxy gave before us, where it is one. */
export function givenRequestId(request: IncomingMessage): string | undefined {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : undefined
}
