import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { SSL_REQUEST_CODE, text as textPart, whole } from './messages.ts'
import type { Turns } from './turns.ts'

/** Codes that stand in place of a version in the first message of a connection. */
const GSS_REQUEST = 80_877_104
const CANCEL_REQUEST = 80_877_102
const PROTOCOL_3 = 3
/** Longer than any statement of ours: who sends more is not one of us. */
const MOST_MESSAGE_BYTES = 64 * 1024 * 1024

/** What the driver wants to know of the session. */
const SESSION: Readonly<Record<string, string>> = {
  server_version: '18.0',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  TimeZone: 'GMT',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
}

export type FrontDeps = {
  readonly token: string
  readonly turns: Turns
  /** Told the number of connections whenever it changes. */
  readonly onCount: (count: number) => void
}

/**
 * PostgreSQL's wire protocol, version 3, before an engine of one session. Messages are handed on in groups that end with
 * `Sync` or are a simple query, so that what one connection has prepared is never bound by another.
 * https://www.postgresql.org/docs/current/protocol-flow.html
 */
export function createFront({ token, turns, onCount }: FrontDeps): Server {
  const admitted = new Set<Socket>()
  return createServer(socket => {
    socket.setNoDelay(true)
    const connection = { token, isAdmitted: false, isStarted: false, group: [] as Buffer[] }
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      try {
        for (;;) {
          const length = connection.isStarted ? messageLength(rest, 1) : messageLength(rest, 0)
          if (length === undefined || rest.length < length) return
          const message = rest.subarray(0, length)
          rest = rest.subarray(length)
          receive(message)
        }
      } catch {
        socket.destroy()
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      turns.leave(socket)
      if (admitted.delete(socket)) onCount(admitted.size)
    })

    function receive(message: Buffer): void {
      if (!connection.isStarted) {
        begin(message)
        return
      }
      const type = String.fromCharCode(message[0] ?? 0)
      if (!connection.isAdmitted) {
        admit(type, message)
        return
      }
      if (type === 'X') return void socket.end()
      connection.group.push(message)
      if (type !== 'S' && type !== 'Q') return
      const group = connection.group
      connection.group = []
      turns.run(socket, group).then(
        answer => void socket.write(answer),
        () => socket.destroy(),
      )
    }

    function begin(message: Buffer): void {
      const code = message.readInt32BE(4)
      if (code === SSL_REQUEST_CODE || code === GSS_REQUEST) return void socket.write('N')
      if (code === CANCEL_REQUEST || code >> 16 !== PROTOCOL_3) return void socket.destroy()
      connection.isStarted = true
      socket.write(whole('R', int(3)))
    }

    function admit(type: string, message: Buffer): void {
      const given = message.subarray(5, -1)
      const expected = Buffer.from(token)
      if (type !== 'p' || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        socket.end(
          whole(
            'E',
            Buffer.concat([
              textPart('SFATAL'),
              textPart('C28P01'),
              textPart('Mwrong password'),
              Buffer.alloc(1),
            ]),
          ),
        )
        return
      }
      connection.isAdmitted = true
      admitted.add(socket)
      onCount(admitted.size)
      socket.write(
        Buffer.concat([
          whole('R', int(0)),
          ...Object.entries(SESSION).map(([name, value]) =>
            whole('S', Buffer.concat([textPart(name), textPart(value)])),
          ),
          whole('K', Buffer.concat([int(process.pid), int(0)])),
          whole('Z', Buffer.from('I')),
        ]),
      )
    }
  })
}

/** Bytes of the message that begins here; undefined until its length is known. Throws on a length that cannot be. */
function messageLength(bytes: Buffer, typeBytes: number): number | undefined {
  if (bytes.length < typeBytes + 4) return undefined
  const length = bytes.readInt32BE(typeBytes)
  if (length < 4 || length > MOST_MESSAGE_BYTES || (typeBytes === 0 && length < 8))
    throw new RangeError(`a message of ${length} bytes`)
  return typeBytes + length
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
