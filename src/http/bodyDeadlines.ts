import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type BodyPace = {
  /** Time limit for the whole body. */
  readonly wholeMs: number
  /** Minimum rate, averaged over each window, for bodies that may take longer. */
  readonly bytesPerSecond: number
  readonly windowMs: number
  /** How many bodies from one network may take longer at the same time. */
  readonly perNetwork: number
}

export const BODY_PACE: BodyPace = {
  wholeMs: 30_000,
  bytesPerSecond: 16 * 1024,
  windowMs: 30_000,
  perNetwork: 5,
}

/** Timers, replaceable in tests. Call the returned function to stop one. */
export type BodyClock = {
  after(ms: number, run: () => void): () => void
  every(ms: number, run: () => void): () => void
}

const CLOCK: BodyClock = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

/** How long a client may take to read why it was refused. */
const LEAVE_MS = 2_000

/** Node has only one timeout for all requests, so bodies are timed here. */
export type BodyDeadlines = {
  /** Starts the timer for a request that has a body. */
  watch(request: IncomingMessage, response: ServerResponse): void
  /**
   * Lets the body take longer as long as it makes steady progress. Returns false, and keeps the normal limit, if too many bodies
   * from this network already do. Only for callers with permission to upload.
   */
  allowSlow(request: IncomingMessage, network: string): boolean
}

type Watched = { stopTimer(): void; release(): void; readonly response: ServerResponse }

/** @param refuse sends 408 on a connection without a response */
export function createBodyDeadlines(
  refuse: (socket: Socket) => void,
  pace: BodyPace = BODY_PACE,
  clock: BodyClock = CLOCK,
): BodyDeadlines {
  const watched = new WeakMap<IncomingMessage, Watched>()
  const slow = new Map<string, number>()

  function end(request: IncomingMessage, { response }: Watched): void {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    // With pipelined requests, a 408 sent out of turn would end up inside an earlier response.
    if (response.headersSent || response.socket !== socket || !socket.writable) {
      socket.destroy()
      return
    }
    refuse(socket)
    setTimeout(() => socket.destroy(), LEAVE_MS).unref()
  }

  return {
    watch(request, response) {
      const { headers } = request
      const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
      if (!hasBody) return
      const entry: Watched = {
        stopTimer: clock.after(pace.wholeMs, () => end(request, entry)),
        release() {},
        response,
      }
      watched.set(request, entry)
      const stop = () => {
        entry.stopTimer()
        entry.release()
        entry.release = () => {}
      }
      request.once('end', stop).once('close', stop)
    },
    allowSlow(request, network) {
      const entry = watched.get(request)
      if (entry === undefined || request.complete || request.socket.destroyed) return true
      const count = slow.get(network) ?? 0
      if (count >= pace.perNetwork) return false
      slow.set(network, count + 1)
      entry.release = () => {
        const left = (slow.get(network) ?? 1) - 1
        if (left > 0) slow.set(network, left)
        else slow.delete(network)
      }
      entry.stopTimer()
      let before = request.socket.bytesRead
      // If the buffer is full, the server is the slow side, so that window and the next do not count.
      const isFull = () => request.readableLength >= request.readableHighWaterMark
      let wasFull = false
      entry.stopTimer = clock.every(pace.windowMs, () => {
        const now = request.socket.bytesRead
        const isSteady = (now - before) * 1000 >= pace.bytesPerSecond * pace.windowMs
        const isOwnWait = isFull() || wasFull
        before = now
        wasFull = isFull()
        if ((isSteady || isOwnWait) && !request.complete) return
        entry.stopTimer()
        end(request, entry)
      })
      return true
    },
  }
}
