import { connect, type Socket } from 'node:net'
import { openHelper } from '../helper.ts'

/** Asks addresses of one origin again and again over kept connections, each of which begins at another of them. */
export type LoadRequest = {
  readonly urls: readonly [string, ...string[]]
  readonly connections: number
  readonly ms: number
}
export type LoadAnswer = {
  readonly requests: number
  readonly ms: number
  readonly latencies: number[]
  /** Requests that had another answer than a whole 200, by what came instead. */
  readonly failures: string[]
}

export const openLoad = () => openHelper<LoadRequest, LoadAnswer>(import.meta.filename)

/** Codings that browsers ask for. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', async (request: LoadRequest) => process.send!(await load(request)))
  process.on('disconnect', () => process.exit())
}

async function load({ urls, connections, ms }: LoadRequest): Promise<LoadAnswer> {
  const { hostname, port } = new URL(urls[0])
  const questions = urls.map(questionOf)
  const start = performance.now()
  const end = start + ms
  const latencies: number[] = []
  const failures: string[] = []
  await Promise.all(
    Array.from({ length: connections }, async (_, reader) => {
      let socket = connect({ host: hostname, port: Number(port), noDelay: true })
      for (let turn = reader; performance.now() < end; turn++) {
        const asked = performance.now()
        socket.write(questions[turn % questions.length]!)
        try {
          await wholeAnswer(socket)
          latencies.push(performance.now() - asked)
        } catch (cause) {
          failures.push(`${urls[turn % urls.length]}: ${cause instanceof Error ? cause.message : cause}`)
          socket.destroy()
          socket = connect({ host: hostname, port: Number(port), noDelay: true })
        }
      }
      socket.destroy()
    }),
  )
  return { requests: latencies.length, ms: performance.now() - start, latencies, failures }
}

function questionOf(url: string): Buffer {
  const { pathname, search, host } = new URL(url)
  return Buffer.from(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\nAccept-Encoding: ${ACCEPT_ENCODING}\r\n\r\n`,
  )
}

/**
 * Reads one answer to its last byte and throws unless it is a 200. Just enough of HTTP to cost less than what is measured:
 * a length, or chunks whose last is empty.
 */
function wholeAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head: Buffer | undefined = Buffer.alloc(0)
    let left = 0
    let isChunked = false
    let tail = ''
    const finish = (error?: Error): void => {
      socket.off('data', read).off('error', finish).off('close', closed)
      if (error) reject(error)
      else resolve()
    }
    const closed = (): void => finish(new Error('the connection was closed within an answer'))
    const read = (part: Buffer): void => {
      let body = part
      if (head !== undefined) {
        head = head.length === 0 ? part : Buffer.concat([head, part])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        if (!text.startsWith('HTTP/1.1 200')) {
          finish(new Error(`asked for 200, got: ${text.slice(0, 60)}`))
          return
        }
        const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
        isChunked = length === undefined
        left = Number(length ?? 0)
        body = head.subarray(end + 4)
        head = undefined
      }
      if (isChunked) {
        tail = (tail + body.toString('latin1', Math.max(0, body.length - 7))).slice(-7)
        if (tail === '\r\n0\r\n\r\n') finish()
      } else {
        left -= body.length
        if (left <= 0) finish()
      }
    }
    socket.on('data', read).on('error', finish).on('close', closed)
  })
}
