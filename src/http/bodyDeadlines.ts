import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type BodyPace = {
  /** How long a body may take to arrive whole. */
  readonly wholeMs: number
  /** A body that may take longer has to bring so many bytes a second, counted over each window. */
  readonly bytesPerSecond: number
  readonly windowMs: number
  /** How many bodies of one network may take longer at once. */
  readonly perNetwork: number
}

export const BODY_PACE: BodyPace = {
  wholeMs: 30_000,
  bytesPerSecond: 16 * 1024,
  windowMs: 30_000,
  perNetwork: 5,
}

/** Runs something after so many milliseconds, once or again and again, until the returned function is called. */
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

/** Node's own timeout is one for all requests, so bodies are timed here. */
export type BodyDeadlines = {
  /** Starts the time of a request whose body is still to come. */
  watch(request: IncomingMessage, response: ServerResponse): void
  /**
   * From now on the body may take as long as it makes steady progress. False if too many of this network do already: then the
   * time of all requests holds. Only for callers who have proved that they may upload.
   */
  allowSlow(request: IncomingMessage, network: string): boolean
}

type Watched = { stopTimer(): void; release(): void; readonly response: ServerResponse }

/** @param refuse answers 408 on a connection that has had no answer yet */
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
    // Only the answer that is being written has the connection: of those behind it, a refusal would land inside the one before.
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
      // A full buffer waits for this server, not for the sender, and what follows it begins a new window.
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
