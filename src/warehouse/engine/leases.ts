import type { ServerResponse } from 'node:http'

export type Leases = {
  readonly count: number
  hold(response: ServerResponse): void
}

/**
 * Counts the processes that use the engine: each holds a request open. When the last one ends, by itself or because its
 * process died, `onNone` is called once after `graceMs`, unless another has come by then.
 */
export function createLeases({ graceMs, onNone }: { graceMs: number; onNone: () => void }): Leases {
  const held = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => held.size === 0 && onNone(), ms)
  }
  // Whoever started the engine comes at once, or has died.
  wait(10_000)
  return {
    get count() {
      return held.size
    },
    hold(response) {
      held.add(response)
      clearTimeout(timer)
      response.on('close', () => {
        held.delete(response)
        if (held.size === 0) wait(graceMs)
      })
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      response.flushHeaders()
    },
  }
}
